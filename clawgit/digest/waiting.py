"""What the operator has to decide, with the commands."""

import contextlib
import os
import re
from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from clawgit.agents import candidates, unkept
from clawgit.digest import quoting
from clawgit.digest.digest import Item, Part
from clawgit.errors import ClawgitError
from clawgit.sessions import stores
from clawgit.workspace import message, scope, unkept_requests
from clawgit.workspace.desk import proposal
from clawgit.workspace.desk.proposal import Proposal
from clawgit.workspace.status import Status, Waiting, status
from clawgit.workspace.trust import review
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace import Workspace

HELD = "; it stays uncommitted"
_KEY = re.compile(rf"{re.escape(scope.CONFIG)}:\d+")
_CLAIMS = ("agent", "operator")
_PASTED = re.compile(r"(?:clawgit|git|rm|mv|ls|cat|chmod|chattr|iconv|mkdir|sudo|echo|type|find|df|lsof) ")
"""What begins a command."""
_MOST = 12


def part(workspace: Workspace) -> Part:
    """Return what waits, in sentences that repeat no words of the files; what was asked for is the operator's own."""
    found = status(workspace)
    unkept = unkept_requests.standing(workspace) if workspace.managed else []
    told = {one.message for one in unkept}
    alarms = replace(found, alarms=tuple(one for one in found.alarms if one.message not in told))
    items = (
        *_proposals(workspace),
        *map(_unkept, unkept),
        *_alarms(alarms),
        *_untrusted(workspace),
        *_counts(workspace, found),
    )
    return Part("waiting", tuple(dict.fromkeys(items)), look="clawgit status")


def said(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield, in the first digest of a week, what the operator said in the last one that could be kept, and is not."""
    days = (until.date() - since.date()).days
    if not workspace.managed or days <= until.weekday():
        return
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        found = unkept.unkept(workspace, store, until - unkept.WEEK, until)
    quotes = tuple(f"\u201c{quoting.quote(one.text)}\u201d ({one.id[:6]})" for one in found)
    if len(found) == 1:
        name = found[0].id[:6]
        yield Item("You said this, and it is not kept", quotes, f"clawgit memory keep {name}   # or drop {name}")
    elif found:
        told = f"You said {len(found)} things that are not kept; keep or drop each by the name behind it"
        yield Item(told, quotes, "clawgit memory candidates")


def _proposals(workspace: Workspace) -> Iterator[Item]:
    if not workspace.managed:
        return
    for one in proposal.waiting(workspace.repo):
        if workspace.now() < one.expires:
            until = f"it can be approved until {one.expires:%Y-%m-%d}"
            yield Item(_proposed(one), (until,), f"clawgit soul review {one.id}")


def _proposed(one: Proposal) -> str:
    """Return what is proposed; the words of an edit that was found on disk are not repeated."""
    try:
        files = message.list_names(map(quoting.named, one.paths))
    except ClawgitError:
        files = "a change that is not here as a whole"
    origin, risk = one.said.get("Origin"), one.said.get("Risk") or ""
    if one.agent == "capture" or origin not in _CLAIMS or "untrusted" in risk:
        return f"a proposal for {files}, found on disk or from outside"
    return f"proposal for {files}: {quoting.quote(one.said.subject.partition(': ')[2] or one.said.subject)}"


def _unkept(one: Unkept) -> Item:
    """Return what the operator asked for and nobody kept, in his words, with the command that keeps it."""
    words = quoting.quote(one.message)
    return Item(words, command=one.fix if quoting.quote(one.text) == one.text else "clawgit status")


def _alarms(found: Status) -> Iterator[Item]:
    """Yield the alarms; what stands behind a colon may be words of a file.

    Files that stay uncommitted for one reason are one item; what is no command to paste is told as a sentence.
    """
    held: dict[str, list[str]] = {}
    for one in found.alarms:
        words = one.message.partition(": ")[0]
        if one.message.endswith(HELD):
            words = f"{words.removesuffix(HELD)}{HELD}"
        if _KEY.fullmatch(words):
            yield Item(f"{words} holds a value that cannot be used", command="clawgit config show")
        elif quoting.quote(words) != words or not _harmless(one):
            yield Item(f"an alarm about {quoting.ODD}", command="clawgit status")
        elif one.fix and not _PASTED.match(one.fix):
            held.setdefault(one.fix, []).append(words)
        else:
            yield Item(words, command=one.fix or "clawgit status")
    for fix, some in held.items():
        if len(some) == 1:
            yield Item(some[0], (f"{fix[:1].upper()}{fix[1:]}.",))
            continue
        files = tuple(words.removesuffix(HELD) for words in some[:_MOST])
        left = (f"and {len(some) - _MOST} more",) if len(some) > _MOST else ()
        yield Item(f"{len(some)} things keep files from being committed: {fix}", (*files, *left), "clawgit status")


def _harmless(one: Waiting) -> bool:
    """Tell whether the names in an alarm hold no sentence: the file that it begins with, those quoted in its fix."""
    first, mark, _ = one.message.partition(".md")
    named = re.findall(r"'([^']*)'", one.fix)
    return all(map(quoting.plain, [first, *named] if mark else named))


def _untrusted(workspace: Workspace) -> Iterator[Item]:
    if not workspace.managed:
        return
    with contextlib.suppress(ClawgitError):  # of CONFIG.md: that is an alarm of its own
        found = review.concerns(workspace)
        if not found.known:
            yield Item("nothing here is approved yet", command="clawgit trust")
        for file in found.files:
            yield Item(f"{quoting.named(file.path)} is not as you approved it", command="clawgit trust")
        for key in found.keys:
            yield Item(f"{scope.CONFIG} sets {key.key.name} to what you have not approved", command="clawgit trust")


def _counts(workspace: Workspace, found: Status) -> Iterator[Item]:
    if many := found.open_conflicts:
        yield Item(f"{many} conflict{'' if many == 1 else 's'} open", command="clawgit conflicts list")
    if many := sum(one.state == "open" for one in candidates.known(workspace.state).values()):
        yield Item(f"{many} possible correction{'' if many == 1 else 's'}", command="clawgit corrections list")
