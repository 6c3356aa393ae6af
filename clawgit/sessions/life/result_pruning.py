"""Shortens what tools returned long ago."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.sessions.life.model_context import Item, is_result, message_tokens, parts, total

_SHARE = 0.5
"""The share of the model's window above which results are cleared, the oldest first."""
NOTE = "\n[{} characters left out]\n"


class Pruning(Struct, frozen=True):
    """What is shortened, and when; seconds and characters. The defaults are those of spec A7.

    Nothing is before `ttl` is over since the last answer: until then the provider's cache makes old text cheap. The
    last `keep` answers, and what stands behind the first of them, stay whole.
    """

    mode: Literal["cache-ttl", "off"] = "cache-ttl"
    ttl: float = 600.0
    keep: int = 3
    longest: int = 4_000
    head: int = 1_500
    tail: int = 1_500
    clears: bool = True
    placeholder: str = "[old tool result cleared]"


def of_config(value: Callable[[str], Any]) -> Pruning:
    """Return what keys of CONFIG.md say."""
    keys = ("soft_trim_max_chars", "soft_trim_head_chars", "soft_trim_tail_chars")
    longest, head, tail = (int(value(key)) for key in keys)
    ttl, keep = float(value("prune_ttl")), int(value("keep_last_assistants"))
    clears, placeholder = value("hard_clear") == "on", str(value("hard_clear_placeholder"))
    return Pruning(value("prune_mode"), ttl, keep, longest, head, tail, clears, placeholder)


class Pruned(Struct, frozen=True):
    """The items as the model would read them, the ids of the results that were trimmed and cleared, and the tokens.

    `reason` says why nothing was looked at; "" where it was.
    """

    items: tuple[Item, ...]
    trimmed: tuple[str, ...]
    cleared: tuple[str, ...]
    before: int
    after: int
    reason: str = ""


def prune(items: Sequence[Item], rules: Pruning, window: int, now: float) -> Pruned:
    """Return a context with old results of tools shortened (spec A7).

    `now` counts seconds since 1970, `window` is in tokens. Results that are too long keep their head and their tail;
    where the context still fills more than half of the window, results become the placeholder, the oldest first, until
    it does not. What people and the agent said stays as it is, and so does the transcript; done twice it is the same.
    """
    before = total(items)
    last = protected(items, rules.keep)
    reason = _reason(items, rules, now, last)
    if reason:
        return Pruned(tuple(items), (), (), before, before, reason)
    kept, trimmed, cleared = list(items), list[str](), list[str]()
    old = [at for at in range(last) if is_result(items[at].message)]
    for at in old:
        if (shorter := _trimmed(items[at], rules)) is not None:
            kept[at] = shorter
            trimmed.append(shorter.event.id)
    after = total(kept)
    for at in old if rules.clears else ():
        if after <= _SHARE * window:
            break
        bare = _with_text(kept[at], rules.placeholder, pictures=False)
        if bare.tokens < kept[at].tokens:
            after -= kept[at].tokens - bare.tokens
            kept[at] = bare
            cleared.append(bare.event.id)
    gone = set(cleared)
    return Pruned(tuple(kept), tuple(one for one in trimmed if one not in gone), tuple(cleared), before, after)


def protected(items: Sequence[Item], keep: int) -> int:
    """Return the first item that stays whole: the answer with which the last `keep` begin; 0 where there are fewer."""
    answers = [at for at, one in enumerate(items) if one.message.get("role") == "assistant"]
    return answers[-keep] if 0 < keep <= len(answers) else len(items) if not keep else 0


def _reason(items: Sequence[Item], rules: Pruning, now: float, last: int) -> str:
    if rules.mode == "off":
        return "pruning is off"
    said = [item.event.time for item in items if item.message.get("role") == "assistant"]
    newest = max((time for time in said if time is not None), default=None)
    if newest is not None and now - newest < rules.ttl:
        return "the last answer is too young"
    return "" if last else f"there are not more than {rules.keep} answers"


def _trimmed(item: Item, rules: Pruning) -> Item | None:
    """Return a result with the middle of its text left out, None for one that is short enough."""
    text = result_text(item)
    if len(text) <= rules.longest or text == rules.placeholder:
        return None
    note = NOTE.format(f"{len(text):,}")
    room = max(rules.longest - len(note), 0)
    head = min(rules.head, room)
    tail = min(rules.tail, room - head)
    note = NOTE.format(f"{len(text) - head - tail:,}")
    return _with_text(item, f"{text[:head]}{note}{text[len(text) - tail :]}"[: rules.longest], pictures=True)


def result_text(item: Item) -> str:
    """Return all the words of a result."""
    return "\n".join(str(part.get("text") or "") for part in parts(item.message) if part.get("type") == "text")


def _with_text(item: Item, text: str, *, pictures: bool) -> Item:
    """Return a copy of a result that says `text`; what else was in it stays with `pictures`."""
    others = [part for part in parts(item.message) if part.get("type") != "text"] if pictures else []
    message = {**item.message, "content": [{"type": "text", "text": text}, *others]}
    message.pop("details", None)
    return replace(item, raw={**item.raw, "message": message}, tokens=message_tokens(message))
