"""What several tests use: the program itself, programs that are not it, and the files of the project."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import cubewave

ROOT = Path(__file__).resolve().parents[2]
"""The project."""


def said_by(*words: str) -> subprocess.CompletedProcess[str]:
    """What the program itself says."""
    return subprocess.run([cubewave.program(), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def needs(*modules: str) -> Callable[[Any], Any]:
    """Leaves a test out where one of these modules is missing; `scripts/python`, which has installed all, allows none to be."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing and os.environ.get("CUBEWAVE_TESTS") == "all":
        raise RuntimeError(f"{', '.join(missing)} is missing")
    return unittest.skipIf(missing, f"{', '.join(missing)} is missing")


@contextlib.contextmanager
def pretended(body: str, version: str = f"cubewave {cubewave.__version__}") -> Iterator[Path]:
    """Another program in place of cubewave: it says this version, and does what the lines of Python say. Gives its folder."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cubewave"
        asked = f"if sys.argv[1:] == ['--version']:\n    print({version!r})\n    sys.exit()\n"
        file.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{asked}{body}\n")
        file.chmod(0o755)
        with mock.patch.dict(os.environ, {"CUBEWAVE": str(file)}):
            yield Path(folder)
