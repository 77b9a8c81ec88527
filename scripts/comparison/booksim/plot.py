"""Latency curves as SVG: panels in rows, all curves of a panel laid over each other."""

from html import escape

GREY = "#767676"
# Colours that are told apart by those who see fewer, and dashes for those who see none.
STYLES = [
    ("#0072b2", ""), ("#d55e00", "7 3"), ("#009e73", "2 2"), ("#cc79a7", "9 2 2 2"), ("#e69f00", "4 4"),
    ("#56b4e9", ""), ("#555555", "1 3"), ("#0072b2", "1 3"), ("#0072b2", "7 3"),
    ("#d55e00", ""), ("#009e73", "7 3"), ("#009e73", ""), ("#cc79a7", "2 2"),
]
LEFT, TOP, BOTTOM, GAP = 70, 34, 48, 76


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


def panel(left, above, width, height, title, curves, colours, highest):
    """`curves`: by name, points (load, latency) in order. Latencies over `highest` are cut off. Where it stands, and how large."""
    top = above + TOP
    points = [point for curve in curves.values() for point in curve]
    widest = max(load for load, _ in points) * 1.04
    x = lambda load: left + load / widest * width
    y = lambda latency: top + height - latency / highest * height
    lines = [text(left, top - 14, title, "start", 13)]
    for load in marks(widest):
        lines.append(f'<path d="M{x(load):.1f} {top + height}v5" stroke="{GREY}"/>')
        lines.append(text(x(load), top + height + 17, f"{load:.3g}"))
    for latency in marks(highest):
        lines.append(f'<path d="M{left - 5} {y(latency):.1f}h{width + 5}" stroke="{GREY}" opacity="0.35"/>')
        lines.append(text(left - 9, y(latency) + 4, f"{latency:.4g}", "end"))
    lines.append(f'<path d="M{left} {top}v{height}h{width}" fill="none" stroke="{GREY}"/>')
    lines.append(text(left + width / 2, top + height + 36, "offered: message bits of a node in a bit time (cycle)"))
    middle = top + height / 2
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


def without_curves(left, above, width, height, title, why):
    """Where a panel would be."""
    middle = above + TOP + height / 2
    return [text(left, above + TOP - 14, title, "start", 13), text(left + width / 2, middle, why)]


def plot(panels, names, columns):
    """`panels`, row by row: title, and either curves by name and the highest latency shown, or why there are none, and 0."""
    colours = {name: STYLES[number % len(STYLES)] for number, name in enumerate(names)}
    columns = min(columns, len(panels))
    width, height = (430, 300) if columns < 3 else (330, 260)
    rows = -(-len(panels) // columns)
    below = rows * (TOP + height + BOTTOM)
    samples = 2 if columns > 1 or len(names) > 2 else 1
    across = columns * (width + GAP) + 10
    down = below + 20 * -(-len(names) // samples) + 8
    lines = [f'<svg width="{across}" height="{down}" viewBox="0 0 {across} {down}" xmlns="http://www.w3.org/2000/svg">']
    for number, (title, curves, highest) in enumerate(panels):
        place = LEFT + number % columns * (width + GAP), number // columns * (TOP + height + BOTTOM), width, height
        lines += without_curves(*place, title, curves) if isinstance(curves, str) else panel(*place, title, curves, colours, highest)
    for number, name in enumerate(names):
        colour, dashes = colours[name]
        x = LEFT + number % samples * (width + GAP if columns > 1 else width / 2)
        y = below + 20 * (number // samples) + 8
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        lines.append(f'<path d="M{x} {y - 4}h34" stroke="{colour}" stroke-width="2"{dash}/>')
        lines.append(text(x + 42, y, name, "start"))
    return "\n".join([*lines, "</svg>", ""])
