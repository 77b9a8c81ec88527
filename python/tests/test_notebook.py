"""The notebook runs, and is stored without what it gave."""

import json
import os
import tempfile
import unittest
from typing import Any

from support import ROOT, needs

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


class Notebook(unittest.TestCase):
    def test_it_is_stored_without_outputs(self) -> None:
        cells = json.loads(NOTEBOOK.read_text())["cells"]
        stored = [cell["id"] for cell in cells if cell.get("outputs") or cell.get("execution_count")]
        self.assertEqual(stored, [])
        self.assertLessEqual(len(cells), 12)

    @needs("nbclient", "nbformat", "ipykernel", "matplotlib", "pandas")
    def test_no_cell_fails_and_all_show_something(self) -> None:
        import nbformat
        from nbclient import NotebookClient

        notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
        with tempfile.TemporaryDirectory() as folder:
            # An error of a cell is raised here.
            NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}).execute()
            self.assertEqual(os.listdir(folder), [])
        codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
        # What is printed has no kinds: it is text.
        kinds = [{kind for output in cell.outputs for kind in output.get("data", ["text"])} for cell in codes]
        self.assertIn("<iframe", codes[0].outputs[0]["data"]["text/html"])
        self.assertEqual([bool(kind) for kind in kinds], [True] * len(codes))
        self.assertEqual(sum("image/png" in kind for kind in kinds), 2)
        said = "".join(output.get("text", "") for output in codes[-1].outputs)
        self.assertIn("a hypercube of 99 dimensions is out of range", said)
        self.assertIn("checks FAIL: no deadlock", said)


if __name__ == "__main__":
    unittest.main()
