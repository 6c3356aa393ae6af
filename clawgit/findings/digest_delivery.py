"""The form of a digest, and its delivery, once."""

import hashlib
import json
import re
import textwrap
import time
import unicodedata
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, in_use
from clawgit.git import regular_file
from clawgit.outside import http_client, subprocess_runner
from clawgit.outside.http_client import Patience
from clawgit.outside.subprocess_runner import Bounds, BrokenError, OutsideError
from clawgit.safety.redaction import redact
from clawgit.store.database import StateStore
from clawgit.workspace import changelog
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.settings import KEYS
from clawgit.workspace.workspace import Workspace

COLUMNS = 80
_FILLER = "\0"


def wrap_text(text: str, first: str = "", indent: str = "") -> Iterator[str]:
    """Yield `text` in lines of at most 80 columns, `first` before the first of them and `indent` before the others.

    A word that is longer than a line, such as one of a script without spaces, is cut.
    """
    # A wide letter takes two columns, so a filler makes it two characters.
    wide = (
        f"{letter}{_FILLER}" if unicodedata.east_asian_width(letter) in "WF" else letter
        for letter in " ".join(text.split())
    )
    rows = textwrap.wrap("".join(wide), COLUMNS, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)
    yield from (row.replace(_FILLER, "") for row in rows or [first])


def count_of(count: int, noun: str) -> str:
    """Return "1 line", "2 lines"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


LONGEST = 200  # characters of a quote
ODD, ODD_FOLDER = "a file with an odd name", "an odd folder"

_MAX_EXCERPT_CHARS = 4000
_ADDRESS = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*)://(?:[^\s/@]*@)?([^\s/?#\"'<>()\[\]]*)[^\s\"'<>()\[\]]*")
_BARE = re.compile(r"(?i)(?<![\w/.@-])(?://)?((?:[a-z0-9-]+\.)+[a-z]{2,24})(?::\d+)?[/?#][^\s\"'<>()\[\]]*")
"""An address without `https:`, which chats make a link of all the same."""
_MARKS = str.maketrans({"<": "\u2039", ">": "\u203a", "`": "'"})
_CALLS = re.compile(r"(?i)@(?=everyone\b|here\b|channel\b|all\b)")
_PLAIN = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*(?::\d+)?", re.ASCII)
_FOREIGN = re.compile(r"(?:(?![a-zA-Z0-9_])\w)+")
_ASCII = re.compile(r"[a-zA-Z0-9]")
_LONGEST_NAME = 80
_NAMED_ORIGINS = ("operator", "agent")


def is_known(origin: str | None) -> bool:
    """Return whether words of this origin may be quoted."""
    return origin in _NAMED_ORIGINS


def quote(text: str) -> str:
    """Return words on one line: no secrets, nothing that is not printed, of an address its host alone.

    Marks that a chat takes for a tag, for code or for a call of everybody are replaced.
    """
    # The last word of a cut text could be half a secret.
    excerpt = text if len(text) <= _MAX_EXCERPT_CHARS else " ".join(text[:_MAX_EXCERPT_CHARS].split()[:-1])
    result = _BARE.sub(r"\1", _ADDRESS.sub(r"\2", redact(excerpt)))
    result = "".join(letter if letter.isprintable() else " " for letter in result)
    return shorten(" ".join(_CALLS.sub("@ ", result).translate(_MARKS).split()), LONGEST)


def may_leave(command: str) -> bool:
    """Return whether a command shows no secret, no address and nothing that a chat would act on."""
    return "`" not in command and quote(command) == " ".join(command.split()).translate(_MARKS)


def is_plain_path(path: str) -> bool:
    """Return whether a path has nothing but letters, digits and a few marks: it can be no sentence.

    It may end in the number of a line.
    """
    return len(path) <= _LONGEST_NAME and bool(_PLAIN.fullmatch(path))


def name_file(path: str) -> str:
    """Return the name of a file, which anybody may have given to it.

    Letters beyond ASCII, of which a name without spaces can make a sentence, become `…`.
    """
    label = _FOREIGN.sub("…", path)
    return label if _ASCII.search(label.removesuffix(".md")) and is_plain_path(label.replace("…", "x")) else ODD


COST = "cost"
TITLES = {
    "waiting": "Needs you",
    "due": "Due today and this week",
    "identity": "Identity",
    "memories": "New memories",
    "others": "Edited outside clawgit",
    "corrections": "Corrections",
    "conflicts": "Conflicts",
    "removals": "Removed",
    COST: "What the agents did",
}
"""The parts, in the order of a digest."""

_DIGITS = 12


class DigestItem(Struct, frozen=True):
    """One thing: a sentence, more lines about it, and the command that decides or reverts it ("" for none).

    Of many lines `shown` are rendered, and the others counted. `keys` identify it in a later digest, the first lines
    each by its own; its words if there are none.
    """

    text: str
    details: tuple[str, ...] = ()
    command: str = ""
    shown: int = 12
    keys: tuple[str, ...] = ()

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hashes of its keys, as they are noted."""
        return tuple(hashlib.sha256(key.encode()).hexdigest()[:_DIGITS] for key in self.keys or (self.text,))


class Part(Struct, frozen=True):
    """One heading: its name in TITLES, its items, and the number of unquoted ones; `look` is the command for these.

    `total` is the text at the top of a digest in place of the number of items.
    """

    name: str
    items: tuple[DigestItem, ...] = ()
    unquoted: int = 0
    look: str = ""
    total: str = ""


class Digest(Struct, frozen=True, dict=True):
    """The news of the workspace called `workspace` from `since` until `until`; `head` is the commit at its end.

    `waits` are the things of earlier digests, each a hash with the day of its first report.
    """

    workspace: str
    since: datetime
    until: datetime
    head: str | None
    parts: tuple[Part, ...]
    waits: Mapping[str, str] = {}

    @property
    def empty(self) -> bool:
        """Whether there are no news; runs of agents without a result are none."""
        return not any(part.items or part.unquoted for part in self.parts if part.name != COST)

    @cached_property
    def id(self) -> str:
        """Twelve digits for exactly this text, but for the times and the cost."""
        content = [
            (part.name, part.unquoted, [(item.text, item.details, item.command) for item in part.items])
            for part in self.parts
            if part.name != COST
        ]
        return hashlib.sha256(json.dumps([self.workspace, content]).encode()).hexdigest()[:_DIGITS]


MAX_PART_ITEMS = 12
"""So many items of a part are printed; the others are counted."""


def render_digest(report: Digest) -> str:
    """Return a digest as Markdown of 80 columns; only a command may be longer, for it is there to be pasted."""
    return "\n".join(_render_lines(report)) + "\n"


def _render_lines(report: Digest) -> Iterator[str]:
    period = f"{report.since:%Y-%m-%d %H:%M} to {report.until:%Y-%m-%d %H:%M}"
    yield from wrap_text(f"{report.workspace}: {period}", "# ", "# ")
    yield ""
    parts = [part for part in report.parts if part.items or part.unquoted]
    counts = ", ".join(_describe_count(part, report.waits) for part in parts if part.name != COST)
    yield from wrap_text("Nothing happened that you should know of." if report.empty else f"{counts.capitalize()}.")
    for part in parts:
        yield from ("", f"## {TITLES[part.name]}", "")
        yield from _render_part(part, report.waits)


def _list_old(part: Part, waits: Container[str]) -> list[DigestItem]:
    """Return the items that earlier digests had."""
    return [item for item in part.items if all(key in waits for key in item.hashes)]


def _describe_count(part: Part, waits: Container[str]) -> str:
    """Return the number of things of a part, and of new ones if earlier digests had some."""
    if part.total:
        return f"{TITLES[part.name].lower()}: {part.total}"
    count, old = len(part.items) + part.unquoted, len(_list_old(part, waits))
    return f"{TITLES[part.name].lower()}: {count}{f' ({count - old} new)' if old else ''}"


def _render_part(part: Part, waits: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a part: new items with their commands, those of earlier digests as one without."""
    old = _list_old(part, waits)
    items = [item for item in part.items if item not in old]
    if old:
        words = f"{'1 thing waits' if len(old) == 1 else f'{len(old)} things wait'} that earlier digests told"
        texts = (f"{item.text} (since {min(waits[key] for key in item.hashes)[:10]})" for item in old)
        items.append(DigestItem(words, tuple(texts), part.look))
    if len(items) > MAX_PART_ITEMS:
        items[MAX_PART_ITEMS:] = [DigestItem(f"and {len(items) - MAX_PART_ITEMS} more", command=part.look)]
    if part.unquoted:
        words = "is not quoted: it was" if part.unquoted == 1 else "are not quoted: they were"
        count = f"{part.unquoted}{' more' if part.items else ''}"
        items.append(DigestItem(f"{count} {words} written outside clawgit", command=part.look))
    for item in items:
        yield from _render_item(item)


def _render_item(item: DigestItem) -> Iterator[str]:
    yield from wrap_text(item.text, "- ", "  ")
    for detail in item.details[: item.shown]:
        yield from wrap_text(detail, "  ", "  ")
    if (count := len(item.details) - item.shown) > 0:
        yield f"  and {count} more"
    if item.command:
        yield f"  `{item.command}`"


URL = "CLAWGIT_WEBHOOK_URL"
_COMMAND = "digest_command"
ID = "CLAWGIT_DIGEST_ID"
TEXT = "{text}"

PATIENCE = Patience(90.0, tries=4, pause=1.0)
"""For how long a channel that says no is asked again."""
MAX_ATTEMPT_SECONDS = 20.0
"""For how many seconds an answer is waited for."""

_PASSED_VARIABLES = ("CLAWGIT_DIGEST_*", "OPENCLAW_*", "NODE_*")
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
    post = partial(http_client.post_once, address)
    return f"webhook {address.host}", lambda text, mark, seconds: post({"text": text}, mark, seconds)


def _run_command(words: Sequence[str], environ: Mapping[str, str], text: str, mark: str, seconds: float) -> None:
    fix = Command("clawgit config digest_command")
    name = f"command {Path(words[0]).name}"
    try:
        bounds = Bounds(seconds, passed=_PASSED_VARIABLES)
        filled = [word.replace(TEXT, text) for word in words]
        ran = subprocess_runner.run_program(filled, text, bounds, {**environ, ID: mark}, _NEUTRAL)
    except OutsideError as exc:
        # A command that did not start sent nothing; any other one may have sent the digest.
        started = not isinstance(exc.__cause__, (OSError, ValueError, IndexError))
        raise (BrokenError if started else OutsideError)(exc.key, exc.message, fix=fix) from None
    if ran.code < 0:
        raise BrokenError("program-failed", f"signal {-ran.code} killed {name}; it may have sent it", fix=fix)
    if ran.code:
        error = OutsideError("program-failed", f"{name} ended with exit code {ran.code}", fix=fix)
        # A command with an exit code refused the digest, and may take it at another try.
        error.passing = True
        raise error


SENT = "digests"
State = Literal["sending", "sent", "kept", "refused", "unsure"]


class Note(Struct, frozen=True):
    """The outcome of a digest: `id` of its text, times in ISO 8601, the commit at its end, and the state.

    `sending` is noted before the first byte leaves: if nothing follows, it is unknown whether it arrived. `kept`: it is
    in a file; `refused`: nobody took it; `unsure`: no answer came. `waits` is the first report of each waiting thing,
    by a hash of its words.
    """

    id: str
    state: State
    since: str
    until: str
    head: str | None
    by: str
    waits: Mapping[str, str] = {}


def notes(store: StateStore) -> dict[str, Note]:
    """Return the outcome of each digest, by id, the latest last; a refused one is sent again, so it is left out."""
    latest: dict[str, Note] = {}
    for note in store.read_rows(SENT, Note):
        latest.pop(note.id, None)
        latest[note.id] = note
    return {name: note for name, note in latest.items() if note.state != "refused"}


FILE = "digest.md"

Outcome = Literal["sent", "kept", "empty", "before", "refused", "unsure"]


class Delivery(Struct, frozen=True):
    """The outcome of a digest; `words` describe it. `file` is the place of its text, "" for none."""

    id: str
    outcome: Outcome
    by: str
    words: str
    file: str = ""


def send(
    workspace: Workspace, report: Digest, environ: Mapping[str, str], *, sleep: Callable[[float], None] = time.sleep
) -> Delivery:
    """Send a digest by `digest_command`, else to `CLAWGIT_WEBHOOK_URL`; if neither is set, keep it in a file.

    An empty or repeated one is not sent. Each is noted before it is sent, and never sent again unless it was refused:
    then the next one includes it. A channel that fails raises nothing. Raises BusyError while another is sent,
    ClawgitError for a badly set channel, and OSError if nothing can be noted.
    """
    workspace.require_managed()
    channel = choose_channel(workspace.config.value(_COMMAND), environ)
    if report.empty:
        return Delivery(report.id, "empty", "", "nothing happened that is worth a message; nothing is sent")
    file = workspace.store.folder / FILE
    busy = in_use("a digest is being sent at this moment", fix=Command("clawgit digest", note="shows it"))
    with regular_file.lock_file(file.with_name("digests.lock"), busy):
        before = notes(workspace.store).get(report.id)
        if before:
            return Delivery(report.id, "before", before.by, f"this was told before, at {before.until}; nothing is sent")
        text = render_digest(report)
        # The file is there whatever becomes of the channel.
        regular_file.replace_state(file, text.encode())
        return _deliver(workspace, report, text, *channel, sleep) if channel else _keep_in_file(workspace, report)


def _deliver(
    workspace: Workspace, report: Digest, text: str, name: str, hand: Hand, sleep: Callable[[float], None]
) -> Delivery:
    note = partial(_save_note, workspace, report, name)

    def once(seconds: float) -> None:
        note("sending")
        try:
            hand(text, report.id, min(seconds, MAX_ATTEMPT_SECONDS))
        except OutsideError as exc:
            if not isinstance(exc, BrokenError):
                note("refused")
            raise

    file = str(workspace.store.folder / FILE)
    try:
        http_client.retry_patiently(once, PATIENCE, sleep)
    except BrokenError as exc:
        note("unsure")
        return Delivery(report.id, "unsure", name, f"{exc.message}; it is not sent again, and lies in {file}", file)
    except OutsideError as exc:
        words = f"{exc.message}; the next digest tells it, and it lies in {file}"
        return Delivery(report.id, "refused", name, words, file)
    note("sent")
    return Delivery(report.id, "sent", name, f"sent by {name}", file)


def _keep_in_file(workspace: Workspace, report: Digest) -> Delivery:
    """Keep a digest in its file, and render the changelog, the operator's sources without a channel (spec P16)."""
    _save_note(workspace, report, "file", "kept")
    file = str(workspace.store.folder / FILE)
    try:
        view = changelog.changelog(workspace)
        changelog.write(workspace, view)
        suffix = f" and the identity's changes in {view.path}"
    except ClawgitError as exc:
        suffix = f" ({exc.message})"
    unapproved = workspace.config.shown(KEYS[_COMMAND]).untrusted is not None
    reason = f"{_COMMAND} is not as you approved it (clawgit trust)" if unapproved else "no channel is set"
    return Delivery(report.id, "kept", "file", f"{reason}: it lies in {file},{suffix}".replace(", (", " ("), file)


def _save_note(workspace: Workspace, report: Digest, channel: str, state: State) -> None:
    """Append a note, and wait until the disk has it. Raises ClawgitError."""
    last, until = next(reversed(notes(workspace.store).values()), None), report.until.isoformat()
    dates = last.waits if last else {}
    waits = {key: dates.get(key, until) for item in report.parts[0].items for key in item.hashes}
    note = Note(report.id, state, report.since.isoformat(), until, report.head, channel, waits)
    workspace.store.append_rows(SENT, (note,))
