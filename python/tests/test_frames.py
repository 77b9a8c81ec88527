"""The types of columns."""

import unittest

from support import needs

from cubewave.frames import frame

TEXT = """whole,gaps,half,truth,some,name,none,hex
1,,0.5,true,,a,,01
2,7,1,false,true,"b,c",,ff
"""


@needs("pandas")
class Frames(unittest.TestCase):
    def types(self, text: str, **kinds: str) -> dict[str, str]:
        return {str(name): str(kind) for name, kind in frame(text, kinds).dtypes.items()}

    def test_types_are_the_narrowest_that_the_cells_have(self) -> None:
        found = self.types(TEXT)
        text = found.pop("name")
        self.assertIn(text, ("object", "str"))
        self.assertEqual(found.pop("hex"), text)
        self.assertEqual(
            found, {"whole": "int64", "gaps": "Int64", "half": "float64", "truth": "bool", "some": "boolean", "none": "float64"}
        )

    def test_types_that_are_told_come_first_if_the_cells_have_them(self) -> None:
        found = self.types(TEXT, whole="number", none="integer", half="integer")
        self.assertEqual((found["whole"], found["none"], found["half"]), ("float64", "Int64", "float64"))
        table = frame(TEXT.replace("ff", "02"), {"hex": "string"})
        self.assertEqual(list(table["hex"]), ["01", "02"])

    def test_values_are_those_of_the_cells(self) -> None:
        table = frame(TEXT, {"none": "string"})
        self.assertEqual(table["gaps"].isna().tolist(), [True, False])
        self.assertEqual(table["some"].isna().tolist(), [True, False])
        self.assertEqual(table["truth"].tolist(), [True, False])
        self.assertEqual(table["name"].tolist(), ["a", "b,c"])
        self.assertEqual(table["none"].tolist(), ["", ""])

    def test_whole_numbers_stay_whole_however_large(self) -> None:
        self.assertEqual(frame("n\n9223372036854775807\n", {})["n"].tolist(), [2**63 - 1])
        self.assertEqual(frame("n\n18446744073709551616\n", {})["n"].tolist(), [2**64])

    def test_a_header_without_rows_is_a_frame_without_rows(self) -> None:
        self.assertEqual(frame("a,b\n", {}).shape, (0, 2))


if __name__ == "__main__":
    unittest.main()
