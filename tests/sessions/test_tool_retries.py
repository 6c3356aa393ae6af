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


def found(steps):
    return learnt(conversation("Go.", steps))


@pytest.mark.parametrize(
    "step",
    [
        ("exec", "cat .git/hooks/commit-msg", '#!/bin/sh\nstrip-trailer "$1" || exit 1'),
        ("exec", "cd src && grep -n 'func Open' store.go", "14:func Open(path string) (*Store, error) {"),
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


def test_of_several_that_failed_the_one_that_is_most_alike_was_made_right():
    steps = [
        ("read", '{"path": "/mnt/c/docs/notes/README.md"}', "!no such file"),
        ("read", '{"path": "/mnt/c/docs/notes/LICENSE"}', "!no such file"),
        ("read", '{"path": "C:/docs/notes/README.md"}', "# Notes"),
    ]
    assert found(steps) == [("result0", "result2")]


def test_a_part_of_a_command_does_not_settle_the_whole():
    failed = "sh: can't create temp file for here document\n\n(Command exited with code 1)"
    steps = [
        ("exec", "git add a.md && git commit -m \"$(cat <<'EOF'\nadd a\nEOF\n)\"", failed),
        ("exec", "git add a.md", ""),
        ("exec", "git commit -m 'add a'", "[main 1234567] add a"),
    ]
    assert found(steps) == [("result0", "result2")]


def test_a_program_is_the_same_by_its_whole_path_on_windows():
    steps = [
        ("exec", "gh auth status", "bash: gh: command not found\n\n(Command exited with code 127)"),
        ("exec", '"C:\\Program Files\\GitHub CLI\\gh.exe" auth status', "Logged in to github.com"),
    ]
    assert found(steps) == [("result0", "result1")]


def test_a_path_with_the_name_of_a_checker_in_it_checks_nothing():
    failed = "no such file or directory\n\n(Command exited with code 127)"
    steps = [
        ("exec", "cd /tmp/box && ./skills/test-box/start.sh", failed),
        ("exec", "./skills/test-box/start.sh", "started"),
    ]
    assert found(steps) == [("result0", "result1")]


def test_what_the_operator_typed_instead_was_not_learnt_by_the_agent():
    steps = [
        ("exec", "firewall --stealth on", "you must be root\n\n(Command exited with code 1)"),
        ("sudo firewall --stealth on",),
        ("exec", "sudo firewall --stealth on", "stealth is on"),
    ]
    assert found(steps) == []


def test_a_check_that_passes_behind_an_edit_passed_for_the_edit():
    edit = ("edit", '{"path": "a.py", "old": "if x:", "new": "if x is None:"}', "edited a.py")
    steps = [
        ("exec", "task run fmt && task run lint", "fmt: fine\nlint: error in a.py\n\n(Command exited with code 1)"),
        edit,
        ("exec", "task run lint", "lint: fine"),
    ]
    assert found(steps) == []


def test_two_commands_that_print_their_end_are_not_of_one_program():
    steps = [
        ("exec", "cardtool verify 2>&1; echo done", "Error: no such command 'verify'\n\n(Command exited with code 2)"),
        ("exec", "killall carddaemon 2>&1; echo done", "done"),
    ]
    assert found(steps) == []
