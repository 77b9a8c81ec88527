"""Starts the program and waits for it."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from .errors import Ended, Refused
from .program import program

NOTES = logging.getLogger("cubewave")
"""What the program notes while it works comes here as it is said, as warnings; unless told otherwise, Python shows them."""

END = 5.0
"""Seconds in which a program that is told to end has to do so. It takes at most two."""


@dataclass(frozen=True)
class Outcome:
    """What the program printed, and what it noted."""

    printed: str
    notes: tuple[str, ...]


def start(words: Sequence[str], *, folder: str | None = None, seconds: float | None = None) -> Outcome:
    """Starts the program with these words, in this folder or the current one, and gives what it prints when it is over.

    A check that failed (exit status 1) is no error here. Raises Refused with what the program says if it refuses (2), Ended if it
    ends in another way, and TimeoutError after so many seconds. Whatever is raised meanwhile, KeyboardInterrupt included, ends
    the program.
    """
    process = subprocess.Popen(
        [program(), *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    assert process.stdout is not None and process.stderr is not None
    printed: list[str] = []
    said: list[str] = []
    readers = [
        threading.Thread(target=_read, args=(process.stdout, printed), daemon=True),
        threading.Thread(target=_listen, args=(process.stderr, said), daemon=True),
    ]
    try:
        for reader in readers:
            reader.start()
        process.wait(seconds)
        for reader in readers:
            reader.join()
    except BaseException as error:
        _end(process)
        if isinstance(error, subprocess.TimeoutExpired):
            raise TimeoutError(f"cubewave takes more than {seconds:g} s") from None
        raise
    return _outcome(process.returncode, "".join(printed), said)


def _read(stream: IO[str], into: list[str]) -> None:
    with stream:
        into.append(stream.read())


def _listen(stream: IO[str], said: list[str]) -> None:
    with stream:
        for line in stream:
            said.append(line)
            if line.startswith("note: "):
                NOTES.warning("%s", line.removeprefix("note: ").rstrip())


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _outcome(status: int, printed: str, said: Sequence[str]) -> Outcome:
    notes = tuple(line.removeprefix("note: ").rstrip() for line in said if line.startswith("note: "))
    if status in (0, 1):
        return Outcome(printed, notes)
    others = "".join(line for line in said if not line.startswith("note: ")).strip()
    if status == 2:
        raise Refused(others.removeprefix("error: "))
    raise Ended(f"cubewave ended with exit status {status}" + (f": {others}" if others else ""))
