"""What failed, was tried otherwise, and worked."""

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from clawgit.sessions.chat_store import Message
from clawgit.sessions.tool_retries import MOST_TURNS, attempts, error_line, retries
from clawgit.sessions.transcript import Call

CORPUS = Path(__file__).resolve().parents[2] / "corpora/retries.fresh.toml"


def conversation(said: str, steps: Iterable[Sequence[str]]) -> list[Message]:
    """Return the messages of a request and the calls made for it, each with its result.

    A step with one text is what the operator said next.
    """
    found = [Message("s", "asked", "user", "operator", said, 0.0)]
    for number, step in enumerate(steps):
        if len(step) == 1:
            found.append(Message("s", f"said{number}", "user", "operator", step[0], number + 1.0))
            continue
        tool, arguments, result = step
        told = arguments if arguments.startswith("{") else json.dumps({"command": arguments})
        failed = result.startswith("!")
        found += [
            Message("s", f"call{number}", "assistant", "agent", "", number + 1.0, calls=(Call(tool, told),)),
            Message("s", f"result{number}", "tool", "agent", result.removeprefix("!"), number + 1.5, tool, failed),
        ]
    return found


def learnt(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(one.wrong.event, one.right.event) for one in retries(messages)]


def test_most_of_what_can_be_learnt_is_found() -> None:
    wanted, answers = set[tuple[int, int, int]](), set[tuple[int, int, int]]()
    for number, case in enumerate(tomllib.loads(CORPUS.read_text("utf-8"))["case"]):
        wanted |= {(number, first, second) for first, second in case["lessons"]}
        pairs = learnt(conversation(case["said"], case["steps"]))
        answers |= {(number, int(first[6:]), int(second[6:])) for first, second in pairs}
    assert len(wanted & answers) / len(answers) > 0.7
    assert len(wanted & answers) / len(wanted) > 0.7


def test_what_the_operator_asked_for_is_that_before_the_first_failure():
    steps = [("exec", "deploy --env stage", "!unknown option '--env'"), ("exec", "deploy -e stage", "done")]
    messages = conversation("Deploy it.", steps)
    messages.insert(3, Message("s", "later", "user", "operator", "any news?", 1.7))
    (one,) = retries(messages)
    assert one.asked.text == "Deploy it."


def test_what_works_much_later_is_another_matter():
    steps = [("exec", "deploy --env stage", "unknown option '--env'\nexit code 1")]
    steps += [("read", json.dumps({"path": f"{number}.md"}), "text") for number in range(MOST_TURNS)]
    assert learnt(conversation("Go.", [*steps[:-1], ("exec", "deploy -e stage", "done")]))
    assert not learnt(conversation("Go.", [*steps, ("exec", "deploy -e stage", "done")]))


def test_calls_made_together_are_answered_in_their_order():
    calls = tuple(Call("exec", json.dumps({"command": one})) for one in ("first", "second"))
    said = [Message("s", "a", "assistant", "agent", "", 0.0, calls=calls)]
    said += [Message("s", name, "tool", "agent", "ok", 1.0, "exec") for name in ("r1", "r2")]
    assert [one.arguments for one in attempts(said).values()] == ["first", "second"]


@pytest.mark.parametrize(
    ("text", "failed", "line"),
    [
        ("all fine", False, ""),
        ("", True, ""),
        ("\n(Command exited with code 1)", False, ""),
        ("Traceback …\nValueError: no", False, "ValueError: no"),
        ("a\nb\n\n(Command exited with code 2)", False, "b"),
        ('{"status":"error","message":"no such key"}', False, "no such key"),
        ("2026-11-02 error: disk full\n2026-11-03 ok", False, ""),
        ("done, exit code 0", False, ""),
    ],
)
def test_a_result_says_what_went_wrong(text, failed, line):
    told = error_line(Message("s", "r", "tool", "agent", text, 0.0, "exec", failed))
    assert told == line or (failed and told)


def found(steps):
    return learnt(conversation("Go.", steps))


@pytest.mark.parametrize(
    "step",
    [
        ("exec", "cat .git/hooks/commit-msg", '#!/bin/sh\nstrip-trailer "$1" || exit 1'),
        ("grep", '{"pattern": "func Open"}', "store.go:14:func Open(path string) (*Store, error) {"),
        ("read", '{"path": "build.log"}', "started\nerror: no space left"),
    ],
)
def test_what_a_file_says_of_errors_is_no_failure_of_the_call_that_shows_it(step):
    (one,) = attempts(conversation("Go.", [step])).values()
    assert not one.failed


def test_an_error_that_a_pipe_shortened_is_one():
    steps = [("exec", "publish --input 2>&1 | tail -5", "Error: --input needs a file")]
    assert found([*steps, ("exec", "publish --input notes.md 2>&1 | tail -5", "done")]) == [("result0", "result1")]


@pytest.mark.parametrize(
    "refused", ["!Command did not run: approval was denied.", "!Command did not run: approval timed out."]
)
def test_what_the_operator_did_not_allow_is_no_failure(refused):
    steps = [("exec", "rm -r build", refused), ("exec", "rm -r build/cache", "")]
    assert found(steps) == []
    assert [one.event for one in attempts(conversation("Go.", steps)).values()] == ["result1"]


def test_a_failure_that_says_nothing_is_no_success_either():
    steps = [
        ("exec", "deploy --env stage", "unknown option '--env'\n\n(Command exited with code 2)"),
        ("exec", "deploy --environment stage", "(Command exited with code 2)"),
        ("exec", "deploy --target stage", "deployed"),
    ]
    assert found(steps) == [("result0", "result2")]


def test_the_same_call_as_root_is_another_try() -> None:
    steps = [
        ("exec", "systemctl restart nginx", "Permission denied\n\n(Command exited with code 1)"),
        ("exec", "sudo systemctl restart nginx", "ok"),
    ]
    assert found(steps) == [("result0", "result1")]
