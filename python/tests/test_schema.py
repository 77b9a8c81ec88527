"""Columns and units out of a schema."""

import unittest

from support import pretended, said_by

from cubewave.schema import Column, columns_in, columns_of

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "bit_times": {"type": "integer", "column": "bit_times", "unit": "bit times"},
        "bench": {"type": "string", "column": "bench"},
        "models": {"type": "string"},
        "delivered": {"anyOf": [{"$ref": "#/$defs/count"}, {"type": "null"}], "column": "delivered", "unit": "messages"},
        "logic_depth": {
            "type": "object",
            "properties": {
                "total": {"type": ["integer", "null"], "column": "logic_depth", "unit": "gates"},
                "node": {"$ref": "#/$defs/of~1node"},
            },
        },
        "latency": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"mean": {"$ref": "#/$defs/mean"}}}]},
        "load": {"oneOf": [{"type": "integer"}, {"type": "number"}], "column": "load"},
        "mixed": {"type": ["string", "integer"], "column": "mixed"},
        "route": {"$ref": "#/$defs/route"},
    },
    "$defs": {
        "count": {"type": "integer"},
        "of/node": {"type": "integer", "column": "logic_depth_node", "unit": "gates"},
        "mean": {"type": "number", "column": "latency_average", "unit": "bit times"},
        # It refers to itself.
        "route": {"properties": {"then": {"$ref": "#/$defs/route"}, "hops": {"type": "integer", "column": "hops"}}},
    },
}


class Schema(unittest.TestCase):
    def test_columns_are_found_wherever_they_are(self) -> None:
        self.assertEqual(
            sorted(columns_in(SCHEMA), key=lambda column: column.name),
            [
                Column("bench", None, "string"),
                Column("bit_times", "bit times", "integer"),
                Column("delivered", "messages", "integer"),
                Column("hops", None, "integer"),
                Column("latency_average", "bit times", "number"),
                Column("load", None, "number"),
                Column("logic_depth", "gates", "integer"),
                Column("logic_depth_node", "gates", "integer"),
                Column("mixed", None, None),
            ],
        )

    def test_a_reference_out_of_the_schema_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "other.json#/a, which is outside it"):
            list(columns_in({"$ref": "other.json#/a"}))

    def test_several_testbenches_have_the_columns_of_all(self) -> None:
        schemas = {"one": {"column": "a", "unit": "bits"}, "two": {"properties": {"b": {"column": "b", "type": "string"}}}}
        with pretended(f"import json\nprint(json.dumps({schemas!r}[sys.argv[2]]) if sys.argv[1] == 'schema' else '')"):
            self.assertEqual(dict(columns_of("one, two")), {"a": Column("a", "bits", None), "b": Column("b", None, "string")})

    @unittest.skipIf(said_by("schema", "kuszmaul").returncode == 2, "this program prints no schema")
    def test_the_program_says_units(self) -> None:
        columns = columns_of("kuszmaul")
        self.assertEqual(columns["bit_times"], Column("bit_times", "bit times", "integer"))
        header, _ = said_by("measure", "kuszmaul", "--dims", "2", "--format", "csv").stdout.split("\n", 1)
        without = {name for name in header.split(",") if not name.startswith("meta.")} - set(columns)
        self.assertEqual(without, set())


if __name__ == "__main__":
    unittest.main()
