"""Sweeps: a testbench at every point of a grid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .errors import Ended
from .frames import frame, pandas_for
from .options import Value, options_of
from .process import Outcome, start
from .runs import report_of
from .schema import columns_of

if TYPE_CHECKING:
    from pandas import DataFrame, Series

META = "meta."

TEXTS = {"failed": "string"}
"""Columns of texts that are most often empty."""


def measure(bench: str | Iterable[str], /, **options: Value) -> DataFrame:
    """Runs a testbench at every point of a grid, as `cubewave measure BENCH` does, and gives a row a point.

    Options are those of the command line, with `_` in place of `-`; lists and ranges are lists there too:
    `measure("kuszmaul", dims=range(2, 7), schedule="all", seeds=3)`. Several testbenches stand in a list.

    Of the frame `table`, `table.attrs["units"]` has the unit of each column that has one, such as `bit times`, and
    `table.attrs["meta"]` where the rows come from: version, sweep, platform, date, and in `commands` the run behind each row, by
    the row's first label. `table.attrs["notes"]` has what the program noted, points that are impossible and left out among it.

    A row whose checks do not hold has `passed` False and names them in `failed`. Raises Refused with the text of the program,
    NoProgram, TypeError for what no option can be, and ImportError without pandas.
    """
    pandas_for("measure")
    benches = _benches(bench)
    outcome = _measured(benches, "csv", options)
    columns = columns_of(benches)
    kinds = {name: column.kind for name, column in columns.items() if column.kind}
    table = frame(outcome.printed, {**TEXTS, **kinds})
    names = [str(name) for name in table.columns]
    meta = {name.removeprefix(META): _values(table.pop(name)) for name in names if name.startswith(META)}
    table.attrs["units"] = {name: columns[name].unit for name in names if name in columns and columns[name].unit}
    table.attrs["meta"] = _shared(meta)
    table.attrs["notes"] = list(outcome.notes)
    return table


def rows(bench: str | Iterable[str], /, **options: Value) -> list[dict[str, Any]]:
    """The same sweep as a list of dictionaries, without pandas: what `cubewave measure BENCH --format json` prints.

    Raises what `measure` raises, but no ImportError.
    """
    printed = _measured(_benches(bench), "json", options).printed
    found = report_of(printed)
    if not isinstance(found, list):
        raise Ended(f"cubewave printed no rows: {printed[:200]!r}")
    return found


def _benches(bench: str | Iterable[str]) -> str:
    return bench if isinstance(bench, str) else ",".join(bench)


def _measured(benches: str, form: str, options: dict[str, Value]) -> Outcome:
    if "format" in options:
        raise TypeError("a sweep takes its rows in a form of its own: leave `format` out")
    return start(["measure", benches, *options_of(options), "--format", form])


def _values(cells: Series[Any]) -> list[Any]:
    """As values of Python's own; None for an empty cell."""
    values = cells.astype(object).where(cells.notna(), None).tolist()
    return [None if value == "" else value for value in values]


def _shared(meta: dict[str, list[Any]]) -> dict[str, Any]:
    """What all rows have in common, and the command of each."""
    commands = meta.pop("command", [])
    shared = {name: values[0] for name, values in meta.items() if values and values.count(values[0]) == len(values)}
    return {**shared, "commands": commands}
