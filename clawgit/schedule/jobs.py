"""The work of each job."""

import contextlib
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from msgspec import Struct, to_builtins

from clawgit.agents import agents, conflict_detector
from clawgit.errors import ClawgitError, job_failed
from clawgit.git import git_state, history, repository_health
from clawgit.llm.model import Budget
from clawgit.messages.triage import VALIDATOR, file_flag, list_flags, read_patterns, triage
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog, Span
from clawgit.reading.operations import ROLES
from clawgit.schedule import job_timetable
from clawgit.schedule.job_process import Did, Order, StoppedError, require_going
from clawgit.sessions import chat_store, know_sessions, openclaw_sessions, session_import
from clawgit.sessions.chat_store import ChatStore
from clawgit.sessions.openclaw_sessions import TranscriptFile
from clawgit.sync import synchronising
from clawgit.workspace import commit_message, run_ledger
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.workspace import Workspace


class JobInput(Struct, frozen=True):
    """The workspace, the order, and whether to end."""

    workspace: Workspace
    order: Order
    stop: Callable[[], bool]

    def require_going(self) -> None:
        """Raise StoppedError if the job was asked to end."""
        require_going(self.stop, self.order.job)

    @property
    def budget(self) -> Budget:
        """The budget for a model."""
        # Half of the time is left for all work besides the model.
        return Budget(self.order.tokens, self.order.seconds / 2)


def _run_agent(ground: JobInput, did: Did) -> None:
    """Have an agent do its work; what was decided and did not land lands in the next run. Raises ClawgitError."""
    workspace, name, budget = ground.workspace, agents.find_agent_name(ground.order.job), ground.budget
    ground.require_going()
    before, started = workspace.head, workspace.now().isoformat()
    runs = len(run_ledger.ledger(workspace.store))
    with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
        workspace.conversations = store.turn
        try:
            going, slot = ground.require_going, name != VALIDATOR
            outcome = agents.run_agent(workspace, store, name, budget=budget, require_going=going, slot=slot)
        finally:
            # A failed run has costs and commits, too.
            did.cost = to_builtins(budget.used)
            did.commits += _since(workspace, before, *(ROLES if name in ROLES else (name,)))
            did.noted = len(run_ledger.ledger(workspace.store)) > runs
    did.waiting = sum(change.proposal is not None for _, change in outcome.applied)
    did.notes += outcome.notes
    if name != VALIDATOR and not did.noted:
        notes = tuple(outcome.notes) or ("nothing to read",)
        ran = Ran(name, started, workspace.now().isoformat(), notes=notes, usage=did.cost)
        run_ledger.note(workspace.store, ran)
        did.noted = True


def _since(workspace: Workspace, before: str | None, *names: str) -> list[str]:
    """Return the commits of these agents since a commit, oldest first: also those of a run that failed in the end."""
    with contextlib.suppress(ClawgitError):
        commits = history.walk_log(workspace.repo, start=f"{before}..HEAD" if before else "HEAD")
        ours = [
            commit.id
            for commit in commits
            if commit_message.parse_message(commit.message).get("Clawgit-Agent") in names
        ]
        return ours[::-1]
    return []


NAME = "triage"
"""As whom it notes how far it has read."""
_REPEAT_SECONDS = 86_400.0


def flag(workspace: Workspace, store: ChatStore, since: float) -> int:
    """File the operator's messages from `since` on (seconds since 1970) that match patterns; return their number.

    Older messages are left to the memory miner, which reads all of them. A message that is in the inbox already, filed
    by a hook or by a run that was killed, is not filed twice.
    """
    patterns = read_patterns(workspace.config).patterns
    filed: dict[str, list[float]] = {}
    for message_flag in list_flags(workspace.store):
        filed.setdefault(message_flag.text, []).append(datetime.fromisoformat(message_flag.at).timestamp())
    count, spans = 0, dict[str, tuple[Span, ...]]()
    message_backlog = Backlog(store, [backlog.load_read(workspace, NAME)], workspace.now())
    for talk, messages in message_backlog.list_messages():
        spans |= talk.reach()
        for message in messages:
            if message.origin != "operator" or not message.time or message.time < since:
                continue
            is_filed = any(abs(time - message.time) <= _REPEAT_SECONDS for time in filed.get(message.text, ()))
            if not is_filed and triage(message.text, patterns).matches:
                moment = datetime.fromtimestamp(message.time, UTC)
                file_flag(workspace.store, message.text, moment, message.session)
                filed.setdefault(message.text, []).append(message.time)
                count += 1
    backlog.save_read(workspace, NAME, spans, "")
    return count


def run_job(ground: JobInput, did: Did) -> None:
    """Do the job, and note the outcome in `did`. Raises ClawgitError; earlier results stay."""
    ground.workspace.require_managed()
    try:
        JOBS.get(ground.order.job, _run_agent)(ground, did)
    except StoppedError:
        did.result = "stopped"
        return
    did.result = "done" if did.commits or did.waiting or did.result == "done" else "nothing"


def _run_capture(ground: JobInput, did: Did) -> None:
    """Commit edits of others, once they have paused, and compare them with the corrections."""
    from clawgit.workspace.capture_and_enforce import capture_and_enforce, list_rested  # noqa: PLC0415

    workspace = ground.workspace
    know_sessions(workspace)
    # Somebody may still write the message of a commit with these files.
    if git_state.commit_open(workspace.repo):
        did.again = True
        return
    _, restless = list_rested(workspace)
    result = capture_and_enforce(workspace, lambda path: path not in restless)
    did.notes += [f"{item.path} was put back as approved" for item in result.enforced.returned]
    did.notes += result.secrets
    if result.refusal:
        raise result.refusal
    did.commits += [capture.commit for capture in result.captured if capture.commit]
    if conflicts := conflict_detector.supersede_repeated_errors(workspace):
        did.commits += [conflicts[0].commit] if conflicts[0].commit else []
    did.notes += [f"{error.message}; it stays uncommitted" for error in result.held.values()]
    did.again = bool(restless)


def _import(ground: JobInput, did: Did) -> None:
    """Import the conversations, and flag messages that no hook has flagged."""
    workspace = ground.workspace
    owners = [owner.id for owner in workspace.host.owners(workspace.root)]
    if not owners:
        return
    with chat_store.open_chat_store(workspace.store, os.environ) as store:

        def list_until_stopped() -> Iterator[TranscriptFile]:
            for transcript in openclaw_sessions.list_transcripts_of_host(workspace.host, owners):
                ground.require_going()
                yield transcript

        result = session_import.import_transcripts(workspace, store, list_until_stopped())
        flagged = flag(workspace, store, ground.order.since)
    did.notes += [problem.message for problem in result.problems]
    if result.new or flagged:
        did.result = "done"
        did.notes.append(f"{result.new} messages are new, {flagged} flagged")


def _index(ground: JobInput, did: Did) -> None:
    """Bring index and vectors up to the files."""
    from clawgit.search import index_state, meaning  # noqa: PLC0415

    before = index_state.read_state(ground.workspace)
    index_state.build_index(ground.workspace)
    meaning.build_vectors(ground.workspace)
    did.result = "nothing" if before.fresh else "done"


def _hygiene(ground: JobInput, did: Did) -> None:
    """Remove the vectors of removed texts, and of entries after their days of grace (spec §5.5, 3)."""
    from clawgit.search import meaning  # noqa: PLC0415

    meaning.build_vectors(ground.workspace)
    did.result = "done"


def _housekeeping(ground: JobInput, did: Did) -> None:
    """Render the views, drop expired data, let git pack loose objects.

    Removal by age, git's own pruning too, waits while the clock may be wrong.
    """
    from clawgit import clock  # noqa: PLC0415
    from clawgit.workspace import changelog, seen_versions  # noqa: PLC0415

    workspace, failed = ground.workspace, list[ClawgitError]()
    now = workspace.clock()
    doubt = clock.find_clock_fault(workspace.repo, now)
    parts: list[Callable[[], object]] = [lambda: changelog.refresh_views(workspace)]
    if doubt:
        did.notes.append(f"{doubt.message}: {doubt.fix}")
    else:
        parts += [
            lambda: workspace.store.shrink_log(now),
            lambda: seen_versions.expire(workspace.repo, now),
            lambda: repository_health.pack(workspace.repo, ground.order.seconds),
        ]
    for part in parts:
        ground.require_going()
        try:
            part()
        except ClawgitError as exc:
            failed.append(exc)
    did.result = "done"
    if failed:
        raise job_failed("; ".join(error.message for error in failed), fix=failed[0].fix)


def _review(ground: JobInput, did: Did) -> None:
    """Look for lasting notes in the journals of the week, and audit memory; for the digest, nothing is changed."""
    from clawgit.findings import audit  # noqa: PLC0415
    from clawgit.memory import promote  # noqa: PLC0415

    workspace = ground.workspace
    now = workspace.now()
    notes = promote.gather(workspace, promote.Wanted(), now).ready
    workspace.store.save_document(promote.REVIEW, promote.Reviewed(now, len(notes)))
    audit.record_audit(workspace, audit.audit(workspace))
    if notes:
        did.result = "done"
        did.notes.append(f"{len(notes)} note{'' if len(notes) == 1 else 's'} could be kept for good")


def _sync(ground: JobInput, did: Did) -> None:
    """Merge the memories of several machines."""
    workspace = ground.workspace
    place = synchronising.exchange(workspace, None, None)
    result = synchronising.sync(workspace, place)
    did.commits += [result.landed.commit] if result.landed.commit else []
    did.waiting = len({*result.landed.waiting, *result.taken.waiting})
    did.commits += result.taken.commits
    did.notes += result.notes
    if result.problems:
        raise job_failed("; ".join(problem.message for problem in result.problems), fix=result.problems[0].fix)
    did.result = "done" if result.published else did.result


def _run_digest(ground: JobInput, did: Did) -> None:
    """Send the digest to the operator."""
    from clawgit.findings import digest, digest_delivery  # noqa: PLC0415

    workspace = ground.workspace
    sent = digest_delivery.send(workspace, digest.since_last(workspace, workspace.now()), os.environ)
    did.result = "nothing" if sent.outcome in ("empty", "before") else "done"
    did.notes.append(sent.words)


JOBS: dict[str, Callable[[JobInput, Did], None]] = {
    job_timetable.CAPTURE: _run_capture,
    job_timetable.IMPORT: _import,
    job_timetable.INDEX: _index,
    job_timetable.HYGIENE: _hygiene,
    job_timetable.HOUSEKEEPING: _housekeeping,
    job_timetable.REVIEW: _review,
    job_timetable.SYNC: _sync,
    job_timetable.DIGEST: _run_digest,
}
"""Those that are no agents."""
