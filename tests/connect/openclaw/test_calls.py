"""The plugin's reports of the agent's calls: each is a commit with its session, and `why` names it."""

import os
import signal
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.promises.desk import Desk

from .conftest import until
from .test_plugin import GROUP, TURN, gateway, patient  # noqa: F401 - fixtures

EVE = {**GROUP, "sessionId": "77aa", "senderId": "eve"}
OWNER = {"channel": "telegram", "senderId": "ada", "senderIsOwner": True}
STRANGER = {"channel": "telegram", "senderId": "eve", "senderIsOwner": False}


class Turn:
    """A turn in which the agent calls tools."""

    def __init__(self, home, plugin, ctx, requester, run):
        self.home, self.patient, self.requester = home, plugin, requester
        self.ctx = {**ctx, "runId": run}
        self.count = 0
        owner = requester["senderIsOwner"]
        plugin.does("tools", ctx=ctx | {"senderIsOwner": owner, "requesterSenderId": requester["senderId"]})
        plugin.does("before_prompt_build", {"prompt": "go on"}, self.ctx)

    def call(self, tool, params, act=lambda: None, **fields):
        """Have the agent call a tool, which does `act`."""
        self.count += 1
        name = f"{self.ctx['runId']}_{self.count}"
        event = {"toolName": tool, "params": params, "toolCallId": name}
        about = {**self.ctx, "requester": self.requester}
        self.patient.does("before_tool_call", event, about)
        act()
        self.patient.does("after_tool_call", {**event, **fields}, self.ctx)
        return name

    def write(self, path, text):
        place = self.home.workspace / path
        place.parent.mkdir(exist_ok=True)
        return self.call("write", {"path": path, "content": text}, lambda: place.write_text(text))

    def edit(self, path, old, new):
        place = self.home.workspace / path
        edits = {"path": str(place), "edits": [{"oldText": old, "newText": new}]}
        return self.call("edit", edits, lambda: place.write_text(place.read_text().replace(old, new)))


@pytest.fixture
def turn(installed, patient):  # noqa: F811
    """Begin a turn of the owner's, or of somebody else's."""
    numbers = iter(range(100))

    def begin(ctx=TURN, requester=OWNER):
        return Turn(installed, patient, ctx, requester, f"run{next(numbers)}")

    return begin


def explain_line(home, place):
    """Return the origin of a line, once it is committed and its call is known."""

    def known():
        result = home.run("why", place)
        return (
            next((row for row in result.document if row["call"] and row["call"]["how"]), None)
            if not result.code
            else None
        )

    return until(known)


def line_of(home, path, words):
    rows = (home.workspace / path).read_text().splitlines()
    return f"{path}:{next(number for number, row in enumerate(rows, 1) if words in row)}"


def log(home):
    return home.clawgit("log", "-n", "200")


def commits(home, path):
    return [row["commit"] for row in log(home) if path in row["files"]]


@pytest.fixture
def place(installed):
    """A file of memory that is not there yet."""
    path = installed.workspace / "memory/harbour.md"
    path.parent.mkdir(exist_ok=True)
    return path


ODD = ({}, {"toolName": "write", "params": {"path": "\0"}}, None)


def test_each_call_is_a_commit_that_names_it_and_one_undo_takes_a_turn_back(installed, patient, turn):  # noqa: F811
    owner = turn()
    for event in ODD:
        for hook in ("before_tool_call", "after_tool_call"):
            assert patient.does(hook, event, {})[0] is None
    owner.call("edit", {"path": "MEMORY.md", "oldText": "x", "newText": "y"}, error="no such text")
    call = owner.write("memory/harbour.md", "# Harbour\n\n- The crane is called Odin.\n")
    until(lambda: commits(installed, "memory/harbour.md"))
    event = {"toolName": "write", "params": {"path": "memory/harbour.md"}, "toolCallId": call}
    for _ in range(3):
        patient.does("after_tool_call", event, owner.ctx)
    edited = owner.edit("memory/harbour.md", "Odin.", "Thor.\n- The crane is yellow.")
    until(lambda: len(commits(installed, "memory/harbour.md")) == 2)
    document = explain_line(installed, line_of(installed, "memory/harbour.md", "yellow"))["call"]
    assert (document["call"], document["tool"], document["session"], document["turn"]) == (
        edited,
        "edit",
        "5b0f",
        "operator",
    )
    assert (document["how"], document["requester"]) == ("reported", "telegram ada owner")
    assert explain_line(installed, line_of(installed, "memory/harbour.md", "Thor"))["call"]["call"] == edited
    assert explain_line(installed, line_of(installed, "memory/harbour.md", "# Harbour"))["call"]["call"] == call
    assert len(commits(installed, "memory/harbour.md")) == 2
    with patch.dict(os.environ, installed.environ):
        assert "2 writes of one turn" in Desk(installed.workspace).shell("clawgit log")
    assert installed.clawgit("log", "--session", "nobody") == []
    of_session = installed.clawgit("log", "--session", "5b0f")
    assert "memory/harbour.md" in {path for row in of_session for path in row["files"]}
    installed.clawgit("undo", "run0")
    assert not (installed.workspace / "memory/harbour.md").exists()


def test_lines_that_were_on_disk_before_are_somebody_elses(installed, turn, place):
    installed.clawgit("capture")
    owner = turn()
    place.write_text("- An editor wrote this.\n")
    call = owner.edit("memory/harbour.md", "this.", "this.\n- The agent wrote that.")
    document = explain_line(installed, line_of(installed, "memory/harbour.md", "agent"))
    assert document["call"]["call"] == call
    (editor,) = installed.clawgit("why", line_of(installed, "memory/harbour.md", "editor"))
    assert editor["call"]["how"] == ""
    assert editor["commit"] != document["commit"]


def test_a_command_is_captured_when_it_ends_and_its_lines_are_its_own_unless_several_ran(installed, turn, place):
    installed.clawgit("capture")
    owner = turn()
    command = "echo '- The crane is called Odin.' >> memory/harbour.md; ./notes.sh"
    lines = "- The crane is called Odin.\n- Written by the script.\n"
    call = owner.call("exec", {"command": command}, lambda: place.write_text(lines))
    until(lambda: commits(installed, "memory/harbour.md"))
    odin = explain_line(installed, line_of(installed, "memory/harbour.md", "Odin"))["call"]
    script = explain_line(installed, line_of(installed, "memory/harbour.md", "script"))["call"]
    assert (odin["call"], odin["how"], script["call"], script["how"]) == (call, "reported", call, "while")
    calls = [owner.call("exec", {"command": command}) for command in ("./one.sh", "./two.sh")]
    (installed.workspace / "memory/pier.md").write_text("- The pier is long.\n")
    installed.clawgit("capture")
    document = explain_line(installed, "memory/pier.md:1")["call"]
    assert (document["call"] in calls, document["commands"] >= 2) == (True, True)


TIMER = {**TURN, "sessionKey": "agent:main:cron:job", "trigger": "cron"}
NOBODY = {"channel": "", "senderId": "", "senderIsOwner": None}


def test_a_strangers_lines_are_served_once_the_owner_accepts_them_and_leave_with_a_taint(installed, patient, turn):  # noqa: F811
    stranger = turn(EVE, STRANGER)
    stranger.write("memory/harbour.md", "- The lighthouse of Skagen was built in 1858 by the fishermen.\n")
    stranger.edit("memory/harbour.md", "men.", "men.\n- The lighthouse keeper of Skagen is called Nis.")
    turn().write("memory/port.md", "- The lighthouse of Lista was built in 1836 by the state.\n")
    document = explain_line(installed, "memory/harbour.md:2")["call"]
    assert (document["turn"], document["requester"]) == ("others", "telegram eve")
    question = "When was the lighthouse of Lista built, when that of Skagen?"
    until(lambda: "1836" in patient.turn(question, {**TURN, "sessionId": f"s{time.monotonic()}"})[0])
    assert "1858" not in patient.turn(question, {**TURN, "sessionId": "before"})[0]
    for number, (tool, path) in enumerate([("read", "memory/harbour.md"), ("memory_search", ""), ("read", "USER.md")]):
        timer = turn({**TIMER, "sessionId": f"c0de{number}"}, NOBODY)
        timer.call(tool, {"path": path})
        timer.write(f"memory/timer{number}.md", f"- The tide of day {number} is high at noon.\n")
        document = explain_line(installed, f"memory/timer{number}.md:1")["call"]
        assert (document["turn"], document["outside"]) == ("cron", path != "USER.md")
    (item,) = (row for row in installed.clawgit("inbox", "--kind", "quarantine") if "eve" in row["title"])
    assert "Nis" in str(installed.clawgit("show", item["id"]))
    head = log(installed)[0]["commit"]
    with patch.dict(os.environ, installed.environ):
        Desk(installed.workspace).run("accept", item["id"], terminal="y\n")
    assert log(installed)[1]["commit"] == head
    assert item["id"] not in [row["id"] for row in installed.clawgit("inbox")]
    assert "1858" in patient.turn(question, {**TURN, "sessionId": "after"})[0]
    with patch.dict(os.environ, installed.environ):
        Desk(installed.workspace).run("taint", "session:77aa", "--apply", terminal="y\n")
    harbour = installed.workspace / "memory/harbour.md"
    assert not harbour.exists() or "1858" not in harbour.read_text()
    assert "1836" in (installed.workspace / "memory/port.md").read_text()


def test_a_taint_takes_lines_that_were_committed_before_their_call_was_reported(installed, turn, place):
    tide = "- The tide is high at noon."

    def write():
        place.write_text("- The lighthouse of Skagen was built in 1858 by the fishermen.\n")
        (installed.workspace / "memory/tide.md").write_text(f"{tide}\n")
        installed.clawgit("capture")

    stranger = turn(EVE, STRANGER)
    stranger.call("write", {"path": "memory/harbour.md", "content": "- The lighthouse of Skagen"}, write)
    assert explain_line(installed, "memory/harbour.md:1")["call"]["session"] == "77aa"
    with patch.dict(os.environ, installed.environ):
        Desk(installed.workspace).run("taint", "session:77aa", "--apply", terminal="y\n")
    assert not place.exists() or "1858" not in place.read_text()
    assert tide in (installed.workspace / "memory/tide.md").read_text()


def test_a_line_that_another_write_takes_away_unread_is_a_finding(installed, patient, turn, place):  # noqa: F811
    place.write_text("- The mole is long.\n")
    installed.clawgit("capture")
    owner = turn()
    lines = "- The mole is long.\n- The mole was mended in May.\n"
    edits = {"path": "memory/harbour.md", "oldText": "long.", "newText": "long.\n- The mole was mended in May."}
    event = {"toolName": "edit", "params": edits, "toolCallId": "one"}
    patient.does("before_tool_call", event, {**owner.ctx, "requester": OWNER})
    place.write_text(lines)
    patient.does("after_tool_call", event, owner.ctx)
    place.write_text("- The mole is long.\n- The mole is of stone.\n")
    rows = until(lambda: [row for row in installed.run("doctor").document if row.get("key") == "write-lost"])
    assert "clawgit restore" in str(rows)


def test_no_call_waits_for_a_clawgit_that_is_stopped(installed, patient, turn):  # noqa: F811
    owner = turn()
    children = Path(f"/proc/{patient.process.pid}/task/{patient.process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGSTOP)
    try:
        for number in range(50):
            owner.write(f"memory/buoy{number}.md", f"- Buoy number {number} is green.\n")
    finally:
        for child in children:
            os.kill(int(child), signal.SIGCONT)
    until(lambda: commits(installed, "memory/buoy49.md"))
    document = explain_line(installed, "memory/buoy49.md:1")["call"]
    assert (document["how"], document["turn"]) == ("reported", "operator")
