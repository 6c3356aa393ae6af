"""Proves that a healed text lost nothing and doubled nothing."""

from collections import Counter

from clawgit.text.document import parse
from clawgit.text.stale_write.item import Item, Sheet

_LARGE = 400_000  # letters; above, the parser takes too long
_KINDS = {"bullet": "bullet", "row": "row", "head": "table_head", "fence": "fence", "front": "front_matter"}


def is_sound(sides: tuple[Sheet, Sheet, Sheet], healed: Sheet, excused: frozenset[str] = frozenset()) -> bool:
    """Tell whether `healed` has all that is new in either text, and nothing more often than both of them.

    `sides` are the base, the committed text and the writer's. `excused` may be missing, or stay though deleted.
    """
    was, now, here = (_counts(side) for side in sides)
    found = _counts(healed)
    kept = (here - was).items()
    young = [(key, min(number, now[key])) for key, number in (now - was).items()]
    return (
        all(found[key] >= number for key, number in [*kept, *young] if key not in excused)
        and all(number <= max(now[key], here[key]) for key, number in found.items())
        and all(found[key] <= max(now[key], here[key] - was[key]) for key in was - now if key not in excused)
    )


def _counts(sheet: Sheet) -> Counter[str]:
    return Counter(item.key for item in sheet.items if item.key)


def is_markdown(text: str, healed: Sheet, here: Sheet) -> bool:
    """Tell whether readers of Markdown see code, tables and front matter where they stand, and each new bullet as one.

    Texts too large to be parsed pass.
    """
    if len(text) > _LARGE:
        return True
    kinds = {block.start - 1: block.kind for block in parse(text).blocks}
    old = _counts(here)
    return all(
        kinds.get(item.start) == _KINDS[item.kind]
        for item in healed.items
        if item.kind in _KINDS and (item.kind != "bullet" or item.key not in old) and not _is_in_bullet(item, healed)
    )


def _is_in_bullet(item: Item, sheet: Sheet) -> bool:
    return item.kind != "bullet" and item.parent >= 0 and sheet.items[item.parent].kind == "bullet"
