"""CSV as a DataFrame with the right types."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from pandas import DataFrame

LARGEST = 2**63 - 1
"""The largest whole number that a column of numbers takes."""


def pandas_for(what: str) -> ModuleType:
    """pandas, or an ImportError that says what wants it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"`{what}` gives a pandas.DataFrame, and pandas is not installed: pip install pandas") from error
    return pandas


def frame(text: str, kinds: Mapping[str, str]) -> DataFrame:
    """The rows of a CSV text with a header.

    A column has the type that `kinds` gives it, as JSON Schema calls types, if its cells have it; else the narrowest that they have:
    whole numbers (int64, or Int64 if cells are empty), true and false (bool, or boolean), numbers (float64), texts. Empty cells are
    missing values, among texts empty texts. A column that is empty as a whole is float64.
    """
    pandas = pandas_for("frame")
    lines = csv.reader(io.StringIO(text, newline=""))
    header = next(lines)
    rows = list(lines)
    columns = {name: [row[at] for row in rows] for at, name in enumerate(header)}
    table: DataFrame = pandas.DataFrame({name: _column(pandas, cells, kinds.get(name)) for name, cells in columns.items()})
    return table


def _column(pandas: Any, cells: Sequence[str], kind: str | None) -> Any:
    if kind is None or not _is(kind, cells):
        kind = next(one for one in NARROWEST_FIRST if _is(one, cells)) if any(cells) else "number"
    has_empty = "" in cells
    if kind == "integer":
        numbers = [int(cell) if cell else None for cell in cells]
        if any(number is not None and abs(number) > LARGEST for number in numbers):
            return pandas.Series(numbers, dtype=object)
        return pandas.Series(numbers, dtype="Int64" if has_empty else "int64")
    if kind == "number":
        return pandas.Series([float(cell) if cell else None for cell in cells], dtype="float64")
    if kind == "boolean":
        return pandas.Series([cell == "true" if cell else None for cell in cells], dtype="boolean" if has_empty else "bool")
    return pandas.Series(cells)


NARROWEST_FIRST = ("integer", "boolean", "number", "string")


def _is(kind: str, cells: Sequence[str]) -> bool:
    """Whether all cells but empty ones are such."""
    filled = [cell for cell in cells if cell]
    if kind == "boolean":
        return all(cell in ("true", "false") for cell in filled)
    if kind == "string":
        return True
    if kind not in ("integer", "number"):
        return False
    # Python reads 2_6 as a number, which is the name of a node.
    if any("_" in cell for cell in filled):
        return False
    try:
        for cell in filled:
            int(cell) if kind == "integer" else float(cell)
    except ValueError:
        return False
    return True
