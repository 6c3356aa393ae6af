"""Opens items of the inbox, lists and finds them."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256

from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import commit_graph, history, repository
from clawgit.git.commit_graph import TreeEntry
from clawgit.git.repository import Oid, Repository
from clawgit.language.dates import parse_date, start_of
from clawgit.safety.redaction import redact
from clawgit.store.item import SUBMODULE_MODE, FileEdit, FileVersion, Item, Kind, State
from clawgit.text import conflict
from clawgit.text.entry import entries as entries_of
from clawgit.text.entry import hash_entry, is_id, make_name, new_id
from clawgit.text.spelling import nearest
from clawgit.workspace import commit_message, entries, file_contents, line_writers, records, trust_review
from clawgit.workspace.capture import AUTHOR
from clawgit.workspace.change import Offered
from clawgit.workspace.commit_message import Message
from clawgit.workspace.config import Shown
from clawgit.workspace.file_contents import hash_statement, lines_of, tally_lines, to_text
from clawgit.workspace.workspace_base import WorkspaceBase

MIN_ID_LETTERS = 4
MAX_TITLE_CHARS = 60
INBOX = Command("clawgit inbox")

Texts = tuple[str | None, str | None]
"""A file before and after; None for no file."""


def kind_of_change(texts: Mapping[str, Texts]) -> Kind:
    """Return the kind of an item: identity where it touches a file of the identity, else settings or memory."""
    if any(map(file_roles.is_identity, texts)):
        return "identity"
    return "settings" if file_roles.CONFIG in texts else "memory"


def open_change(
    workspace: WorkspaceBase, texts: Mapping[str, Texts], message: Message, kind: Kind | None = None
) -> Offered:
    """Open an item for a change in these words, and return its id; the same change again is the open item.

    A rejected change is not asked again, unless it brings evidence that it did not have then.
    """
    lines, store = _changed_lines(texts), workspace.store
    evidence = {*map(_digest_of_quote, message.all("Evidence"))}
    sameness = hash_change(texts)
    name = make_name("\0".join((*lines, *sorted(evidence))))
    for item in reversed(store.find_same(sameness)):
        is_covered = evidence <= {_digest_of_quote(value) for key, value in item.trailers if key == "Evidence"}
        if item.state in ("open", "rejected") and is_covered:
            return Offered(item.id, rejected=item.state == "rejected")
        # An id follows from the words, so the same change needs another one to be asked again.
        name = new_id() if item.id == name else name
    trailers = ((key, name if key == commit_message.CHANGE else value) for key, value in message.trailers)
    store.open_item(
        Item(
            name,
            kind or kind_of_change(texts),
            message.subject,
            workspace.now(),
            message.why,
            message.get("Clawgit-Agent") or "",
            workspace.head or "",
            tuple((key, value) for key, value in trailers if value),
            tuple(FileEdit(path, *map(version_of_text, sides)) for path, sides in texts.items()),
            sameness=sameness,
        )
    )
    return Offered(name)


def open_file(
    workspace: WorkspaceBase,
    texts: Mapping[str, Texts],
    reason: str,
    agent: str = "capture",
    *,
    title: str = "",
    kind: Kind | None = None,
) -> Offered:
    """Open an item for a change of the first of these files, with an unknown author."""
    title = f"{file_roles.name_area(next(iter(texts)))}: {title or summarise(texts)}"
    trailers = (("Clawgit-Agent", agent), (commit_message.CHANGE, ""), ("Origin", "unknown"))
    return open_change(workspace, texts, Message(title, reason, trailers), kind)


def open_restore(workspace: WorkspaceBase, path: str, texts: Mapping[str, Texts], title: str, reason: str) -> Offered:
    """Open an item that brings lines of a file back. Raises ClawgitError if a secret went with them."""
    before, after = texts[path]
    file_contents.refuse_new_secrets(path, (before or "").encode(), (after or "").encode(), workspace.leaked)
    return open_file(workspace, texts, reason, title=title, kind="restore")


def open_control_files(workspace: WorkspaceBase, head: Oid, tree: Mapping[str, TreeEntry | None], machine: str) -> str:
    """Open one item for control files of other machines, and return its id; empty if none is new.

    A rejected or waiting version is not asked again; the waiting files are in the new item, which replaces the old one.
    """
    store, repo, now = workspace.store, workspace.repo, workspace.now()
    items = store.read_items("open", "rejected", kind="sync")
    waiting = [item for item in items if item.state == "open"]
    versions = {path: version_of_entry(repo, entry) for path, entry in tree.items()}
    questions = {(edit.path, edit.after) for item in items for edit in item.edits}
    news = {path: version for path, version in versions.items() if (path, version) not in questions}
    if not news:
        return ""
    files = {edit.path: edit.after for item in waiting for edit in item.edits} | news
    edits = [FileEdit(path, read_control_version(repo, head, path), after) for path, after in sorted(files.items())]
    name = new_id()
    title = f"control: {len(files)} file{'s'[: len(files) > 1]} of {machine}: {commit_message.list_names(files, 2)}"
    reason = "OpenClaw or git runs these files, or goes by them: they are not here until you approve them."
    trailers = (("Clawgit-Agent", AUTHOR[0]), (commit_message.CHANGE, name), ("Origin", "unknown"))
    store.open_item(Item(name, "sync", title, now, reason, machine, head, trailers, tuple(edits)))
    for item in waiting:
        store.decide(item.id, "closed", now)
    return name


def open_edit(workspace: WorkspaceBase, path: str, texts: Texts) -> Offered:
    """Open an item for an edit that was found on disk and may not stay. Raises ClawgitError for one with a secret."""
    before, after = (None if text is None else text.encode() for text in texts)
    file_contents.refuse_new_secrets(path, before, after, workspace.leaked)
    offer = open_file(workspace, {path: texts}, f"an edit of {path} that was found on disk")
    if not offer.rejected:
        _close_predecessors(workspace, path, offer.id)
    return offer


def hash_change(texts: Mapping[str, Texts]) -> str:
    """Return a hash that is the same for changes of the same words."""
    return sha256("\0".join(_changed_lines(texts)).encode("utf-8", "replace")).hexdigest()


def summarise(texts: Mapping[str, Texts]) -> str:
    """Return the changed words of some files: the first line that comes or goes, and how many more; no secret."""
    rows = [row for row in _changed_lines(texts) if row[0] in "+-"]
    rows.sort(key=lambda row: (row[0] == "-", row[1:].lstrip().startswith("#")))
    if not rows:
        return commit_message.list_names(texts)
    rest = len(rows) - 1
    suffix = f" and {rest} more line{'s'[: rest > 1]}" if rest else ""
    sign = "" if rows[0][0] == "+" else "without "
    words = redact(commit_message.fold_spaces(rows[0][1:]).removeprefix("- "))
    return f"{sign}{commit_message.shorten(words, MAX_TITLE_CHARS)}{suffix}"


GUARDED_KINDS: tuple[Kind, ...] = ("identity", "sync", "quarantine", "settings")


def is_guarded(item: Item) -> bool:
    """Return whether an item is accepted only at a terminal, or with the hash of the shown text.

    Its kind is a claim, as others can write to the store's file: an item that touches the identity is guarded anyway.
    """
    return item.kind in GUARDED_KINDS or any(map(file_roles.is_identity, item.paths))


def list_items(workspace: WorkspaceBase, *kinds: Kind) -> list[Item]:
    """Return what waits, of these kinds (none: of any), the oldest first; expired items last.

    Of the files of a stored item only the paths are read.
    """
    if not workspace.managed:
        return []
    line_writers.offer_items(workspace)
    # Without a writable store the items are listed all the same.
    with contextlib.suppress(ClawgitError):
        for item in workspace.store.read_items("open", kind="restore"):
            if _is_settled(workspace, item):
                workspace.store.decide(item.id, "closed", workspace.now())
    stored_items = [item for item in workspace.store.read_items("open", edits=False) if not kinds or item.kind in kinds]
    derived = (item for kind, read in _DERIVED.items() if not kinds or kind in kinds for item in read(workspace))
    now = workspace.now()
    return sorted((*stored_items, *derived), key=lambda item: (item.is_expired(now), item.opened, item.id))


def _is_settled(workspace: WorkspaceBase, item: Item) -> bool:
    """Return whether HEAD has the lines that the item adds, or other files since then, and no line that it removes.

    A line that came back and is in force again may stay.
    """
    path = next((path for path in item.paths if path != entries.PATH), None)
    if path is None:
        return False
    base, proposal = (lines_of(text or "") for text in item.texts[path])
    head = lines_of(to_text(repository.read(workspace.repo, workspace.head, path)))
    keys = {hash_entry(entry.text) for line in proposal - base - head for entry in entries_of(line)}
    if keys or proposal - base - head:
        with workspace.open_table() as table:
            births = [[row.birth.date for row in table.find(key=key) if row.birth] for key in keys]
        if not keys or not all(any(datetime.fromisoformat(day) >= item.opened for day in days) for days in births):
            return False
    if (base - proposal).isdisjoint(head):
        return True
    before, after = (entries.parse(text or "") for text in item.texts.get(entries.PATH, ("", "")))
    back = {key for key, row in before.items() if row.status == "superseded"}  # an undo takes rows in force
    returned, rows = {key for key in back & after.keys() if after[key].status == "tombstone"}, workspace.rows()
    return bool(returned) and not any(key in rows and rows[key].status == "superseded" for key in returned)


def find_item(workspace: WorkspaceBase, name: str) -> Item:
    """Return the item whose id is, or begins with, `name`, whatever its kind; one that waits rather than a decided one.

    Raises ClawgitError naming the nearest.
    """
    is_long = len(name) >= MIN_ID_LETTERS and is_id(name.ljust(10, "k"))
    stored_items = {item.id: item for item in workspace.store.find_items(name)} if is_long else {}
    # Whether lines of a session still wait is looked up again; all else needs no list.
    if name in stored_items and stored_items[name].kind != "quarantine":
        return stored_items[name]
    waiting = {item.id: item for item in list_items(workspace)} if name else {}
    closed = _read_conflicts(workspace, is_waiting=False) if is_long else ()
    items = {item.id: item for item in closed} | waiting | stored_items
    fitting = [item for item in items.values() if item.id.startswith(name)]
    matches = [item for item in fitting if item.state == "open"] or fitting
    if len(matches) > 1:
        ids = ", ".join(item.id for item in matches)
        raise errors.id_ambiguous(f"several items begin with {name}: {ids}", fix=Advice("type more of it"))
    if matches:
        return matches[0]
    if not is_long:
        raise errors.id_unknown(f"{name!r} is no id of an item, nor the first letters of one", fix=INBOX)
    names = nearest(name, set(waiting), 1)
    raise errors.id_unknown(f"no item has the id {name}", fix=Command("clawgit show {}", names[0]) if names else INBOX)


_UNDONE = "its correction was undone"


def follow_undo(workspace: WorkspaceBase, name: str) -> None:
    """Bring the items in line with the undo of a change: an accepted one waits again, after a redo it is accepted.

    A question about an undone correction is closed, and opened again by a redo.
    """
    store, now = workspace.store, workspace.now()
    record, is_back = records.read_commit_record(workspace, records.find_commit(workspace, name)), False
    passed = set[Oid]()
    with contextlib.suppress(ClawgitError):  # a shallow clone need not have all of them
        # An undo of an undo brings the change back, one of that takes it out again; anybody can write a circle.
        while record.undoes and record.commit not in passed:
            passed.add(record.commit)
            record, is_back = (
                records.read_commit_record(workspace, records.find_commit(workspace, record.undoes)),
                not is_back,
            )
    for item in store.read_items("open", "accepted", "closed", edits=False):
        is_asked = bool(record.change) and item.details.get("record") == record.change
        if item.commit == record.commit and item.state == ("open" if is_back else "accepted"):
            store.decide(item.id, "accepted", now, commit=record.commit) if is_back else store.reopen(item, now)
        elif is_asked and item.state == "open" and not is_back:
            store.decide(item.id, "closed", now, _UNDONE)
        elif is_asked and (item.state, item.answer) == ("closed", _UNDONE) and is_back:
            store.reopen(item, now)


def describe_decision(item: Item) -> str:
    """Return the outcome of an item, as the rest of a sentence; empty while it waits."""
    if item.state == "open" or item.decided is None:
        return ""
    words = f"was {item.state} on {item.decided:%Y-%m-%d}"
    answer = commit_message.fold_spaces(item.answer)
    return f"{words}: {answer}" if answer else words


def version_of_text(text: str | None) -> FileVersion | None:
    """Return a text as the version of a file; None for no file."""
    return None if text is None else FileVersion(text)


def read_control_version(repo: Repository, commit: Oid | None, path: str) -> FileVersion | None:
    """Return a file of any kind in a commit; None if there is none."""
    return version_of_entry(repo, commit_graph.entry(repo, commit, path))


def version_of_entry(repo: Repository, entry: TreeEntry | None) -> FileVersion | None:
    """Return the file of a tree's entry."""
    if entry is None:
        return None
    if entry.mode == SUBMODULE_MODE:
        return FileVersion(blob=entry.blob, mode=entry.mode)
    return FileVersion.of_bytes(repository.blob(repo, entry.blob), entry.mode)


def _close_predecessors(workspace: WorkspaceBase, path: str, name: str) -> None:
    """Close the items with nothing but changes, or beginnings of lines, that an edit has as well: it goes on from them.

    So an hour of editing waits as one item.
    """
    items = [item for item in workspace.store.read_items("open") if item.agent == "capture" and path in item.texts]
    changes = {item.id: _changed_lines(item.texts) for item in items}
    newest = changes.pop(name, ())
    for other, rows in changes.items():
        if all(row in newest or (row[0] == "+" and any(line.startswith(row) for line in newest)) for row in rows):
            with contextlib.suppress(ClawgitError):  # then both wait
                workspace.store.decide(other, "closed", workspace.now())


def _changed_lines(texts: Mapping[str, Texts]) -> tuple[str, ...]:
    """Return the removed and added lines of a change, wherever in its files: two with the same ones are the same."""
    rows: list[str] = []
    for path, sides in sorted(texts.items()):
        rows.append(f"{path} {sides[0] is None} {sides[1] is None}")
        # The same rows of the sidecar are the same, whoever writes them.
        plain = (entries.format_sidecar(text) if text and path == entries.PATH else text or "" for text in sides)
        old, new = map(tally_lines, plain)
        for sign, lines in (("-", old - new), ("+", new - old)):
            rows += (f"{sign}{line}" for line in sorted(lines.elements()))
    return tuple(rows)


def _digest_of_quote(trailer: str) -> str:
    """Return the hash of the quoted words: the same words, pointed at another way, are no new evidence."""
    return trailer.rpartition("sha256:")[2]


def _lacks_side(workspace: WorkspaceBase, record: conflict.Conflict) -> bool:
    """Return whether a contradiction has a side that is gone, reworded or out of force: nothing is left to decide.

    Of two machines' wordings the second one may be in the record alone.
    """
    if not record.open or record.disputed or record.rule == conflict.TWO_MACHINES:
        return False
    rows = workspace.rows()
    for side in (side for side in record.sides if side.path):
        text = workspace.read_loosely(side.path)
        is_out = side.id in rows and rows[side.id].status == "superseded"
        present = {hash_statement(side.path, entry.text) for entry in entries_of(text)}
        if is_out or hash_statement(side.path, side.text) not in present:
            return True
    return False


def _read_conflicts(workspace: WorkspaceBase, *, is_waiting: bool = True) -> Iterator[Item]:
    """Yield the contradictions that wait, or those that are decided, or have lost a side, which the detector closes."""
    text = workspace.read_loosely(file_roles.CONFLICTS)
    all_records = conflict.conflicts(text)
    records_found = [row for row in all_records if is_waiting == (row.open and not _lacks_side(workspace, row))]
    # A record has its day; the commit of that day has the time.
    log = history.walk_log(workspace.repo, file_roles.CONFLICTS, named=False) if records_found else ()
    times = {f"{commit.date.astimezone(workspace.now().tzinfo):%Y-%m-%d}": commit.date for commit in log}
    for record in records_found:
        details = {"a": redact(record.a.text), "b": redact(record.b.text)}
        time = times.get(record.found) or _moment_of(workspace, record.found)
        source, title = f"{file_roles.CONFLICTS}:{record.start}", " / ".join(details.values())
        item = Item(record.id, "conflict", title, time, record.why, source, details=details)
        if not record.open:
            answer = record.resolved[-1] if record.resolved else ""
            words = answer.partition(": ")[2] or answer
            state: State = "rejected" if words == conflict.UNCHANGED else "accepted"
            item = replace(item, state=state, decided=_moment_of(workspace, answer[:10]), answer=redact(words))
        yield item


def _read_quarantined(workspace: WorkspaceBase) -> Iterator[Item]:
    stored_ids = {item.id for item in workspace.store.read_items(kind="quarantine", edits=False)}
    versions = trust_review.items(workspace.repo)
    counts = Counter(version.path for version in versions)
    for newest in {version.path: version for version in versions}.values():
        if newest.id in stored_ids:
            continue
        approved_text, data = workspace.trust.approved(newest.path), newest.data
        text, kind = None if data is None else to_text(data), newest.kind
        # It was discarded just now or approved since, or a process was killed before it took anything out.
        if not kind or (text is not None and text == approved_text):
            continue
        count = counts[newest.path] - 1
        earlier = f", with {count:,} earlier versions" if count else ""
        reason = f"{kind} that nobody approved was taken out{earlier}"
        edit = FileEdit(newest.path, version_of_text(approved_text), version_of_text(text))
        title = newest.path if text is None else summarise({newest.path: (approved_text, text)})
        time, edits = _moment_of(workspace, newest.first), () if text is None else (edit,)
        yield Item(newest.id, "quarantine", title, time, reason, newest.path, edits=edits)


def _read_settings(workspace: WorkspaceBase) -> Iterator[Item]:
    if not workspace.trust.known:
        return
    for setting in trust_review.list_keys(workspace):
        title = redact(f"{setting.key.name}: {setting.value} -> {setting.untrusted}")
        reason = "a value of CONFIG.md that you have not approved is not used"
        if setting.files:  # they are approved with it
            reason += f"; it names {', '.join(f'{path} (sha256 {sha[:12]})' for path, sha in setting.files.items())}"
        time, details = workspace.now(), {"key": setting.key.name}
        with contextlib.suppress(OSError, OverflowError, ValueError):  # of a file that is gone
            time = datetime.fromtimestamp((workspace.root / file_roles.CONFIG).stat().st_mtime, time.tzinfo)
        yield Item(name_of_setting(setting), "settings", title, time, reason, file_roles.CONFIG, details=details)


def name_of_setting(setting: Shown) -> str:
    """Return the id of a value that is not approved; another one when a file that it names changes."""
    return make_name(f"setting\0{setting.key.name}\0{setting.untrusted}\0{sorted(setting.files.items())}")


def _moment_of(workspace: WorkspaceBase, text: str) -> datetime:
    """Return a moment or a day as a moment in the operator's time zone; the present one for anything else."""
    now = workspace.now()
    return start_of(parse_date(text) or now, now.tzinfo)


_DERIVED: Mapping[Kind, Callable[[WorkspaceBase], Iterator[Item]]] = {
    "conflict": _read_conflicts,
    "quarantine": _read_quarantined,
    "settings": _read_settings,
}
