"""Charts, drawn on the server as SVG."""

from collections.abc import Sequence
from datetime import date

from markupsafe import Markup
from msgspec import Struct

WIDE, HIGH = 720, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 14, 28
_STEPS = 4
_LIMIT = Markup('<line class="limit" x1="{}" x2="{}" y1="{}" y2="{}"/><text class="limit-name" x="{}" y="{}">{}</text>')
_LINE = Markup('<path class="area {}" d="{}"/><path class="line {}" d="{}"><title>{}</title></path>')
_BAR = Markup('<rect class="bar {}" x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>')
_SHARE = Markup('<rect class="share {}" x="{}" y="0" width="{}" height="26"><title>{}: {}</title></rect>')
_GRID = Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/><text class="y" x="{}" y="{}">{}</text>')


class Series(Struct, frozen=True):
    """One line of a chart: its name, its class, and its values by day, the earliest first."""

    name: str
    style: str
    points: Sequence[tuple[date, float]]


class Mark(Struct, frozen=True):
    """One thing that happened, on a line of time: when, of which class, what it was, where it leads."""

    when: date
    style: str
    words: str
    href: str = ""
    big: bool = False


def lines(
    series: Sequence[Series], title: str, *, limit: tuple[float, str] | None = None, steps: bool = True
) -> Markup:
    """Return a chart of values over days; `limit` is a level that they are held against, with its name.

    A value holds until the next one, unless `steps` are not wanted. Without two days there is nothing to draw: "".
    """
    every = [point for one in series for point in one.points]
    first, last = (min(every)[0], max(every)[0]) if every else (date.min, date.min)
    if first == last:
        return Markup("")
    top = _ceiling(max([value for _, value in every] + ([limit[0]] if limit else [])))
    scale = _Scale(first, last, top)
    parts = [_grid(scale), *(_line(one, scale, steps=steps) for one in series)]
    if limit:
        y = scale.y(limit[0])
        parts.append(_LIMIT.format(_LEFT, WIDE - _RIGHT, y, y, WIDE - _RIGHT, round(y - 5, 1), limit[1]))
    return _svg(title, parts, HIGH)


def bars(one: Series, title: str) -> Markup:
    """Return a bar for each value, over its day; "" for fewer than two."""
    if len(one.points) < 2:  # noqa: PLR2004 - one day is no time
        return Markup("")
    first, last = one.points[0][0], one.points[-1][0]
    scale = _Scale(first, last, _ceiling(max(value for _, value in one.points)))
    wide = (WIDE - _LEFT - _RIGHT) / len(one.points)
    drawn = [
        _BAR.format(
            one.style,
            round(_LEFT + at * wide + wide * 0.15, 1),
            scale.y(value),
            round(wide * 0.7, 1),
            round(HIGH - _BOTTOM - scale.y(value), 1),
            when.isoformat(),
            f"{value:,.0f}",
        )
        for at, (when, value) in enumerate(one.points)
    ]
    return _svg(title, [_grid(scale), *drawn], HIGH)


def timeline(marks: Sequence[Mark]) -> Markup:
    """Return what happened as points on a line of time, each a link; "" for nothing.

    It is for those who see it: the list that stands beside it says the same in words.
    """
    if not marks:
        return Markup("")
    first, last = min(one.when for one in marks), max(one.when for one in marks)
    scale = _Scale(first, last, 1)
    high = 64
    parts = [Markup('<line class="axis" x1="{}" x2="{}" y1="34" y2="34"/>').format(_LEFT, WIDE - _RIGHT)]
    parts += [_tick(scale, when, 58) for when in _days(first, last)]
    below: dict[int, int] = {}
    for one in marks:
        x = scale.x(one.when)
        row = below.get(round(x / 8), 0)
        below[round(x / 8)] = row + 1
        dot = Markup('<circle class="dot {}" cx="{}" cy="{}" r="{}"><title>{}</title></circle>').format(
            one.style, x, 34 - min(row, 3) * 9, 6 if one.big else 4, one.words
        )
        parts.append(Markup('<a href="{}" tabindex="-1">{}</a>').format(one.href, dot) if one.href else dot)
    drawn = Markup('<svg class="chart" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>')
    return drawn.format(WIDE, high, Markup("").join(parts))


def shares(parts: Sequence[tuple[str, str, float]], title: str, whole: float) -> Markup:
    """Return one bar of parts, each with its name, its class and its size, of a `whole` that may be larger."""
    wide, x, drawn = 720, 0.0, []
    total = max(whole, sum(size for *_, size in parts), 1)
    for name, style, size in parts:
        width = size / total * wide
        if width > 0:
            drawn.append(_SHARE.format(style, round(x, 1), round(max(width - 1, 0.5), 1), name, f"{size:,.0f}"))
        x += width
    body = Markup("").join([Markup('<rect class="rest" x="0" y="0" width="720" height="26"/>'), *drawn])
    return Markup(
        '<svg class="shares" viewBox="0 0 720 26" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>'
    ).format(title, body)


class _Scale(Struct, frozen=True):
    first: date
    last: date
    top: float

    def x(self, when: date) -> float:
        days = (self.last - self.first).days or 1
        return round(_LEFT + (when - self.first).days / days * (WIDE - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        return round(HIGH - _BOTTOM - value / (self.top or 1) * (HIGH - _TOP - _BOTTOM), 1)


def _line(one: Series, scale: _Scale, *, steps: bool) -> Markup:
    path: list[str] = []
    before = None
    for when, value in one.points:
        x, y = scale.x(when), scale.y(value)
        if before is None:
            path.append(f"M{x},{y}")
        else:
            path.append(f"H{x}V{y}" if steps else f"L{x},{y}")
        before = y
    if steps and before is not None:
        path.append(f"H{WIDE - _RIGHT}")
    drawn = "".join(path)
    below = f"V{HIGH - _BOTTOM}H{scale.x(one.points[0][0])}Z" if path else ""
    return _LINE.format(one.style, f"{drawn}{below}", one.style, drawn, one.name)


def _grid(scale: _Scale) -> Markup:
    rows = []
    for step in range(_STEPS + 1):
        value = scale.top * step / _STEPS
        y = scale.y(value)
        rows.append(_GRID.format(_LEFT, WIDE - _RIGHT, y, y, _LEFT - 6, round(y + 4, 1), _number(value)))
    rows += [_tick(scale, when, HIGH - 8) for when in _days(scale.first, scale.last)]
    return Markup("").join(rows)


def _tick(scale: _Scale, when: date, y: float) -> Markup:
    x = scale.x(when)
    anchor = "start" if x < _LEFT + 30 else "end" if x > WIDE - _RIGHT - 30 else "middle"
    return Markup('<text class="x" x="{}" y="{}" text-anchor="{}">{}</text>').format(x, y, anchor, _short(when, scale))


def _short(when: date, scale: _Scale) -> str:
    """Return a day as an axis names it."""
    return f"{when:%b %Y}" if (scale.last - scale.first).days > 200 else f"{when:%d %b}"  # noqa: PLR2004


def _days(first: date, last: date) -> list[date]:
    """Return some days, evenly over a period, its ends among them."""
    span = (last - first).days
    count = min(span, _STEPS) or 1
    return [date.fromordinal(first.toordinal() + span * step // count) for step in range(count + 1 if span else 1)]


def _ceiling(value: float) -> float:
    """Return a round number that is no smaller, and can be quartered."""
    size = 1.0
    while size * 40 < value:
        size *= 10
    return next(size * step for step in (4, 8, 12, 20, 40) if size * step >= value)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"  # noqa: PLR2004


def _svg(title: str, parts: Sequence[Markup], high: int) -> Markup:
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDE, high, title, Markup("").join(parts)
    )
