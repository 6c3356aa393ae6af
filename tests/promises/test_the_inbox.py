"""The inbox is one list of what waits for the operator: each item has an id, a diff, a reason and a source."""

import json

import pytest

from tests.promises.desk import Desk
from tests.promises.mcp_server import Server

MUTATION = ("workspace/capture.py", "    files |= back", "    files |= {}")

RULE = "Sing in the morning"


@pytest.fixture
def waiting(desk: Desk) -> str:
    """Return the id of an edit that waits."""
    desk.run("config", "set", "soul_policy", "review", terminal="y\n")
    desk.append("SOUL.md", f"- {RULE}.\n")
    desk.run("capture")
    return str(desk.run("soul", "proposals")[0]["id"])


def test_an_item_has_its_kind_title_reason_and_source(desk: Desk, waiting: str) -> None:
    item = desk.run("inbox")[0]
    assert item["id"] == waiting
    assert {"kind", "title", "reason", "source", "opened"} <= item.keys()
    assert RULE in item["title"]


def test_show_has_its_diff(desk: Desk, waiting: str) -> None:
    assert f"+- {RULE}." in desk.run("show", waiting)["diff"]


def test_accept_is_one_commit_that_can_be_undone(desk: Desk, waiting: str) -> None:
    before = desk.head()
    change = desk.run("accept", waiting, terminal="y\n")["change"]
    assert len(desk.commits(before)) == 1
    assert RULE in desk.read("SOUL.md")
    desk.run("undo", change, terminal="y\n")
    assert RULE not in desk.read("SOUL.md")


def test_reject_needs_no_reason_and_closes_it(desk: Desk, waiting: str) -> None:
    desk.run("reject", waiting)
    assert desk.run("inbox") == []
    assert RULE not in desk.read("SOUL.md")


def test_a_prefix_that_is_unique_will_do_and_another_is_refused(desk: Desk, waiting: str) -> None:
    assert desk.run("show", waiting[:5])["id"] == waiting
    desk.refuse("show", "zzzzz", key="id-unknown")


def test_every_list_of_today_is_in_it(desk: Desk, waiting: str) -> None:
    kinds = ("identity", "memory", "correction", "conflict", "quarantine", "restore", "settings", "sync", "candidate")
    assert [item["kind"] for kind in kinds for item in desk.run("inbox", "--kind", kind)] == ["identity"]


def test_what_waits_is_not_in_force(desk: Desk, waiting: str) -> None:
    assert waiting
    assert RULE not in desk.read("SOUL.md")
    context = desk.run("context", "What do I do in the morning?")
    assert RULE not in context["text"]


def test_what_the_operator_does_himself_never_waits(desk: Desk) -> None:
    desk.run("soul", "edit", "--add", "Ask first.", "--section", "Core", "--why", "Asked for.")
    desk.run("remember", "The lamps are rated at 400 watts.")
    desk.run("correct", "not Tuesday evening, Thursday evening")
    assert desk.run("soul", "proposals") == []


def test_status_and_the_digest_have_the_same_items(desk: Desk, waiting: str) -> None:
    for number in range(3):
        desk.run("remember", f"Lamp number {number} is rated at {number}00 watts.")
    text = desk.read("MEMORY.md")
    desk.write("MEMORY.md", "".join(line for line in text.splitlines(keepends=True) if "watts" not in line))
    desk.run("capture")
    ids = [item["id"] for item in desk.run("inbox")]
    assert waiting in ids
    assert len(ids) == 2
    assert desk.run("status")["inbox"] == len(ids)
    digest = desk.run("digest")["waiting"]
    assert {*ids} == {item["command"].rpartition(" ")[2] for item in digest if "clawgit show" in item["command"]}


def test_mcp_has_the_same_items(desk: Desk, waiting: str) -> None:
    pytest.importorskip("mcp", reason="the MCP SDK; get it: pip install 'clawgit[mcp]'")
    server = Server(desk.root)
    try:
        items = json.loads(server.call("inbox", {}))["result"]["structuredContent"]["items"]
    finally:
        server.end()
    assert items == desk.run("inbox")
    assert [item["id"] for item in items] == [waiting]
