"""Networks that both simulators know, and what messages find on their ways through them: links, and bits of headers."""

from collections import Counter
from dataclasses import dataclass
from itertools import product

PATTERNS = ("uniform", "transpose", "tornado")
MOST_NODES = 1 << 20


class Unknown(Exception):
    """A network or a pattern that one of the two does not have, and why."""


@dataclass(frozen=True)
class Network:
    """`radix ** dimensions` nodes, a digit of each dimension. Worms cross dimension 0 first."""

    kind: str
    radix: int
    dimensions: int

    @property
    def nodes(self):
        return self.radix**self.dimensions

    def __str__(self):
        if self.kind == "hypercube":
            return f"hypercube:{self.dimensions}"
        return f"{self.kind}:" + "x".join([str(self.radix)] * self.dimensions)

    def in_cubewave(self):
        """The words of its command line."""
        radix = [] if self.kind == "hypercube" else ["--radix", self.radix]
        return ["--network", self.kind, *radix, "--dims", self.dimensions]

    def in_booksim(self):
        """The lines of its configuration."""
        topology, channels = ("torus", 2) if self.kind == "torus" else ("mesh", 1)
        return [f"topology={topology}", f"k={self.radix}", f"n={self.dimensions}", f"num_vcs={channels}"]

    def goes_nowhere(self, pattern):
        """Tornado goes ceil(k / 2) - 1 digits on, which are none if there are two."""
        return pattern == "tornado" and self.radix == 2

    def refused(self, pattern):
        """Why one of the two does not have this pattern here, if so. Transposed are halves of addresses or two digits."""
        if pattern != "transpose":
            return None
        if self.kind == "hypercube":
            return f"transpose swaps halves of addresses, but {self} has an odd number of dimensions" if self.dimensions % 2 else None
        if self.dimensions != 2 or self.radix & (self.radix - 1):
            return f"transpose swaps the digits of two dimensions and in BookSim2 needs a power of two of them, unlike {self}"
        return None

    def hops(self, source, destination):
        """Links in one dimension, those to smaller digits as a negative number."""
        apart = destination - source
        if self.kind == "hypercube":
            return abs(apart)
        if self.kind == "mesh":
            return apart
        forth = apart % self.radix
        is_forth = 2 * forth < self.radix or 2 * forth == self.radix and source % 2 == 0
        return forth if is_forth else forth - self.radix

    def both_ways(self, source, destination):
        """Hops in BookSim2, which draws the direction half way round a torus, with the share of messages that take them."""
        hops = self.hops(source, destination)
        if self.kind == "torus" and 2 * abs(hops) == self.radix:
            return [(hops, 0.5), (-hops, 0.5)]
        return [(hops, 1.0)]

    def pairs(self, pattern):
        """Digits of source and destination of each message of a permutation."""
        half, on = self.dimensions // 2, (self.radix + 1) // 2 - 1
        to = {
            "transpose": lambda node: node[half:] + node[:half],
            "tornado": lambda node: tuple((digit + on) % self.radix for digit in node),
        }[pattern]
        return [(node, to(node)) for node in product(range(self.radix), repeat=self.dimensions)]

    def busiest(self, pattern, ways):
        """Messages on the busiest link if each node sends one; `ways` gives hops in a dimension, with shares."""
        on = Counter()

        def cross(line, source, destination, messages):
            for hops, share in ways(source, destination):
                for hop in range(abs(hops)):
                    place = (source + (hop if hops > 0 else -hop)) % self.radix
                    on[line, place, hops > 0] += messages * share

        digits = range(self.radix)
        if pattern == "uniform":  # all lines of all dimensions are alike, and have the messages of as many nodes
            for source, destination in product(digits, repeat=2):
                cross(None, source, destination, 1 / self.radix)
            return max(on.values())
        for source, destination in self.pairs(pattern):
            for d in range(self.dimensions):
                cross((d, destination[:d], source[d + 1 :]), source[d], destination[d], 1)
        return max(on.values())

    def routes(self, pattern):
        """Hops by dimension of all that a pattern sends, with how often."""
        digits = range(self.radix)
        if pattern == "uniform":
            of_one = Counter(self.hops(source, destination) for source in digits for destination in digits)
            all_ways = Counter()
            for way in product(of_one.items(), repeat=self.dimensions):
                often = 1
                for _, times in way:
                    often *= times
                all_ways[tuple(hops for hops, _ in way)] += often
            return all_ways
        return Counter(tuple(map(self.hops, source, destination)) for source, destination in self.pairs(pattern))

    def answers(self, way):
        """Header bits that a worm of cubewave leaves behind in its first node, and in each behind a link.

        Of a hypercube, one for each dimension. Of a grid, for each dimension whether plus, and if not whether minus; and
        behind a link, whether on in its direction.
        """
        left = [0]
        for hops in way:
            if self.kind == "hypercube":
                left[-1] += 1
                left += [0] * hops
                continue
            left[-1] += 1 if hops > 0 else 2
            left += [1] * abs(hops)
        return left

    def means(self, pattern):
        """Of the messages of a pattern: links, header bits, and header bits on a link."""
        messages = links = bits = on_links = 0
        for way, often in self.routes(pattern).items():
            left = self.answers(way)
            header = sum(left)
            messages += often
            links += often * (len(left) - 1)
            bits += often * header
            for behind in left[:-1]:
                header -= behind
                on_links += often * header
        return links / messages, bits / messages, on_links / links if links else 0.0


def network(word):
    """Such as `hypercube:6` or `torus:8x8`."""
    kind, _, size = word.partition(":")
    sides = size.split("x")
    if kind not in ("hypercube", "torus", "mesh") or not all(side.isdecimal() for side in sides):
        raise Unknown(f"`{word}` is no network: choose such as hypercube:6, torus:8x8 or mesh:8x8")
    sides = [int(side) for side in sides]
    if kind == "hypercube":
        if len(sides) != 1 or not 1 <= sides[0] <= 16:
            raise Unknown(f"`{word}` is no hypercube of 1 to 16 dimensions, as hypercube:6 is")
        return Network(kind, 2, sides[0])
    if len(set(sides)) != 1:
        raise Unknown(f"`{word}` has sides that differ, which BookSim2 does not have")
    found = Network(kind, sides[0], len(sides))
    if not 3 <= found.radix <= 64 or found.nodes > MOST_NODES:
        raise Unknown(f"`{word}` is out of range: sides are 3 to 64, nodes up to {MOST_NODES}")
    return found
