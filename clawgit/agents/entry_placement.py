"""Where mined entries stand in a file."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from clawgit.text import document
from clawgit.text.document import Section, sections
from clawgit.text.edit import append_block, insert_line
from clawgit.text.entry import Entry, entries

Key = tuple[str, str]
"""What orders mined entries: the mention that an entry was learnt from, and its text."""


class Placed(Struct, frozen=True):
    """A bullet for the section called `section`, in the order of `key`."""

    section: str
    key: Key
    bullet: str


def place(text: str, new: Iterable[Placed], keys: Mapping[int, Key], order: Sequence[str]) -> str:
    """Return the text with each bullet in its section, in the order of keys among those that were mined before.

    `keys` are those of the bullets that stand on these lines (from 1) and were mined; all others stay where they are,
    and new ones come after them. A section that is missing is made, in `order`. Whatever comes first, the same set of
    bullets gives the same text.
    """
    wanted = sorted(new, key=lambda one: one.key)
    heads = sections(text)
    missing = {one.section for one in wanted if _section(heads, one.section) is None}
    at = _places(text, [one for one in wanted if one.section not in missing], keys)
    for (line, gap), some in sorted(at.items(), reverse=True):
        text = insert_line(text, line, ("\n" if gap else "") + _block(some))
    for name in (name for name in order if name in missing):
        text = _made(text, name, order, _block([one for one in wanted if one.section == name]))
    return text


def _block(some: Iterable[Placed]) -> str:
    return "".join(f"{one.bullet}\n" for one in some)


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text without these lines (from 1, both inside), and without the second blank line where a list was."""
    rows = document.split(text)
    for start, end in sorted(spans, reverse=True):
        alone = start > 1 and document.is_blank(rows[start - 2]) and (end == len(rows) or document.is_blank(rows[end]))
        del rows[start - 1 - alone : end]
    return "".join(rows)


def _places(text: str, wanted: Iterable[Placed], keys: Mapping[int, Key]) -> dict[tuple[int, bool], list[Placed]]:
    """Return before which line what goes, and whether after a blank line of its own."""
    heads = sections(text)
    bullets = [entry for entry in entries(text) if entry.kind == "bullet" and entry.depth <= 1]
    found: dict[tuple[int, bool], list[Placed]] = {}
    for one in wanted:
        head = _section(heads, one.section)
        assert head is not None
        end = next((inner.line - 1 for inner in heads if head.line < inner.line <= head.end), head.end)
        own = [bullet for bullet in bullets if head.body <= bullet.start <= end]
        found.setdefault(_line(text, head, end, own, one.key, keys), []).append(one)
    return found


def _line(
    text: str, head: Section, end: int, own: Sequence[Entry], key: Key, keys: Mapping[int, Key]
) -> tuple[int, bool]:
    """Return the line that an entry goes before, and whether a list begins with it."""
    mined = [one for one in own if one.start in keys]
    before = [one for one in mined if keys[one.start] < key]
    if before or (own and not mined):
        return _end(text, (before or own)[-1], end) + 1, False
    if mined:
        return mined[0].start, False
    rows = document.split(text)
    last = next((at for at in range(end, head.body - 1, -1) if not document.is_blank(rows[at - 1])), head.body - 1)
    return last + 1, True


def _end(text: str, bullet: Entry, end: int) -> int:
    """Return the last line of a bullet with what is nested below it, also after blank lines."""
    rows = document.split(text)
    last = at = bullet.end
    while at < end and (document.is_blank(rows[at]) or rows[at].startswith((" ", "\t"))):
        at += 1
        last = last if document.is_blank(rows[at - 1]) else at
    return last


def _made(text: str, name: str, order: Sequence[str], block: str) -> str:
    """Return the text with a further section: before those that come later in `order`, else at the end."""
    later = {_folded(title) for title in order[list(order).index(name) + 1 :]}
    after = next((head for head in sections(text) if _folded(head.title) in later), None)
    if after is None:
        return append_block(text, f"## {name}\n\n{block}")
    return insert_line(text, after.line, f"{'#' * after.level} {name}\n\n{block}\n")


def _section(heads: Iterable[Section], name: str) -> Section | None:
    return next((head for head in heads if _folded(head.title) == _folded(name)), None)


def _folded(title: str) -> str:
    return " ".join(title.split()).casefold()
