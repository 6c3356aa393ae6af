"""What the operator has to decide."""

import contextlib
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from clawgit.agents import correction_candidates, memory_candidates
from clawgit.agents.auditing import junk_lines
from clawgit.agents.promoting import weekly_review
from clawgit.agents.promoting.promotion_candidates import DAYS
from clawgit.agents.promoting.weekly_review import Kept
from clawgit.digest import digest_text
from clawgit.digest.digest_text import Item, Part
from clawgit.errors import ClawgitError, quoted
from clawgit.sessions import untainted_chats
from clawgit.text import entry
from clawgit.text.entry import Entry, digest
from clawgit.text.spelling import nearest
from clawgit.workspace import commit_message, file_roles, proposal, trust_review, unkept_requests
from clawgit.workspace.proposal import Proposal
from clawgit.workspace.risk import WORDS
from clawgit.workspace.status import Status, Waiting, status
from clawgit.workspace.trust import openclaw_extensions, repository_programs
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace import Workspace

_BEST = 3
_ALIKE = 80
"""Of notes that are so much alike, of 100, the best one is quoted."""
_GONE = re.compile(
    r"(?P<path>[^ ]+\.md) does not hold (?:line (?P<line>\d+) as you approved it(?: \(\d+ edits? since [\d-]+\))?"
    r"|(?P<more>\d+) more lines as you approved them)"
)
_ADDED = re.compile(rf"line (?P<line>\d{{1,9}}) adds (?:{'|'.join(map(re.escape, WORDS.values()))})(?=: \"|\Z)")
_FATE = re.compile(r'"(?P<said>.*?)" is (?:now "|weakened|gone)')
"""What became of a line that was approved: its words are the operator's."""
_REASON = re.compile(
    r"It (?:deletes the file|(?:removes|weakens) the protected line \d+|shrinks the file by \d+ %)"
    r"|Line (?P<line>\d+) (?:"
    rf"adds (?:{'|'.join(map(re.escape, WORDS.values()))}|the address|the command|hidden characters)|names the tool)"
)
"""The beginning of a reason of a grade, without words of the file."""
_ONE = {"address": "an address", "command": "a command", "tool": "a tool"}
_PROTECTED = " the protected line "
HOSTILE = " holds text that reads like an attack"
"""Behind the path of the one file that does."""
_SHRANK = re.compile(r"(?P<path>[^ ]+\.md) shrank from [\d,]+ to [\d,]+ characters")


def items(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what a review of a period found and what still stands where it found it; the best of it is quoted.

    Of a journal that was only captured nobody knows who wrote it: that is said beside the quote. What is from outside,
    or could be an instruction, no review proposes.
    """
    found = weekly_review.last(workspace.state)
    if found is None or not since < found.at <= until:
        return
    days = DAYS + (until.date() - found.at.astimezone(until.tzinfo).date()).days
    yield from told(workspace, found.notes, "this week", days)


def told(workspace: Workspace, notes: Iterable[Kept], when: str, days: int) -> Iterator[Item]:
    """Yield what of some notes still stands where it was found, the best first, as one item; the best are quoted."""
    stand = [(one, place) for one in notes if (place := _place(workspace, one)) and not junk_lines.reason(place.text)]
    if stand:
        best = tuple(_quote(one, place) for one, place in islice(_different(stand), _BEST))
        command = "clawgit memory promote" if days == DAYS else f"clawgit memory promote --days {days}"
        yield Item(f"{_many(len(stand))} of {when} could be kept for good", best, command)


def _different(stand: Iterable[tuple[Kept, Entry]]) -> Iterator[tuple[Kept, Entry]]:
    """Yield those that do not say nearly the same as an earlier one."""
    said: list[str] = []
    for one, place in stand:
        if not nearest(place.text, said, cutoff=_ALIKE):
            yield one, place
        said.append(place.text)


def _many(count: int) -> str:
    return f"{count} note{'' if count == 1 else 's'}"


def _place(workspace: Workspace, one: Kept) -> Entry | None:
    """Return where a note stands on disk, None where it was promoted, changed or taken out since."""
    try:
        text = workspace.read(one.path) or ""
    except ClawgitError:
        return None
    return _find(text, one)


def _find(text: str, one: Kept) -> Entry | None:
    return next((found for found in entry.entries(text) if digest(found.text) == one.hash), None)


def _quote(one: Kept, place: Entry) -> str:
    """Return a note as it may be told: redacted, with its category, its place, and whether its origin is known."""
    whose = "" if digest_text.known(one.origin) else ", origin unknown"
    return f"“{digest_text.quote(place.text)}” ({one.category}, {digest_text.named(one.path)}#L{place.start}{whose})"


HELD = "; it stays uncommitted"
_KEY = re.compile(rf"{re.escape(file_roles.CONFIG)}:\d+")
_CLAIMS = ("agent", "operator")
_TAKES_BACK = re.compile(r"clawgit restore '([^']+)' --approved")
_SHARE = re.compile(r"\d+ %")
_BY_HAND = "-m 'by hand'"
"""In a fix that commits: no file's name."""
_PASTED = re.compile(r"(?:clawgit|git|rm|mv|ls|cat|chmod|chattr|iconv|mkdir|sudo|echo|type|find|df|lsof) ")
"""What begins a command."""
_GRADED = " was changed, and is graded high"
_FEW = 4
"""Places of text that reads like an attack: `clawgit status` has the rest."""


def part(workspace: Workspace) -> Part:
    """Return what waits, in sentences that repeat no words of the files; what was asked for is the operator's own."""
    found = status(workspace)
    unkept = unkept_requests.standing(workspace) if workspace.managed else []
    asked = {one.message for one in unkept}
    alarms = replace(found, alarms=tuple(one for one in found.alarms if one.message not in asked))
    items = (
        *_proposals(workspace),
        *map(_unkept, unkept),
        *(told := list(_by_file(map(_approvable, _alarms(alarms))))),
        *_untrusted(workspace, {back[1] for one in told if (back := _TAKES_BACK.fullmatch(one.command))}),
        *_counts(workspace, found),
    )
    return Part("waiting", tuple(dict.fromkeys(items)), look="clawgit status")


def _by_file(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items; what one command puts right of a file is told in one of them."""
    told: dict[str, Item] = {}
    for one in items:
        if (back := _TAKES_BACK.fullmatch(one.command)) is None:
            told[repr(one)] = one
        elif (first := told.get(one.command)) is None:
            told[one.command] = one
        else:
            told[one.command] = _with(first, one, back[1])
    yield from told.values()


def _with(first: Item, more: Item, path: str) -> Item:
    """Return an item about a file with what another tells of it; of a protected line its words are told already."""
    if _PROTECTED in more.text:
        return first
    quotes, others = first.details[: len(first.keys)], first.details[len(first.keys) :]
    details = (*quotes, more.text.removeprefix(f"{path} "), *others, *more.details)
    return replace(first, details=tuple(dict.fromkeys(details)), keys=(*first.keys, *more.keys))


def said(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield, in the first digest of a week, what the operator said in the last one that could be kept, and is not."""
    days = (until.date() - since.date()).days
    if not workspace.managed or days <= until.weekday():
        return
    with untainted_chats.opened(workspace, os.environ, reading=True) as store:
        found = memory_candidates.unkept(workspace, store, until - memory_candidates.WEEK, until)
    quotes = tuple(f"\u201c{digest_text.quote(one.text)}\u201d ({one.id[:6]})" for one in found)
    if len(found) == 1:
        name = found[0].id[:6]
        yield Item("You said this, and it is not kept", quotes, f"clawgit memory keep {name}   # or drop {name}")
    elif found:
        told = f"You said {len(found)} things that are not kept; keep or drop each by the name behind it"
        yield Item(told, quotes, "clawgit memory candidates")


def _proposals(workspace: Workspace) -> Iterator[Item]:
    if not workspace.managed:
        return
    for one in proposal.waiting_proposals(workspace.repo):
        if workspace.now() < one.expires:
            until = f"it can be approved until {one.expires:%Y-%m-%d}"
            yield Item(_proposed(one), (until,), f"clawgit soul review {one.id}")


def _proposed(one: Proposal) -> str:
    """Return what is proposed; the words of an edit that was found on disk are not repeated."""
    try:
        files = commit_message.list_names(map(digest_text.named, one.paths))
    except ClawgitError:
        files = "a change that is not here as a whole"
    origin, risk = one.said.get("Origin"), one.said.get("Risk") or ""
    if one.agent == "capture" or origin not in _CLAIMS or "untrusted" in risk:
        return f"a proposal for {files}, found on disk or from outside"
    return f"proposal for {files}: {digest_text.quote(one.said.subject.partition(': ')[2] or one.said.subject)}"


def _unkept(one: Unkept) -> Item:
    """Return what the operator asked for and nobody kept, in his words, with the command that keeps it."""
    words = digest_text.quote(one.message)
    return Item(words, command=one.fix if digest_text.quote(one.text) == one.text else "clawgit status")


def _alarms(found: Status) -> Iterator[Item]:
    """Yield the alarms; what stands behind a colon may be words of a file.

    Files that stay uncommitted for one reason are one item, and so are those with text that reads like an attack, and
    those that are gone; what is no command to paste is told as a sentence.
    """
    held: dict[str, list[str]] = {}
    hostile: list[Item] = []
    gone: list[Item] = []
    alarms, lost = _without_boundaries(found.alarms)
    yield from lost
    for one in alarms:
        words, _, told = one.message.partition(": ")
        if one.message.endswith(HELD):
            words = f"{words.removesuffix(HELD)}{HELD}"
        if _KEY.fullmatch(words):
            yield Item(f"{words} holds a value that cannot be used", command="clawgit config show")
        elif digest_text.quote(words) != words or not _harmless(words, one.fix):
            yield Item(f"an alarm about {digest_text.ODD}", command="clawgit status")
        elif one.fix and not _PASTED.match(one.fix):
            held.setdefault(one.fix, []).append(words)
        elif words.endswith(HOSTILE):
            hostile.append(_placed(words, told, one.fix or "clawgit status"))
        elif words.endswith(".md is gone"):
            gone.append(_placed(words, "", one.fix or "clawgit status"))
        else:
            yield _placed(words, told, one.fix or "clawgit status")
    yield from _missing(gone)
    yield from _together(hostile)
    for fix, some in held.items():
        if len(some) == 1:
            yield Item(some[0], (f"{fix[:1].upper()}{fix[1:]}.",))
            continue
        uncommitted = all(words.endswith(HELD) for words in some)
        names = [words.removesuffix(HELD) if uncommitted else words for words in some]
        what = "things keep files from being committed" if uncommitted else "alarms have one fix"
        yield Item(f"{len(some)} {what}: {fix}", tuple(names), "clawgit status")


def _graded(words: str, told: str, fix: str) -> Item:
    """Return an alarm about a file of the identity with the reason of its grade, as far as that repeats no words."""
    path = words.removesuffix(_GRADED)
    return _unlike(path, told, fix) if _TAKES_BACK.fullmatch(fix) else Item(words, command=fix)


def _unlike(path: str, reason: str, fix: str) -> Item:
    """Return that a file is not as it was approved, with the first reason of its grade without words of the file."""
    found = _REASON.match(reason)
    why = f": {found[0][:1].lower()}{found[0][1:]}" if found else ""
    for word, one in _ONE.items():
        why = why.replace(f" the {word}", f" {one}")
    line = f"{path}:{found['line']}" if found and found["line"] and digest_text.plain(path) else ""
    look = (f"`clawgit why {quoted(line)}` shows the line",) if line else ()
    text = f"{digest_text.named(path)} is not as you approved it{why}"
    return Item(text, look, fix, keys=(f"{path} is not as approved{_SHARE.sub('', why)}",))


def _missing(gone: list[Item]) -> Iterator[Item]:
    if len(gone) > _FEW:
        names = tuple(one.text.removesuffix(" is gone") for one in gone)
        yield Item(f"{len(gone)} files that you approved are gone", names, "clawgit status")
    else:
        yield from gone


def _together(hostile: list[Item]) -> Iterator[Item]:
    if len(hostile) == 1:
        yield from hostile
    elif hostile:
        places = [one.text.replace(HOSTILE, "", 1) for one in hostile]
        listed = tuple(sorted(places, key=lambda one: file_roles.dreamt(one.partition(": ")[0])))
        words = f"{len(hostile)} files hold text that reads like an attack"
        yield Item(words, listed, "clawgit status", shown=_FEW)


def _without_boundaries(alarms: Iterable[Waiting]) -> tuple[list[Waiting], list[Item]]:
    """Return the alarms without lines of one file that were approved and are lost, and an item for each such file."""
    left, lost = list[Waiting](), dict[str, list[_Line]]()
    shrunk = dict[str, Waiting]()
    for one in alarms:
        words, _, told = one.message.partition(": ")
        gone = _GONE.fullmatch(words)
        if gone and digest_text.plain(gone["path"]):
            fate = _FATE.match(told)
            said = digest_text.quote(fate["said"]) if fate else ""
            lost.setdefault(gone["path"], []).append(_Line(said, int(gone["more"] or 1), one.fix))
        else:
            left.append(one)
    for one in list(left):
        shrank = _SHRANK.fullmatch(one.message)
        path = shrank["path"] if shrank else ""
        if path in lost and one.fix == lost[path][0].fix:
            shrunk[path] = one
            left.remove(one)
    return left, [_lost(path, some, shrunk.get(path)) for path, some in lost.items()]


class _Line(NamedTuple):
    """What a file does not hold as it was approved: its words, or "" for several lines without them."""

    said: str
    many: int
    fix: str


def _lost(path: str, some: Sequence[_Line], shrunk: Waiting | None) -> Item:
    """Return the lines of a file that the operator approved, and that do not stand as they did, in his words."""
    many = sum(one.many for one in some)
    quotes = tuple(f"\u201c{one.said}\u201d" for one in some if one.said)
    shorter = (shrunk.message.removeprefix(f"{path} "),) if shrunk else ()
    more = (f"and {many - len(quotes)} more",) if many > len(quotes) else ()
    lines = "a line as you approved it" if many == 1 else f"{many} lines as you approved them"
    keys = tuple(f"{path} lost {one}" for one in quotes)
    return Item(f"{path} does not hold {lines}", (*quotes, *more, *shorter), some[0].fix, keys=keys)


def _placed(words: str, told: str, fix: str) -> Item:
    """Return an alarm with the line that it tells of; that is looked at before a commit is undone."""
    if words.endswith(_GRADED):
        return _graded(words, told, fix)
    if (added := _ADDED.match(told)) is None:
        return Item(words, command=fix)
    look = f"clawgit why {quoted(words.partition(' holds ')[0] + ':' + added['line'])}"
    return Item(f"{words}: {added[0]}", command=look if fix.startswith("clawgit undo ") else fix)


def _harmless(words: str, fix: str) -> bool:
    """Tell whether the names in an alarm hold no sentence: the file that it begins with, those quoted in its fix."""
    first, mark, _ = words.partition(".md")
    named = re.findall(r"'([^']*)'", fix.replace(_BY_HAND, ""))
    return all(map(digest_text.plain, [first, *named] if mark else named))


_LOOK = "this shows them, and asks:"
_TRUST = "`clawgit trust` shows what differs, and asks; to put the whole file back:"


def _approvable(one: Item) -> Item:
    """Return an alarm that a restore ends with the command that approves the file as it is."""
    if not _TAKES_BACK.fullmatch(one.command):
        return one
    return replace(one, details=(*one.details, _TRUST))


def _untrusted(workspace: Workspace, told: Collection[str]) -> Iterator[Item]:
    """Yield what is not approved, but for the files that were `told` before."""
    if not workspace.managed:
        return
    with contextlib.suppress(ClawgitError):  # of CONFIG.md: that is an alarm of its own
        found = trust_review.concerns(workspace)
        if not found.known:
            yield Item("nothing here is approved yet", command="clawgit trust")
        if programs := repository_programs.come(workspace.repo, workspace.notes):
            words = f"{_names(programs)} came into the repository: git goes by such things"
            yield Item(words, command="clawgit trust")
        if scripts := openclaw_extensions.come(workspace.root, workspace.notes).scripts:
            yield _came(tuple(map(digest_text.named, scripts)))
        for file in found.files:
            if file.path not in told:
                back = file.approved is not None and digest_text.plain(file.path)
                fix = f"clawgit restore {quoted(file.path)} --approved" if back else "clawgit trust"
                yield _approvable(_unlike(file.path, next(iter(file.risk.reasons), ""), fix))
        for key in found.keys:
            words = f"{file_roles.CONFIG} sets {key.key.name} to what you have not approved"
            if key.changed:
                words = f"{key.key.name} is off: a file that it names is not as you approved it"
            yield Item(words, command="clawgit trust")


def _came(names: tuple[str, ...]) -> Item:
    """Return the skills and scripts that came, each of which a later digest knows."""
    if len(names) < _FEW:
        words = f"{commit_message.list_names(names)} came into the workspace, and OpenClaw does what such files say"
        return Item(words, (_LOOK,), "clawgit trust", keys=names)
    words = f"{len(names)} skills and scripts came into the workspace, and OpenClaw does what they say"
    return Item(words, names, "clawgit trust", shown=_FEW, keys=names)


def shrunk(waits: Part) -> set[str]:
    """Return the files of which an alarm tells that they shrank."""
    told = (f"{one.text.partition(' ')[0]} {said}" for one in waits.items for said in one.details)
    found = (_SHRANK.fullmatch(said) for said in (*told, *(one.text for one in waits.items)))
    return {one["path"] for one in found if one}


def _names(found: Iterable[str]) -> str:
    return commit_message.list_names(map(digest_text.named, found))


def _counts(workspace: Workspace, found: Status) -> Iterator[Item]:
    if many := found.open_conflicts:
        yield Item(f"{many} conflict{'' if many == 1 else 's'} open", command="clawgit conflicts list")
    if many := sum(one.state == "open" for one in correction_candidates.known_candidates(workspace.state).values()):
        yield Item(f"{many} possible correction{'' if many == 1 else 's'}", command="clawgit corrections list")
