"""What each section of a text says, read once."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from msgspec import Struct, field

from clawgit.text.stale_write.item import sheet

_HEADING = re.compile(r"^(?=#{1,6}[ \t])", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)", re.MULTILINE)


class Section(Struct):
    """What stands under one heading, up to the next; `heading` is "" above the first."""

    heading: str = ""
    keys: list[str] = field(default_factory=list)


class ItemCounts(Struct, frozen=True):
    """A text by what its items say: how often, under which heading, and which boxes are checked."""

    sections: tuple[Section, ...]
    counts: Counter[str]
    boxes: Mapping[str, bool]


def count_items(text: str) -> ItemCounts:
    """Return what the items of a text say, counted. Versions of one file share most sections, which are read once."""
    parts = [_part(part) for part in _parts(text)]
    sections = tuple(chain.from_iterable(part.sections for part in parts))
    counts = Counter(key for section in sections for key in chain(section.keys, (section.heading,)) if key)
    return ItemCounts(sections, counts, {key: box for part in parts for key, box in part.boxes.items()})


def _parts(text: str) -> Iterator[str]:
    """Cut a text before its headings, but not in code or comments."""
    held = ""
    for part in _HEADING.split(text):
        held += part
        if len(_FENCE.findall(held)) % 2 == 0 and held.count("<!--") <= held.count("-->"):
            yield held
            held = ""
    if held:
        yield held


@lru_cache(maxsize=2_048)
def _part(text: str) -> ItemCounts:
    found = [Section()]
    boxes: dict[str, bool] = {}
    for item in sheet(text).items:
        if item.kind == "heading":
            found.append(Section(item.key))
        elif item.key:
            found[-1].keys.append(item.key)
        if item.checked is not None:
            boxes[item.key] = item.checked
    return ItemCounts(tuple(section for section in found if section.heading or section.keys), Counter(), boxes)
