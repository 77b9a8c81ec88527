"""A run, and what it has to say."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from .commands import repeated, without
from .errors import CheckFailed, CubewaveError, Ended
from .frames import frame, pandas_for
from .options import Value, options_of
from .pages import PATIENCE, framed, said
from .process import start

if TYPE_CHECKING:
    from pandas import DataFrame

KEPT = {"deliveries": "deliveries.csv", "log": "log.csv", "picture": "page.html"}
"""Options whose file a run can keep by itself, and what the file is called meanwhile."""


@dataclass(frozen=True)
class Check:
    """A check of a run: what was checked, whether it holds, and what was found."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, repr=False, eq=False)
class Run(Mapping[str, Any]):
    """A run: its readings by name, as they stand in the JSON report, and its checks.

    `run["bit_times"]` is a reading, `run["logic_depth.total"]` one inside another, and `run["occupancy_by_step.0.step"]` one of a
    list. A name that is not there raises KeyError, which says what is. In a notebook a run shows its page.
    """

    report: Mapping[str, Any]
    """The whole report, as nested dictionaries and lists."""
    notes: tuple[str, ...]
    """What the program noted beside the report."""
    folder: str = field(default_factory=os.getcwd)
    """The current folder of the run: files that it names are found from here."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """Texts of the files that the run was asked to keep."""

    def __getitem__(self, path: str) -> Any:
        value: Any = self.report
        for name in path.split("."):
            try:
                value = value[int(name)] if isinstance(value, list) else value[name]
            except (KeyError, IndexError, TypeError, ValueError):
                raise KeyError(f"there is no reading `{path}`; there are: {', '.join(_names(value))}") from None
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self.report)

    def __len__(self) -> int:
        return len(self.report)

    @property
    def bench(self) -> str:
        """The testbench."""
        return str(self["bench"])

    @property
    def bit_times(self) -> int:
        """How many bit times the run took: clock cycles, in each of which one bit crosses one wire."""
        return int(self["bit_times"])

    @property
    def passed(self) -> bool:
        """Whether all checks hold."""
        return bool(self["passed"])

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """What was checked, in the order of the report."""
        return tuple(Check(one["name"], one["passed"], one["detail"]) for one in self["checks"])

    @property
    def meta(self) -> Mapping[str, Any]:
        """Where the report comes from: version, command, parameters, seed, platform, date."""
        return dict(self["meta"])

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All parameters by name, defaults among them."""
        return dict(self["meta.parameters"])

    @property
    def command(self) -> str | None:
        """The command line that gives the same run again; None if there is none."""
        return None if self["meta.command"] is None else str(self["meta.command"])

    @cached_property
    def deliveries(self) -> DataFrame:
        """What arrived, a row a message: node, source, payload (hexadecimal), bit_time, and more columns of worms. Empty cells are
        missing values, such as the bit time of a message that did not arrive.

        A run with `deliveries=True` has it already; otherwise the same run is made once more. Raises Refused if the testbench writes
        none, and ImportError without pandas.
        """
        pandas_for("deliveries")
        text = self.kept["deliveries"] if "deliveries" in self.kept else self._again("deliveries")
        table = frame(text, {"payload": "string", "path": "string"})
        units = {"bit_time", "created", "injected", "head_arrived", "tail_arrived"}
        table.attrs["units"] = {**dict.fromkeys(units & set(table), "bit times"), **dict.fromkeys({"bits"} & set(table), "bits")}
        return table

    @cached_property
    def log(self) -> DataFrame:
        """The route of every message, a row a message: message, source, destination, created, injected, arrived, hops, path such as
        `5>4>6>2`, and bit_times, hop by hop. Nodes are text, for some have names.

        A run with `log=True` has it already; otherwise the same run is made once more. Raises Refused if the testbench writes none, and
        ImportError without pandas.
        """
        pandas_for("log")
        text = self.kept["log"] if "log" in self.kept else self._again("log")
        table = frame(text, dict.fromkeys(("message", "source", "destination", "path", "bit_times"), "string"))
        table.attrs["units"] = dict.fromkeys(("created", "injected", "arrived"), "bit times")
        return table

    @cached_property
    def page(self) -> str:
        """The whole run as a page for a browser (HTML), which needs nothing else.

        A run with `picture=True` has it already; otherwise the same run is made once more. Raises Refused of a run that is too large.
        """
        return self.kept["picture"] if "picture" in self.kept else self._again("picture")

    def _again(self, option: str, seconds: float | None = None) -> str:
        """What the same run writes with one more option."""
        if self.command is None:
            raise CubewaveError("this run has no command that gives it again")
        return start([*repeated(self.command), f"--{option}", "-"], folder=self.folder, seconds=seconds).printed

    def _verdict(self) -> str:
        failed = [check.name for check in self.checks if not check.passed]
        if failed:
            return f"{len(failed)} of {len(self.checks)} checks FAIL: {', '.join(failed)}"
        return f"all {len(self.checks)} checks hold"

    def __repr__(self) -> str:
        return f"<cubewave run {self.bench}: {self.bit_times} bit times; {self._verdict()}>"

    def _repr_html_(self) -> str:
        """The page in a frame, or why there is none."""
        told = f"{self.bench}: {self.bit_times} bit times; {self._verdict()}."
        if "page" not in self.__dict__ and "picture" not in self.kept:
            try:
                self.__dict__["page"] = self._again("picture", PATIENCE)
            except TimeoutError:
                return said(f"{told} The page takes more than {PATIENCE:g} s to draw: `page` draws it all the same.")
            except CubewaveError as error:
                return said(f"{told} There is no page: {error}")
        return framed(self.page, told)


def run(
    bench: str,
    /,
    *,
    check: bool = False,
    deliveries: bool | str | os.PathLike[str] = False,
    log: bool | str | os.PathLike[str] = False,
    picture: bool | str | os.PathLike[str] = False,
    **options: Value,
) -> Run:
    """Runs a testbench once, as `cubewave run BENCH` does, and gives its readings and checks.

    Options are those of the command line, with `_` in place of `-`: `run("kuszmaul", dims=6, schedule="radix4", seed=3)`. True is a
    switch, None and False leave an option out. With `deliveries=True` the run keeps what arrived, with `log=True` the routes of
    messages, with `picture=True` its page; a path writes the file there.

    A run whose check fails is given all the same, with `passed` False; with `check=True` it raises CheckFailed. Raises Refused, with
    the text of the program, if options or input cannot be used, NoProgram if there is no program, and TypeError for what no option
    can be.
    """
    if "format" in options:
        raise TypeError("a run takes its report as JSON: leave `format` out")
    files: dict[str, bool | str | os.PathLike[str]] = {"deliveries": deliveries, "log": log, "picture": picture}
    with TemporaryDirectory(prefix="cubewave-") as folder:
        kept = {name: Path(folder) / KEPT[name] for name, value in files.items() if value is True}
        words = ["run", bench, *options_of({**options, **files, **kept}), "--format", "json"]
        outcome = start(words)
        texts = {name: file.read_text("utf-8") for name, file in kept.items()}
    done = Run(without(kept, report_of(outcome.printed)), outcome.notes, kept=texts)
    if check and not done.passed:
        raise CheckFailed(done)
    return done


def report_of(printed: str) -> Any:
    """What the program printed, as JSON. Raises Ended if it is none."""
    try:
        return json.loads(printed)
    except json.JSONDecodeError:
        raise Ended(f"cubewave printed no JSON: {printed[:200]!r}") from None


def _names(value: object) -> Sequence[str]:
    if isinstance(value, Mapping):
        return [str(name) for name in value]
    if isinstance(value, list):
        return [f"0 to {len(value) - 1}"] if value else ["none"]
    return ["none inside it"]
