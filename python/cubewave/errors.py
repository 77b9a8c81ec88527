"""What can go wrong, as exceptions. All of them are a `CubewaveError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .runs import Run


class CubewaveError(Exception):
    """Whatever this package raises of itself."""


class Refused(CubewaveError, ValueError):
    """The program cannot use the options or the input, or has no room for a file. The text is the program's own."""


class CheckFailed(CubewaveError):
    """A check of a run does not hold. The text names each such check and says what was found; `run` has all readings."""

    run: Run

    def __init__(self, run: Run) -> None:
        failed = (f"{check.name}: {check.detail}" for check in run.checks if not check.passed)
        super().__init__("; ".join(failed))
        self.run = run


class NoProgram(CubewaveError):
    """There is no program `cubewave`, or it is not of the version of this package. The text says where it was looked for."""


class Ended(CubewaveError):
    """The program came to no result: a signal ended it, or it printed what it should not. The text has what it said."""
