"""The checks of OpenClaw and of the language model."""

import contextlib
import os
from collections.abc import Iterator
from hashlib import sha256

from clawgit import file_roles
from clawgit.errors import Advice, Command
from clawgit.findings.registry import Check, CheckInput, Finding
from clawgit.llm import model, voices
from clawgit.openclaw import blank_forms, openclaw_files
from clawgit.openclaw.blank_forms import RETIRED
from clawgit.openclaw.host import Host
from clawgit.openclaw.openclaw_files import WriterRecord
from clawgit.workspace import records, trust_review, waiting_batches
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.file_contents import read_quietly
from clawgit.workspace.manifest import APART, is_shown
from clawgit.workspace.workspace import Workspace

_SET_MEMORY_FILE = f"clawgit config memory_file {APART}"


def check_openclaw(ground: CheckInput) -> Iterator[Finding]:
    """Yield the OpenClaw of this machine, and its problems."""
    workspace, host = ground.workspace, ground.workspace.host
    if not host.installed:
        yield Finding("openclaw-missing", "not found on this machine", level="notice")
        yield from _check_memory_place(workspace)
        return
    for problem in host.problems:
        yield Finding("openclaw-config", problem, Advice(f"edit {host.config.path}"))
    version = host.version
    words = f"version {version.text} ({version.found})" if version else "unknown version, taken for new"
    yield Finding("openclaw-version", words, level="notice")
    owners = [agent.id for agent in host.owners(workspace.root)]
    words = f"this is the workspace of {list_names(owners)}"
    if not owners and host.problems:
        words = "unknown whose workspace this is"
    elif not owners:
        others = list_names(f"{agent.workspace} (agent {agent.id})" for agent in host.agents)
        words = f"no agent works in this folder; they work in {others}"
    yield Finding("openclaw-owner", words, level="notice")
    yield from _retired(host, workspace)
    yield from _check_openclaw_records(workspace)


def check_forgotten(ground: CheckInput) -> Iterator[Finding]:
    """Yield memories that rest on conversations that OpenClaw forgot."""
    workspace = ground.workspace
    if not workspace.managed:
        return
    sessions, failures = workspace.host.forgotten(owner.id for owner in workspace.host.owners(workspace.root))
    for words in failures:
        yield Finding("openclaw-sessions", f"the forgotten sessions are unknown: {words}", Command("openclaw doctor"))
    if sessions:
        yield from _list_resting(workspace, sessions)
        yield from _list_dumps(workspace, sessions)


def _list_resting(workspace: Workspace, sessions: frozenset[str]) -> Iterator[Finding]:
    """Yield the forgotten sessions that changes cite which are not undone, unless they are tainted."""
    register = records.parse_register(workspace.read(records.TAINTED_PATH) or "")
    tainted = {taint.source.removeprefix(records.SESSION) for taint in register.taints.values()}
    subjects: dict[str, list[str]] = {}
    for record in records.list_standing(workspace):
        sources = {citation.pointer.partition("#")[0].removeprefix("session:") for citation in record.evidence}
        for name in sources & (sessions - tainted):
            subjects.setdefault(name, []).append(record.subject)
    for name, titles in subjects.items():
        words = f"OpenClaw forgot the session {name}; changes that rest on it: {len(titles)}, the newest: {titles[0]}"
        yield Finding("session-forgotten", words, Command("clawgit taint {}", f"session:{name}"))


def _list_dumps(workspace: Workspace, sessions: frozenset[str]) -> Iterator[Finding]:
    """Yield the files with a forgotten session word for word: OpenClaw does not always find them."""
    for place in sorted((workspace.root / "memory").glob("*.md")):
        path = f"memory/{place.name}"
        if file_roles.may_be_dump(path) and not place.is_symlink():
            with contextlib.suppress(OSError):
                head = openclaw_files.read_head(place, file_roles.DUMP_HEAD_BYTES)
                name = file_roles.read_dump_session(head)
                if name in sessions and file_roles.is_dump(path, head):
                    words = f"OpenClaw forgot the session {name}; {path} still holds it"
                    yield Finding("session-forgotten", words, Command("rm {} && clawgit capture", path), paths=(path,))


def _retired(host: Host, workspace: Workspace) -> Iterator[Finding]:
    """Yield the files that somebody wrote into, and that this OpenClaw shows no agent any more."""
    for path in RETIRED if host.version else ():
        text = trust_review.read_standing_text(workspace, path)
        if text is not None and not blank_forms.is_blank(path, text):
            words = f"{path} is not shown to the agent any more; OpenClaw's doctor moves what it holds"
            yield Finding("openclaw-caps", words, Command("openclaw doctor --fix"))


def _check_openclaw_records(workspace: Workspace) -> Iterator[Finding]:
    """Yield the consequences of OpenClaw's records on the writers of memory files, for them, and for ours."""
    ledger = workspace.host.ledger(workspace.root)
    if ledger.unknown:
        words = f"whether it keeps records of who writes the memory files is unknown: {ledger.unknown}"
        yield Finding("openclaw-plugin", words, Command(_SET_MEMORY_FILE, note="to be on the safe side"))
    if ledger.records:
        names = list_names(record.path for record in ledger.records)
        words = f"it records who wrote {names}; what others edit there may drop out of the prompt"
        yield Finding("openclaw-plugin", words, level="notice")
    for record in ledger.records:
        if is_shown(record.path):
            yield from _hazard(workspace, record)
    yield from _check_memory_place(workspace)


def _hazard(workspace: Workspace, record: WriterRecord) -> Iterator[Finding]:
    """Yield the state of a file that belongs into the prompt."""
    data = read_quietly(workspace.repo, record.path)  # that it cannot be read another check tells
    if record.writer == "untrusted":
        words = f"OpenClaw does not trust {record.path}: it is not in the prompt, only in its search"
        fix = Advice("move what the agent always needs to AGENTS.md")
        yield Finding("openclaw-plugin", words, fix, "alarm", (record.path,))
    elif data is not None and sha256(data).hexdigest() != record.hash:
        words = f"{record.path} was edited by others: when the agent rewrites it, OpenClaw drops it from the prompt"
        yield Finding("memory-place", words, Command("git log -p -- {}", record.path, note="and put back what it was"))


def _check_memory_place(workspace: Workspace) -> Iterator[Finding]:
    """Yield the places of our memories and journals if they are not the usual ones."""
    place = workspace.place
    if place.apart:
        goes = f"clawgit's memories go to {workspace.memory_file}, its journals to {place.journals}"
        words = f"{goes}, so that no edit of ours touches what it keeps records of"
        yield Finding("memory-place", words, level="notice")
        if is_shown(workspace.memory_file):
            words = f"OpenClaw has a record of memory_file {workspace.memory_file}"
            yield Finding("memory-place", words, Command(_SET_MEMORY_FILE))


_TEST = Command("clawgit model --test")


def check_model(ground: CheckInput) -> Iterator[Finding]:
    """Yield which model is asked, and whether it answers; nobody is asked for it. That there is none is a choice."""
    workspace = ground.workspace
    choice = voices.choose(workspace.config.value, os.environ, workspace.store)
    record = model.load_voice_record(workspace.store)
    if choice.problem:
        yield Finding(choice.problem.key, choice.problem.message, choice.problem.fix)
        return
    yield Finding("model-found", f"{choice.voice.name if choice.voice else choice.kind}: {choice.why}", level="notice")
    last = record.tests.get(choice.kind)
    if choice.voice and last and last.voice == choice.voice.name and not last.good:
        yield Finding("model-untested", f"it did not pass its test on {last.when[:10]}: {last.why}", _TEST)
    if record.failure and choice.voice and record.failure.voice == choice.voice.name:
        failure = record.failure
        yield Finding("model-failed", f"no answer on {failure.when[:16].replace('T', ' ')}: {failure.message}", _TEST)
    for batch in waiting_batches.list_waiting_batches(workspace.store, workspace.clock()):
        yield Finding("batch-waiting", batch.message, Advice(batch.fix))


CHECKS = (
    Check("OpenClaw", check_openclaw),
    Check("forgotten sessions", check_forgotten, "nothing rests on one", "repository", quick=True),
    Check("model", check_model, "rules alone"),
)
