"""Keyword arguments as words of a command line."""

import unittest
from pathlib import Path
from typing import Any

from cubewave.options import options_of


class Options(unittest.TestCase):
    def test_values_are_written_as_the_command_line_has_them(self) -> None:
        cases: list[tuple[dict[str, Any], list[str]]] = [
            ({"dims": 6}, ["--dims", "6"]),
            ({"payload_bits": 8, "load": 0.25}, ["--payload-bits", "8", "--load", "0.25"]),
            ({"schedule": "plain"}, ["--schedule", "plain"]),
            ({"dims": "2..6"}, ["--dims", "2..6"]),
            ({"dims": range(2, 5)}, ["--dims", "2,3,4"]),
            ({"schedule": ["plain", "spread"]}, ["--schedule", "plain,spread"]),
            ({"load": (0.5, 1)}, ["--load", "0.5,1"]),
            ({"traffic_file": Path("mine.csv")}, ["--traffic-file", "mine.csv"]),
            ({"traffic_file": "-odd.csv"}, ["--traffic-file=-odd.csv"]),
            ({"no_date": True}, ["--no-date"]),
            ({"no_date": False, "seed": None}, []),
            ({"seed": 0}, ["--seed", "0"]),
        ]
        for options, words in cases:
            with self.subTest(options=options):
                self.assertEqual(options_of(options), words)

    def test_what_no_option_can_be_is_refused(self) -> None:
        values: list[Any] = [b"6", {"a": 1}, {1, 2}, [[1]], [True], object()]
        for value in values:
            with self.subTest(value=value), self.assertRaisesRegex(TypeError, "^dims="):
                options_of({"dims": value})

    def test_standard_input_and_output_are_refused(self) -> None:
        dashes: list[Any] = ["-", Path("-")]
        for value in dashes:
            with self.subTest(value=value), self.assertRaisesRegex(TypeError, "^traffic_file='-' is standard input or output"):
                options_of({"traffic_file": value})


if __name__ == "__main__":
    unittest.main()
