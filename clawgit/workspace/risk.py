"""How much a change to a guarded file risks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from clawgit.safety import binding, hidden_text, injection, normalise, protected_lines
from clawgit.text.tokens import count
from clawgit.workspace import file_roles
from clawgit.workspace.blank_forms import remove_lines

Level = Literal["low", "high"]

MAX_LOSS = 0.2
TINY, MAX_LOSS_TINY = 200, 0.5  # below so many characters one line is a fifth; there it takes more than half
LONGEST_QUOTE = 60
NOTES = frozenset({"AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "MEMORY.md"})
EVERYDAY = NOTES | {"USER.md"}  # full of advice that binds nobody: what binds there is told by what is at stake
_EVERYDAY = frozenset({"sudo"})  # what notes on machines say all the time
_UNTRUSTED = frozenset({"untrusted", "unknown"})
_LINKS = {"BOOTSTRAP.md": "", "IDENTITY.md": r"(?i)\W*avatar\W"}  # where an address is expected
WORDS: dict[str, str] = {
    "override": "wording that overrides rules",
    "secrecy": "wording that keeps something from the operator",
    "exfiltration": "wording that sends private things out",
    "persona": "wording that makes it somebody else",
    "grant": "a permission",
    "money": "wording that changes where money goes",
    "bias": "wording that promotes something",
    "command": "a command",
    "marker": "a marker that poses as the system or a speaker",
    "encoded": "text in a code",
    "unseen": "words that only an agent sees",
}


class Reason(NamedTuple):
    """Why a grade is high: a sentence, the same without words of the file, and the line that came, 0 for none."""

    said: str
    plain: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Risk:
    """The level of a change; `high` has at least one reason, each a sentence.

    `boundaries` of the reasons are about protected lines; `found` has the reasons of one file with their lines.
    """

    level: Level
    reasons: tuple[str, ...]
    boundaries: int = field(default=0, compare=False)
    found: tuple[Reason, ...] = field(default=(), compare=False)

    @property
    def first(self) -> Reason:
        """The first of the reasons of one file, an empty one where there is none."""
        return next(iter(self.found), Reason(""))

    @property
    def said(self) -> str:
        """The level with its reasons, as a trailer holds it."""
        return f"{self.level} ({'; '.join(self.reasons)})" if self.reasons else self.level


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
    path: str = "SOUL.md",
    operator: Collection[str] = (),
    form: frozenset[str] = frozenset(),
) -> Risk:
    """Grade the change of one guarded file from `before` to `after` (None: the file is not there).

    `evidence` lists the origins of what was resolved; none means that it is missing. `operator` are the names
    by which the operator is called, besides those that a soul says it works for; `form` are lines that may go. Only
    lines that are new are read for additions. Notes on how things are done hold addresses, commands and tools as a
    matter of course: there only what these are used for counts.
    """
    if before == after:
        return Risk("low", ())
    path = file_roles.role_name(path)
    old, new = before or "", after or ""
    operator = {*operator, *(normalise.served_names(old) if path not in EVERYDAY else ())}
    added = _added(old, new)
    kept = after is not None
    lost = tuple(_unprotected(old, new, protected, operator, notes=path in EVERYDAY)) if kept else ()
    found = (
        *((Reason("It deletes the file.", "it deletes the file"),) if after is None else ()),
        *lost,
        *(() if path in NOTES else _reached(old, added, path)),
        *_wordings(old, new, operator, path),
        *_hidden(new, added),
        *_unfounded(origin, evidence),
        *(_loss(remove_lines(old, form), remove_lines(new, form)) if after is not None else ()),
        *_growth(old, new, cap_tokens),
    )
    found = tuple(dict.fromkeys(found))
    return Risk("high" if found else "low", tuple(one.said for one in found), len(dict.fromkeys(lost)), found)


def _unprotected(
    old: str, new: str, protected: Collection[str], operator: Collection[str], *, notes: bool
) -> Iterator[Reason]:
    """Yield a reason for each protected line of `old` that bound the agent, and in `new` does not, or less."""
    wanted = {key for line in protected if (key := _key(line))}
    if not wanted:
        return
    written = old.split("\n")
    lines = {number for number, line in enumerate(written, 1) if _key(line) in wanted}
    found: dict[int, bool] = {}
    for loss in protected_lines.lost(old, new, lines, operator, notes=notes) if lines else ():
        found[loss.line] = found.get(loss.line, False) or loss.weakened
    for number, weakened in found.items():
        what = f"{'weakens' if weakened else 'removes'} the protected line {number}"
        yield Reason(f'It {what}: "{quote(written[number - 1])}"', f"it {what}")


def _reached(old: str, added: list[_Line], path: str) -> Iterator[Reason]:
    for line in added:
        at = line.number
        for address in binding.addresses(line.text):
            if address not in old and not re.match(_LINKS.get(path, "$."), line.text):
                yield Reason(f"Line {at} adds the address {quote(address)}.", f"line {at} adds an address", at)
        for command in binding.commands(line.text, fenced=line.fenced):
            yield Reason(f"Line {at} adds the command {quote(command)}.", f"line {at} adds a command", at)
        for tool in binding.tools(line.text):
            yield Reason(f"Line {at} names the tool {quote(tool)}.", f"line {at} names a tool", at)


def _wordings(old: str, new: str, operator: Collection[str], path: str) -> Iterator[Reason]:
    for signal in injection.added(old, new, operator):
        if path not in NOTES or signal.phrase not in _EVERYDAY:
            at, what = signal.line, WORDS[signal.kind]
            yield Reason(f'Line {at} adds {what}: "{quote(signal.phrase)}".', f"line {at} adds {what}", at)


def _hidden(new: str, added: list[_Line]) -> Iterator[Reason]:
    fresh = {line.number for line in added}
    for run in hidden_text.scan(new):
        if run.line in fresh:
            code = f"U+{ord(new[run.start]):04X}"
            words = f"Line {run.line} adds hidden characters ({run.kind}, {code}, {run.end - run.start})."
            yield Reason(words, f"line {run.line} adds hidden characters", run.line)


def _unfounded(origin: str, evidence: Sequence[str]) -> Iterator[Reason]:
    if origin == "operator":
        return
    if origin == "untrusted":
        yield Reason("It comes from untrusted text.")
    if not evidence and origin != "unknown":  # what is found on disk never comes with any
        yield Reason("It has no evidence.")
    elif _UNTRUSTED.intersection(evidence):
        yield Reason("It rests on evidence that nobody vouches for.")
    elif set(evidence) == {"agent"}:
        yield Reason("It rests on no words of the operator's.")


def _loss(old: str, new: str) -> Iterator[Reason]:
    was, now = _size(old), _size(new)
    if was and 1 - now / was > (MAX_LOSS if was >= TINY else MAX_LOSS_TINY):
        share = round(100 * (1 - now / was))
        yield Reason(f"It shrinks the file by {share} %, from {was} to {now} characters.", "it shrinks the file")


def _growth(old: str, new: str, cap: int) -> Iterator[Reason]:
    tokens = count(new)
    if tokens > cap and tokens > count(old):
        yield Reason(f"It grows the file to {tokens} tokens, past its cap of {cap}.")


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
    return [
        _Line(n, line, inside) for n, (line, inside) in enumerate(zip(lines, binding.fenced(lines), strict=True), 1)
    ]


def _size(text: str) -> int:
    return sum(len(line.strip()) for line in text.split("\n"))


def _key(line: str) -> str:
    return " ".join(line.split())


def quote(text: str) -> str:
    """Shorten `text` to one printable line."""
    shown = " ".join(text.split())
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)
    return shown if len(shown) <= LONGEST_QUOTE else shown[: LONGEST_QUOTE - 1] + "…"
