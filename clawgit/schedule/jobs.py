"""What each job does."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.schedule import timetable
from clawgit.schedule.bounded import CappedError, StoppedError
from clawgit.schedule.order import Did, Order
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.sessions.find import Found

FORGOTTEN = timedelta(days=90)
"""A proposal that expired so long ago is taken off the desk."""


class Ground(Struct, frozen=True):
    """The workspace, the order, and whether to end."""

    workspace: Workspace
    order: Order
    stop: Callable[[], bool]


def run(ground: Ground, did: Did) -> None:
    """Do the job, and note in `did` what it comes to. Raises ClawgitError; what was done before stays done."""
    ground.workspace.require_managed()
    work = JOBS.get(ground.order.job, _agent)
    try:
        work(ground, did)
    except StoppedError:
        did.result = "stopped"
        return
    except CappedError as exc:
        did.result, did.again = "capped", True
        did.notes.append(exc.message)
        return
    did.result = "done" if did.commits or did.waiting or did.result == "done" else "nothing"


def _capture(ground: Ground, did: Did) -> None:
    """Commit what others wrote, once they have paused."""
    from clawgit.git import committing  # noqa: PLC0415 - each job loads what it needs
    from clawgit.workspace.capturing import capture_and_enforce  # noqa: PLC0415

    workspace = ground.workspace
    if committing.commit_open(workspace.repo):
        did.again = True
        return
    now, seconds = workspace.clock().timestamp(), workspace.config.capture_quiet_seconds
    restless = [path for path in _changed(workspace) if not _rests(workspace.root / path, now, seconds)]
    done = capture_and_enforce(workspace, lambda path: path not in restless)
    did.notes += [f"{path} was put back as approved" for path in done.enforced.restored]
    did.notes += done.secrets
    if done.refusal:
        raise done.refusal
    outcome = done.outcome
    did.commits += [one.commit for one in outcome.captured if one.commit]
    did.notes += [f"{one.reason}; it stays uncommitted" for one in outcome.held]
    did.again = bool(restless)


def _changed(workspace: Workspace) -> Iterator[str]:
    from clawgit.workspace.uncommitted import uncommitted  # noqa: PLC0415

    return (one.path for one in uncommitted(workspace.repo, workspace.config.captured_globs))


def _rests(file: Path, now: float, seconds: float) -> bool:
    """Tell whether a file was last written a while ago; by a clock that was set back since, too."""
    try:
        return abs(now - file.lstat().st_mtime) >= seconds
    except OSError:
        return True


def _import(ground: Ground, did: Did) -> None:
    """Keep the conversations, and flag what no hook has flagged."""
    from clawgit.schedule import flagging  # noqa: PLC0415
    from clawgit.sessions import find, importing, stores  # noqa: PLC0415

    workspace = ground.workspace
    owners = [one.id for one in workspace.host.owners(workspace.root)]
    if not owners:
        return
    with stores.opened(workspace.state, os.environ) as store:
        done = importing.follow(workspace, store, _until(find.of_host(workspace.host, owners), ground.stop), owners[0])
        flagged = flagging.flag(workspace, store, ground.order.since)
    did.notes += [one.message for one in done.problems]
    if done.new or flagged:
        did.result = "done"
        did.notes.append(f"{done.new} messages are new, {flagged} flagged")


def _until(found: "Iterator[Found]", stop: Callable[[], bool]) -> "Iterator[Found]":
    for one in found:
        if stop():
            raise StoppedError("it was asked to end")
        yield one


def _agent(ground: Ground, did: Did) -> None:
    """Have an agent do its work."""
    from clawgit.schedule import agent_job  # noqa: PLC0415 - each job loads what it needs

    agent_job.run(ground.workspace, ground.order, ground.stop, did)


def _index(ground: Ground, did: Did) -> None:
    """Bring index and vectors up to the files."""
    from clawgit.search import enhanced, state  # noqa: PLC0415

    before = state.glance(ground.workspace)
    found = state.built(ground.workspace)
    enhanced.build(ground.workspace)
    did.result = "nothing" if before.fresh else "done"
    did.notes += [found.degraded] if found.degraded else []


def _hygiene(ground: Ground, did: Did) -> None:
    """Build the vectors anew: what is gone from the files leaves the store only so (spec §5.5, 3)."""
    from clawgit.search import enhanced  # noqa: PLC0415

    enhanced.build(ground.workspace, force=True)
    did.result = "done"


def _housekeeping(ground: Ground, did: Did) -> None:
    """Render the views, drop what has expired long ago, have git pack what is loose.

    What goes by age, git's own pruning too, waits while the clock may be wrong.
    """
    from clawgit.git import packing  # noqa: PLC0415
    from clawgit.workspace import compaction_log, machine_clock, rendering, seen_versions  # noqa: PLC0415

    workspace, failed = ground.workspace, list[ClawgitError]()
    now = workspace.clock()
    doubt = machine_clock.doubt(workspace)
    by_age: tuple[Callable[[], object], ...] = (
        lambda: did.notes.extend(_forgotten(workspace)),
        lambda: seen_versions.expire(workspace.repo, now),
        lambda: packing.pack(workspace.repo, ground.order.seconds),
    )
    parts: tuple[Callable[[], object], ...] = (
        lambda: rendering.render(workspace),
        lambda: compaction_log.again(workspace),
        *(() if doubt else by_age),
    )
    did.notes += [f"{doubt.message}: {doubt.fix}"] if doubt else []
    for part in parts:
        if ground.stop():
            raise StoppedError("it was asked to end")
        try:
            part()
        except ClawgitError as exc:
            failed.append(exc)
    did.result = "done"
    if failed:
        raise ClawgitError("; ".join(one.message for one in failed), fix=failed[0].fix)


def _forgotten(workspace: Workspace) -> Iterator[str]:
    """Take the proposals off the desk that expired long ago; yield a sentence for each."""
    from clawgit.git import references  # noqa: PLC0415
    from clawgit.workspace.desk import proposal  # noqa: PLC0415

    for one in list(proposal.waiting(workspace.repo)):
        if workspace.now() - one.expires > FORGOTTEN:
            references.drop(workspace.repo, f"{proposal.OPEN}{one.id}")
            yield f"proposal {one.id} expired on {one.expires:%Y-%m-%d}; it is off the desk: git show {one.commit.id}"


def _review(ground: Ground, did: Did) -> None:
    """Look what the journals of the week hold that could be kept for good, for the digest; nothing is changed."""
    from clawgit.agents import promotion  # noqa: PLC0415
    from clawgit.agents.promoting import reviewed  # noqa: PLC0415

    workspace = ground.workspace
    now = workspace.now()
    voice = promotion.voice(workspace)
    try:
        looked = promotion.review(workspace, now, voice)
    finally:
        did.cost = dict(voice.usage) if voice else {}
    found = looked.ready
    did.notes += looked.notes
    try:
        reviewed.save(workspace.state, now, found)
    except OSError as exc:
        raise ClawgitError(f"what was found cannot be noted: {exc}", fix="clawgit memory promote") from exc
    if found:
        did.result = "done"
        did.notes.append(f"{len(found)} note{'' if len(found) == 1 else 's'} could be kept for good")


def _digest(ground: Ground, did: Did) -> None:
    """Tell the operator what happened."""
    from clawgit.digest import send  # noqa: PLC0415

    workspace = ground.workspace
    sent = send.send(workspace, send.since_last(workspace, workspace.now()), os.environ)
    did.result = "nothing" if sent.outcome in ("empty", "before") else "done"
    did.notes.append(sent.words)


JOBS: dict[str, Callable[[Ground, Did], None]] = {
    timetable.CAPTURE: _capture,
    timetable.IMPORT: _import,
    timetable.INDEX: _index,
    timetable.HYGIENE: _hygiene,
    timetable.HOUSEKEEPING: _housekeeping,
    timetable.REVIEW: _review,
    timetable.DIGEST: _digest,
}
"""Those that are no agents."""
