"""Latency curves as SVG: a panel for each message size, all curves of it laid over each other."""

from html import escape

GREY = "#767676"
# Colours that are told apart by those who see fewer, and dashes for those who see none.
STYLES = [
    ("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 2"), ("#cc79a7", "9 2 2 2"), ("#e69f00", "4 4"),
    ("#56b4e9", ""), ("#555555", "1 3"), ("#0072b2", "1 3"), ("#0072b2", "7 3"),
]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 430, 300, 70, 34, 48, 76


def step(length):
    """A round distance between some five marks of an axis so long."""
    rough = length / 5
    power = 1.0
    while power > rough:
        power /= 10
    while power * 10 <= rough:
        power *= 10
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough)


def text(x, y, words, anchor="middle", size=11, turn="", colour=GREY):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="sans-serif" font-size="{size}" '
        f'fill="{colour}"{turn}>{escape(words)}</text>'
    )


def marks(length):
    """Where an axis of this length has its marks."""
    between = step(length)
    return [number * between for number in range(int(length / between + 1e-9) + 1)]


def panel(left, title, curves, colours, highest):
    """`curves`: by name, points (load, latency) in order. Latencies over `highest` are cut off."""
    points = [point for curve in curves.values() for point in curve]
    widest = max(load for load, _ in points) * 1.04
    x = lambda load: left + load / widest * WIDTH
    y = lambda latency: TOP + HEIGHT - latency / highest * HEIGHT
    lines = [text(left, TOP - 14, title, "start", 13)]
    for load in marks(widest):
        lines.append(f'<path d="M{x(load):.1f} {TOP + HEIGHT}v5" stroke="{GREY}"/>')
        lines.append(text(x(load), TOP + HEIGHT + 17, f"{load:.3g}"))
    for latency in marks(highest):
        lines.append(f'<path d="M{left - 5} {y(latency):.1f}h{WIDTH + 5}" stroke="{GREY}" opacity="0.35"/>')
        lines.append(text(left - 9, y(latency) + 4, f"{latency:.4g}", "end"))
    lines.append(f'<path d="M{left} {TOP}v{HEIGHT}h{WIDTH}" fill="none" stroke="{GREY}"/>')
    lines.append(text(left + WIDTH / 2, TOP + HEIGHT + 36, "offered: message bits of a node in a bit time (cycle)"))
    middle = TOP + HEIGHT / 2
    turn = f' transform="rotate(-90 {left - 48} {middle})"'
    lines.append(text(left - 48, middle, "mean bit times (cycles) from creation to arrival", turn=turn))
    for name, curve in curves.items():
        colour, dashes = colours[name]
        drawn = []
        for before, point in zip([None, *curve], curve):
            if point[1] <= highest:
                drawn.append(point)
                continue
            if before is not None and point[1] < float("inf"):  # as far as the edge
                share = (highest - before[1]) / (point[1] - before[1])
                drawn.append((before[0] + share * (point[0] - before[0]), highest))
            break
        if not drawn:
            continue
        path = "L".join(f"{x(load):.1f} {y(latency):.1f}" for load, latency in drawn)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        lines.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        for load, latency in drawn:
            if latency < highest:
                lines.append(f'<circle cx="{x(load):.1f}" cy="{y(latency):.1f}" r="2.4" fill="{colour}"/>')
    return lines


def plot(panels, names):
    """`panels`: title, curves by name, highest latency shown. Gives the picture."""
    colours = {name: STYLES[number % len(STYLES)] for number, name in enumerate(names)}
    width = len(panels) * (WIDTH + GAP) + 10
    height = TOP + HEIGHT + BOTTOM + 20 * ((len(names) + 1) // 2) + 8
    lines = [f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">']
    for number, (title, curves, highest) in enumerate(panels):
        lines += panel(LEFT + number * (WIDTH + GAP), title, curves, colours, highest)
    for number, name in enumerate(names):
        colour, dashes = colours[name]
        x, y = LEFT + number % 2 * (WIDTH + GAP if len(panels) > 1 else WIDTH / 2), TOP + HEIGHT + BOTTOM + 20 * (number // 2) + 8
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        lines.append(f'<path d="M{x} {y - 4}h34" stroke="{colour}" stroke-width="2"{dash}/>')
        lines.append(text(x + 42, y, name, "start"))
    return "\n".join([*lines, "</svg>", ""])
