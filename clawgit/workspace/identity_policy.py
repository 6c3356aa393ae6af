"""What soul_policy makes of a change."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, Command, identity_locked
from clawgit.git import repository
from clawgit.workspace import blank_forms, file_roles
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.trust.approvals import Trust

if TYPE_CHECKING:
    from clawgit.workspace.change import Change
    from clawgit.workspace.risk import Risk
    from clawgit.workspace.write_setting import Setting


Bytes = Mapping[str, bytes | None]


class LockedError(ClawgitError):
    """An agent proposed a change of an identity that is locked."""


def waits(setting: "Setting", change: "Change", risk: "Risk") -> bool:
    """Return whether a change to the identity, graded `risk`, waits for the operator instead of landing (spec T1).

    What a caller asks for in his own name does not, if he sits at a terminal: whatever runs as his user can call in his
    name. Raises ClawgitError where he does not, and where agents may not even propose.
    """
    if change.agent is None:
        refuse_unattended(setting)
        return False
    if setting.config.soul_policy == "locked":
        raise LockedError(
            "identity-locked",
            f"the identity is locked: {change.agent} may not propose a change to it",
            fix=Command("clawgit config set soul_policy review", note="and then: clawgit trust"),
        )
    return setting.config.soul_policy == "review" or risk.level == "high"


def refuse_unattended(setting: "Setting") -> None:
    """Raise ClawgitError where only the operator himself may decide, and nobody sits there (review and locked)."""
    policy = setting.config.soul_policy
    if policy == "evolve" or setting.attended or setting.config.approves_without_terminal:
        return
    raise identity_locked(
        f"soul_policy is {policy}: a change to the identity is yours alone, and there is no terminal to ask you at",
        fix=Advice("run it at a terminal, or add --propose to let it wait"),
    )


def never_back(path: str) -> bool:
    """Return whether OpenClaw keeps records of a file, and drops it from the prompt after an edit from outside."""
    return file_roles.role_name(path) == file_roles.USER


def refused(setting: "Setting", found: Bytes, before: Bytes) -> dict[str, bytes | None]:
    """Return what goes back into those files of `found` that others changed and that may not stand, by path.

    `before` is what they held before. What was approved goes back, or what a caller asked for since; where nobody has
    approved anything yet, what they held before.
    """
    if setting.config.soul_policy == "evolve":
        return {}
    return {path: back for path, data in found.items() for back in _back(setting, path, before[path], data)}


def _back(setting: "Setting", path: str, before: bytes | None, now: bytes | None) -> Iterator[bytes | None]:
    """Yield what goes back into one file, nothing if what it holds may stand."""
    gone = blank_forms.may_go(path, text_of(before), text_of(now))
    if gone or not file_roles.guarded(path) or never_back(path):
        return
    if not setting.trust.known:
        yield from () if before is None or now == before else (before,)
    elif not setting.trust.admits(path, text_of(now)):
        approved = setting.trust.approved(path)
        kept = before is not None and setting.trust.admits(path, text_of(before))
        yield before if kept else None if approved is None else approved.encode()


def unadmitted(setting: "Setting", head: str | None, paths: Iterable[str]) -> Iterator[str]:
    """Yield those of the identity files at `paths` that hold in `head` what may not stand there."""
    held = {path: repository.read(setting.repo, head, path) for path in paths}
    yield from refused(setting, held, dict.fromkeys(held))


Texts = Mapping[str, str | None]


class Boundary(Struct, frozen=True):
    """A line of `path`, as the operator approved it in so many words, that the file no longer holds, or holds weakened.

    `line` is its 1-based number in what was approved, `instead` the new line that comes nearest to it, "" for none.
    """

    path: str
    line: int
    text: str
    weakened: bool
    instead: str

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by, whatever becomes of the file."""
        return self.path, " ".join(self.text.split())

    @property
    def fate(self) -> str:
        """What became of it, in words; they repeat words of the file."""
        state = f"now {_quoted(self.instead)}" if self.instead else "weakened" if self.weakened else "gone"
        return f"{self.said} is {state}"

    @property
    def said(self) -> str:
        """Its words, which the operator approved, in quotation marks."""
        return _quoted(self.text)


def _quoted(line: str) -> str:
    from clawgit.workspace.risk import quote  # noqa: PLC0415 - only where something is lost

    return f'"{quote(line.strip().lstrip("-*+> "))}"'


def lost(trust: Trust, path: str, text: str | None, operator: Collection[str]) -> tuple[Boundary, ...]:
    """Return the boundaries of a file that do not stand in `text` as they were approved, in the order of their lines.

    It is held against what the operator approved in so many words, so that many small edits are told as one large one
    is. None where nothing was approved, and of a file that is gone: that is an alarm of its own.
    """
    said = trust.said(path)
    if not trust.known or said is None or text is None or text == said or blank_forms.may_go(path, said, text):
        return ()
    from clawgit.safety import normalise, protected_lines  # noqa: PLC0415 - most files are as they were approved
    from clawgit.workspace.risk import EVERYDAY  # noqa: PLC0415

    notes = file_roles.role_name(path) in EVERYDAY
    names = {*operator, *(() if notes else normalise.served_names(said))}
    rows = said.split("\n")
    held = {" ".join(row.split()) for row in rows}
    fresh = [row for row in text.split("\n") if row.strip() and " ".join(row.split()) not in held]
    found: dict[int, bool] = {}
    protected = set(trust.protected(path))
    binding = [number for number, row in enumerate(rows, 1) if row in protected]
    for one in protected_lines.lost(said, text, binding, names, notes=notes):
        found[one.line] = found.get(one.line, False) or one.weakened
    return tuple(
        Boundary(path, line, rows[line - 1], weakened, protected_lines.nearest(rows[line - 1], fresh))
        for line, weakened in sorted(found.items())
    )


class Touched(Struct, frozen=True):
    """A boundary that an edit has weakened, `again` where it was weakened before."""

    boundary: Boundary
    again: bool


def touched(trust: Trust, before: Texts, after: Texts, operator: Collection[str]) -> Iterator[Touched]:
    """Yield the boundaries that an edit from `before` to `after` has weakened, or changed once more."""
    for path, text in after.items():
        if path in trust.files and text != before.get(path):
            known = set(lost(trust, path, before.get(path), operator))
            keys = {one.key for one in known}
            found = (one for one in lost(trust, path, text, operator) if one not in known)
            yield from (Touched(one, one.key in keys) for one in found)


def whole(trust: Trust, path: str, operator: Collection[str]) -> str | None:
    """Return the newest text that may count as approved and keeps every boundary, None for no file.

    That is what grew at a low grade since the operator approved the file, unless it lost something on the way.
    """
    text = trust.approved(path)
    return trust.said(path) if lost(trust, path, text, operator) else text
