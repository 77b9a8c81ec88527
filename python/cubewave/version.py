"""Which version of the program this package is of."""

VERSION = "0.1.0"
"""That of the workspace: a test compares them."""
