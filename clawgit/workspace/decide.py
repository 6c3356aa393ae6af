"""Shows items of the inbox, and decides them."""

import contextlib
import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import ClawgitError, Command
from clawgit.git import paths, regular_file, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.commit_graph import TreeEntry
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Snapshot
from clawgit.store.item import FileEdit, FileVersion, Item, State, encode_json
from clawgit.text import document
from clawgit.text import evidence_pointer as pointers
from clawgit.text.diff import Hunk, hunks, select_hunks
from clawgit.text.entry import new_id
from clawgit.text.merge import Conflict
from clawgit.workspace import commit_message, entries, evidence_check, file_contents, identity_policy
from clawgit.workspace.change import Applied, Change, Edit, Origin, StaleChangeError
from clawgit.workspace.commit_message import Message
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import decode_file
from clawgit.workspace.inbox import INBOX, describe_decision, find_item, read_control_version
from clawgit.workspace.line_origins import Said, follow_pointer
from clawgit.workspace.merge_rules import merge_text
from clawgit.workspace.records import Cited, read_citation
from clawgit.workspace.undo import ConflictError
from clawgit.workspace.workspace import Workspace


def _check_citation(workspace: Workspace, citation: Cited, base: str) -> Said:
    """Return a piece of evidence in its context, with the pointer to cite it by, None where it does not hold."""
    context = follow_pointer(workspace, citation, base)
    try:
        pointer = pointers.parse_pointer(citation.pointer)
        is_lost = pointer.rev and pointer.quote and not repository.resolve(workspace.repo, pointer.rev)
        text = pointers.format(replace(pointer, rev=None) if is_lost else pointer)
        evidence_check.resolve_pointers(workspace, workspace.head, (text,))
    except ClawgitError:
        return replace(context, missing=context.missing or "the words that it quotes do not stand there")
    return replace(context, pointer=text, missing="")


PATIENCE_SECONDS = 10.0
MAX_ITEM_FILES = 50  # files; nobody reads more
CAPTURE = "capture"
_RUN = "OpenClaw or git runs these files, or goes by them."
_DIGITS = 12
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


class Target(Struct, frozen=True, dict=True):
    """One file: its present text, its new text (None: no file), or the conflicts between them.

    For a control file `version` is its new version in git.
    """

    path: str
    now: str | None
    then: str | None
    conflicts: tuple[Conflict, ...] = ()
    version: FileVersion | None = None

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """The changes, with lines around them."""
        return hunks(self.now or "", self.then or "")


class View(Struct, frozen=True, dict=True):
    """An item in the present state of the workspace.

    `files` are those that it still changes, `rows` its rows of the sidecar. `doubts` are the reasons that it waits,
    computed anew; `problem` is the reason that it cannot be shown, and so not be approved. `title` is set if the
    operator's own words land. `choices` are those of `accept --only` as they are now, of an item that is no change.
    """

    item: Item
    files: tuple[Target, ...]
    rows: tuple[Row, ...]
    evidence: tuple[Said, ...]
    doubts: tuple[str, ...] = ()
    problem: ClawgitError | None = None
    title: str = ""
    choices: tuple[Mapping[str, object], ...] = ()

    @property
    def new_lines(self) -> str:
        """The lines that it adds."""
        return "\n".join(row.text for file in self.files for hunk in file.hunks for row in hunk.lines if row.op == "+")

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The places that others have changed since."""
        return tuple(conflict for file in self.files for conflict in file.conflicts)

    @property
    def done(self) -> bool:
        """Whether the files are like that already."""
        return not self.files and not self.rows and not self.problem

    @cached_property
    def digest(self) -> str:
        """The hash of exactly what is shown, choices too; an edit of another place leaves it as it is."""
        item, choices = self.item, map(encode_json, self.choices)
        content: list[object] = [item.id, item.kind, item.title, item.reason, encode_json(item.details), *choices]
        content.append(entries.format_sidecar(entries.render_sidecar({row.id: row for row in self.rows})))
        for file in self.files:
            content.append((file.path, file.now is None, file.then is None, file.version))
            changed = hunks(file.now or "", file.then or "", context=0)
            content += [(hunk.section, row.op, row.text) for hunk in changed for row in hunk.lines]
        return hashlib.sha256(repr(content).encode("utf-8", "replace")).hexdigest()[:_DIGITS]

    @property
    def change(self) -> Change:
        """The change that it comes to now; its agent is as it claims, and its origin if that cannot lower its grade."""
        item = self.item
        claim: Origin = "operator" if item.get("Origin") == "operator" else "unknown"
        origin: Origin = claim if item.agent is None else "unknown" if item.agent == CAPTURE else "agent"
        return Change(
            self.title or (item.title.replace(": ", ": reverted: ", 1) if item.kind == "restore" else item.title),
            item.reason,
            tuple(Edit(file.path, file.now, file.then) for file in self.files),
            tuple(support.pointer for support in self.evidence if support.pointer),
            "untrusted" if item.get("Origin") == "untrusted" else origin,
            item.agent if item.agent != CAPTURE else None,
            self.rows,
            approved=True,
            id=new_id() if item.commit else item.id,  # one that was undone has that id
        )


def view(workspace: Workspace, item: Item, picks: Collection[int] = (), text: str | None = None) -> View:
    """Return the changes of an item to the files as they are on disk; reads, and touches nothing.

    With `picks`, those of its hunks, counted from 1 over all files; with `text`, the operator's words in their place.
    """
    title = ""
    try:
        _require_suitable(item)
        edits = (edit for edit in item.edits if edit.path != entries.PATH)
        targets = [target for edit in edits for target in _find_targets(workspace, item, edit)]
        if count := sum(len(target.hunks) for target in targets):
            require_numbers(item, picks, count)
        files = tuple(_select(targets, picks))
        if text is not None:
            files = _put_words(item, files, text)
            words = commit_message.fold_spaces(_MARKER.sub("", text, count=1))
            title = f"{item.title.partition(': ')[0]}: {commit_message.shorten(words, 60)}"
        old, new = (entries.parse(text or "") for text in item.texts.get(entries.PATH, ("", "")))
        now = workspace.rows() if new else {}
        rows = tuple(row for key, row in new.items() if row not in (old.get(key), now.get(key)))
    except ClawgitError as exc:
        return View(item, (), (), (), (f"It cannot be shown: {exc.message}.",), exc)
    if item.kind == "sync":
        return View(item, files, (), (), (_RUN,), _find_unwritable(item, files))
    # Read once more: what trailers quote may be made up.
    citations = [read_citation(value) for key, value in item.trailers if key == "Evidence"]
    evidence = tuple(_check_citation(workspace, citation, item.base) for citation in citations)
    preview = View(item, files, rows, evidence, title=title)
    after = {file.path: file.then for file in files}
    return replace(preview, doubts=identity_policy.find_doubts(workspace, preview.change, after))


def _select(files: Iterable[Target], picks: Collection[int]) -> Iterator[Target]:
    """Yield the files with the chosen hunks alone; all of them if none is chosen."""
    first = 1
    for file in files:
        count = len(file.hunks)
        numbers = {number - first + 1 for number in picks if first <= number < first + count}
        first += count
        if not picks or len(numbers) == count:
            yield file
        elif numbers:
            yield replace(file, then=select_hunks(file.now or "", file.then or "", numbers))


def _put_words(item: Item, files: Sequence[Target], text: str) -> tuple[Target, ...]:
    """Return the one changed place with these words: as a bullet if it adds one. Raises ClawgitError for several."""
    places = [(file, hunk) for file in files for hunk in hunks(file.now or "", file.then or "", context=0)]
    conflicts = [conflict for file in files for conflict in file.conflicts]
    now, words = files[0].now or "" if files else "", text.rstrip("\n")
    if len(files) == len(conflicts) == 1 and conflicts[0].ours and now.count(conflicts[0].ours) == 1:
        return (replace(files[0], then=now.replace(conflicts[0].ours, words), conflicts=()),)
    if len(files) == len(places) == 1 and not conflicts:
        (file, hunk), rows = places[0], document.split(now)
        marker = _MARKER.match(next((row.text for row in hunk.lines if row.op == "+"), ""))
        words = f"{marker[0]}{words}" if marker and not _MARKER.match(words) else words
        start = max(hunk.old_start - 1, 0)
        end = start + sum(row.op == "-" for row in hunk.lines)
        lines = document.convert(f"{words}\n", document.eol(now))
        return (replace(file, then="".join((*rows[:start], lines, *rows[end:]))),)
    fix = Command("clawgit show {}", item.id, note="then: --only N --text …")
    raise errors.options_conflict(f"--text takes the place of one change, and {item.id} makes {len(places)}", fix=fix)


def require_numbers(item: Item, numbers: Collection[int], count: int) -> None:
    """Raise ClawgitError for a number that is none of the `count` choices of an item."""
    if unknown := [number for number in numbers if not 0 < number <= count]:
        words = f"{item.id} has no {unknown[0]} to choose: its choices are 1 to {count}"
        raise errors.value_invalid(words, fix=Command("clawgit show {}", item.id))


def _render_version(version: FileVersion | None) -> str | None:
    """Return a displayable text of a file of any kind; None for no file."""
    if version is None:
        return None
    if version.regular:
        if version.text is not None:
            return version.text
        return f"(a binary file of {len(version.content):,} bytes, {repository.hash_blob(version.content)})\n"
    kind = "a repository of its own, at" if version.blob else "a symbolic link to"
    return f"({kind} {version.blob or version.content.decode('utf-8', 'replace')})\n"


def _require_suitable(item: Item) -> None:
    """Raise ClawgitError for an item that cannot be a change of ours: others can write to the store's file."""
    rejection = Command("clawgit reject {}", item.id)
    for path in item.paths:
        paths.check(path)
    if item.kind == "sync":
        return
    if len(item.paths) > MAX_ITEM_FILES:
        raise errors.item_invalid(f"{item.id} changes {len(item.paths):,} files", fix=rejection)
    for edit in item.edits:
        path = edit.path
        is_ours = file_roles.is_identity(path) or path == entries.PATH
        if not is_ours and not (file_roles.is_memory_or_settings(path) and path != file_roles.CONFIG):
            raise errors.item_invalid(f"{item.id} changes {path}, which is no file of the identity", fix=rejection)
        for version in (version for version in (edit.before, edit.after) if version):
            if version.text is None:
                raise errors.file_encoding(f"{path} would not be text", fix=INBOX)
            decode_file(path, version.content)


def _find_targets(workspace: Workspace, item: Item, edit: FileEdit) -> Iterator[Target]:
    """Yield the change of one file, nothing if it is like that already; of a control file all or nothing."""
    path = edit.path
    if item.kind == "sync":
        current = read_control_version(workspace.repo, workspace.head, path)
        base, now, theirs = map(_render_version, (edit.before, current, edit.after))
        conflicts = () if current == edit.before else (Conflict(base or "", now or "", theirs or ""),)
        yield from () if current == edit.after else (Target(path, now, theirs, conflicts, edit.after),)
        return
    base, theirs = item.texts[path]
    now = workspace.read(path)
    if now == base != theirs:
        yield Target(path, now, theirs)
    elif now != theirs and (now is None or theirs is None):
        yield Target(path, now, theirs, (Conflict(base or "", now or "", theirs or ""),))
    elif now is not None and theirs is not None:
        merge = merge_text(path, base, now, theirs)
        if merge.conflicts or merge.text != now:
            yield Target(path, now, theirs if merge.conflicts else merge.text, merge.conflicts)


def _find_unwritable(item: Item, files: tuple[Target, ...]) -> ClawgitError | None:
    """Return why a control file cannot be written by clawgit, with git's command for it; None if all can."""
    paths = {file.path for file in files}
    for edit in (edit for edit in item.edits if edit.path in paths):
        if not any(version and not version.regular for version in (edit.before, edit.after)):
            continue
        step, words = "git rm -q -- {} && git commit -m {}", [edit.path, f"as {item.id} has it"]
        if version := edit.after:
            entry = f"{version.mode:o},{version.blob or repository.hash_blob(version.content)}"
            step = f"git update-index --add --cacheinfo {entry},{{}} && git commit -m {{}} && git checkout -- {{}}"
            words.append(edit.path)
        message = f"{edit.path} is a link or a repository of its own, and clawgit writes files alone"
        return errors.path_link(message, fix=Command(step, *words, note="then accept the rest"))
    return None


@contextlib.contextmanager
def _deciding(workspace: Workspace, name: str) -> Iterator[Item]:
    """Yield an item that waits, and let nobody else decide meanwhile: nobody rejects an item that is just landing.

    Raises ClawgitError for one that was decided, BusyError after too long a wait.
    """
    workspace.require_managed()
    busy = errors.in_use("another decision is being made")
    with regular_file.lock_file(workspace.store.folder / "decide.lock", busy, PATIENCE_SECONDS):
        item = find_item(workspace, name)
        if item.state != "open":
            fix = Command("clawgit show {}", item.commit[:10] or item.id)
            raise errors.already_decided(f"{item.id} {describe_decision(item)}", fix=fix)
        yield item


def land_item(workspace: Workspace, name: str, act: Callable[[Item], Applied], answer: str = "") -> Applied:
    """Accept an item that still waits by an act of its kind, when its turn comes. Raises ClawgitError."""
    with _deciding(workspace, name) as item:
        applied = act(item)
        _note_decision(workspace, item, "accepted", answer, applied.commit or "")
        return applied


def land_files(
    workspace: Workspace, item: Item, digest: str, picks: Collection[int] = (), text: str | None = None
) -> Applied:
    """Land the files of an item as one commit, if they are still as they were shown with this `digest`.

    `picks` are the numbers of the hunks that land, none for all; `text` are the operator's own words in their place.
    Edits of others in its files are captured first. Raises ClawgitError when it differs or has nothing left to do;
    ConflictError when others have changed the same place.
    """
    if item.kind == "sync":
        return _write_control_files(workspace, view(workspace, item), digest)
    # An item that cannot land captures nothing.
    if problem := view(workspace, item, picks, text).problem:
        raise problem
    before = workspace.capture(item.paths)  # what others wrote in its files
    preview = view(workspace, item, picks, text)
    _require_unchanged(workspace, preview, digest)
    applied = workspace.apply(preview.change, wait=False)
    if applied.commit is None:
        raise _close_finished_item(workspace, item)
    return replace(applied, captured=applied.captured or before.commit, notes=(*before.notes, *applied.notes))


def _write_control_files(workspace: Workspace, preview: View, digest: str) -> Applied:
    """Make control files exactly as shown, with their bytes and modes."""
    _require_unchanged(workspace, preview, digest)
    item, head = preview.item, workspace.head
    versions = {file.path: file.version for file in preview.files}
    contents = {path: version.content if version else None for path, version in versions.items()}
    modes = {
        path: TreeEntry(repository.hash_blob(version.content), version.mode) if version else None
        for path, version in versions.items()
    }
    name = new_id() if item.commit else item.id
    trailers = ((commit_message.CHANGE, name), ("Origin", "unknown"), ("Clawgit-Approved", "operator"))
    text = commit_message.render(Message(file_contents.clean_for_writing(item.title), item.reason, trailers))

    def plan(snapshot: Snapshot) -> Plan:
        if snapshot.head != head:
            raise StaleChangeError
        for path, file in snapshot.disk.items():
            if (file.data if file else None) != snapshot.committed[path]:
                fix = Command("git add {} && git commit -m {} -- {}", path, "by hand", path)
                raise errors.file_uncommitted(f"{path} has changes that are not committed", fix=fix)
        return Plan((NewCommit(text, workspace.operator, workspace.now(), contents, entries=modes),))

    commit = workspace.write(workspace.branch, tuple(versions), plan).commits[-1]
    return Applied(commit, name, tuple(versions), doubts=preview.doubts)


def reject_item(workspace: Workspace, name: str, reason: str = "") -> Item:
    """Close an item, with or without a reason; the same change does not return without new evidence.

    Lines that were to be removed once more, and that the operator keeps so, are in force again.
    """
    if reason:
        file_contents.check_words(reason, "the reason")
    with _deciding(workspace, name) as item:
        _note_decision(workspace, item, "rejected", reason.strip())
        removals = entries.parse(item.texts.get(entries.PATH, ("", ""))[1] or "") if item.kind == "restore" else {}
        keep = Change(f"memory: keep: {item.title.partition(': ')[2]}", reason)
        rows = tuple(  # a correction, too, leaves what the operator says
            replace(row, status="live", by="", origin="operator", mentions=row.mentions | {keep.id})
            for key, row in (workspace.rows() if removals else {}).items()
            if row.status == "superseded" and key in removals and removals[key].status == "tombstone"
        )
        if rows:
            workspace.apply(replace(keep, rows=rows))
        return find_item(workspace, item.id)


def _note_decision(workspace: Workspace, item: Item, state: State, answer: str = "", commit: Oid = "") -> None:
    if item.kind == "quarantine":  # its bytes are in a folder, and its decision is in the store
        workspace.store.open_item(item)
    workspace.store.decide(item.id, state, workspace.now(), answer, commit)


def _require_unchanged(workspace: Workspace, preview: View, digest: str) -> None:
    """Raise ClawgitError for an item that cannot land as it was shown."""
    item = preview.item
    if preview.problem:
        raise preview.problem
    if preview.done:
        raise _close_finished_item(workspace, item)
    path = next((target.path for target in preview.files if target.conflicts), None)
    if path:
        is_gone = all(target.now is None for target in preview.files if target.path == path)
        words = f"{path} is gone" if is_gone else f"{path} was changed since in the place that {item.id} is about"
        versions = tuple(Conflict(item.theirs, item.ours, item.base) for item in preview.conflicts)  # as in an undo
        raise ConflictError(path, versions, item.id, words=words, fix=Command("clawgit show {}", item.id))
    if digest != preview.digest:
        raise make_outdated(item)


def make_outdated(item: Item) -> ClawgitError:
    """Return the error for an item that is no longer as it was shown."""
    return errors.preview_outdated(f"{item.id} has changed since", fix=Command("clawgit show {}", item.id))


def _close_finished_item(workspace: Workspace, item: Item) -> ClawgitError:
    """Close an item that has nothing left to do, and return the error for it."""
    _note_decision(workspace, item, "closed")
    words = f"nothing of {item.id} is left to do: the files say so already; it is closed"
    return errors.item_outdated(words, fix=Command("clawgit log"))
