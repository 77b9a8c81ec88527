"""Runs all tests of the package, with the `cubewave` that Python finds: of the sources with PYTHONPATH=python, else of the wheel.

usage: python3 python/tests
The last line is "N passed, M failed"; exit status 1 if a test failed or none passed. CUBEWAVE_TESTS=all in the environment allows no
test to be left out for want of a module.
"""

import sys
import unittest
from pathlib import Path

suite = unittest.defaultTestLoader.discover(str(Path(__file__).parent))
result = unittest.TextTestRunner().run(suite)
# A test fails once, however many of its parts do.
failed = {getattr(test, "test_case", test).id() for test, _ in [*result.failures, *result.errors]}
skipped = len(result.skipped)
passed = result.testsRun - len(failed) - skipped
print(f"{passed} passed, {len(failed)} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(passed == 0 or bool(failed))
