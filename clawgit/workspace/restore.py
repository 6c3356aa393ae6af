"""Brings back removed text."""

import contextlib
import os
import re
from collections.abc import Iterator
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import commit_graph, history, repository
from clawgit.git.git_command import git
from clawgit.git.history import Commit
from clawgit.git.paths import check
from clawgit.git.repository import Oid
from clawgit.text import document, entry
from clawgit.text.edit import append_block, append_under, remove_lines
from clawgit.text.entry import hash_entry, normalise
from clawgit.text.merge import Conflict, revert
from clawgit.text.spelling import misspelt
from clawgit.workspace import (
    capture,
    commit_message,
    entries,
    entry_association,
    file_contents,
    manifest,
    memory_lines,
    records,
    seen_versions,
)
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import lines_of
from clawgit.workspace.merge_rules import place_lines
from clawgit.workspace.undo import ConflictError, by_git, is_plain, name_left_out
from clawgit.workspace.workspace import Workspace

_ID = re.compile(r"[k-z]{4,10}")
_MAX_COMMITS_OF_FOLDER = 1000


class CommittedFile(Struct, frozen=True):
    """A file in a commit."""

    commit: Oid
    path: str
    text: str


class Piece(Struct, frozen=True):
    """Lines `start` to `end` of an older version, under the titles `section`; `words` is the text of an entry."""

    version: CommittedFile
    start: int
    end: int
    section: tuple[str, ...] = ()
    words: str = ""

    @property
    def text(self) -> str:
        """The lines themselves, without the mark that a file may begin with."""
        return "".join(document.split(self.version.text)[self.start - 1 : self.end]).removeprefix("\ufeff")

    def place_in(self, now: str) -> str | None:
        """Return `now` with the lines in their old place, None if that place is unknown."""
        try:
            if self.words and self.section:
                document.find_section(now, self.section[-1])
        except ClawgitError:  # its section is gone
            return None
        return place_lines(self.version.text, range(self.start, self.end + 1), now) if now else None


def restore(workspace: Workspace, reference: str, as_of: str | None = None) -> Change:
    """Return the change that brings back a path ("." is the workspace), `PATH#Section`, or an entry by its id or words.

    As it was at `as_of` (a change, revision or date), else as it was last. Raises ClawgitError when it was never there,
    nothing is missing, or its deletion is staged, ConflictError when other words are in its place.
    """
    change = _make_change(workspace, reference, as_of)
    tracked = (path for path in change.paths if repository.blob_id(workspace.repo, workspace.head, path))
    if staged := [path for path in tracked if not repository.tracked(workspace.repo, path)]:
        steps = f"git restore --staged --{' {}' * len(staged)} && clawgit restore {{}}{' --as-of {}' if as_of else ''}"
        words = f"the deletion of {commit_message.list_names(staged)} is staged"
        raise errors.file_staged(words, fix=Command(steps, *staged, reference, as_of))
    return change


def _make_change(workspace: Workspace, reference: str, as_of: str | None) -> Change:
    start = records.find_commit(workspace, as_of) if as_of else None
    if reference == ".":
        return _restore_folder(workspace, reference, start)
    # A file name may look like an id, or contain the mark of a section.
    if _has_name(workspace, reference, start):
        return _restore_file(workspace, check(reference), start)
    matches = [row for row in workspace.rows().values() if row.hash == hash_entry(reference)]
    if not all(row.status in ("superseded", "tombstone") for row in matches):
        matches = []
    if matches or _ID.fullmatch(reference):
        return _restore_entry(workspace, matches[-1].id if matches else reference, start)
    splits = ((reference[: mark.start()], reference[mark.end() :]) for mark in re.finditer("#", reference))
    path, title = next(((path, title) for path, title in splits if path and _has_name(workspace, path)), ("", ""))
    if path:
        return _restore_section(workspace, check(path), title, start)
    name = reference.partition("#")[0] or reference
    if " " in reference.strip():
        raise _find_in_identity(workspace, reference.strip()) or _unknown(workspace, reference)
    raise _unknown(workspace, check(name))


def _has_name(workspace: Workspace, path: str, start: Oid | None = None) -> bool:
    """Return whether there is, or ever was, a file or folder of that name, on another branch at `start`."""
    try:
        name = check(path)
    except ClawgitError:
        return False
    if os.path.lexists(workspace.root / path) or repository.blob_id(workspace.repo, start, name):
        return True
    return next(_list_commits(workspace, name), None) is not None


def _list_commits(workspace: Workspace, path: str, start: Oid | None = None) -> Iterator[Commit]:
    """Yield the commits of a path, the newest first, then those of merged branches of which a merge took nothing."""
    for full in (False, True):
        yield from history.walk_log(workspace.repo, path, start=start or "HEAD", named=False, full=full)


def _list_file_versions(workspace: Workspace, path: str, start: Oid | None = None) -> Iterator[CommittedFile]:
    """Yield the versions of a file in these commits, but for those that only took it away, then under earlier names."""
    oldest = ""
    for commit in _list_commits(workspace, path, start):
        oldest, data = commit.id, repository.read(workspace.repo, commit.id, path)
        if data is not None:
            yield CommittedFile(commit.id, path, file_contents.to_text(data))
    if before := history.renames(workspace.repo, oldest).get(path) if oldest else None:
        yield from _list_file_versions(workspace, before, f"{oldest}^")


def _find_in_identity(workspace: Workspace, words: str) -> ClawgitError | None:
    """Return the error for words that a file of the identity has, or had last; None if none ever had them."""
    options = ("-1", "--format=%H", "--name-only", f"-S{words}", "--", "*.md")
    log = git(workspace.root, "-c", "core.quotePath=false", "log", *options, literal=False) if workspace.head else b""
    commit, *names = filter(None, log.decode("utf-8", "surrogateescape").split("\n")) if log else ("",)
    path = next((name for name in names if file_roles.is_identity(name)), None)
    if path is None:
        return None
    rows = document.split(workspace.read_loosely(path))
    if number := next((number for number, row in enumerate(rows, 1) if words in row), None):
        return errors.already_set(f"{path} has these words", fix=Command("clawgit why {}", f"{path}:{number}"))
    fix = Command("clawgit undo {}", commit[:10], note="the change that took them out")
    return errors.file_missing(f"restore brings back memory, and these words were in {path}", fix=fix)


def _unknown(workspace: Workspace, path: str) -> ClawgitError:
    fix = Command("clawgit search --deleted {}", path)
    if suggestion := misspelt(path, {name for item in records.list_records(workspace) for name in item.files}):
        fix = Command("clawgit {} {}", "log" if (workspace.root / suggestion).is_file() else "restore", suggestion)
    return errors.file_missing(f"there is no {path}, and no file or folder ever had that name", fix=fix)


# ---- files and folders


def _restore_folder(workspace: Workspace, path: str, start: Oid | None) -> Change:
    """Return the change that brings back the files of a folder that are gone.

    Those that `start` has, else those that went last: since HEAD, and in commits in a row that deleted some.
    """
    prefix = "" if path == "." else f"{path}/"

    def list_lost(commit: Oid) -> dict[str, Oid]:
        names: dict[str, Oid] = {}
        for name in commit_graph.difference(workspace.repo, None, commit or None):
            place = workspace.root / name
            if name.startswith(prefix):
                is_empty = place.is_file() and not place.is_symlink() and not place.stat().st_size
                before = repository.read(workspace.repo, commit, name) if is_empty else None
                names |= {name: commit} if not os.path.lexists(place) or (before or b"").strip() else {}
        return names

    lost_files: dict[str, Oid] = {}
    # Where nothing was lost, the search would read all of history.
    log = () if start else islice(_list_commits(workspace, path), _MAX_COMMITS_OF_FOLDER)
    for commit in chain([start or workspace.head or ""], (parent for item in log for parent in item.parents[:1])):
        lost_here = list_lost(commit)
        if lost_files and lost_here.keys() <= lost_files.keys():
            break
        lost_files = lost_here | lost_files
    changes: list[Change] = []
    left_out: dict[str, Oid] = {}
    for name, commit in lost_files.items():
        try:
            changes.append(_restore_file(workspace, check(name), commit))
        except ClawgitError:  # of clawgit's own, and of what is no text
            left_out |= {} if name.startswith(file_roles.OURS) else {name: commit}
    notes = tuple(name_left_out(workspace, name, commit) for name, commit in left_out.items())
    if not changes and left_out:
        raise errors.path_encoding("; ".join(notes), fix=by_git(workspace, *next(iter(left_out.items()))))
    if not changes:
        raise errors.already_set(f"nothing of {path} went in its last changes", fix=Command("clawgit log"))
    edits = tuple(edit for change in changes for edit in change.edits)
    subject = f"memory: restore {commit_message.list_names(edit.path for edit in edits)}"
    rows = tuple(row for change in changes for row in change.rows)
    return Change(subject, changes[0].why, edits, rows=rows, left_out=notes)


def _restore_file(workspace: Workspace, path: str, start: Oid | None) -> Change:
    _refuse_ours(path)
    last = next((version.commit for version in _list_file_versions(workspace, path)), None)
    commit = start or last
    if commit and not is_plain(workspace, path, commit):
        raise errors.path_encoding(name_left_out(workspace, path, commit), fix=by_git(workspace, path, commit))
    text = _read_text_at(workspace, path, commit)
    if text is None or commit is None:
        if start and last:
            raise errors.history_missing(f"there was no {path} at {start[:10]}", fix=Command("clawgit log {}", path))
        if _has_name(workspace, path):
            return _restore_folder(workspace, path, start)
        raise _unknown(workspace, path)
    now = workspace.read(path)
    full = _find_last_before_loss(workspace, path) if now is not None and (now.strip() or now == text) else None
    if full and now == text and not start:
        commit, text = full, _read_text_at(workspace, path, full)
    if full and repository.reaches(workspace.repo, full, commit):  # begun anew since: what came later stays
        text = revert(text or "", "", now or "").text
    if text == now:
        before = _read_text_at(workspace, path, next(iter(history.commit(workspace.repo, commit).parents), None))
        fix = Command("clawgit log {}", path, note="restore takes any of them: --as-of")
        if lines_of(before or "") - lines_of(text or ""):
            fix = Command("clawgit undo {}", commit[:10], note="takes that change back, which took lines from it")
        raise errors.file_uncommitted(f"nothing of {path} is missing: it is as it was at {commit[:10]}", fix=fix)
    change = _write_back(workspace, path, text, f"restore {path} as of {commit[:10]}", commit)
    later = len(lines_of(now or "") - lines_of(text or ""))
    note = f"{path}: {capture.count_lines(later)} added later went with this; to get these back, undo it"
    return replace(change, left_out=(note,)) if later else change


def _read_text_at(workspace: Workspace, path: str, commit: Oid | None) -> str | None:
    return file_contents.decode_file(path, repository.read(workspace.repo, commit, path)) if commit else None


def _find_last_before_loss(workspace: Workspace, path: str) -> Oid | None:
    """Return the commit before the newest one that deleted or emptied a file, None if none did."""
    for commit in _list_commits(workspace, path):
        parent = next(iter(commit.parents), None)
        before, after = ((repository.read(workspace.repo, oid, path) or b"").strip() for oid in (parent, commit.id))
        if before and not after:
            return parent
    return None


def restore_seen(workspace: Workspace, raw_path: str, name: str) -> Change:
    """Return the change that brings back a seen version of a file that is in no commit, by its id.

    Raises ClawgitError if there is none, or nothing would change.
    """
    path = _refuse_ours(check(raw_path))
    version = seen_versions.find_seen_version(workspace.repo, path, name)
    text = file_contents.decode_file(path, version.data) or ""
    words = f"restore {path} as it was seen on {version.at.astimezone():%Y-%m-%d %H:%M}"
    reason = f"It was written over before it was committed: {version.id[:10]}."
    return _write_back(workspace, path, text, words, workspace.head, reason)


def restore_approved(workspace: Workspace, raw_path: str) -> Change:
    """Return the change that brings back an identity file as the operator approved it.

    Raises ClawgitError if nothing of it was approved, or nothing would change.
    """
    path = check(raw_path)
    if path not in workspace.trust.files:
        raise errors.history_missing(f"no text of {path} was approved", fix=Command("clawgit log {}", path))
    words, reason = f"restore {path} as it was approved", "As the operator approved it."
    return _write_back(workspace, path, workspace.trust.said(path), words, None, reason)


def _refuse_ours(path: str) -> str:
    if f"{path}/".startswith(file_roles.OURS):
        raise errors.path_role(f"{path} is clawgit's own, and goes with the changes", fix=Advice("clawgit undo CHANGE"))
    return path


def _write_back(
    workspace: Workspace, path: str, text: str | None, words: str, commit: Oid | None, reason: str = "", past: str = ""
) -> Change:
    """Return the change that gives a file this text, in these words; the rows of its entries are as at `commit`.

    Raises ClawgitError if the file has it already.
    """
    now = workspace.read(path)
    if text == now:
        fix = Command("clawgit log {}", path, note="restore takes any of them: --as-of")
        raise errors.already_set(f"{path} is like that already", fix=fix)
    rows: list[Row] = []
    old_hashes, new_hashes = ({hash_entry(item.text) for item in entry.entries(side or "")} for side in (now, text))
    if commit and not new_hashes <= old_hashes:
        sidecar = file_contents.to_text(repository.read(workspace.repo, commit, entries.PATH))
        current = workspace.rows()
        for key, row in {**entries.parse(sidecar), **current}.items():
            live = replace(row, status="live") if row.status == "tombstone" else row
            if row.hash in new_hashes - old_hashes and row.file == path and current.get(key) != live:
                rows.append(live)
    tree_entry = commit_graph.entry(workspace.repo, commit, path)
    edit = Edit(path, now, text, past or text or "", executable=bool(tree_entry and tree_entry.executable))
    subject = f"{file_roles.name_area(path)}: {words}"
    return Change(subject, reason or f"As it was at {(commit or '')[:10]}.", (edit,), rows=tuple(rows))


# ---- sections and entries


def _restore_section(workspace: Workspace, path: str, title: str, start: Oid | None) -> Change:
    if not title:
        raise errors.text_missing("no section is named", fix=Command("clawgit restore {}", path))
    _refuse_ours(path)
    titles: dict[str, None] = {}
    for version in _list_file_versions(workspace, path, start):
        with contextlib.suppress(ClawgitError):
            section = document.find_section(version.text, title)
            break
        titles |= dict.fromkeys(section.title for section in document.sections(version.text))
    else:
        name = misspelt(title, titles)
        listed = Advice(f"use one of: {', '.join(titles)}") if titles else Command("clawgit log {}", path)
        fix = Command("clawgit restore {}", f"{path}#{name}") if name else listed
        raise errors.section_missing(f"{path} never had “{title}”{_hint(workspace)}", fix=fix)
    return _put_section_back(workspace, Piece(version, section.line, section.end, section.path))


def _put_section_back(workspace: Workspace, piece: Piece) -> Change:
    """Return the change that gives a file a section as it was, in the place of the present one if there is one."""
    path = entry_association.find_present_name(workspace, piece.version.path)
    now = workspace.read(path) or ""
    try:
        section, rows = document.find_section(now, " > ".join(piece.section)), document.split(now)
    except ClawgitError:
        back = piece.place_in(now) or append_block(now, piece.text)
    else:
        is_same = piece.text.strip() == "".join(rows[section.line - 1 : section.end]).strip()
        back = now if is_same else "".join([*rows[: section.line - 1], piece.text, *rows[section.end :]])
    return _bring_back(workspace, path, piece, back)


def _bring_back(workspace: Workspace, path: str, piece: Piece, back: str) -> Change:
    words = commit_message.shorten(commit_message.fold_spaces(piece.words or piece.text), 50)
    return _write_back(workspace, path, back, f"restore: {words}", piece.version.commit, past=piece.version.text)


def _restore_entry(workspace: Workspace, name: str, start: Oid | None) -> Change:
    """Return the change that brings back the entry with an id beginning with `name`, as it was last.

    Raises ClawgitError when there never was one, or there were several.
    """
    rows = [(key, row.file, row.hash) for key, row in workspace.rows().items() if key.startswith(name)]
    candidates = [*rows, *memory_lines.find_named(workspace, name)]
    if len(keys := {key for key, _, _ in candidates}) > 1:
        raise errors.id_ambiguous(f"{name} is ambiguous: {', '.join(sorted(keys))}", fix=Advice("type more of it"))
    # Of an entry in the archive the file that it came from is first.
    ordered = sorted(candidates, key=lambda candidate: manifest.kind(candidate[1]) == "archive")
    pieces = ((key, _find_entry(workspace, path, start, words)) for key, path, words in ordered)
    key, piece = next(((key, piece) for key, piece in pieces if piece), (name, None))
    if piece is None:
        words = f"no entry or file ever named {name}{_hint(workspace)}"
        raise errors.id_unknown(words, fix=Command("clawgit memory list"))
    target = entry_association.find_present_name(workspace, piece.version.path)
    before = workspace.read(target) or ""
    if any(normalise(item.text) == normalise(piece.words) for item in entry.entries(before)):
        raise errors.already_set(f"entry {key} is already in {target}", fix=Command("clawgit show {}", key))
    with workspace.open_table() as table:
        rows_now = table.find(prefix=key)
    for row in rows_now:
        if row.path == target and row.changed:
            words = f"{target}: entry {key} has other words now"
            fix = Command("clawgit undo {}", row.changed.commit[:10], note="the change that gave it these")
            raise ConflictError(target, (Conflict(row.text, row.text, piece.text),), key, words=words, fix=fix)
    back = piece.place_in(before) or append_under(before, " > ".join(piece.section) or None, piece.text, create=True)
    change = _bring_back(workspace, target, piece, back)
    moves = (_remove_moved_entry(workspace, row.path, piece.words) for row in rows_now)
    return replace(change, edits=(*change.edits, *(edit for edit in moves if edit)))


def _find_entry(workspace: Workspace, path: str, start: Oid | None, words: str) -> Piece | None:
    """Return an entry by the hash of its words, as it was last; a version without new lines is passed over."""
    earlier_rows = set[str]()
    for version in _list_file_versions(workspace, path, start):
        rows = set(document.split(version.text))
        items = entry.entries(version.text) if not rows <= earlier_rows else ()
        if match := next((item for item in items if hash_entry(item.text) == words), None):
            return Piece(version, match.start, match.end, match.section, match.text)
        earlier_rows |= rows
    return None


def _remove_moved_entry(workspace: Workspace, path: str, words: str) -> Edit | None:
    """Return the edit that removes an entry from the file that it was moved to, None if it has entries below it."""
    text = workspace.read(path) or ""
    items = entry.entries(text)
    place = next((place for place, item in enumerate(items) if hash_entry(item.text) == hash_entry(words)), None)
    if place is None or any(item.depth > items[place].depth for item in items[place + 1 : place + 2]):
        return None
    return Edit(path, text, remove_lines(text, [(items[place].start, items[place].end)]))


def _hint(workspace: Workspace) -> str:
    return "; this clone is shallow, and does not know all" if history.cut_off(workspace.repo) else ""
