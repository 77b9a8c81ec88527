"""Where the program is found, and which one is refused."""

import os
import re
import shutil
import sysconfig
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import ROOT, pretended

import cubewave


def nowhere() -> "mock._patch_dict":
    """No CUBEWAVE, and nothing on PATH."""
    return mock.patch.dict(os.environ, {"CUBEWAVE": "", "PATH": ""})


class Program(unittest.TestCase):
    def test_the_version_is_that_of_the_workspace(self) -> None:
        manifest = (ROOT / "Cargo.toml").read_text()
        found = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)
        assert found is not None
        self.assertEqual(cubewave.__version__, found[1])

    def test_a_program_that_is_missing_is_told_with_where_it_was_looked_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder, nowhere(), mock.patch.object(sysconfig, "get_path", lambda *_: folder):
            with self.assertRaises(cubewave.NoProgram) as told:
                cubewave.run("kuszmaul")
        self.assertEqual(
            str(told.exception),
            f"there is no program `cubewave` in {folder} or {folder}, nor on PATH, and CUBEWAVE is not set: "
            "the wheel brings it, and `cargo install --path .` builds it",
        )

    def test_a_program_that_cubewave_names_wrongly_is_told(self) -> None:
        with mock.patch.dict(os.environ, {"CUBEWAVE": "/nowhere/cubewave"}):
            with self.assertRaisesRegex(cubewave.NoProgram, "^CUBEWAVE is /nowhere/cubewave, which is no program that can be started$"):
                cubewave.program()

    def test_a_program_of_another_version_is_told_with_both(self) -> None:
        with pretended("", version="cubewave 0.0.9") as folder:
            with self.assertRaises(cubewave.NoProgram) as told:
                cubewave.run("kuszmaul")
        self.assertEqual(
            str(told.exception),
            f"{folder / 'cubewave'} is `cubewave 0.0.9`, and this package is of cubewave {cubewave.__version__}: "
            "install both from one source, or set CUBEWAVE",
        )

    def test_a_file_that_is_no_program_is_told(self) -> None:
        with pretended("") as folder:
            (folder / "cubewave").write_bytes(b"\0\1\2")
            with self.assertRaisesRegex(cubewave.NoProgram, "cannot be started: "):
                cubewave.program()

    def test_the_variable_comes_first_then_the_folder_of_this_python_then_path(self) -> None:
        with pretended("") as chosen, tempfile.TemporaryDirectory() as scripts, tempfile.TemporaryDirectory() as on_path:
            for folder in (scripts, on_path):
                shutil.copy(chosen / "cubewave", folder)
            with mock.patch.object(sysconfig, "get_path", lambda *_: scripts), mock.patch.dict(os.environ, {"PATH": on_path}):
                self.assertEqual(cubewave.program(), str(chosen / "cubewave"))
                os.environ["CUBEWAVE"] = ""
                self.assertEqual(cubewave.program(), str(Path(scripts) / "cubewave"))
                (Path(scripts) / "cubewave").unlink()
                self.assertEqual(cubewave.program(), str(Path(on_path) / "cubewave"))


if __name__ == "__main__":
    unittest.main()
