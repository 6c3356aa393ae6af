"""Turns a change into commits, or refuses it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.git.chain import NewCommit
from clawgit.git.repository import Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.safety import paths
from clawgit.text.edit import append_block
from clawgit.workspace import capture, contents, entries, evidence, guard, manifest, message, scope
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.config import Config
from clawgit.workspace.evidence import Resolved
from clawgit.workspace.merging import merge_text

if TYPE_CHECKING:
    from clawgit.workspace.risk import Risk

Texts = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a plan depends on besides change and snapshot: the author's name and address, the moment, CONFIG.md."""

    repo: Repository
    author: tuple[str, str]
    when: datetime
    config: Config


class Planner:
    """One change on its way to a commit. `decide` may be asked again whenever the workspace has moved.

    Afterwards `changes` says whether the last plan does anything but capture, `files` which files it changes, and
    `risk` its grade if some of them are guarded.
    """

    def __init__(self, setting: Setting, change: Change) -> None:
        self.setting = setting
        self.change = replace(change, edits=tuple(replace(edit, path=paths.check(edit.path)) for edit in change.edits))
        sidecar = (entries.PATH,) if change.rows else ()
        self.paths = tuple(dict.fromkeys((*self.change.paths, *sidecar)))
        self.changes = False
        self.files: tuple[str, ...] = ()
        self.united: tuple[str, ...] = ()
        self.risk: Risk | None = None

    def decide(self, snapshot: Snapshot) -> Plan:
        """Return the commits that this change comes to. Raises ClawgitError to refuse it."""
        taken = capture.take(self.setting.repo, snapshot, self.paths)
        self.united = capture.united(snapshot, taken)
        now = {path: contents.decoded(path, data) for path, data in taken.items()}
        wanted = _edited(now, self.change)
        files = {path: text for path, text in wanted.items() if text != now[path]}
        self.changes = bool(files)
        self.files = tuple(path for path in files if not path.startswith(scope.OURS))
        manifest.check(self.change.agent, now, {path: files[path] for path in self.change.paths if path in files})
        for path, text in files.items():
            self._allow(snapshot, path, now[path], text)
        captured = capture.commit(snapshot, taken, self.setting.when)
        before = (captured,) if captured else ()
        if not files:
            return Plan(before)
        guard.check_words(self.change.why, "the reason")
        cited = evidence.resolve(self.setting.repo, snapshot.head, self.change.evidence)
        self.risk = _risk(now, files, self.change, self.setting.config)
        text = message.render(_message(self.change, cited, self.risk))
        data = {path: None if text is None else text.encode() for path, text in files.items()}
        commit = NewCommit(text, self.setting.author, self.setting.when, data)
        in_place = [path for path in files if (file := snapshot.disk[path]) and file.data == taken[path]]
        return Plan((*before, commit), _appended(self.change, now, files, in_place))

    def _allow(self, snapshot: Snapshot, path: str, before: str | None, after: str | None) -> None:
        known = "\n".join(edit.known for edit in self.change.edits if isinstance(edit, Edit) and edit.path == path)
        guard.check(path, before, after, known)
        if snapshot.committed[path] is None:
            capture.refuse_ignored(self.setting.repo, path)


def _edited(now: Texts, change: Change) -> dict[str, str | None]:
    wanted = dict(now)
    for edit in change.edits:
        there = wanted[edit.path]
        wanted[edit.path] = _appended_to(there, edit) if isinstance(edit, Append) else rebased(edit, there)
    if change.rows:
        there = now[entries.PATH]
        wanted[entries.PATH] = entries.render(
            entries.joined(entries.parse(there or ""), change.rows, forget=change.undoes)
        )
    return wanted


def _appended_to(there: str | None, edit: Append) -> str:
    return append_block(there, edit.block) if there is not None else append_block(edit.birth, edit.block)


def rebased(edit: Edit, now: str | None) -> str | None:
    """Return what the file becomes, now that it holds `now` and no longer what the edit was based on.

    Raises ClawgitError when both changed the same place.
    """
    if now in (edit.base, edit.text):
        return edit.text
    if now is None or edit.text is None:
        raise ClawgitError(f"{edit.path} has been {'deleted' if now is None else 'changed'} meanwhile", fix="try again")
    merged = merge_text(edit.path, edit.base, now, edit.text)
    if merged.text is None:
        raise ClawgitError(
            f"{edit.path} has been changed in the same place meanwhile", fix=f"read {edit.path}, then again"
        )
    return merged.text


def _appended(change: Change, now: Texts, files: Texts, in_place: Iterable[str]) -> dict[str, bytes]:
    """Return the blocks that can be written at the end of their files as these stand on disk."""
    blocks: dict[str, bytes] = {}
    for edit in change.edits:
        before, after = now[edit.path], files.get(edit.path)
        if before is None or after is None or edit.path not in in_place or not after.startswith(before):
            continue
        if isinstance(edit, Append):
            blocks[edit.path] = after[len(before) :].encode()
    return blocks


def _risk(now: Texts, files: Texts, change: Change, config: Config) -> "Risk | None":
    """Return the grade of what is guarded among `files`, the gravest with all its reasons; None where nothing is."""
    guarded = [path for path in files if scope.guarded(path)]
    if not guarded:
        return None
    from clawgit.workspace.risk import Risk, grade  # noqa: PLC0415 - most changes touch nothing that is guarded

    cited, cap = ["pointer" for _ in change.evidence], config.soul_max_tokens
    grades = [grade(now[path], files[path], origin=change.origin, evidence=cited, cap_tokens=cap) for path in guarded]
    reasons = dict.fromkeys(reason for found in grades for reason in found.reasons)
    return Risk("high" if reasons else "low", tuple(reasons))


def _message(change: Change, cited: Iterable[Resolved], risk: "Risk | None") -> message.Message:
    trailers: list[tuple[str, str]] = [
        ("Clawgit-Agent", guard.cleaned(change.agent or "")),
        ("Clawgit-Change", change.id),
        ("Clawgit-Undoes", change.undoes or ""),
        ("Origin", change.origin),
        ("Risk", _said(risk) if risk else ""),
        *(("Evidence", one.trailer) for one in cited),
    ]
    return message.Message(
        guard.cleaned(change.subject), change.why, tuple((key, value) for key, value in trailers if value)
    )


def _said(risk: "Risk") -> str:
    return f"{risk.level} ({'; '.join(risk.reasons)})" if risk.reasons else risk.level
