"""Keeps a change for the operator to decide."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, references, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.commit_graph import Entry
from clawgit.git.repository import Oid, Repository
from clawgit.text.entry import named
from clawgit.workspace import commit_message, entries, file_roles, grading, proposal, quarantine, write_guard
from clawgit.workspace.capture import AUTHOR
from clawgit.workspace.capture_outcome import Taken
from clawgit.workspace.change import Offered
from clawgit.workspace.commit_message import Message
from clawgit.workspace.file_contents import decoded, text_of
from clawgit.workspace.proposal import Proposal
from clawgit.workspace.quarantine import Item
from clawgit.workspace.write_setting import Setting

Texts = Mapping[str, tuple[str | None, str | None]]
"""Each file before and after, by path; None for no file."""


def offer(
    repo: Repository, head: Oid | None, texts: Texts, words: Message, author: tuple[str, str], when: datetime
) -> Offered:
    """Keep a change as a proposal, and return it; the same one again is the one that waits.

    One that was rejected does not return, unless it brings evidence that it did not have then.
    """
    evidence = frozenset(map(_digest, words.all("Evidence")))
    told = _told(texts)
    for known in proposal.rejected_proposals(repo):
        if _same(known, told, evidence):
            return Offered(known.id, rejected=True)
    for known in proposal.waiting_proposals(repo):
        if when < known.expires and _same(known, told, evidence):
            return Offered(known.id)
    name = named("\0".join((*told, *sorted(evidence))))
    trailers = ((key, name if key == commit_message.CHANGE else value) for key, value in words.trailers)
    titled = commit_message.render(replace(words, trailers=tuple(trailers)))
    before, after = (
        {path: None if (text := pair[side]) is None else text.encode() for path, pair in texts.items()}
        for side in (0, 1)
    )
    commits = [NewCommit(titled, author, when, after)]
    if any(repository.read(repo, head, path) != data for path, data in before.items()):
        commits.insert(0, NewCommit("desk: what the proposal starts from\n", author, when, before))
    references.point(repo, proposal.OPEN + name, commit_chain.build(repo, head, commits)[-1])
    return Offered(name)


def offer_file(
    setting: Setting,
    head: Oid | None,
    path: str,
    texts: tuple[str | None, str | None],
    words: str,
    author: tuple[str, str] = AUTHOR,
    agent: str = "capture",
) -> Offered:
    """Keep what becomes of one file, which nobody vouches for, as a proposal; it is graded by its words alone."""
    risk = grading.of_file(setting, path, *texts)
    trailers = (("Clawgit-Agent", agent), (commit_message.CHANGE, ""), ("Origin", "unknown"), ("Risk", risk.said))
    message = Message(f"{file_roles.room(path)}: {words}", "", trailers)
    return replace(offer(setting.repo, head, {path: texts}, message, author, setting.when), level=risk.level)


def offer_control(
    repo: Repository,
    head: Oid,
    wanted: Mapping[str, Entry | None],
    whose: str,
    author: tuple[str, str],
    when: datetime,
) -> str:
    """Keep control files of other machines as one proposal over `head`, and return its id; "" where none is new.

    What was rejected, or waits, is not asked again; what waits already is in the new one, which replaces it.
    """
    rejected = (one for one in proposal.rejected_proposals(repo) if one.kind == "control")
    waiting = [one for one in proposal.waiting_proposals(repo) if one.kind == "control"]
    known = {(path, after) for one in (*rejected, *waiting) for path, (_, after) in one.entries.items()}
    news = {path: entry for path, entry in wanted.items() if (path, entry) not in known}
    if not news:
        return ""
    files = {path: after for one in waiting for path, (_, after) in one.entries.items()} | news
    name = named("\0".join(f"{path} {entry}" for path, entry in sorted(files.items())))
    words = Message(
        f"control: {len(files)} file{'s'[: len(files) > 1]} of {whose}: {commit_message.list_names(files, 2)}",
        "OpenClaw or git runs these files, or goes by them: they are not here until you approve them.",
        (
            ("Clawgit-Agent", author[0]),
            (commit_message.CHANGE, name),
            (commit_message.KIND, "control"),
            ("Origin", "unknown"),
        ),
    )
    new = NewCommit(commit_message.render(words), author, when, entries=files)
    references.point(repo, proposal.OPEN + name, commit_chain.build(repo, head, [new])[-1])
    for one in waiting:
        references.drop(repo, proposal.OPEN + one.id)
    return name


def of_capture(setting: Setting, head: Oid | None, taken: Taken) -> dict[str, Offered]:
    """Keep each edit that was found on disk and may not stand, and return it by path."""
    offered = dict[str, Offered]()
    for path, data in taken.refused.items():
        texts = text_of(taken.files[path]), text_of(data)
        offered[path] = offer_file(setting, head, path, texts, f"an edit of {path} that was found on disk")
        if not offered[path].rejected:
            _take_the_place(setting, path, offered[path].id)
    return offered


def of_quarantine(setting: Setting, head: Oid | None, item: Item) -> Offered:
    """Keep what was taken out of an identity file as a proposal over what is approved.

    Raises ClawgitError for what is no text, or holds a secret.
    """
    after = decoded(item.path, quarantine.content(item))
    approved = setting.trust.approved(item.path)
    write_guard.refuse(item.path, (approved or "").encode(), (after or "").encode(), setting.leaked)
    return offer_file(setting, head, item.path, (approved, after), f"an edit of {item.path} that was taken out")


def _take_the_place(setting: Setting, path: str, name: str) -> None:
    """Take what an edit goes on from off the desk: who edits for an hour waits with one proposal.

    The version that goes is kept in quarantine first, unless all of it stands in the one that waits.
    """
    captured = [one for one in proposal.waiting_proposals(setting.repo) if one.agent == "capture"]
    newest = next((_told_of(one) for one in captured if one.id == name), ())
    for one in captured:
        told = _told_of(one)
        recent = abs(setting.when - one.created) <= quarantine.SITTING
        if one.id == name or not recent or not told or told[0] != (newest or ("",))[0] or not _goes_on(told, newest):
            continue
        with contextlib.suppress(OSError, ClawgitError):  # then both wait
            text = one.texts[path][1]
            if text is not None and Counter(told) - Counter(newest):
                quarantine.keep(setting.repo, path, text.encode(), one.created)
            references.drop(setting.repo, proposal.OPEN + one.id)
            setting.replaced(one.id)


def _told_of(one: Proposal) -> tuple[str, ...]:
    with contextlib.suppress(ClawgitError):
        return _told(one.texts)
    return ()


def _goes_on(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Tell whether at least half of what one edit changes stands in another, or begins a line of it."""
    rows = before[1:]
    shared = sum(any(row == one or (row[0] == "+" and one.startswith(row)) for one in after) for row in rows)
    return shared * 2 >= len(rows) > 0


def _same(known: Proposal, told: tuple[str, ...], evidence: frozenset[str]) -> bool:
    with contextlib.suppress(ClawgitError):  # somebody put a reference of his own there: of what is no text, say
        return _told(known.texts) == told and evidence <= frozenset(map(_digest, known.evidence))
    return False


def _told(texts: Texts) -> tuple[str, ...]:
    """Return what a change takes away and brings, wherever in its files: what makes two of them the same."""
    return tuple(row for path in sorted(texts) for row in _difference(path, *texts[path]))


def _difference(path: str, before: str | None, after: str | None) -> Iterator[str]:
    if path == entries.PATH:  # the same rows are the same, whoever writes them
        before, after = (text and entries.said(text) for text in (before, after))
    old, new = _lines(before), _lines(after)
    yield f"{path} {before is None} {after is None}"
    for sign, lines in (("-", old - new), ("+", new - old)):
        yield from (f"{sign}{line}" for line in sorted(lines.elements()))


def _lines(text: str | None) -> Counter[str]:
    return Counter(line.strip() for line in (text or "").split("\n") if line.strip())


def _digest(trailer: str) -> str:
    """Return the hash of the quoted words: the same words, pointed at another way, are no new evidence."""
    return trailer.rpartition("sha256:")[2]
