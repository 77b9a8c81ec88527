"""Sweeps as frames and as rows."""

import functools
import json
import sys
import unittest
from collections.abc import Iterator
from typing import Any
from unittest import mock

from support import needs, said_by

import cubewave
from cubewave.frames import frame
from cubewave.schema import Column
from cubewave.sweeps import _values

# As long as nothing is measured with a clock, two sweeps are equal.
GRID = {"dims": [2, 3], "schedule": ["plain", "radix4"], "no_date": True}


def columns(part: dict[str, Any], place: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The columns of a schema, each with its place in a row."""
    if "column" in part:
        yield part["column"], place
    for one in part.get("anyOf", [part]):
        for name, inner in one.get("properties", {}).items():
            yield from columns(inner, (*place, name))


class Rows(unittest.TestCase):
    def test_rows_have_what_was_measured_and_where_it_comes_from(self) -> None:
        rows = cubewave.rows("kuszmaul", dims=[2, 3])
        self.assertEqual([(row["bench"], row["topology"]["dims"], row["bit_times"]) for row in rows], [("kuszmaul", 2, 43), ("kuszmaul", 3, 91)])
        self.assertIn("--dims 3", rows[1]["meta"]["command"])

    def test_several_testbenches_stand_in_a_list(self) -> None:
        rows = cubewave.rows(["kuszmaul", "radix"], dims=3)
        self.assertEqual([row["bench"] for row in rows], ["kuszmaul", "radix"])

    def test_what_is_refused_has_the_text_of_the_program(self) -> None:
        with self.assertRaises(cubewave.Refused) as told:
            cubewave.rows("kuszmaul", dims=99)
        text = "plain, D = 8, k = 99, load 0.75, seed 1: a hypercube of 99 dimensions is out of range: choose 1 to 34"
        self.assertEqual(str(told.exception), text)
        self.assertEqual(said_by("measure", "kuszmaul", "--dims", "99").stderr, f"error: {text}\n")

    def test_a_form_is_not_to_be_chosen(self) -> None:
        with self.assertRaisesRegex(TypeError, "leave `format` out"):
            cubewave.rows("kuszmaul", format="table")

    def test_without_pandas_it_is_said_what_to_install(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaises(ImportError) as told:
                cubewave.measure("kuszmaul", dims=2)
        self.assertEqual(str(told.exception), "`measure` gives a pandas.DataFrame, and pandas is not installed: pip install pandas")


@needs("pandas")
class Measure(unittest.TestCase):
    def test_a_frame_has_the_values_of_the_rows(self) -> None:
        table = cubewave.measure("kuszmaul", **GRID)  # type: ignore[arg-type]
        rows = cubewave.rows("kuszmaul", **GRID)  # type: ignore[arg-type]
        self.assertEqual(len(table), 4)
        places = {column: place for column, place in columns(json.loads(said_by("schema", "kuszmaul").stdout)) if column in table}
        self.assertEqual(set(places), set(table.columns))
        for name, place in places.items():
            for found, row in zip(table[name].astype(object).tolist(), rows):
                told = functools.reduce(lambda whole, part: whole[part], place, row)
                with self.subTest(column=name):
                    self.assertTrue(found != found if told is None else found == told, (found, told))

    def test_columns_have_their_types(self) -> None:
        table = cubewave.measure("kuszmaul", dims=[2, 3])
        kinds = {name: str(table[name].dtype) for name in ("dims", "bit_times", "load", "wire_use", "passed")}
        self.assertEqual(kinds, {"dims": "int64", "bit_times": "int64", "load": "float64", "wire_use": "float64", "passed": "bool"})
        self.assertEqual(table["failed"].tolist(), ["", ""])

    def test_attributes_say_where_rows_come_from(self) -> None:
        table = cubewave.measure("kuszmaul", dims=[2, 3], seed=7)
        meta = table.attrs["meta"]
        self.assertEqual((meta["schema"], meta["version"], meta["seed"]), (2, cubewave.__version__, 7))
        # A program of somebody's own need not know it.
        if meta["commit"] is not None:
            self.assertRegex(meta["commit"], "^[0-9a-f]{40}(-dirty)?$")
        self.assertEqual(meta["sweep"], "cubewave measure kuszmaul --dims 2,3 --seeds 1 --seed 7 --format csv")
        self.assertEqual(len(meta["commands"]), 2)
        self.assertIn("--dims 3 ", meta["commands"][1])
        self.assertFalse([name for name in table.columns if str(name).startswith("meta")])

    def test_units_and_types_are_those_of_the_schema(self) -> None:
        columns = [Column("bit_times", "bit times", "integer"), Column("dims", None, "number"), Column("hops", "wires", "number")]
        with mock.patch("cubewave.sweeps.columns_of", return_value={column.name: column for column in columns}) as asked:
            table = cubewave.measure(["kuszmaul", "radix"], dims=2)
        asked.assert_called_once_with("kuszmaul,radix")
        self.assertEqual(table.attrs["units"], {"bit_times": "bit times"})
        self.assertEqual((str(table["bit_times"].dtype), str(table["dims"].dtype)), ("int64", "float64"))

    def test_what_rows_do_not_share_is_not_told_of_all(self) -> None:
        meta = cubewave.measure("kuszmaul", dims=2, seeds=2).attrs["meta"]
        self.assertNotIn("seed", meta)
        self.assertIn("--seed 2 ", meta["commands"][1])

    def test_empty_cells_are_none(self) -> None:
        table = frame("a,b\n,1\nx,\n", {})
        self.assertEqual((_values(table["a"]), _values(table["b"])), ([None, "x"], [1, None]))

    def test_a_sweep_without_commands_has_none(self) -> None:
        table = cubewave.measure("wormhole", dims=2, saturation=True, tolerance=0.1)
        self.assertEqual(table.attrs["meta"]["commands"], [None])
        self.assertEqual(str(table["saturation"].dtype), "float64")

    def test_points_that_are_left_out_are_noted(self) -> None:
        with self.assertLogs("cubewave", "WARNING") as noted:
            table = cubewave.measure("bitonic", dims=3, schedule="all", load=[0.75, 1])
        self.assertEqual(table["schedule"].tolist(), ["sort-and-unpack", "sort-and-unpack", "sort"])
        self.assertRegex(table.attrs["notes"][0], "^left out: sort, D = 8, k = 3, load 0.75, seed 1: ")
        self.assertEqual(table.attrs["notes"], [record.getMessage() for record in noted.records])

    def test_a_row_whose_checks_fail_is_there(self) -> None:
        table = cubewave.measure("wormhole", dims=5, virtual_channels=[1, 3])
        self.assertEqual(table["passed"].tolist(), [False, True])
        self.assertIn("no deadlock", table["failed"][0])
        self.assertEqual(table["failed"][1], "")


if __name__ == "__main__":
    unittest.main()
