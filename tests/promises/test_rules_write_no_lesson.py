"""Without a model a lesson is an item of the inbox, in the operator's words, and lands only when it is accepted."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import Desk
from tests.sessions.transcripts import write_sessions

MUTATION = ("reading/checks.py", '"waits" if operation.act == "soul"', '"landed" if operation.act == "soul"')

NAME = "7b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c01"
ORDER = "Please always answer me in German, e.g. at 7.30, or the 3. floor hears it."


def talk(desk: Desk, folder: Path, messages: Iterable[dict[str, Any]], name: str = "talk.jsonl") -> None:
    """Import a conversation of the operator with the agent."""
    start = time.time() - 7200
    rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": NAME}]
    for number, message in enumerate(messages):
        moment = start + 60 * number
        origin_fields = {"provenance": {"kind": "external_user"}} if message["role"] == "user" else {}
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(moment))
        record = {**message, **origin_fields, "timestamp": round(moment * 1000)}
        rows.append({"type": "message", "id": f"b{number:07d}", "timestamp": stamp, "message": record})
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    desk.run("session", "import", str(folder / name))


def text(role: str, words: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": words}]}


def test_a_standing_order_waits_whole_and_lands_when_it_is_accepted(desk: Desk, tmp_path: Path) -> None:
    before, soul = desk.head(), desk.read("SOUL.md")
    talk(desk, tmp_path, [text("user", f"That was fine. {ORDER} Thanks!"), text("assistant", "Gut.")])
    desk.run("run", "soul-keeper", "--apply")
    assert (desk.head(), desk.read("SOUL.md")) == (before, soul)
    (item,) = desk.run("inbox")
    assert item["kind"] == "identity"
    assert f"\n+- {ORDER}\n" in desk.run("show", item["id"])["diff"]
    desk.run("accept", item["id"], terminal="y\n")
    assert f"- {ORDER}\n" in desk.read("SOUL.md")


WRONG, RIGHT = "systemctl restart nginx", "sudo systemctl restart nginx"


def make_retry(wrong: str = WRONG, right: str = RIGHT) -> list[dict[str, Any]]:
    """Return a request, a call that failed, and another one that worked."""
    messages = [text("user", "Restart the web server.")]
    for command, result, failed in ((wrong, "Permission denied", True), (right, "done", False)):
        call = {"type": "toolCall", "id": command, "name": "exec", "arguments": {"command": command}}
        messages.append({"role": "assistant", "content": [call]})
        answer = {"role": "toolResult", "toolCallId": command, "toolName": "exec", "isError": failed}
        messages.append({**answer, "content": [{"type": "text", "text": result}]})
    return messages


def test_a_call_that_worked_as_root_waits_with_the_command(desk: Desk, tmp_path: Path) -> None:
    talk(desk, tmp_path, make_retry())
    desk.run("run", "lessons", "--apply")
    assert not (desk.root / "memory/lessons.md").exists()
    (item,) = desk.run("inbox", "--kind", "memory")
    desk.run("accept", item["id"], terminal="y\n")
    assert f"Wrong: `{WRONG}` Right: `{RIGHT}` Why: Permission denied" in desk.read("memory/lessons.md")
    (hit,) = desk.run("search", "--category", "lessons")["results"]
    assert f"`{RIGHT}`" in hit["snippet"]


def test_a_lesson_that_was_rejected_or_hides_letters_does_not_wait(desk: Desk, tmp_path: Path) -> None:
    concealed = make_retry("apt install tree", "apt install\u200b\u200d -y tree")
    for messages, number in ((make_retry(), 1), (make_retry() * 2, 0), (make_retry() * 2 + concealed, 0)):
        talk(desk, tmp_path, messages)
        desk.run("run", "lessons", "--apply")
        items = desk.run("inbox", "--kind", "memory")
        assert len(items) == number
        for item in items:
            desk.run("reject", item["id"], terminal="y\n")


@pytest.mark.parametrize(("kind", "number"), [("direct", 1), ("group", 0)])
def test_what_others_have_the_agent_do_teaches_nothing(desk: Desk, tmp_path: Path, kind: str, number: int) -> None:
    write_sessions(tmp_path, **{NAME: (f"agent:main:telegram:{kind}:500", {"chatType": kind})})
    talk(desk, tmp_path, make_retry(), f"{NAME}.jsonl")
    desk.run("run", "lessons", "--apply")
    assert len(desk.run("inbox", "--kind", "memory")) == number


def test_a_preview_has_every_order(desk: Desk, tmp_path: Path) -> None:
    orders = ["From now on always answer in German.", "Please never send mails at night."]
    talk(desk, tmp_path, [turn for order in orders for turn in (text("user", order), text("assistant", "Gut."))])
    texts = [row["text"] for row in desk.run("run", "soul-keeper")["verdicts"]]
    assert texts == orders == [row["text"] for row in desk.run("run", "soul-keeper", "--apply")["verdicts"]]
