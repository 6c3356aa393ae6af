"""`clawgit status`, `model`, `doctor` and `digest`."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins
from msgspec.structs import replace

from clawgit import clock
from clawgit.agents import agents
from clawgit.cli import agent_choice, connect_commands, render
from clawgit.cli.call import Call, looks_like_workspace
from clawgit.cli.connect_commands import program
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, agent_options
from clawgit.cli.output import progress
from clawgit.cli.render import HANG, Line, Span, count_noun, line, render_fix
from clawgit.connect import git_hooks
from clawgit.errors import ClawgitError, Exit, model_missing
from clawgit.findings import audit as auditing
from clawgit.findings import digest as digests
from clawgit.findings import digest_delivery
from clawgit.findings import status as findings
from clawgit.findings.checks.repository_checks import OWNERSHIP, check_git
from clawgit.findings.registry import CheckInput, Finding, examine
from clawgit.findings.status import CHECKS
from clawgit.git import repository
from clawgit.json_documents import Document, fields, finding_document, map_documents
from clawgit.language.dates import start_of
from clawgit.llm import model_clients, voices
from clawgit.llm.asking import Voice
from clawgit.llm.model import VOICE_SOCKET, Tried, load_voice_record, make_recorder, note_test
from clawgit.llm.voices import Chosen
from clawgit.safety.redaction import redact
from clawgit.schedule import runner_state
from clawgit.search import index_state
from clawgit.sessions import know_sessions
from clawgit.workspace import records, run_ledger, waiting_batches
from clawgit.workspace.workspace import Workspace, open_workspace, refuse_wrong

_WIDTH = 19


@command("clawgit doctor", "clawgit doctor --fix", "clawgit doctor --memory", apart={"memory": "fix right"})
@click.option(
    "--clock-is-right", "right", is_flag=True, help="Say that this machine's clock is right, whatever it was before."
)
@click.option(
    "--fix",
    is_flag=True,
    help="Make safe repairs: interrupted writes, stale index entries, locks that a dead git left.",
)
@click.option("--memory", is_flag=True, help="Score the memory, and list its doubtful lines.")
def doctor(call: Call, *, fix: bool, right: bool, memory: bool) -> int:
    """List every finding, and make safe repairs.

    Nothing is repaired without --fix. Exits with 3 when something is found. While the clock may be wrong nothing is
    removed by its age, such as old journals: --clock-is-right ends that. With --memory every entry of the memory file,
    of topic files and of journals is examined instead: each doubtful line comes with the reason and a command that
    helps. The score is 100 less the weighted shares of the findings.
    """
    if memory:
        return _audit_memory(call)
    folder = call.place()
    if right:
        workspace = open_workspace(folder)
        workspace.require_managed()
        clock.confirm(workspace.repo, workspace.clock())
    findings = []
    with progress(call.out, "reading history") as report_progress:
        for finding in _examine(folder, report_progress, fix=fix):
            findings.append(finding)
            if not call.out.as_json:
                call.out.lines(_draw_finding(finding))
    bad = sum(not finding.ok for finding in findings)
    if call.out.as_json:
        call.out.documents(map_documents(findings, "check ok message fix repaired key level paths line"))
    else:
        call.out.note(f"{count_noun(bad, 'thing')} to look at" if bad else "all is well")
    return Exit.FOUND if bad else Exit.DONE


def _examine(folder: Path, report: Callable[[int, int], None], *, fix: bool) -> Iterator[Finding]:
    """Yield the result of each check; for a folder without a repository, of those that apply."""
    try:
        workspace = Workspace(repository.find(folder))
        # The repository around it is another project, and its findings do not concern the folder.
        if looks_like_workspace(folder) and not looks_like_workspace(workspace.root):
            refuse_wrong(folder, "adopt")
    except ClawgitError as exc:
        # Without a repository only git itself can be checked.
        for finding in (*check_git(), Finding(exc.key, exc.message, exc.fix)):
            yield replace(finding, check="git" if finding.ok else "repository")
        return
    know_sessions(workspace)
    checks = (*CHECKS, git_hooks.check_hooks(program()), git_hooks.check_driver(program()), OWNERSHIP)
    yield from examine(checks, CheckInput(workspace, report), fix=fix)


def _draw_finding(finding: Finding) -> Iterator[Line]:
    mark = Span("•", "yellow") if finding.fix else Span("✓", "green")
    if not finding.ok:
        mark = Span("✗", "red" if finding.level == "alarm" else "yellow")
    message = f"repaired: {finding.message}" if finding.repaired else finding.message
    yield line(mark, " ", Span(f"{finding.check:<{_WIDTH}}", "bold"), "  ", HANG, message)
    if finding.fix:
        yield render_fix(_WIDTH + 4, finding.fix)


_MAX_OF_A_PART = 12


def _audit_memory(call: Call) -> int:
    """Print the score of the memory, and its doubtful lines."""
    with call.workspace(managed=True) as workspace:
        result = auditing.audit(workspace)
        scores = auditing.history(workspace)
        # A look at the page adds no score to the history.
        if not call.reads_only:
            auditing.record_audit(workspace, result)
    parts = [
        {
            **fields(part, "name looked", lost=round(part.lost, 2)),
            "found": [fields(flag, "path line text reason fix id", text=redact(flag.text)) for flag in part.found],
        }
        for part in result.parts
    ]
    document = {**fields(result, "score entries unknown"), "parts": parts}
    call.out.answer({**document, "history": map_documents(scores, "day score found")}, _draw_audit(document))
    return Exit.DONE


def _draw_audit(document: dict[str, Any]) -> Iterator[Line]:
    """Yield the score, and the findings under the title of each part."""
    yield from render.draw_record(document, "score entries unknown")
    for part in document["parts"]:
        if count := len(part["found"]):
            suffix = f", {_MAX_OF_A_PART} of them here; --json has every one" if count > _MAX_OF_A_PART else ""
            yield line(Span(f"{count} {auditing.TITLES[part['name']]}{suffix}", "yellow"))
            yield from render.draw_table(part["found"][:_MAX_OF_A_PART], "path line text reason fix")


@command(
    "clawgit digest",
    "clawgit digest --send",
    "CLAWGIT_WEBHOOK_URL=https://chat.example/hooks/1 clawgit digest --send",
)
@click.option("--since", type=Since(), metavar="DATE", help="From DATE on, whatever was sent before.")
@click.option("--send", "really", is_flag=True, help="Deliver it, unless it is empty or was told before.")
@agent_options
def digest(call: Call, since: date | datetime | None, agent: str | None, *, really: bool, all_agents: bool) -> int:
    """Print the news on one page: done, changed, waiting, due.

    Since the last digest that was sent, and since a day ago at least. Each item comes with the command that decides or
    reverts it. No secrets are in it, and words from outside are counted only.

    --send hands it to digest_command of CONFIG.md, else to CLAWGIT_WEBHOOK_URL, else to a file, once.
    """
    agent_choice.choose(call, agent, all_agents=all_agents)
    if all_agents:
        documents = agent_choice.describe_each_workspace(
            call, lambda workspace: _make_digest(workspace, since, really=really)
        )
        if call.out.as_json:
            call.out.document(documents)
        for item in () if call.out.as_json else documents:
            call.out.lines([line(Span(", ".join(item["agents"]), "bold"))])
            _tell_digest(call, item)
        return Exit.FAILED if all(item.get("unknown") for item in documents) else Exit.DONE
    with call.workspace() as workspace:
        document = _make_digest(workspace, since, really=really)
        # An unmanaged workspace needs no runner.
        is_run = (
            not workspace.managed or runner_state.find_runner_process(workspace.repo.commondir / "clawgit") is not None
        )
    if call.out.as_json:
        call.out.document(document)
        return Exit.DONE
    _tell_digest(call, document)
    if not (really or is_run):
        call.out.note("no runner is at work here: no digest is sent by itself; clawgit schedule install --apply")
    return Exit.DONE


def _make_digest(workspace: Workspace, since: date | datetime | None, *, really: bool) -> dict[str, Any]:
    """Return a digest in its JSON form, with its text, and its outcome if it was sent."""
    now = workspace.now()
    if since is None:
        news = digests.since_last(workspace, now)
    else:
        news = digests.make_digest(workspace, start_of(since, now.tzinfo), now)
    sent = digest_delivery.send(workspace, news, os.environ) if really else None
    names = "text details command?"
    return {
        **fields(news, "id workspace since until head empty"),
        **{part.name: map_documents(part.items, names) for part in news.parts},
        "unquoted": {part.name: part.unquoted for part in news.parts if part.unquoted},
        "text": digest_delivery.render_digest(news),
        "delivery": fields(sent, "outcome by? words file?") if sent else None,
    }


def _tell_digest(call: Call, document: Mapping[str, Any]) -> None:
    if document.get("unknown"):
        call.out.lines([line(f"unknown: {document['why']}"), line(document["fix"])])
    elif (delivery := document["delivery"]) is None:
        call.out.verbatim(document["text"])
    elif delivery["outcome"] in ("refused", "unsure"):
        call.out.warn(delivery["words"])
    else:
        call.out.lines([line(delivery["words"])])


_STATUS_COLUMNS = (
    "workspace managed branch alarms warnings uncommitted=dirty not_kept unread_commits? inbox unapproved=untrusted "
    "grown openclaw runner model=model.why problem=model.problem failure=model.failure batches=model.batches"
)


@command("clawgit status", "clawgit status --check && echo all is well", "clawgit status --all-agents")
@click.option(
    "--check", is_flag=True, help="Exit with 3 when something waits for you, such as an alarm or an item of the inbox."
)
@agent_options
def status(call: Call, agent: str | None, *, check: bool, all_agents: bool) -> int:
    """Show alarms and waiting items, and whether everything works.

    Nothing is touched. With --all-agents the workspaces of all agents of OpenClaw, one below the other; an unreadable
    one is unknown, and --check counts that as an open item.
    """
    agent_choice.choose(call, agent, all_agents=all_agents)
    if all_agents:
        documents = agent_choice.describe_each_workspace(call, _describe_status)
        columns = f"agents unknown=why fix {_STATUS_COLUMNS}"
        rows = (row for item in documents for row in (*render.draw_record(_present(item), columns), line("")))
        call.out.answer(documents, rows)
    else:
        with call.workspace() as workspace:
            documents = [_describe_status(workspace)]
            call.out.answer(documents[0], render.draw_record(_present(documents[0]), _STATUS_COLUMNS))
    return Exit.FOUND if check and any(map(_is_open, documents)) else Exit.DONE


_COUNTS = (
    ("inbox", "item", "", "clawgit inbox"),
    ("unread_commits", "commit", ", not yet scanned for secrets", "clawgit capture"),
)


def _present(document: Document) -> Document:
    """Return the state of a workspace for people: a word for nothing, and the commands that go on from here."""
    if document.get("unknown"):
        return document
    alarms = document["alarms"]
    assert isinstance(alarms, list)
    rows: dict[str, object] = {
        "dirty": document["dirty"] or "none",
        "alarms": [finding for finding in alarms if finding["level"] == "alarm"] or "none",
        "warnings": [finding for finding in alarms if finding["level"] != "alarm"] or None,
        "managed": None,  # an alarm names an unmanaged workspace
        "runner": document["runner"] or {"message": "none", "fix": "clawgit schedule install --apply"},
    }
    for key, word, more, fix in _COUNTS:
        if isinstance(count := document[key], int) and count:
            rows[key] = {"message": f"{count_noun(count, word)}{more}", "fix": fix}
    if isinstance(connection := document["openclaw"], Mapping):
        rows["openclaw"] = {key: connection[key] for key in ("state", "seen", "fix")}
    return {**document, **rows}


def _is_open(document: Document) -> bool:
    """Return whether something waits for the operator, or is unknown."""
    model = document.get("model")
    batches = model.get("batches") if isinstance(model, Mapping) else None
    return bool(batches) or any(document.get(key) for key in ("unknown", "dirty", "alarms", "inbox", "untrusted"))


def _describe_status(workspace: Workspace) -> dict[str, object]:
    state = findings.read_status(workspace)
    place = runner_state.find_place(workspace.root, os.environ)
    runner = runner_state.describe_runner(place, datetime.now().astimezone()) if place else "unknown"
    return {
        **fields(
            state,
            "workspace managed branch head dirty alarms corrections open_conflicts inbox proposals=inbox untrusted "
            "grown not_kept",
            alarms=[finding_document(finding) for finding in state.alarms],
            corrections={"total": state.corrections},
            untrusted=[finding_document(finding) for finding in state.untrusted],
            not_kept=fields(state.not_kept, "files ignored changed unknown"),
            unread_commits=state.unread if place else None,
        ),
        "search": _describe_search(workspace),
        "model": _describe_model(workspace),
        "runner": runner,
        "openclaw": connect_commands.describe_connection(workspace),
        "origins": to_builtins(records.count_origins(workspace)),
    }


def _describe_model(workspace: Workspace) -> Document | None:
    """Return the voice, and the waiting batches; None if CONFIG.md cannot be used, which is an alarm."""
    try:
        choice = voices.choose(workspace.config.value, os.environ, workspace.store)
    except ClawgitError:
        return None
    waits = waiting_batches.list_waiting_batches(workspace.store, workspace.clock())
    return {**_describe_voice(workspace, choice), "batches": [to_builtins(wait) for wait in waits]}


def _describe_search(workspace: Workspace) -> Document:
    """Return the state of the search; an index that is missing or behind does not matter, any search updates it."""
    state = index_state.read_state(workspace)
    try:
        tier = index_state.read_vectors(workspace, state).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    return {"tier": tier, "fresh": state.fresh, "chunks": state.chunks}


def _describe_voice(workspace: Workspace, choice: Chosen) -> dict[str, object]:
    """Return the voice, the reason for it, and its record."""
    record, voice = load_voice_record(workspace.store), choice.voice
    failure = record.failure if voice and record.failure and record.failure.voice == voice.name else None
    return {
        **fields(choice, "kind why"),
        "name": voice.name if voice else None,
        "provider": voice.provider or None if voice else None,
        "problem": fields(choice.problem, "message fix") if choice.problem else None,
        "test": to_builtins(record.tests.get(choice.kind)),
        "failure": to_builtins(failure),
    }


_RUNS = 5


@command("clawgit model", "clawgit model --test", "clawgit model --test --json")
@click.option("--test", "is_test", is_flag=True, help="Have it read a talk of two turns whose answer is known.")
def model(call: Call, *, is_test: bool) -> int:
    """Show which model reads, and whether it can.

    `llm` in CONFIG.md chooses it: `openclaw`, the model of your agent; the name of a model at CLAWGIT_LLM_URL; a
    command; or `rules`, none. `auto` is OpenClaw's model once it has passed the test. The test is a made-up talk:
    nothing of yours is shown to the model. Exits with 3 when the answer is not good enough, with 1 when none came.
    """
    with call.workspace(managed=is_test) as workspace:
        choice = voices.choose(workspace.config.value, os.environ, workspace.store, is_test=is_test)
        if is_test:
            return _test_voice(call, workspace, choice)
        runs = [run for run in run_ledger.ledger(workspace.store) if run.usage.get("calls")]
        # Of others nobody knows before they are asked.
        socket = workspace.store.folder / VOICE_SOCKET if choice.kind == "openclaw" else None
        document = {
            **_describe_voice(workspace, choice),
            "configured": workspace.config.value("llm"),
            "reachable": model_clients.reachable(socket) if socket else None,
            "runs": [{"agent": run.agent, "ended": run.ended, **run.usage} for run in runs[-_RUNS:]],
        }
        call.out.answer(document)
        is_connected = workspace.host.installed and workspace.host.owners(workspace.root)
        if is_connected and choice.kind in ("endpoint", "command"):
            call.out.note("it is another provider than the agent's own: what you said goes there, too")
    return Exit.DONE


def _test_voice(call: Call, workspace: Workspace, choice: Chosen) -> int:
    """Try a voice, note the result, and print it."""
    if choice.problem:
        raise choice.problem
    if choice.voice is None:
        raise model_missing(f"there is no model to try: {choice.why}", fix=model_clients.CONNECT)
    outcome, test = _try_voice(workspace, choice.voice)
    note_test(workspace.store, choice.kind, test)
    operations = map_documents(outcome.operations, "act turns text")
    call.out.answer(
        {"kind": choice.kind, **to_builtins(test), "said": outcome.said.text, "proposed": operations},
        shown="kind voice provider model proposed said seconds read written good why",
    )
    return Exit.DONE if outcome.good else Exit.FOUND


def _try_voice(workspace: Workspace, voice: Voice) -> tuple[agents.TrialOutcome, Tried]:
    start = workspace.now()
    try:
        outcome = agents.try_model(voice)
    except ClawgitError as exc:
        # `clawgit status` shows the last failure of the model.
        make_recorder(workspace.store, voice.name, workspace.now)(exc)
        raise
    usage, faults = outcome.usage, "; ".join(outcome.faults)
    moment = start.isoformat(timespec="seconds")
    cost = (round(usage.seconds, 2), usage.read, usage.written, usage.estimated)
    return outcome, Tried(voice.name, voice.provider, outcome.said.model, moment, outcome.good, faults, *cost)
