"""Draws lines over months as SVG: small panels beside each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, GAP = 300, 170, 46
LEFT, TOP, BOTTOM = 52, 58, 30
COLOURS = ("#b4532a", "#2a6f6b", "#6a5acd")
FONT = 'font-family="sans-serif" font-size="11"'
INK, FAINT = "#3b3b3b", "#d8d4cc"


@dataclass(frozen=True)
class Line:
    """What one line is called, and its value for each month."""

    label: str
    values: Sequence[float]


Panel = tuple[str, Sequence[Line], float | None]
"""A title, its lines, and a limit to draw across, if there is one."""


def drawn(months: Sequence[str], panels: Sequence[Panel]) -> str:
    """Return the panels as one SVG; all share the months and the legend of the first."""
    width = len(panels) * (WIDTH + GAP) + LEFT
    height = TOP + HEIGHT + BOTTOM + 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}>',
        f'<rect width="{width}" height="{height}" fill="#fffdf8"/>',
        *_legend(panels[0][1]),
    ]
    for number, panel in enumerate(panels):
        parts += _panel(months, panel, LEFT + number * (WIDTH + GAP))
    return "\n".join([*parts, "</svg>", ""])


def _legend(lines: Sequence[Line]) -> list[str]:
    results = []
    for number, line in enumerate(lines):
        x = LEFT + number * 120
        results.append(f'<path d="M{x} 18h22" stroke="{COLOURS[number]}" stroke-width="2.5"/>')
        results.append(_text(x + 28, 22, line.label))
    return results


def _panel(months: Sequence[str], panel: Panel, left: int) -> list[str]:
    title, lines, limit = panel
    most = _round(max([value for line in lines for value in line.values] + [limit or 0]))
    parts = [_text(left, TOP - 12, title, weight="bold")]
    for share in (0, 0.5, 1):
        y = TOP + HEIGHT * (1 - share)
        parts.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="{FAINT}"/>')
        parts.append(_text(left - 6, y + 4, f"{most * share:,.0f}", anchor="end"))
    if limit:
        y = TOP + HEIGHT * (1 - limit / most)
        parts.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="{INK}" stroke-dasharray="4 3"/>')
        parts.append(_text(left + 4, y - 4, f"{limit:,.0f}: what OpenClaw shows"))
    for number, line in enumerate(lines):
        step = WIDTH / max(len(line.values) - 1, 1)
        points = (
            f"{left + index * step:.1f},{TOP + HEIGHT * (1 - v / most):.1f}" for index, v in enumerate(line.values)
        )
        parts.append(
            f'<polyline fill="none" stroke="{COLOURS[number]}" stroke-width="2.2" points="{" ".join(points)}"/>'
        )
    ends = (("start", left, months[0]), ("end", left + WIDTH, months[-1]))
    return parts + [_text(x, TOP + HEIGHT + 16, month, anchor=anchor) for anchor, x, month in ends]


def _round(limit: float) -> float:
    """Return the next value up that reads well."""
    size = 10.0 ** (len(str(int(limit))) - 1)
    return next(step * size for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * size >= limit)


def _text(x: float, y: float, words: str, *, anchor: str = "start", weight: str = "normal") -> str:
    look = f'fill="{INK}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(words)}</text>'
