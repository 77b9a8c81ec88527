"""Runs: readings, checks, deliveries, pages."""

import html
import json
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import needs, said_by

import cubewave
from cubewave import pages
from cubewave.commands import WRITING, repeated

DEADLOCK = {"network": "ccc", "dims": 5, "virtual_channels": 1}
"""Worms of which most never arrive."""


class Readings(unittest.TestCase):
    def test_a_run_has_the_report_of_the_program(self) -> None:
        run = cubewave.run("kuszmaul", dims=4, schedule="radix4", seed=3, no_date=True)
        words = "run kuszmaul --dims 4 --schedule radix4 --seed 3 --no-date --format json".split()
        self.assertEqual(dict(run), json.loads(said_by(*words).stdout))

    def test_readings_go_by_names_and_paths(self) -> None:
        run = cubewave.run("kuszmaul", dims=3)
        self.assertEqual((run.bench, run.bit_times, run["bit_times"], run.passed), ("kuszmaul", 91, 91, True))
        self.assertEqual(run["logic_depth.total"], run["logic_depth"]["total"])
        self.assertEqual(run["occupancy_by_step.1.step"], "1_cross")
        self.assertIn("topology.nodes", run)
        self.assertNotIn("topology.moons", run)
        self.assertEqual(run.parameters["schedule"], "plain")
        self.assertEqual(run.meta["version"], cubewave.__version__)
        self.assertEqual(run.command, run.meta["command"])

    def test_a_reading_that_is_not_there_is_told_with_those_that_are(self) -> None:
        run = cubewave.run("kuszmaul", dims=3)
        for path, told in [
            ("logic_depth.all", "node, sequencer, total"),
            ("checks.9", "0 to 5"),
            ("bit_times.all", "none inside it"),
        ]:
            with self.subTest(path=path), self.assertRaises(KeyError) as missing:
                run[path]
            self.assertEqual(missing.exception.args, (f"there is no reading `{path}`; there are: {told}",))

    def test_checks_say_what_was_found(self) -> None:
        run = cubewave.run("kuszmaul", dims=3)
        self.assertEqual(run.checks[0], cubewave.Check("delivered", True, "6 of 6, each once and whole"))
        self.assertEqual(repr(run), "<cubewave run kuszmaul: 91 bit times; all 6 checks hold>")

    def test_a_run_whose_check_fails_is_given(self) -> None:
        with self.assertLogs("cubewave", "WARNING") as noted:
            run = cubewave.run("wormhole", **DEADLOCK)  # type: ignore[arg-type]
        self.assertFalse(run.passed)
        self.assertEqual([check.name for check in run.checks if not check.passed], ["no deadlock", "deliveries"])
        self.assertIn("2 of 6 checks FAIL: no deadlock, deliveries", repr(run))
        self.assertEqual(list(run.notes), [record.getMessage() for record in noted.records])

    def test_a_check_that_must_hold_and_fails_is_an_exception(self) -> None:
        with self.assertLogs("cubewave"), self.assertRaises(cubewave.CheckFailed) as failed:
            cubewave.run("wormhole", check=True, **DEADLOCK)  # type: ignore[arg-type]
        self.assertRegex(str(failed.exception), "^no deadlock: bit time 87: 157 worms will never arrive; .*; deliveries: 3 of 160 worms")
        self.assertEqual(failed.exception.run["delivered"], 3)

    def test_a_check_that_must_hold_and_holds_is_none(self) -> None:
        self.assertTrue(cubewave.run("kuszmaul", check=True, dims=3).passed)

    def test_testbenches_that_an_option_names_take_it(self) -> None:
        run = cubewave.run("kuszmaul", batches=4, dims=3)
        self.assertEqual((run["batches"], run["topology.kind"]), (4, "quadratic hypercube"))

    def test_what_is_refused_has_the_very_text(self) -> None:
        for bench, options, words, text in [
            ("kuszmaul", {"dims": 99}, "--dims 99", "a hypercube of 99 dimensions is out of range: choose 1 to 34"),
            ("kuszmaul", {"load": 2}, "--load 2", "a load of 2 is out of range: it is the share of nodes that send, 0 to 1"),
            ("kuszmaul", {"trafic": "x"}, "--trafic x", "unexpected argument '--trafic' found\n\n  tip: a similar"),
            ("kuszmal", {}, "", "there is no testbench `kuszmal` (did you mean `kuszmaul`?)"),
        ]:
            with self.subTest(bench=bench, options=options), self.assertRaises(cubewave.Refused) as refused:
                cubewave.run(bench, **options)  # type: ignore[arg-type]
            self.assertTrue(str(refused.exception).startswith(text), refused.exception)
            told = said_by("run", bench, *words.split(), "--format", "json").stderr
            self.assertEqual(f"error: {refused.exception}\n", told)
            self.assertIsInstance(refused.exception, ValueError)

    def test_a_form_is_not_to_be_chosen(self) -> None:
        with self.assertRaisesRegex(TypeError, "leave `format` out"):
            cubewave.run("kuszmaul", format="text")

    def test_kept_files_leave_no_names_behind(self) -> None:
        run = cubewave.run("kuszmaul", dims=3, deliveries=True, picture=True, no_date=True)
        self.assertEqual(run["outputs.deliveries"], None)
        self.assertEqual(run.command, cubewave.run("kuszmaul", dims=3, no_date=True).command)


class Deliveries(unittest.TestCase):
    def printed(self, *words: str) -> list[list[str]]:
        lines = said_by("run", *words, "--deliveries", "-").stdout.splitlines()
        return [line.split(",") for line in lines]

    @needs("pandas")
    def test_deliveries_are_what_the_file_says(self) -> None:
        header, *rows = self.printed("kuszmaul", "--dims", "4")
        for keep in (True, False):
            with self.subTest(keep=keep):
                table = cubewave.run("kuszmaul", dims=4, deliveries=keep).deliveries
                self.assertEqual(list(table.columns), header)
                self.assertEqual(table.astype(str).values.tolist(), rows)
                self.assertEqual(str(table["bit_time"].dtype), "int64")
                self.assertEqual(table.attrs["units"], {"bit_time": "bit times"})

    @needs("pandas")
    def test_a_log_has_the_route_of_every_message(self) -> None:
        header, *rows = said_by("run", "kuszmaul", "--dims", "4", "--log", "-").stdout.splitlines()
        for keep in (True, False):
            with self.subTest(keep=keep):
                run = cubewave.run("kuszmaul", dims=4, log=keep)
                self.assertEqual(list(run.log.columns), header.split(","))
                told = [[row[0], row[3], row[7]] for row in (line.split(",") for line in rows)]
                self.assertEqual(run.log[["message", "created", "path"]].astype(str).values.tolist(), told)
                self.assertEqual(run.log.attrs["units"]["arrived"], "bit times")
                self.assertNotIn("--log", str(run.command))

    @needs("pandas")
    def test_what_does_not_arrive_has_no_bit_time(self) -> None:
        with self.assertLogs("cubewave"):
            table = cubewave.run("wormhole", deliveries=True, **DEADLOCK).deliveries  # type: ignore[arg-type]
        self.assertEqual((len(table), int(table["bit_time"].count())), (160, 3))
        self.assertEqual((str(table["bit_time"].dtype), table.attrs["units"]["tail_arrived"]), ("Int64", "bit times"))
        self.assertIn(">", table["path"][0])

    @needs("pandas")
    def test_a_run_is_made_once_more_from_its_own_folder(self) -> None:
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.chdir(folder)
                Path("my file.csv").write_text("source,destination,payload\n0,5,02\n")
                run = cubewave.run("kuszmaul", dims=3, traffic_file="my file.csv", wave="run.vcd", trace_nodes=[0, 5])
                Path("run.vcd").unlink()
            finally:
                os.chdir(before)
            self.assertEqual(run.deliveries[["node", "source", "payload"]].values.tolist(), [[5, 0, "02"]])
            self.assertFalse((Path(folder) / "run.vcd").exists())

    @needs("pandas")
    def test_what_is_kept_takes_one_run(self) -> None:
        run = cubewave.run("kuszmaul", dims=3, deliveries=True, picture=True)
        with mock.patch("cubewave.runs.start", side_effect=AssertionError("a second run")):
            self.assertEqual(len(run.deliveries), 6)
            self.assertIn("<!DOCTYPE html>", run._repr_html_().replace("&lt;", "<").replace("&gt;", ">"))

    @needs("pandas")
    def test_a_testbench_without_deliveries_says_so(self) -> None:
        with self.assertRaisesRegex(cubewave.Refused, "^unexpected argument '--deliveries' found"):
            cubewave.run("dispersal", dims=4).deliveries

    def test_a_second_run_writes_nothing_of_the_first(self) -> None:
        harmless = {"--coverage", "--format", "--no-date", "--trace-message"}
        benches = {one["name"] for one in json.loads(said_by("list", "--format", "json").stdout)}
        self.assertGreater(len(benches), 15)
        for bench in benches:
            output = said_by("run", bench, "--help").stdout.split("\nOutput:\n")[1]
            options = re.findall(r"^      (--[a-z-]+)", re.split(r"^[A-Z]", output, flags=re.MULTILINE)[0], re.MULTILINE)
            with self.subTest(bench=bench):
                self.assertIn("--picture", options)
                self.assertEqual(set(options) - WRITING - harmless, set())

    def test_what_is_written_is_left_out_of_a_command(self) -> None:
        command = "cubewave run kuszmaul --wave 'a b.vcd' --dims 3 --picture=-p.html --no-date --links l.csv"
        self.assertEqual(repeated(command), ["run", "kuszmaul", "--dims", "3", "--no-date"])

    def test_a_path_is_where_the_program_writes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "arrived.csv"
            run = cubewave.run("kuszmaul", dims=4, deliveries=file)
            self.assertEqual(file.read_text(), said_by("run", "kuszmaul", "--dims", "4", "--deliveries", "-").stdout)
            self.assertEqual(run["outputs.deliveries"], str(file))


class Pages(unittest.TestCase):
    def test_a_notebook_shows_the_page(self) -> None:
        run = cubewave.run("kuszmaul", dims=3, no_date=True)
        page = said_by("run", "kuszmaul", "--dims", "3", "--no-date", "--picture", "-").stdout
        self.assertEqual(run.page, page)
        shown = re.fullmatch(r'<iframe sandbox="allow-scripts" [^<>]* srcdoc="([^"]*)"></iframe>', run._repr_html_())
        assert shown is not None
        self.assertEqual(html.unescape(shown[1]), page)

    def test_the_page_is_of_the_size_of_the_run(self) -> None:
        # Asked for a page and for no size, the program would choose another.
        run = cubewave.run("scatter")
        self.assertIn(f"--dims {run['topology.dims']} ", run.page)
        self.assertIn(f"--message-bits {run.parameters['message_bits']} ", run.page)

    def test_a_run_whose_check_fails_has_a_page(self) -> None:
        with self.assertLogs("cubewave"):
            self.assertIn("FAIL", cubewave.run("wormhole", **DEADLOCK).page)  # type: ignore[arg-type]

    def test_a_run_that_is_too_large_says_so(self) -> None:
        shown = cubewave.run("kuszmaul", dims=15)._repr_html_()
        self.assertRegex(shown, r"^<p>kuszmaul: \d+ bit times; all 6 checks hold\. There is no page: --picture: machines of up to 16384")

    def test_a_page_that_is_too_large_is_not_shown(self) -> None:
        run = cubewave.run("kuszmaul", dims=3)
        with mock.patch.object(pages, "LARGEST", 1000):
            self.assertRegex(run._repr_html_(), r"^<p>kuszmaul: 91 bit times; .*too many for a notebook: write `page` to a file\.</p>$")

    def test_a_page_that_takes_long_is_not_waited_for(self) -> None:
        run = cubewave.run("kuszmaul", dims=3)
        with mock.patch("cubewave.runs.PATIENCE", 0.0):
            self.assertRegex(run._repr_html_(), "The page takes more than 0 s to draw: `page` draws it all the same")
        self.assertIn("<iframe", run._repr_html_())


if __name__ == "__main__":
    unittest.main()
