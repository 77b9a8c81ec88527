"""Pages of runs inside a notebook."""

from __future__ import annotations

from html import escape

PATIENCE = 20.0
"""Seconds that a notebook waits for a page that nobody asked for."""

LARGEST = 4_000_000
"""Characters of a page that a notebook takes; it stores each one that it shows."""

HEIGHT = 720
"""Pixels of a page in a notebook."""


def framed(page: str, told: str) -> str:
    """A page in a frame of its own, whose scripts see nothing of the notebook; of a page that is too large, what else is told."""
    if len(page) > LARGEST:
        return said(f"{told} The page has {len(page) / 1e6:.1f} million characters, too many for a notebook: write `page` to a file.")
    style = f"width: 100%; height: {HEIGHT}px; border: 0"
    return f'<iframe sandbox="allow-scripts" style="{style}" title="{escape(told)}" srcdoc="{escape(page)}"></iframe>'


def said(text: str) -> str:
    """A paragraph."""
    return f"<p>{escape(text)}</p>"
