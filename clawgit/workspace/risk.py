"""How much a change to a guarded file risks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from clawgit.safety import acts, hidden, injection
from clawgit.text.tokens import count

Level = Literal["low", "high"]

MAX_LOSS = 0.2
TINY, MAX_LOSS_TINY = 200, 0.5  # below so many characters one line is a fifth; there it takes more than half
SIMILAR = 80.0  # of 100: the same line in other words
LONGEST_QUOTE = 60
_UNTRUSTED = frozenset({"untrusted", "unknown"})
_WORDS: dict[str, str] = {
    "override": "wording that overrides rules",
    "secrecy": "wording that keeps something from the operator",
    "exfiltration": "wording that sends private things out",
    "persona": "wording that makes it somebody else",
    "grant": "a permission",
    "command": "a command",
    "marker": "a marker that poses as the system or a speaker",
}
_EXCEPTION = (
    r"(?i)\b(?:except|unless|(?:does|do) not apply|not when|ausnahme|ausser|außer|es sei denn|excepto|salvo|sauf)\b"
    r"|кроме|除非|除外|例外|ただし|제외|예외"
)


@dataclass(frozen=True, slots=True)
class Risk:
    """The level of a change; `high` has at least one reason, each a sentence."""

    level: Level
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    fenced: bool


def grade(
    before: str | None,
    after: str | None,
    *,
    origin: str,
    evidence: Sequence[str],
    cap_tokens: int,
    protected: Collection[str] = (),
) -> Risk:
    """Grade the change of one guarded file from `before` to `after` (None: the file is not there).

    `evidence` lists the kinds or origins of what was resolved; none means that it is missing. Only lines that
    are new are read for additions.
    """
    if before == after:
        return Risk("low", ())
    old, new = before or "", after or ""
    reasons = (
        *(("It deletes the file.",) if after is None else ()),
        *_unprotected(old, new, protected),
        *_additions(old, new),
        *_unfounded(origin, evidence),
        *(_loss(old, new) if after is not None else ()),
        *_growth(old, new, cap_tokens),
    )
    return Risk("high" if reasons else "low", tuple(dict.fromkeys(reasons)))


def _unprotected(old: str, new: str, protected: Collection[str]) -> Iterator[str]:
    """Yield a reason for each protected line of `old` that `new` no longer states, or states with an exception."""
    wanted = {key for line in protected if (key := _key(line))}
    standing = {_key(line.text) for line in _in_force(new)}
    added = _added(old, new)
    for line in _in_force(old):
        key = _key(line.text)
        if key not in wanted:
            continue
        quote = f'the protected line {line.number}: "{_quote(line.text)}"'
        if key not in standing:
            yield f"It {'weakens' if _altered(key, added, new) else 'removes'} {quote}"
        elif _excepted(key, new, added):
            yield f"It weakens {quote}"


def _altered(key: str, added: list[_Line], new: str) -> bool:
    from rapidfuzz import fuzz  # noqa: PLC0415 -- needed only where an approved line is gone

    return key in map(_key, new.split("\n")) or any(
        key in _key(line.text) or fuzz.ratio(key, _key(line.text)) >= SIMILAR or _bare(key) in line.text
        for line in added
    )


def _excepted(key: str, new: str, added: list[_Line]) -> bool:
    """Tell whether a new line right below the protected one makes an exception."""
    below = {number + 1 for number, text in enumerate(new.split("\n"), 1) if _key(text) == key}
    return any(line.number in below and re.search(_EXCEPTION, line.text) for line in added)


def _in_force(text: str) -> Iterator[_Line]:
    """Yield the lines that a reader takes as said: not commented out, not in a code block."""
    shown = re.sub(r"<!--.*?(?:-->|\Z)", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    return (line for line in _lines(shown) if not line.fenced)


def _additions(old: str, new: str) -> Iterator[str]:
    for line in _added(old, new):
        for address in acts.addresses(line.text):
            if address not in old:
                yield f"Line {line.number} adds the address {_quote(address)}."
        for command in acts.commands(line.text, fenced=line.fenced):
            yield f"Line {line.number} adds the command {_quote(command)}."
        for tool in acts.tools(line.text):
            yield f"Line {line.number} names the tool {_quote(tool)}."
    known = Counter((s.kind, s.phrase) for s in injection.scan(old))
    for signal in injection.scan(new):
        known[signal.kind, signal.phrase] -= 1
        if known[signal.kind, signal.phrase] < 0:
            yield f'Line {signal.line} adds {_WORDS[signal.kind]}: "{_quote(signal.phrase)}".'
    fresh = {line.number for line in _added(old, new)}
    for run in hidden.scan(new):
        if run.line in fresh:
            code = f"U+{ord(new[run.start]):04X}"
            yield f"Line {run.line} adds hidden characters ({run.kind}, {code}, {run.end - run.start})."


def _unfounded(origin: str, evidence: Sequence[str]) -> Iterator[str]:
    if origin == "operator":
        return
    if origin == "untrusted":
        yield "It comes from untrusted text."
    if not evidence and origin != "unknown":  # what is found on disk never comes with any
        yield "It has no evidence."
    elif _UNTRUSTED.intersection(evidence):
        yield "It rests on untrusted evidence."


def _loss(old: str, new: str) -> Iterator[str]:
    was, now = _size(old), _size(new)
    if was and 1 - now / was > (MAX_LOSS if was >= TINY else MAX_LOSS_TINY):
        yield f"It shrinks the file by {round(100 * (1 - now / was))} %, from {was} to {now} characters."


def _growth(old: str, new: str, cap: int) -> Iterator[str]:
    tokens = count(new)
    if tokens > cap and tokens > count(old):
        yield f"It grows the file to {tokens} tokens, past its cap of {cap}."


def _added(old: str, new: str) -> list[_Line]:
    """Return the lines of `new` that `old` does not hold as often; blanks at their ends do not count."""
    left = Counter(line.strip() for line in old.split("\n"))
    fresh = []
    for line in _lines(new):
        left[line.text.strip()] -= 1
        if left[line.text.strip()] < 0 and line.text.strip():
            fresh.append(line)
    return fresh


def _lines(text: str) -> list[_Line]:
    lines = text.split("\n")
    return [_Line(n, line, inside) for n, (line, inside) in enumerate(zip(lines, acts.fenced(lines), strict=True), 1)]


def _size(text: str) -> int:
    return sum(len(line.strip()) for line in text.split("\n"))


def _key(line: str) -> str:
    return " ".join(line.split())


def _bare(key: str) -> str:
    return key.lstrip("-*+> ") or key


def _quote(text: str) -> str:
    """Shorten `text` to one printable line."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))
    return shown if len(shown) <= LONGEST_QUOTE else shown[: LONGEST_QUOTE - 1] + "…"
