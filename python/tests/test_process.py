"""Programs that end otherwise than with a report."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from support import pretended

import cubewave
from cubewave.process import start

# Tells that it is there, and goes on until somebody ends it.
LONG = """
here = os.path.dirname(sys.argv[0])
signal.signal(signal.SIGTERM, lambda *_: (open(here + '/ended', 'w').close(), sys.exit(143)))
open(here + '/begun', 'w').close()
time.sleep(60)
"""


def wait_for(file: Path) -> None:
    until = time.monotonic() + 30
    while not file.exists():
        if time.monotonic() > until:
            raise AssertionError(f"{file.name} is not there")
        time.sleep(0.01)


class Process(unittest.TestCase):
    def test_another_exit_status_is_told_with_what_was_said(self) -> None:
        with pretended("print('out of memory', file=sys.stderr); sys.exit(101)"):
            with self.assertRaisesRegex(cubewave.Ended, "^cubewave ended with exit status 101: out of memory$"):
                cubewave.run("kuszmaul")

    def test_a_signal_is_told(self) -> None:
        with pretended("os.kill(os.getpid(), signal.SIGKILL)"):
            with self.assertRaisesRegex(cubewave.Ended, "^cubewave ended with exit status -9$"):
                cubewave.run("kuszmaul")

    def test_what_is_no_report_is_told(self) -> None:
        with pretended("print('hello')"):
            with self.assertRaisesRegex(cubewave.Ended, r"^cubewave printed no JSON: 'hello\\n'$"):
                cubewave.run("kuszmaul")

    def test_refused_has_the_text_without_notes(self) -> None:
        with pretended("print('note: slow', file=sys.stderr); print('error: no\\n\\n  tip: yes', file=sys.stderr); sys.exit(2)"):
            with self.assertLogs("cubewave", "WARNING") as noted, self.assertRaises(cubewave.Refused) as told:
                cubewave.run("kuszmaul")
        self.assertEqual(str(told.exception), "no\n\n  tip: yes")
        self.assertEqual([record.getMessage() for record in noted.records], ["slow"])

    def test_much_on_both_streams_is_read(self) -> None:
        with pretended("print('x' * 1_000_000); print('y' * 1_000_000, file=sys.stderr); print('z' * 1_000_000)"):
            self.assertEqual(len(start([]).printed), 2_000_002)

    def test_standard_input_is_not_read(self) -> None:
        with pretended("print(repr(sys.stdin.read()))"):
            code = "from cubewave.process import start; print(start([]).printed, end='')"
            # Nobody writes there, and nobody closes it.
            with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as python:
                self.assertEqual(python.wait(30), 0)
                assert python.stdout is not None
                self.assertEqual(python.stdout.read(), "''\n")

    def test_after_its_time_the_program_is_ended(self) -> None:
        with pretended(LONG) as folder:
            with self.assertRaisesRegex(TimeoutError, "^cubewave takes more than 1 s$"):
                start([], seconds=1)
            wait_for(folder / "ended")

    def test_an_interrupt_ends_the_program(self) -> None:
        with pretended(LONG) as folder:
            # Only Python gets the signal, as in a notebook.
            code = "import cubewave; cubewave.run('kuszmaul')"
            python = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, start_new_session=True)
            wait_for(folder / "begun")
            os.kill(python.pid, signal.SIGINT)
            _, said = python.communicate(timeout=30)
            wait_for(folder / "ended")
        self.assertIn("KeyboardInterrupt", said)


if __name__ == "__main__":
    unittest.main()
