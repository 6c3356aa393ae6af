"""What differs from what the operator approved, and its acceptance."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field, to_builtins

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import blank_forms, file_contents, file_roles
from clawgit.workspace.config import Shown
from clawgit.workspace.migration import births
from clawgit.workspace.trust import arrived_programs, history_cut
from clawgit.workspace.workspace_base import WorkspaceBase

_DIGITS = 12


class Unapproved(Struct, frozen=True):
    """An identity file that is not as it was approved: its text then and now (None: no file)."""

    path: str
    approved: str | None
    text: str | None


class Changes(Struct, frozen=True):
    """What others changed besides: programs that came, with their fingerprints, and history.

    `cut` tells where history was cut off, `losses` are sentences about files that lost their text.
    """

    programs: Mapping[str, str] = field(default_factory=dict)
    cut: history_cut.Cut | None = None
    losses: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.losses or self.programs or self.cut)

    @property
    def told(self) -> tuple[str, ...]:
        """A sentence for each loss, one for all programs, and one for a cut."""
        programs = [arrived_programs.told(self.programs)] if self.programs else []
        return (*self.losses, *programs, *([self.cut.words] if self.cut else []))


class Review(Struct, frozen=True, dict=True):
    """All that differs from what was approved; `known` is False where nobody has approved anything yet.

    `keys` are the pinned keys of CONFIG.md whose values are not used; whoever asks adds the `changes`.
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
        """The hash of exactly what is shown."""
        files = [(file.path, file.approved, file.text) for file in self.files]
        keys = [(key.key.name, key.value, key.untrusted, dict(key.files)) for key in self.keys]
        changes = to_builtins(self.changes, order="deterministic", enc_hook=str)
        told = json.dumps([self.known, files, keys, changes], default=str)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def paths(workspace: WorkspaceBase) -> tuple[str, ...]:
    """Return the identity files that there are, or that were approved."""
    there = (path for path in file_roles.identity_files(workspace.root) if (workspace.root / path).is_file())
    return tuple(dict.fromkeys((*there, *workspace.trust.files)))


def review(workspace: WorkspaceBase) -> Review:
    """Return what differs, on disk, from what was approved; reads, and touches nothing."""
    unapproved = {one.path: one for one in _unapproved(workspace)}
    others = {path: Unapproved(path, said, text) for path, said, text in grown(workspace) if path not in unapproved}
    return Review(workspace.trust.known, (*unapproved.values(), *others.values()), list_keys(workspace))


def grown(workspace: WorkspaceBase) -> Iterator[tuple[str, str, str]]:
    """Yield what changed, and stands, since the operator approved it in so many words: path, text then, text now."""
    for path in paths(workspace):
        text, said = standing(workspace, path), workspace.trust.said(path)
        is_known = workspace.trust.known and text is not None and text != said
        if is_known and (workspace.trust.approves(path, text) or workspace.config.soul_policy == "evolve"):
            yield path, said or "", text or ""


def list_waiting(workspace: WorkspaceBase) -> list[str]:
    """Return the identity files that wait to be approved: no blank form, and none under `evolve`: there edits land."""
    if not workspace.trust.known or workspace.config.soul_policy == "evolve":
        return []
    agents = standing(workspace, file_roles.AGENTS)
    return [
        file.path
        for file in _unapproved(workspace)
        if not blank_forms.may_go(file.path, file.approved, file.text, agents)
        and (file.approved or not blank_forms.is_blank(file.path, file.text or ""))
    ]


def accept(workspace: WorkspaceBase, shown: Review) -> None:
    """Approve all that was shown, and have it used from now on. Raises ClawgitError when it cannot be kept."""
    if shown.of_identity:
        texts = {file.path: file.text for file in shown.files}
        config = {key.key.name: key.untrusted for key in shown.keys}
        workspace.trusted.approve(texts, config, {key.key.name: key.files for key in shown.keys if key.files})
    if shown.of_identity or shown.changes:
        workspace.follow({})  # others may not loosen what CONFIG.md says more strictly than the default
    workspace.approvals()


def approve_head(workspace: WorkspaceBase, *, adopting: bool = False) -> tuple[str, ...]:
    """Approve the identity files as they are committed; return a sentence where that is not done.

    A link is not: what it leads to is in no commit. What was approved here before goes on holding under review and
    locked, and for whoever is `adopting`: else to adopt anew would approve whatever stands there. Where CONFIG.md is as
    strict, nobody approves anything without a terminal.
    """
    arrived_programs.begin(workspace.repo, workspace.trusted)
    history_cut.follow(workspace.repo, workspace.trusted, workspace.tip)
    known = workspace.approvals()
    if known.known and (adopting or known.config.get("soul_policy", "evolve") != "evolve"):
        return ("what you approved here before goes on holding; to see what differs: clawgit trust",)
    if not workspace.attended and not _approves_alone(workspace):
        return ("nothing is approved, since soul_policy wants you to do that at a terminal: clawgit trust",)
    again = len(list(births(workspace.repo))) > 1
    regular = set(repository.files(workspace.repo, workspace.head)) if workspace.head else set()
    wanted = (path for path in paths(workspace) if path in regular and not (workspace.root / path).is_symlink())
    held = {path: file_contents.text_of(repository.read(workspace.repo, workspace.head, path)) for path in wanted}
    try:
        workspace.trusted.begin({path: text for path, text in held.items() if text is not None})
    except ClawgitError as exc:
        return (f"{exc.message}; nothing is approved until you say: clawgit trust",)
    workspace.approvals()
    workspace.follow({})
    if again and not workspace.attended:
        workspace.trusted.note_unattended("the workspace was adopted anew, and its identity approved", workspace.now())
    return ()


def _approves_alone(workspace: WorkspaceBase) -> bool:
    try:
        return workspace.config.soul_policy == "evolve" or workspace.config.approves_without_terminal
    except ClawgitError:  # of CONFIG.md: what it would say is unknown
        return False


def _unapproved(workspace: WorkspaceBase) -> Iterator[Unapproved]:
    for path in paths(workspace):
        text, approved = standing(workspace, path), workspace.trust.approved(path)
        if not workspace.trust.approves(path, text):
            yield Unapproved(path, approved, text)


def standing(workspace: WorkspaceBase, path: str) -> str | None:
    """Return what stands in a file: on disk, or where that is no text in HEAD."""
    try:
        return workspace.read(path)
    except ClawgitError:
        return file_contents.text_of(repository.read(workspace.repo, workspace.head, path))


def list_keys(workspace: WorkspaceBase) -> tuple[Shown, ...]:
    """Return the pinned keys of CONFIG.md whose values are not used."""
    try:
        return workspace.config.untrusted()
    except ClawgitError:  # of CONFIG.md: that is an alarm of its own
        return ()
