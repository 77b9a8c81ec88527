"""The page on Python says what is true: its blocks are run in their order."""

import doctest
import re
import unittest

from support import ROOT, needs

import cubewave

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Docs(unittest.TestCase):
    @needs("pandas")
    def test_the_blocks_of_the_page_give_what_they_say(self) -> None:
        blocks = BLOCK.findall(PAGE.read_text())
        self.assertGreater(len(blocks), 3)
        page = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
        self.assertGreater(len(page.examples), 12)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        self.assertEqual(runner.run(page, out=said.append).failed, 0, "".join(said))

    def test_the_page_names_all_that_the_package_has(self) -> None:
        page = PAGE.read_text()
        missing = [name for name in cubewave.__all__ if name not in page and not name.startswith("_")]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
