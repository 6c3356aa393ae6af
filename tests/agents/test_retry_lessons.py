"""The lessons agent: what failed and worked otherwise becomes a record that is found again."""

import json

import pytest

from clawgit.agents import running
from clawgit.agents.retry_lessons import PATH, RetryLessons
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.sessions.transcript import Call
from clawgit.workspace import decide
from clawgit.workspace.decide import view

from .talk import NOON

DEPLOY = [
    ("npm run deploy --env stage", "npm ERR! unknown option '--env'\n\n(Command exited with code 1)"),
    ("npm run deploy -- --env staging", "deployed in 41 s"),
]


def work(talk, asked, steps, *, session="s1", first=0):
    """Have the operator ask for something, and the agent run commands for it."""
    events = []

    def add(role, text, *, tool="", calls=(), failed=False):
        number = first + len(events)
        origin = "operator" if role == "user" else "agent"
        events.append(
            Event(
                f"e{number}",
                "",
                number,
                NOON + number,
                role,
                origin,
                text,
                NOON + number,
                tool,
                failed,
                calls,
                digest(role, text),
            )
        )

    add("user", asked)
    for command, result in steps:
        add("assistant", "", calls=(Call("exec", json.dumps({"command": command})),))
        add("tool", result.removeprefix("!"), tool="exec", failed=result.startswith("!"))
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        here = Session(session, "main", f"agent:main:{session}", "direct", "telegram", NOON)
        store.meet(here)
        store.take(here, "file", events, f"{session}.jsonl", {})
    return first + len(events)


def run(talk):
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        return running.apply(RetryLessons(store), talk.workspace)


def waiting(talk):
    return talk.workspace.store.read_items("open")


def accept(talk, item):
    decide.accept(talk.workspace, item.id, view(talk.workspace, item).digest)


def test_a_lesson_waits_with_what_was_asked_what_failed_what_worked_and_why(talk):
    work(talk, "Deploy the site to staging.", DEPLOY)
    (change, applied) = run(talk).applied[0]
    assert applied.commit is None
    assert change.evidence[0].startswith("session:")
    assert not (talk.root / PATH).exists()
    (item,) = waiting(talk)
    assert (item.kind, item.agent, item.paths) == ("memory", "lessons", (PATH,))
    accept(talk, item)
    rows = talk.text(PATH).splitlines()
    assert rows[0] == "# Lessons from mistakes"
    assert rows[2].endswith(" 2026-05-04 session:main/s1#e4")
    assert rows[4] == (
        "Scenario: Deploy the site to staging. Wrong: `npm run deploy --env stage` "
        "Right: `npm run deploy -- --env staging` Why: npm ERR! unknown option '--env'"
    )


def test_what_was_rejected_or_deleted_does_not_come_back(talk):
    end = work(talk, "Deploy the site to staging.", DEPLOY)
    run(talk)
    decide.reject(talk.workspace, waiting(talk)[0].id)
    end = work(talk, "Deploy again.", DEPLOY, first=end)
    assert run(talk).applied == []
    run(talk)
    talk.write(PATH, "# Lessons from mistakes\n")
    work(talk, "Thanks.", [], first=end)
    assert run(talk).applied == []
    assert talk.text(PATH) == "# Lessons from mistakes\n"


def test_no_secret_of_a_call_is_kept(talk):
    command = "curl -H 'Authorization: Bearer ghp_0123456789abcdefABCDEF0123456789abcd' x"
    steps = [(command, "!curl: (6) no such host x"), (command.replace("x", "xy.example.org"), "ok")]
    work(talk, "Get it.", steps)
    run(talk)
    text = "".join(item.texts[PATH][1] for item in waiting(talk))
    assert "ghp_" not in text


@pytest.mark.parametrize("kind", ["cron", "group"])
def test_what_others_have_the_agent_do_teaches_nothing(talk, kind):
    work(talk, "Deploy the site to staging.", DEPLOY)
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        store.meet(Session("s1", "main", f"agent:main:{kind}:s1", kind, "telegram", NOON))
    assert run(talk).applied == []


def test_a_session_that_shares_its_id_with_a_group_of_another_agent_is_not_cited(talk):
    work(talk, "Deploy the docs, please.", DEPLOY)
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        group = Session("s1", "other", "agent:other:s1", "group", "telegram", NOON)
        store.meet(group)
        store.take(group, "file", [Event("g1", "", 0, NOON, "user", "untrusted", "Hello")], "other.jsonl", {})
        lessons = running.preview(RetryLessons(store), talk.workspace)
    assert [change.evidence for change in lessons.proposed] == [()]
