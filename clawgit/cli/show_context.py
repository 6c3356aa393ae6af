"""Shows a context, its receipt, and what OpenClaw's caps hide."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import to_builtins

from clawgit.cli.layout import Line, Span, line, width
from clawgit.cli.output import Output
from clawgit.errors import Exit

if TYPE_CHECKING:
    from clawgit.context.assembled import Assembled, Slot
    from clawgit.context.check import Fit

_WIDE = 80
_SHOWN = 3


def tell(out: Output, found: "Assembled", *, receipt: bool) -> int | None:
    """Print a context; loudly say what is wrong with it. Return the exit code."""
    if out.as_json:
        out.document(to_builtins(found))
    else:
        out.verbatim(found.text)
        if receipt:
            out.lines([line(""), *_receipt(found)])
    for words in found.warnings:
        out.warn(words)
    if found.cut_identity and not out.as_json and not receipt:
        for row in _receipt(found):
            out.talk(*row)
    return Exit.FOUND if found.cut_identity else None


def _receipt(found: "Assembled") -> Iterator[Line]:
    """Yield the receipt as a table of at most 80 columns; what was left out stands below."""
    yield line(Span(f"{'slot':<12}{'asked':>9}{'given':>8}{'stolen':>8}{'kept':>8}  from", "bold"))
    for slot in found.slots:
        numbers = f"{slot.name:<12}{slot.asked:>9,}{slot.given:>8,}{slot.stolen:>8,}{slot.kept:>8,}"
        yield line(f"{numbers}  {_fitted(_sources(slot.sources), _WIDE - len(numbers) - 2)}".rstrip())
    yield line(Span(f"{'together':<12}{'':>9}{found.budget:>8,}{'':>8}{found.tokens:>8,}", "bold"))
    for slot in found.slots:
        yield from _cuts(slot)


def _cuts(slot: "Slot") -> Iterator[Line]:
    whys: dict[str, list[str]] = {}
    for cut in slot.cut:
        whys.setdefault(cut.why, []).append(cut.what)
    for why, what in whys.items():
        named = what[-1:] if what[-1].endswith(" more") else []
        shown = [*what[:_SHOWN], *([f"{len(what) - _SHOWN} others"] if len(what) > _SHOWN else []), *named]
        words = f"{slot.name}, left out, {why}: {', '.join(dict.fromkeys(shown))}"
        yield line(Span(_fitted(words, _WIDE), "dim"))


def _sources(sources: Sequence[str]) -> str:
    files = list(dict.fromkeys(source.partition("#")[0] for source in sources))
    return files[0] + (f" and {len(files) - 1} more" if len(files) > 1 else "") if files else ""


def _fitted(words: str, room: int) -> str:
    """Return words in at most so many columns."""
    if width(words) <= room:
        return words
    while words and width(words) > room - 1:
        words = words[:-1]
    return words + "\u2026"


def tell_check(out: Output, found: Iterable["Fit"]) -> None:
    """Print what of each file reaches the agent."""
    if out.as_json:
        out.document([{**to_builtins(one), "fits": one.fits} for one in found])
        return
    out.lines(line(Span(row[0], row[1])) for row in _fits(found))


def _fits(found: Iterable["Fit"]) -> Iterator[tuple[str, str]]:
    yield f"{'file':<14}{'characters':>11}{'cap':>9}{'in a week':>11}  never seen", "bold"
    for one in found:
        growth = "" if one.growth is None else f"{one.growth:+,}"
        unseen = f"{one.hidden:,} on lines {one.first}-{one.last}" if one.hidden else "-"
        yield f"{one.path:<14}{one.size:>11,}{one.cap:>9,}{growth:>11}  {unseen}", "" if one.fits else "yellow"
