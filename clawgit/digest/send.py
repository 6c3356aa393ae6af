"""Sends a digest once, or keeps it in a file."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from clawgit.digest import adoption, channel, gather, sent
from clawgit.digest.channel import Channel, Tries
from clawgit.digest.digest import Digest, Item
from clawgit.digest.render import render
from clawgit.digest.sent import Note, State
from clawgit.errors import ClawgitError
from clawgit.outside.error import BrokenError, OutsideError
from clawgit.workspace import views
from clawgit.workspace.workspace import Workspace

FILE = "digest.md"
_FIRST = timedelta(days=1)

Outcome = Literal["sent", "kept", "empty", "before", "refused", "unsure"]


class Delivery(Struct, frozen=True):
    """What became of a digest, and of whom; `words` say it. `file` is where its text lies, "" where nowhere."""

    id: str
    outcome: Outcome
    by: str
    words: str
    file: str = ""


def since_last(workspace: Workspace, now: datetime) -> Digest:
    """Return the digest of what happened since the last one that was sent, at first since the workspace was adopted.

    Where nothing says when that was, or it was less than a day ago, the first is of the last day.
    """
    last = sent.last(workspace.state)
    if last is None:
        adopted = adoption.last(workspace.state)
        return gather.digest(workspace, min(adopted.at if adopted else now, now - _FIRST), now)
    found = gather.digest(workspace, min(_moment(last.until, now), now), now, last.head)
    doubt = sent.doubtful(workspace.state)
    return gather.with_waiting(found, _lost(doubt, now)) if doubt else found


def send(
    workspace: Workspace, found: Digest, environ: Mapping[str, str], *, sleep: Callable[[float], None] = time.sleep
) -> Delivery:
    """Send a digest by `digest_command`, else to `CLAWGIT_WEBHOOK_URL`; where neither is set, keep it in a file.

    One that is empty, or says what was sent before, is not sent. What is sent is noted before, and never sent again
    unless it was refused: then the next one tells it. A channel that fails raises nothing. Raises BusyError while
    another is sent, ClawgitError for a channel that is badly set, and OSError where nothing can be noted.
    """
    workspace.require_managed()
    to = channel.channel(workspace.config.value("digest_command"), environ)
    if found.empty:
        return Delivery(found.id, "empty", "", "nothing happened that is worth a message; nothing is sent")
    folder = workspace.state
    with sent.alone(folder):
        before = sent.notes(folder).get(found.id)
        if before:
            return Delivery(found.id, "before", before.by, f"this was told before, at {before.until}; nothing is sent")
        text = render(found)
        (folder / FILE).touch(0o600)
        (folder / FILE).write_text(text, "utf-8")
        return _delivered(workspace, found, text, to, sleep) if to else _kept(workspace, found)


def _delivered(workspace: Workspace, found: Digest, text: str, to: Channel, sleep: Callable[[float], None]) -> Delivery:
    def note(state: State) -> None:
        sent.write(workspace.state, _note(found, state, to.name))

    file = str(workspace.state / FILE)
    try:
        to.deliver(text, found.id, Tries(lambda: note("sending"), lambda: note("refused"), sleep))
    except BrokenError as exc:
        note("unsure")
        return Delivery(found.id, "unsure", to.name, f"{exc.message}; it is not sent again, and lies in {file}", file)
    except OutsideError as exc:
        words = f"{exc.message}; the next digest tells it, and it lies in {file}"
        return Delivery(found.id, "refused", to.name, words, file)
    note("sent")
    return Delivery(found.id, "sent", to.name, f"sent by {to.name}", file)


def _kept(workspace: Workspace, found: Digest) -> Delivery:
    """Keep a digest in its file, and render the changelog, where the operator looks without a channel (spec P16)."""
    sent.write(workspace.state, _note(found, "kept", "file"))
    file = str(workspace.state / FILE)
    try:
        view = views.changelog(workspace)
        views.write(workspace, view)
        also = f" and the identity's changes in {view.path}"
    except ClawgitError as exc:
        also = f" ({exc.message})"
    return Delivery(found.id, "kept", "file", f"no channel is set: it lies in {file},{also}".replace(", (", " ("), file)


def _note(found: Digest, state: State, by: str) -> Note:
    return Note(found.id, state, found.since.isoformat(), found.until.isoformat(), found.head, by)


def _lost(doubt: Note, now: datetime) -> Item:
    since = _moment(doubt.since, now)
    command = f"clawgit digest --since {since.isoformat()}"
    return Item(f"the digest of {_moment(doubt.until, now):%Y-%m-%d %H:%M} may not have arrived", (), command)


def _moment(text: str, now: datetime) -> datetime:
    """Return a moment that was noted, in the zone of `now`; an hour without offset, or none at all, means `now`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return now
    return found.astimezone(now.tzinfo) if found.tzinfo else now
