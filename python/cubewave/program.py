"""Where the program is."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sysconfig

from .errors import NoProgram
from .version import VERSION


def program() -> str:
    """The path of the program: that of the environment variable CUBEWAVE if it is set, else the one beside this Python,
    where the wheel puts it, else the one on PATH.

    Raises NoProgram if there is none, or if it is of another version than this package.
    """
    path = _found()
    version = _version(path, os.stat(path).st_mtime_ns)
    if version != f"cubewave {VERSION}":
        raise NoProgram(f"{path} is `{version}`, and this package is of cubewave {VERSION}: install both from one source, or set CUBEWAVE")
    return path


def _found() -> str:
    if chosen := os.environ.get("CUBEWAVE"):
        path = shutil.which(chosen)
        if path is None:
            raise NoProgram(f"CUBEWAVE is {chosen}, which is no program that can be started")
        return path
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    for folder in folders:
        if path := shutil.which("cubewave", path=folder):
            return path
    if path := shutil.which("cubewave"):
        return path
    raise NoProgram(
        f"there is no program `cubewave` in {' or '.join(folders)}, nor on PATH, and CUBEWAVE is not set: "
        "the wheel brings it, and `cargo install --path .` builds it"
    )


@functools.cache
def _version(path: str, changed: int) -> str:
    """What the program says that it is. It is asked again when its file has changed."""
    try:
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NoProgram(f"{path} cannot be started: {error.strerror}") from error
    return (said.stdout or said.stderr).strip()
