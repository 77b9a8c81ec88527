"""One run of either simulator: what it is told, and what it says. Nothing else knows their command lines.

Both count in the same units: a cycle is a bit time, a flit is a bit, a load is message bits of a node in a bit time.
"""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

# Messages at least that follow each other where their distance is measured: one more or less is then no bit time.
BACK_TO_BACK = 300
CONFIGURATION = Path(__file__).with_name("cube.cfg")


class Failed(Exception):
    """A simulator did not do what it was asked for: its command, and what it said."""


@dataclass(frozen=True)
class Measured:
    """What a run gave."""

    latency: float  # mean of the messages that count, from creation to the last bit; infinite if they did not all arrive
    least: float  # the least of them; cubewave says only the mean
    accepted: float  # message bits that arrived at a node in a bit time
    bit_times: int  # of the whole run, or 0 if it was given up
    seconds: float  # of processor time of the whole process


def spent(command):
    """Runs a command: exit status, standard output, standard error, and seconds of processor time."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), usage.ru_utime + usage.ru_stime


def last_words(command, status, out, err):
    said = "\n".join((out + err).strip().splitlines()[-5:])
    return Failed(f"{' '.join(str(word) for word in command)}\nended with {status} and said:\n{said}")


@dataclass(frozen=True)
class Cubewave:
    """`cubewave run wormhole` in order of dimensions, with further options."""

    binary: Path
    options: tuple = ()

    def run(self, network, message_bits, load, seed, bit_times, most, traffic="uniform"):
        """Warm-up and measurement of `bit_times` each. Latencies over `most` are not waited for."""
        drain = 10 * bit_times if most > 0 else 1
        command = [self.binary, "run", "wormhole", *network.in_cubewave(), "--traffic", traffic]
        command += ["--message-bits", message_bits, "--offered-load", repr(load), "--seed", seed, "--format", "json"]
        command += ["--warm-up", bit_times, "--measurement", bit_times, "--drain", drain, *self.options]
        status, out, err, seconds = spent(command)
        if status not in (0, 1):
            raise last_words(command, status, out, err)
        report = json.loads(out)
        latency, throughput = report["latency"], report["throughput"]
        arrived = status == 0 and latency is not None and latency["average"] <= most
        return Measured(
            latency=latency["average"] if arrived else float("inf"),
            least=float("nan"),
            accepted=throughput["accepted"] or 0.0,
            bit_times=report["bit_times"] or 0,
            seconds=seconds,
        )

    def apart(self, cube, message_bits):
        """Bit times from one message to the next where all nodes of a hypercube send without a pause and no two ways meet."""
        return message_bits / self.run(cube, message_bits, 1.0, 1, BACK_TO_BACK * message_bits + 3000, 0, "bitcomp").accepted

    def alone(self, cube, message_bits, is_far):
        """The latency of one message in an empty hypercube, over no link or one of each dimension."""
        command = [self.binary, "run", "wormhole", *cube.in_cubewave(), "--message-bits", message_bits]
        command += ["--traffic", "bitcomp" if is_far else "identity", "--load", repr(1 / cube.nodes), "--format", "json"]
        status, out, err, _ = spent([*command, *self.options])
        report = json.loads(out) if status == 0 else None
        if report is None or report["delivered"] != 1:
            raise last_words(command, status, out, err)
        return report["latency"]["average"]


@dataclass(frozen=True)
class BookSim:
    """BookSim2 on `cube.cfg`, with lines of it changed."""

    binary: Path
    header_flits: int  # beside a flit for each message bit
    changed: tuple = ()

    def run(self, network, message_bits, load, seed, bit_times, most, traffic="uniform", more=()):
        """As in cubewave: three periods make a warm-up, and three a measurement."""
        command = [self.binary, CONFIGURATION, *network.in_booksim(), f"traffic={traffic}", f"seed={seed}"]
        command += [f"packet_size={message_bits + self.header_flits}", f"injection_rate={load / message_bits:.9f}"]
        command += [f"sample_period={-(-bit_times // 3)}", f"latency_thres={float(most):.1f}", *self.changed, *more]
        # It ends with 255 when all is well, and with 0 when it gave up.
        status, out, err, seconds = spent(command)
        if status not in (0, 255):
            raise last_words(command, status, out, err)
        if status == 0:
            if "Simulation unstable" not in out:
                raise last_words(command, status, out, err)
            return Measured(float("inf"), float("nan"), 0.0, 0, seconds)
        overall = out[out.rindex("Overall Traffic Statistics"):]

        def found(pattern, text=overall):
            match = re.search(pattern, text)
            if match is None:
                raise last_words(command, status, out, err)
            return float(match[1])

        return Measured(
            latency=found(r"Packet latency average = (\S+)"),
            least=found(r"Packet latency average = .*\n\s*minimum = (\S+)"),
            accepted=message_bits * found(r"Accepted packet rate average = (\S+)"),
            bit_times=int(found(r"Time taken is (\d+) cycles", out)),
            seconds=seconds,
        )

    def apart(self, cube, message_bits):
        """As in cubewave; `throughput` does not wait for what is queued. A third of the warm-up is enough."""
        bit_times = BACK_TO_BACK * message_bits + 3000
        more = ("sim_type=throughput", "warmup_periods=1", "max_samples=4")
        return message_bits / self.run(cube, message_bits, message_bits, 1, bit_times, -1, "bitcomp", more).accepted

    def alone(self, cube, message_bits, is_far):
        """The least latency of some messages that hardly ever meet."""
        traffic = "bitcomp" if is_far else "tornado"  # which goes nowhere at radix 2
        return self.run(cube, message_bits, 0.001 * message_bits, 1, 1800, 1e6, traffic).least
