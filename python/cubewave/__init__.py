"""Runs cubewave, a cycle-level model of bit-serial hypercube routers, and gives what it reads as Python values.

    >>> import cubewave
    >>> run = cubewave.run("kuszmaul", dims=4, schedule="radix4")
    >>> run.bit_times, run["logic_depth.total"], run.passed
    >>> cubewave.measure("kuszmaul", dims=range(2, 9), schedule="all")

Each call starts the program `cubewave`, which the wheel brings along. `docs/python.md` of the project has more.
"""

from .errors import CheckFailed, CubewaveError, Ended, NoProgram, Refused
from .program import program
from .runs import Check, Run, run
from .sweeps import measure, rows
from .version import VERSION as __version__

__all__ = [
    "Check",
    "CheckFailed",
    "CubewaveError",
    "Ended",
    "NoProgram",
    "Refused",
    "Run",
    "__version__",
    "measure",
    "program",
    "rows",
    "run",
]
