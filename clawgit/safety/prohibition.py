"""Whether a sentence forbids what its words name."""

from __future__ import annotations

import re

from clawgit.safety import script_patterns

_BEFORE, _AFTER = 120, 120  # characters of the sentence that may turn the phrase round
_SENTENCE = r"[.;!?](?:\s|$)|[。;!?]|\n\s*\n|\n\s*(?:[-+#>|]|\d+[.)])"
_CLAUSE = r"[,,、]|\b(?:but|then|instead|and then)\b"
_SHORTLY = r"[^\n。.、,]{0,12}?"
_TURNING = ("answered", "never", "within", "refused", "not_behind")


def turned(text: str) -> bool:
    """Return whether anything in `text` could forbid or refuse; without it nothing there is `negated`."""
    return any(re.search(_said(one), text) for one in _TURNING)


def negated(text: str, start: int, end: int, *, clause: bool = False) -> bool:
    """Return whether the sentence around `text[start:end]` forbids or refuses it; `text` is plain and case-folded.

    With `clause`, a negation before the last comma does not count.
    """
    before = re.split(_SENTENCE, text[max(0, start - _BEFORE) : start])[-1]
    after = re.split(_SENTENCE, text[end : end + _AFTER])[0]
    if re.search(_said("reported"), before) and re.search(_said("refused"), before + after):
        return True
    behind = text[end : end + _AFTER]
    if (
        re.search(_said("opened"), before)
        and re.search(_said("told"), before + behind)
        and re.search(_said("answered"), behind)
    ):
        return True  # A mail said "…": I reported it.
    near = re.split(_CLAUSE, before)[-1] if clause else before
    return bool(
        re.search(_said("never"), re.sub(_said("hollow"), "", near))
        or re.search(_said("within"), text[start:end])
        or re.match(_SHORTLY + _said("not_behind"), after)
    )


def banned(sentence: str) -> bool:
    """Return whether `sentence` begins with a ban that holds for all of it."""
    start = re.match(_said("ban"), sentence)
    return bool(start and not re.search(_said("but"), sentence[start.end() :].lstrip()))


def unquoted(sentence: str, behind: str) -> str:
    """Return `sentence` without what somebody else said, where it is told that this was refused or reported.

    `behind` is what the text goes on with.
    """
    rest = re.sub(_said("quoted"), " ", sentence)
    told = rest != sentence and re.search(_said("told"), rest) and re.search(_said("answered"), rest + behind)
    return rest if told else sentence


def limited(text: str) -> bool:
    """Return whether a leave is for what `text` names and for nothing else."""
    return bool(re.search(_said("limited"), text))


def modest(text: str, start: int, end: int) -> bool:
    """Return whether the leave that `text[start:end]` is none: refused unless asked, or for own notes and reading."""
    before = re.split(_SENTENCE, text[max(0, start - _BEFORE) : start])[-1]
    after = re.split(_SENTENCE, text[end : end + _AFTER])[0]
    if re.search(_said("what_to"), before) or limited(text[end : end + _AFTER]):
        return True
    if re.search(_said("reading"), text[max(0, start - _BEFORE) : start]) and re.match(
        _said("these"), text[end : end + _AFTER]
    ):
        return True  # "1. Read SOUL.md. … Don't ask permission."
    return bool(
        re.search(_said("own"), before + text[start:end] + after) or re.match(_said("unless"), text[start:end] + after)
    )


def elsewhere(text: str, start: int, end: int) -> bool:
    """Return whether the rules that `text[start:end]` sets aside are those of a page, a message or another stranger."""
    behind = text[end : end + _AFTER]
    return bool(
        (re.match(_said("source"), behind) or re.match(_said("read"), behind))
        and not re.search(_said("earlier"), text[start:end])
    )


def _said(name: str) -> str:
    return script_patterns.table("prohibition.toml", "forbids")[name]
