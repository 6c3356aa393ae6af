"""Holds staged identity files against what was approved."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clawgit.git.churn import Touch
from clawgit.git.repository import Repository
from clawgit.integrations.precommit import Problem
from clawgit.workspace import unset
from clawgit.workspace.trust import place

if TYPE_CHECKING:
    from clawgit.workspace.setting import Setting

_POLICY = "soul_policy"


def problems(repo: Repository, staged: Sequence[Touch]) -> Iterator[Problem]:
    """Yield what soul_policy has against staged identity files.

    They are not graded: whoever commits would be told, which is the agent as a rule; the next capture tells the
    operator. Every commit to the identity waits for this, so libgit2 is not loaded, and where nobody has ever set the
    policy, neither is what reads it.
    """
    pinned = place.file(repo.commondir, os.environ)
    if unset.unset(repo.root, _POLICY) and not unset.holds(pinned, f'"{_POLICY}"'):  # its texts have no bare quotes
        return
    setting = _setting(repo)
    if setting.config.soul_policy != "evolve":
        yield from _refused(setting, staged)


def _setting(repo: Repository) -> "Setting":
    from datetime import datetime  # noqa: PLC0415

    from clawgit.workspace import config  # noqa: PLC0415
    from clawgit.workspace.setting import Setting  # noqa: PLC0415
    from clawgit.workspace.trust.store import TrustStore  # noqa: PLC0415

    trust = TrustStore(repo.commondir, os.environ).readable()
    return Setting(repo, datetime.now().astimezone(), config.load(repo.root, lambda: trust.config), trust=trust)


def _refused(setting: "Setting", staged: Sequence[Touch]) -> Iterator[Problem]:
    from clawgit.git.command import blobs  # noqa: PLC0415
    from clawgit.git.operation import operation_under_way  # noqa: PLC0415
    from clawgit.workspace import policy  # noqa: PLC0415

    found = blobs(setting.repo.root, [oid for touch in staged for oid in (touch.before, touch.after) if oid])
    before = {touch.path: found[touch.before] if touch.before else None for touch in staged}
    after = {touch.path: found[touch.after] if touch.after else None for touch in staged}
    midway = operation_under_way(setting.repo) is not None
    for path in policy.refused(setting, after, before):
        words = f"{path} is not as it was approved, and soul_policy is {setting.config.soul_policy}"
        yield Problem(words, "clawgit trust   # and commit again; or: git commit --no-verify", refused=not midway)
