"""Keyword arguments as options of the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from typing import SupportsFloat, TypeAlias

Scalar: TypeAlias = str | SupportsFloat
Value: TypeAlias = Scalar | os.PathLike[str] | Iterable[Scalar] | None
"""What an option takes: a text, a number, a path, True for a switch, or several of them. None and False leave it out."""


def options_of(options: Mapping[str, Value]) -> list[str]:
    """The words of the command line that say the same: `payload_bits=8` is `--payload-bits 8`.

    Raises TypeError for what no option can be. Whether there is such an option, the program says.
    """
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += _words(option, _text(name, value))
    return words


def _words(option: str, text: str) -> list[str]:
    """A value that begins with a dash would be taken for an option of its own."""
    return [f"{option}={text}"] if text.startswith("-") else [option, text]


def _text(name: str, value: Value) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str) and value == "-":
        raise TypeError(f"{name}='-' is standard input or output, which this package keeps for itself: name a file")
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, Set)):
        return ",".join(_scalar(name, one) for one in value)
    return _scalar(name, value)


def _scalar(name: str, value: object) -> str:
    is_number = isinstance(value, SupportsFloat) and not isinstance(value, bool)
    if isinstance(value, str) or is_number:
        return str(value)
    raise TypeError(f"{name}={value!r}: an option takes texts, numbers, paths, and lists of texts and numbers; True is a switch")
