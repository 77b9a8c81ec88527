"""What the columns of a sweep are, by the schema of the testbench (`cubewave schema BENCH`)."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .process import start
from .program import program

ALTERNATIVES = ("anyOf", "oneOf", "allOf")


@dataclass(frozen=True)
class Column:
    """A column: its name, its unit if it has one, and the JSON type of its values if the schema says one."""

    name: str
    unit: str | None
    kind: str | None


def columns_of(bench: str) -> Mapping[str, Column]:
    """The columns of these testbenches, names with commas between, as their schemas tell them."""
    found: dict[str, Column] = {}
    for one in bench.split(","):
        for column in _columns_of(one.strip(), program()):
            found.setdefault(column.name, column)
    return found


@functools.cache
def _columns_of(bench: str, path: str) -> tuple[Column, ...]:
    return tuple(columns_in(json.loads(start(["schema", bench]).printed)))


def columns_in(schema: Mapping[str, Any]) -> Iterator[Column]:
    """The columns that the parts of a JSON Schema (2020-12) name: parts with the annotation `column`, and `unit` if they have one."""
    yield from _walk(schema, schema, frozenset())


def _walk(part: Any, whole: Mapping[str, Any], within: frozenset[str]) -> Iterator[Column]:
    if not isinstance(part, Mapping):
        return
    if "column" in part:
        unit = part.get("unit")
        yield Column(part["column"], unit, _kind(part, whole, within))
    for inner, followed in _inner(part, whole, within):
        yield from _walk(inner, whole, followed)
    for inner in part.get("properties", {}).values():
        yield from _walk(inner, whole, within)


def _inner(part: Mapping[str, Any], whole: Mapping[str, Any], within: frozenset[str]) -> Iterator[tuple[Any, frozenset[str]]]:
    """What stands for the same place: what is referred to, and alternatives."""
    reference = part.get("$ref")
    if reference is not None and reference not in within:
        yield _referred(reference, whole), within | {reference}
    for key in ALTERNATIVES:
        for alternative in part.get(key, ()):
            yield alternative, within


def _referred(reference: str, whole: Mapping[str, Any]) -> Any:
    """What a reference inside the schema (`#/$defs/name`) refers to."""
    start_of, _, pointer = reference.partition("#")
    if start_of:
        raise ValueError(f"the schema refers to {reference}, which is outside it")
    found: Any = whole
    for name in pointer.split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        found = found[int(name)] if isinstance(found, list) else found[name]
    return found


def _kind(part: Any, whole: Mapping[str, Any], within: frozenset[str]) -> str | None:
    """The type of values other than null, if there is one."""
    kinds = set(_kinds(part, whole, within)) - {"null"}
    if kinds == {"integer", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else None


def _kinds(part: Any, whole: Mapping[str, Any], within: frozenset[str]) -> Iterator[str]:
    if not isinstance(part, Mapping):
        return
    kind = part.get("type", [])
    yield from [kind] if isinstance(kind, str) else kind
    for inner, followed in _inner(part, whole, within):
        yield from _kinds(inner, whole, followed)
