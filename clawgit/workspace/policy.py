"""What soul_policy makes of changes to the identity."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import scope
from clawgit.workspace.contents import text_of

if TYPE_CHECKING:
    from clawgit.workspace.change import Change
    from clawgit.workspace.risk import Risk
    from clawgit.workspace.setting import Setting

NEVER_BACK = frozenset({"USER.md"})
"""OpenClaw keeps records of it, and drops it from the prompt after an edit from outside."""

Bytes = Mapping[str, bytes | None]


def waits(setting: "Setting", change: "Change", risk: "Risk") -> bool:
    """Tell whether a change to the identity, graded `risk`, waits for the operator instead of landing (spec T1).

    What a caller asks for in his own name does not, if he sits at a terminal: whatever runs as his user can call in his
    name. Raises ClawgitError where he does not, and where agents may not even propose.
    """
    if change.agent is None:
        refuse_unattended(setting)
        return False
    if setting.config.soul_policy == "locked":
        raise ClawgitError(
            f"the identity is locked: {change.agent} may not propose a change to it",
            fix="clawgit config set soul_policy review   # and then: clawgit trust",
        )
    return setting.config.soul_policy == "review" or risk.level == "high"


def refuse_unattended(setting: "Setting") -> None:
    """Raise ClawgitError where only the operator himself may decide, and nobody sits there (review and locked)."""
    policy = setting.config.soul_policy
    if policy == "evolve" or setting.attended or setting.config.approves_without_terminal:
        return
    raise ClawgitError(
        f"soul_policy is {policy}: a change to the identity is yours alone, and there is no terminal to ask you at",
        fix="run it at a terminal, or add --propose to let it wait",
    )


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
    may_stand = not scope.guarded(path) or path in NEVER_BACK or (now is None and path in scope.MAY_GO)
    if may_stand:
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


def harmless(setting: "Setting", path: str, text: str | None) -> bool:
    """Tell whether a file's new text may count as approved: it differs from what was by a low grade at most.

    It may not where it weakens what the operator approved in so many words, in however many steps.
    """
    from clawgit.workspace import boundaries, grading  # noqa: PLC0415

    trust = setting.trust
    if trust.approves(path, text) or (text is None and path in scope.MAY_GO):
        return True
    if not trust.known:
        return False
    if text is not None and text == trust.said(path):
        return True
    low = grading.of_file(setting, path, trust.approved(path), text).level == "low"
    return low and not boundaries.lost(trust, path, text, setting.operator())
