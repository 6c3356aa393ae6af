"""Sends a digest once, and remembers it before."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, in_use
from clawgit.findings.digest import digest
from clawgit.findings.digest_text import Digest, Item, quote, render
from clawgit.git import regular_file
from clawgit.outside import http_client, subprocess_runner
from clawgit.outside.http_client import Patience
from clawgit.outside.subprocess_runner import Bounds, BrokenError, OutsideError
from clawgit.store.database import StateStore
from clawgit.workspace import changelog
from clawgit.workspace.migration import births
from clawgit.workspace.settings import KEYS
from clawgit.workspace.workspace import Workspace

URL = "CLAWGIT_WEBHOOK_URL"
_COMMAND = "digest_command"
ID = "CLAWGIT_DIGEST_ID"
TEXT = "{text}"

PATIENCE = Patience(90.0, tries=4, pause=1.0)
"""For how long a channel that says no is asked again."""
EACH = 20.0
"""For how many seconds an answer is waited for."""

_PASSED = ("CLAWGIT_DIGEST_*", "OPENCLAW_*", "NODE_*")
_NEUTRAL = Path("/")

Hand = Callable[[str, str, float], object]
"""Takes a text, its id and some seconds; raises OutsideError, or BrokenError if it may have arrived."""


def choose_channel(words: Sequence[str], environ: Mapping[str, str]) -> tuple[str, Hand] | None:
    """Return the name of the channel, and its sender: a command before a webhook; None if neither is set.

    `words` is the key `digest_command` of CONFIG.md: an argument list that gets the text on its stdin, and in place of
    `{text}` among the arguments. A webhook takes `{"text": …}`, as most chats do. Raises OutsideError for a bad
    address.
    """
    if words:
        return f"command {Path(words[0]).name}", partial(_run_command, words, environ)
    url = environ.get(URL, "").strip()
    address = http_client.address(URL, url) if url else None
    if address is None:
        return None
    post = partial(http_client.hand, address)
    return f"webhook {address.host}", lambda text, mark, seconds: post({"text": text}, mark, seconds)


def _run_command(words: Sequence[str], environ: Mapping[str, str], text: str, mark: str, seconds: float) -> None:
    fix = Command("clawgit config digest_command")
    name = f"command {Path(words[0]).name}"
    try:
        bounds = Bounds(seconds, passed=_PASSED)
        filled = [word.replace(TEXT, text) for word in words]
        ran = subprocess_runner.run(filled, text, bounds, {**environ, ID: mark}, _NEUTRAL)
    except OutsideError as exc:
        started = not isinstance(exc.__cause__, (OSError, ValueError, IndexError))
        raise (BrokenError if started else OutsideError)(exc.key, exc.message, fix=fix) from None
    if ran.code < 0:
        raise BrokenError("program-failed", f"signal {-ran.code} killed {name}; it may have sent it", fix=fix)
    if ran.code:
        error = OutsideError("program-failed", f"{name} ended with exit code {ran.code}", fix=fix)
        error.passing = True
        raise error


SENT = "digests"
State = Literal["sending", "sent", "kept", "refused", "unsure"]


class Note(Struct, frozen=True):
    """The outcome of a digest: `id` of its text, times in ISO 8601, the commit at its end, and the state.

    `sending` is noted before the first byte leaves: if nothing follows, it is unknown whether it arrived. `kept`: it is
    in a file; `refused`: nobody took it; `unsure`: no answer came. `waits` is the first report of each waiting thing,
    by a hash of its words, `things` the hashes of each sentence.
    """

    id: str
    state: State
    since: str
    until: str
    head: str | None
    by: str
    waits: Mapping[str, str] = {}
    things: Mapping[str, Sequence[str]] = {}


def notes(store: StateStore) -> dict[str, Note]:
    """Return the outcome of each digest, by id, the latest last; a refused one is sent again, so it is left out."""
    latest: dict[str, Note] = {}
    for note in store.read_rows(SENT, Note):
        latest.pop(note.id, None)
        latest[note.id] = note
    return {name: note for name, note in latest.items() if note.state != "refused"}


FILE = "digest.md"
_FIRST, _LONGEST_FIRST = timedelta(days=1), timedelta(days=30)

Outcome = Literal["sent", "kept", "empty", "before", "refused", "unsure"]


class Delivery(Struct, frozen=True):
    """The outcome of a digest; `words` describe it. `file` is the place of its text, "" for none."""

    id: str
    outcome: Outcome
    by: str
    words: str
    file: str = ""


def since_last(workspace: Workspace, now: datetime) -> Digest:
    """Return the digest since the last one that was sent, at first since the workspace was adopted.

    If that was less than a day ago, or more than 30, the first is of the last day.
    """
    sent = list(notes(workspace.store).values())
    if not sent:
        birth = next(births(workspace.repo), None)
        adopted = birth.date if birth else now
        since = adopted if _FIRST < now - adopted < _LONGEST_FIRST else now - _FIRST
        return digest(workspace, since, now, birth.id if birth and adopted >= since else None)
    last = sent[-1]
    report = digest(workspace, min(datetime.fromisoformat(last.until), now), now, last.head)
    went = "was kept in a file" if last.state == "kept" else f"was sent by {quote(last.by)}"
    # A thing is not settled while something else of its file waits.
    marks = {mark for item in report.parts[0].items for mark in item.marks}
    settled = tuple(words for words, keys in last.things.items() if marks.isdisjoint(keys))
    before = _refer_to(last, f"the digest before this one {went}, {{}}")
    report = replace(report, last=before, waits=last.waits, settled=settled)
    if doubtful := list(takewhile(lambda note: note.state in ("sending", "unsure"), reversed(sent))):
        first, *others = report.parts
        warning = _refer_to(doubtful[-1], "the digest of {} may not have arrived")
        report = replace(report, parts=(replace(first, items=(warning, *first.items)), *others))
    return report


def _refer_to(note: Note, words: str) -> Item:
    """Return an item with the time of a digest, and the command that shows it again."""
    moment = f"{datetime.fromisoformat(note.until):%Y-%m-%d %H:%M}"
    return Item(words.format(moment), command=f"clawgit digest --since {note.since}")


def send(
    workspace: Workspace, found: Digest, environ: Mapping[str, str], *, sleep: Callable[[float], None] = time.sleep
) -> Delivery:
    """Send a digest by `digest_command`, else to `CLAWGIT_WEBHOOK_URL`; if neither is set, keep it in a file.

    An empty or repeated one is not sent. Each is noted before it is sent, and never sent again unless it was refused:
    then the next one includes it. A channel that fails raises nothing. Raises BusyError while another is sent,
    ClawgitError for a badly set channel, and OSError if nothing can be noted.
    """
    workspace.require_managed()
    channel = choose_channel(workspace.config.value(_COMMAND), environ)
    if found.empty:
        return Delivery(found.id, "empty", "", "nothing happened that is worth a message; nothing is sent")
    file = workspace.store.folder / FILE
    busy = in_use("a digest is being sent at this moment", fix=Command("clawgit digest", note="shows it"))
    with regular_file.locked(file.with_name("digests.lock"), busy):
        before = notes(workspace.store).get(found.id)
        if before:
            return Delivery(found.id, "before", before.by, f"this was told before, at {before.until}; nothing is sent")
        text = render(found)
        regular_file.replace_state(file, text.encode())
        return _deliver(workspace, found, text, *channel, sleep) if channel else _keep(workspace, found)


def _deliver(
    workspace: Workspace, found: Digest, text: str, name: str, hand: Hand, sleep: Callable[[float], None]
) -> Delivery:
    note = partial(_save_note, workspace, found, name)

    def once(seconds: float) -> None:
        note("sending")
        try:
            hand(text, found.id, min(seconds, EACH))
        except OutsideError as exc:
            if not isinstance(exc, BrokenError):
                note("refused")
            raise

    file = str(workspace.store.folder / FILE)
    try:
        http_client.patiently(once, PATIENCE, sleep)
    except BrokenError as exc:
        note("unsure")
        return Delivery(found.id, "unsure", name, f"{exc.message}; it is not sent again, and lies in {file}", file)
    except OutsideError as exc:
        words = f"{exc.message}; the next digest tells it, and it lies in {file}"
        return Delivery(found.id, "refused", name, words, file)
    note("sent")
    return Delivery(found.id, "sent", name, f"sent by {name}", file)


def _keep(workspace: Workspace, found: Digest) -> Delivery:
    """Keep a digest in its file, and render the changelog, the operator's sources without a channel (spec P16)."""
    _save_note(workspace, found, "file", "kept")
    file = str(workspace.store.folder / FILE)
    try:
        view = changelog.changelog(workspace)
        changelog.write(workspace, view)
        suffix = f" and the identity's changes in {view.path}"
    except ClawgitError as exc:
        suffix = f" ({exc.message})"
    unapproved = workspace.config.shown(KEYS[_COMMAND]).untrusted is not None
    reason = f"{_COMMAND} is not as you approved it (clawgit trust)" if unapproved else "no channel is set"
    return Delivery(found.id, "kept", "file", f"{reason}: it lies in {file},{suffix}".replace(", (", " ("), file)


def _save_note(workspace: Workspace, found: Digest, by: str, state: State) -> None:
    """Append a note, and wait until the disk has it. Raises ClawgitError."""
    last, until = next(reversed(notes(workspace.store).values()), None), found.until.isoformat()
    dates = last.waits if last else {}
    waits = {key: dates.get(key, until) for item in found.parts[0].items for key in item.hashes}
    things = {item.text: item.marks for item in found.parts[0].items if item.lasting}
    note = Note(found.id, state, found.since.isoformat(), until, found.head, by, waits, things)
    workspace.store.append_rows(SENT, (note,))
