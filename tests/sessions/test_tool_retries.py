"""What failed, was tried otherwise, and worked."""

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from clawgit.sessions.chat_store import Message
from clawgit.sessions.tool_retries import MOST_TURNS, attempts, retries, wrong
from clawgit.sessions.transcript import Call

CORPUS = Path(__file__).resolve().parents[2] / "corpora/retries.toml"
CASES = tomllib.loads(CORPUS.read_text("utf-8"))["case"]


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


@pytest.mark.parametrize("case", CASES, ids=[one["steps"][0][1][:40] for one in CASES])
def test_what_can_be_learnt_is_found_and_nothing_else(case):
    wanted = [(f"result{one}", f"result{other}") for one, other in case["lessons"]]
    assert learnt(conversation(case["said"], case["steps"])) == wanted


def test_what_the_operator_asked_for_is_that_before_the_first_failure():
    steps = CASES[0]["steps"]
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
    told = wrong(Message("s", "r", "tool", "agent", text, 0.0, "exec", failed))
    assert told == line or (failed and told)
