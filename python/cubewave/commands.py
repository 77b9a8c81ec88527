"""The command line in a report, which gives the same run again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WRITING = {
    "--wave",
    "--trace-nodes",
    "--trace-from",
    "--trace-to",
    "--picture",
    "--deliveries",
    "--junit",
    "--results",
    "--cuts-out",
    "--links",
}
"""Options of a command that say what a run writes where, each with a value. They do not change what it reads."""


def repeated(command: str) -> list[str]:
    """The words of a command without what it writes."""
    _, *words = shlex.split(command)
    left = []
    rest = iter(words)
    for word in rest:
        if word in WRITING:
            next(rest, None)
        elif word.split("=")[0] not in WRITING:
            left.append(word)
    return left


def without(kept: Mapping[str, Path], report: dict[str, Any]) -> dict[str, Any]:
    """The report without the names of files that are no longer there."""
    for option, file in kept.items():
        if report["meta"]["command"] is not None:
            report["meta"]["command"] = report["meta"]["command"].replace(f" --{option} {shlex.quote(str(file))}", "")
        for name, written in report["outputs"].items():
            report["outputs"][name] = None if written == str(file) else written
    return report
