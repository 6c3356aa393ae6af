"""Differences from approvals, their acceptance, and the quarantine."""

import contextlib
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field, to_builtins

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, file_unreadable, history_rewritten
from clawgit.git import locks, references, regular_file, repository, worktree_files
from clawgit.git.repository import Oid, Repository
from clawgit.openclaw import blank_forms
from clawgit.text.entry import is_id, new_id
from clawgit.workspace import file_contents
from clawgit.workspace.approvals import Approved, describe_programs, record_first_programs
from clawgit.workspace.config import Shown
from clawgit.workspace.migration import list_format_commits
from clawgit.workspace.workspace_base import WorkspaceBase

_DIGITS = 12
MIRROR, REWRITTEN = "refs/clawgit/remotes/", "refs/clawgit/rewritten/"
"""Below these stand the heads of other places, and those that did not go on from the commit in their names."""
_COMMIT_DIGITS = 10


class Unapproved(Struct, frozen=True):
    """An identity file that is not as it was approved: its text then and now (None: no file)."""

    path: str
    approved: str | None
    text: str | None


class Changes(Struct, frozen=True):
    """Other changes: new programs, with their fingerprints, and sentences about files that lost their text."""

    programs: Mapping[str, str] = field(default_factory=dict)
    losses: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.losses or self.programs)

    @property
    def told(self) -> tuple[str, ...]:
        """A sentence for each loss, and one for all programs."""
        return (*self.losses, *([describe_programs(self.programs)] if self.programs else []))


class Review(Struct, frozen=True, dict=True):
    """All differences from the approvals; `known` is False before the first one.

    `keys` are the pinned keys of CONFIG.md with unused values; the caller adds the `changes`.
    """

    known: bool
    files: tuple[Unapproved, ...]
    keys: tuple[Shown, ...]
    changes: Changes = field(default_factory=Changes)

    @property
    def of_identity(self) -> bool:
        """Whether anything of the identity differs."""
        return not self.known or bool(self.files or self.keys)

    @cached_property
    def digest(self) -> str:
        """The hash of exactly the shown text."""
        files = [(file.path, file.approved, file.text) for file in self.files]
        keys = [(key.key.name, key.value, key.untrusted, dict(key.files)) for key in self.keys]
        changes = to_builtins(self.changes, order="deterministic", enc_hook=str)
        content = json.dumps([self.known, files, keys, changes], default=str)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def list_identity_paths(workspace: WorkspaceBase) -> tuple[str, ...]:
    """Return the identity files that there are, or that were approved."""
    present = (path for path in file_roles.identity_files(workspace.root) if (workspace.root / path).is_file())
    return tuple(dict.fromkeys((*present, *workspace.trust.files)))


def _compare_with_approvals(workspace: WorkspaceBase) -> Iterator[tuple[str, Approved, str | None]]:
    """Yield each identity file with its approvals and its text."""
    yield from (
        (path, workspace.trust.of(path), read_standing_text(workspace, path)) for path in list_identity_paths(workspace)
    )


def review(workspace: WorkspaceBase) -> Review:
    """Return the differences, on disk, from the approvals; reads, and touches nothing."""
    trust = workspace.trust
    files = (
        Unapproved(path, (approvals.said or "") if trust.approves(path, text) else approvals.text, text)
        for path, approvals, text in _compare_with_approvals(workspace)
        if not trust.approves(path, text) or text not in (None, approvals.said)
    )
    return Review(trust.known, tuple(files), list_keys(workspace))


class Grown(Struct, frozen=True):
    """An identity file that changed since the operator approved it, with the number of lines that came and went."""

    path: str
    added: int
    removed: int


def count_edits(workspace: WorkspaceBase) -> Iterator[Grown]:
    """Yield the files with accepted changes since the operator's own approval."""
    trust = workspace.trust
    for path, approvals, text in _compare_with_approvals(workspace) if trust.known else ():
        is_accepted = trust.approves(path, text) or workspace.config.soul_policy == "evolve"
        if text not in (None, approvals.said) and is_accepted:
            old_lines, lines = map(file_contents.tally_lines, (approvals.said or "", text or ""))
            yield Grown(path, (lines - old_lines).total(), (old_lines - lines).total())


def list_waiting(workspace: WorkspaceBase) -> list[str]:
    """Return the identity files that wait to be approved: no blank form, and none under `evolve`: there edits land."""
    trust = workspace.trust
    if not trust.known or workspace.config.soul_policy == "evolve":
        return []
    agents = read_standing_text(workspace, file_roles.AGENTS)
    return [
        path
        for path, approvals, text in _compare_with_approvals(workspace)
        if not trust.approves(path, text)
        and not blank_forms.may_go(path, approvals.text, text, agents)
        and (approvals.text or not blank_forms.is_blank(path, text or ""))
    ]


def approve_review(workspace: WorkspaceBase, review: Review) -> None:
    """Approve all that was shown, and have it used from now on. Raises ClawgitError when it cannot be kept."""
    if review.of_identity:
        texts = {file.path: file.text for file in review.files}
        config = {key.key.name: key.untrusted for key in review.keys}
        workspace.trusted.approve(texts, config, {key.key.name: key.files for key in review.keys if key.files})
    if review.of_identity or review.changes:
        workspace.follow({})  # others may not loosen what CONFIG.md says more strictly than the default
    workspace.approvals()


def approve_head(workspace: WorkspaceBase, *, adopting: bool = False) -> tuple[str, ...]:
    """Approve the identity files as they are committed; return a sentence if that is not done.

    A link is not: its target is in no commit. Earlier approvals here stay in force under review and locked, and for
    `adopting`: else to adopt anew would approve any present text. If CONFIG.md is as strict, there is no approval
    without a terminal.
    """
    record_first_programs(workspace.repo, workspace.trusted)
    trust = workspace.approvals()
    if trust.known and (adopting or trust.config.get("soul_policy", "evolve") != "evolve"):
        return ("what you approved here before goes on holding; to see what differs: clawgit trust",)
    if not workspace.attended and not _approves_alone(workspace):
        return ("nothing is approved, since soul_policy wants you to do that at a terminal: clawgit trust",)
    regular = set(repository.files(workspace.repo, workspace.head)) if workspace.head else set()
    names = [
        path for path in list_identity_paths(workspace) if path in regular and not (workspace.root / path).is_symlink()
    ]
    texts = {path: file_contents.text_of(repository.read(workspace.repo, workspace.head, path)) for path in names}
    try:
        workspace.trusted.begin({path: text for path, text in texts.items() if text is not None})
    except ClawgitError as exc:
        return (f"{exc.message}; nothing is approved until you say: clawgit trust",)
    workspace.approvals()
    workspace.follow({})
    if not workspace.attended and len(list(list_format_commits(workspace.repo))) > 1:
        workspace.trusted.note_unattended("the workspace was adopted anew, and its identity approved", workspace.now())
    return ()


def _approves_alone(workspace: WorkspaceBase) -> bool:
    with contextlib.suppress(ClawgitError):  # of CONFIG.md: what it would say is unknown
        return workspace.config.soul_policy == "evolve"
    return False


def read_standing_text(workspace: WorkspaceBase, path: str) -> str | None:
    """Return the text of a file: on disk, or if that is binary in HEAD."""
    try:
        return workspace.read(path)
    except ClawgitError:
        return file_contents.text_of(repository.read(workspace.repo, workspace.head, path))


def list_keys(workspace: WorkspaceBase) -> tuple[Shown, ...]:
    """Return the pinned keys of CONFIG.md with unused values."""
    try:
        return workspace.config.untrusted()
    except ClawgitError:  # of CONFIG.md: that is an alarm of its own
        return ()


def find_rewritten(repo: Repository, prefix: str = "") -> Iterator[ClawgitError]:
    """Yield the heads, `below` a name, that a sync met with a history written anew, until the operator takes them."""
    for name in references.list_our_references(repo):
        if name.startswith(REWRITTEN + prefix):
            head, _, was = name.removeprefix(REWRITTEN).rpartition("/")
            words = f"{head} does not go on from {was[:_COMMIT_DIGITS]}, where it was: its history was written anew"
            forget = "git update-ref -d {} && git update-ref -d {}"
            fix = Command(forget, name, f"{MIRROR}{head}", note=f"first: git log {was}...{name}")
            yield history_rewritten(f"{words} (a forced push); it is left out", fix=fix)


_MAX_BYTES = 64 << 20
_DESCRIPTION, _CONTENT = "item.json", "content"


class QuarantinedFile(Struct, frozen=True):
    """Something that stood at `path` and was taken away at `first` (ISO 8601); it lies at `place` now."""

    id: str
    path: str
    first: str
    place: Path

    @property
    def kind(self) -> str:
        """What it is, in words; "" if another process has discarded it."""
        with contextlib.suppress(FileNotFoundError):
            mode = self.place.lstat().st_mode
            if stat.S_ISLNK(mode):
                return f"a symbolic link to {self.place.readlink()}"
            return "a folder" if stat.S_ISDIR(mode) else "a file" if stat.S_ISREG(mode) else "a device"
        return ""

    @property
    def data(self) -> bytes | None:
        """Its bytes, None for anything but a readable file."""
        with contextlib.suppress(ClawgitError):
            return content(self) if self.kind == "a file" else None
        return None

    @property
    def blob(self) -> Oid | None:
        """Git's id of its bytes, None for anything but a readable file."""
        data = self.data
        return None if data is None else repository.hash_blob(data)


def folder(repo: Repository) -> Path:
    """Return the folder of the items: in this clone alone, and never committed."""
    return repo.commondir / "clawgit" / "quarantine"


def items(repo: Repository) -> tuple[QuarantinedFile, ...]:
    """Return the kept items, oldest first; a folder that is not ours is skipped."""
    kept_items = list[QuarantinedFile]()
    for home in regular_file.list_folder(folder(repo)):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            values, place = json.loads(regular_file.read_state(home / _DESCRIPTION)), home / _CONTENT
            if is_id(home.name) and os.path.lexists(place):
                kept_items.append(QuarantinedFile(home.name, values["path"], values["first"], place))
    return tuple(sorted(kept_items, key=lambda item: (item.first, item.id)))


def content(item: QuarantinedFile) -> bytes:
    """Return the present bytes: a process with the file open may have written on. Raises ClawgitError."""
    try:
        with os.fdopen(worktree_files.open_quietly(item.place), "rb") as file:
            return worktree_files.read_handle(file.fileno(), str(item.place), _MAX_BYTES).data
    except OSError as exc:
        raise file_unreadable(f"cannot read {item.place}: {exc.strerror}", fix=Command("ls -l {}", item.place)) from exc


def discard(repo: Repository, name: str) -> None:
    """Forget an item, if there is one of this id."""
    if is_id(name):
        shutil.rmtree(folder(repo) / name, ignore_errors=True)


def put_back(repo: Repository, path: str, data: bytes | None, mode: int, time: datetime) -> QuarantinedFile | None:
    """Put `data` (None: no file) in the place of whatever is at `path`, and keep that; return it, None for nothing.

    One exchange: a reader sees the one or the other, and a process that has the old file open goes on writing into the
    kept one. The same bytes again are the same item. Raises OSError or ClawgitError if it cannot be done.
    """
    target, home = worktree_files.locate(repo, path, nested=True), folder(repo) / new_id()
    home.mkdir(parents=True, mode=0o700)
    folder(repo).chmod(0o700)  # the mode of mkdir is for the last folder alone
    item = QuarantinedFile(home.name, path, time.isoformat(), home / _CONTENT)
    try:
        if data is not None:
            worktree_files.write_temporary(item.place, data, mode, twin=target)
        # Only now: half a file that a killed process left here is no item.
        regular_file.save_state(home / _DESCRIPTION, {"path": path, "first": item.first})
        if data is None:
            worktree_files.remove(target, item.place)
        else:
            worktree_files.exchange(item.place, target)
    except BaseException:
        # Nothing was taken away: a copy a minute would fill the disk further.
        if not os.path.lexists(item.place) or (item.kind == "a file" and content(item) == data):
            discard(repo, item.id)
        raise
    if not os.path.lexists(item.place):
        discard(repo, item.id)
        return None
    worktree_files.sync_folder(home)
    twins = [twin for twin in items(repo) if twin.path == path and twin.id != item.id and twin.blob == item.blob]
    if item.blob and twins and locks.read_closed(item.place) is not None:  # else somebody may write on into it
        discard(repo, item.id)
        return twins[0]
    return item
