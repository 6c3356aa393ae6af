"""Failed calls of tools, the next try, and its success."""

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from clawgit.agents.retry_lessons import retries
from clawgit.sessions.chat_store import Message
from clawgit.sessions.transcript import Call

CORPUS = Path(__file__).resolve().parents[2] / "corpora/retries.fresh.toml"


def conversation(words: str, steps: Iterable[Sequence[str]]) -> list[Message]:
    """Return the messages of a request and the calls made for it, each with its result.

    A step with one text is what the operator said next.
    """
    messages = [Message("s", "asked", "user", "operator", words, 0.0)]
    for number, step in enumerate(steps):
        if len(step) == 1:
            messages.append(Message("s", f"said{number}", "user", "operator", step[0], number + 1.0))
            continue
        tool, arguments, result = step
        input_text = arguments if arguments.startswith("{") else json.dumps({"command": arguments})
        failed = result.startswith("!")
        messages += [
            Message("s", f"call{number}", "assistant", "agent", "", number + 1.0, calls=(Call(tool, input_text),)),
            Message("s", f"result{number}", "tool", "agent", result.removeprefix("!"), number + 1.5, tool, failed),
        ]
    return messages


def learnt(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(lesson.wrong.event, lesson.right.event) for lesson in retries(messages)]


def test_most_of_what_can_be_learnt_is_found() -> None:
    expected, answers = set[tuple[int, int, int]](), set[tuple[int, int, int]]()
    for number, case in enumerate(tomllib.loads(CORPUS.read_text("utf-8"))["case"]):
        expected |= {(number, first, second) for first, second in case["lessons"]}
        pairs = learnt(conversation(case["said"], case["steps"]))
        answers |= {(number, int(first[6:]), int(second[6:])) for first, second in pairs}
    assert len(expected & answers) / len(answers) > 0.7
    assert len(expected & answers) / len(expected) > 0.7
