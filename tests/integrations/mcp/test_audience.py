"""Where others than the operator listen nothing private is told: not a line of it, nor what depends on one."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the MCP SDK; get it: pip install 'clawgit[mcp]'")

from tests import moulds
from tests.messy.calls import call

from .conftest import OWNER, SOUL
from .test_process import HELLO, PROGRAM

DAY = "2026-05-04"
PRIVATE = {
    "MEMORY.md": "# Memory\n\n- The staging server is called {bird}.\n- Ana flies on {day}. #event\n",
    "USER.md": "# User\n\n- Ana lives in {city}.\n",
    f"memory/{DAY}.md": f"# {DAY}\n\n- The door code is {{code}}.\n",
    "memory/projects.md": "# Projects\n\n- The staging server of the project {bird} is due on {day}.\n",
    f"memory/{DAY}-handoff.md": "# Session handoff\n\n- Next: ask {city} for the staging server.\n",
    "CORRECTIONS.md": "# Corrections\n\n## {day}\n\n- **Said:** The staging server is called {city}.\n"
    "- **True:** The staging server is called {bird}.\n",
}
WORLDS = (
    {"bird": "heron", "day": "Friday", "city": "Lisbon", "code": "4711"},
    {"bird": "egret", "day": "Monday", "city": "Porto", "code": "1312"},
)
SHARED = "docs/hours.md"
HOURS = "# Hours\n\n- The shop and its staging server open at nine.\n"
TELEGRAM = {"session": "agent:main:main", "channel": "telegram", "to": "telegram:2002", "trigger": "user"}
GROUP = {**TELEGRAM, "session": "agent:main:telegram:group:-500", "to": "telegram:-500"}
SUB = {"session": "agent:main:subagent:9", "owner": False, "channel": "telegram"}
CRON = {"session": "agent:main:cron:7:run:1", "trigger": "cron"}
DM = {**TELEGRAM, "to": "telegram:1001", "sender": "1001", "owner": True}
OTHERS: dict[str, Any] = {
    "nobody": None,
    "malformed": {"session": "agent:main:main", "owner": "true"},
    "a stranger in private": {**TELEGRAM, "sender": "2002", "owner": False},
    "a chat without the owner flag": {**TELEGRAM, "sender": "2002"},
    "the owner's name without the flag": {**TELEGRAM, "sender": "1001", "senderIsOwner": True},
    "a stranger in a group": {**GROUP, "sender": "2002", "owner": False},
    "the owner in a group": {**GROUP, "sender": "1001", "owner": True},
    "the owner in a session of another": {**OWNER, "session": "agent:main:telegram:direct:2002"},
    "a session of another kind": {**DM, "session": "global"},
    "a timer for a group": {**CRON, "channel": "telegram", "to": "-500"},
    "a timer for another": {**CRON, "channel": "telegram", "to": "2002"},
    "a timer for whoever was last": {**CRON, "channel": "telegram"},
    "a heartbeat for another": {**TELEGRAM, "trigger": "heartbeat", "owner": True},
    "a sub-agent of nobody": SUB,
    "a sub-agent of a stranger": {
        **SUB,
        "to": "telegram:2002",
        "parent": {**TELEGRAM, "sender": "2002", "owner": False},
    },
    "a sub-agent of a group": {**SUB, "to": "telegram:-500", "parent": {**GROUP, "sender": "1001", "owner": True}},
    "a sub-agent of the owner for another": {**SUB, "to": "telegram:2002", "parent": OWNER},
    "another session": {**OWNER, "sender": "", "cause": "inter_session", "tool": "sessions_send"},
    "a webhook": {"session": "hook:5", "owner": True},
}
WHOSE = {who: one and one.get("owner") is True and "trigger" in one for who, one in OTHERS.items()}
OWNERS: dict[str, Any] = {
    "web chat": OWNER,
    "direct message": DM,
    "command line": {"session": "agent:main:main", "owner": True, "trigger": "user", "channel": "telegram"},
    "timer": CRON,
    "timer for the owner": {**CRON, "channel": "telegram", "to": "1001"},
    "heartbeat": {**TELEGRAM, "trigger": "heartbeat", "to": "telegram:1001", "owner": True},
    "sub-agent": {**SUB, "channel": "webchat", "to": "agent:main:main", "parent": OWNER},
    "sub-agent of a sub-agent": {**SUB, "to": "telegram:1001", "parent": {**SUB, "to": "telegram:1001", "parent": DM}},
    "what a sub-agent found": {
        **DM,
        "sender": "",
        "owner": False,
        "cause": "inter_session",
        "tool": "subagent_announce",
        "source": "agent:main:subagent:9",
    },
}
QUESTION = "What is the staging server called?"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("context", {"query": QUESTION}),
    ("context", {"text": "user: What is the door code, and when does Ana fly?"}),
    ("recall", {"query": QUESTION}),
    ("recall", {"query": "door code", "deleted": True}),
    ("recall", {"query": "door code", "asOf": "2026-05-05"}),
    ("memory_search", {"query": QUESTION, "corpus": "all"}),
    ("memory_search", {"query": "heron", "deleted": True}),
    *(("memory_get", {"path": path}) for path in (*PRIVATE, SHARED, "docs/none.md", "SOUL.md", "docs/../USER.md")),
    ("memory_get", {"path": "docs/link.md"}),
    ("memory_add", {"text": "The staging server is called heron."}),
    ("memory_add", {"text": "The staging server is called Lisbon."}),
    ("memory_correct", {"text": "The staging server is called egret, not heron."}),
    ("memory_why", {"path": "MEMORY.md", "line": 3}),
    ("soul_propose", {"act": "replace", "old": "Ana lives in Lisbon.", "text": "x", "why": "y", "file": "USER.md"}),
    ("soul_log", {"file": "USER.md"}),
    ("soul_diff", {"file": "USER.md"}),
    ("hear", {"text": "Remember the milk."}),
    ("triage", {"text": "Remember the milk."}),
    ("listens", {}),
]


class Plugin:
    """The server as the plugin in OpenClaw starts it, with what a person's OpenClaw says of its owner."""

    def __init__(self, folder: Path, space: Path, environ: dict[str, str]) -> None:
        command = [PROGRAM, "-C", str(space), "mcp", "--gateway"]
        self.process = subprocess.Popen(
            command, env=environ, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask(HELLO)

    def ask(self, message: dict[str, Any]) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, **message}) + "\n")
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, given: dict[str, Any], requester: Any) -> str:
        """Return the whole answer of a tool, as it came."""
        arguments = given if requester is None else {**given, "requester": requester}
        return json.dumps(self.ask({"method": "tools/call", "params": {"name": tool, "arguments": arguments}}))

    def end(self) -> None:
        with self.process:
            self.process.kill()


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Plugin]]:
    """Two workspaces that differ in private lines alone, each with its server."""
    import os  # noqa: PLC0415

    from clawgit.cli import operator_input  # noqa: PLC0415

    servers = []
    for number, words in enumerate(WORLDS):
        folder = tmp_path_factory.mktemp(f"world{number}")
        space = moulds.managed(folder / "ws", SOUL)
        for path, text in {**PRIVATE, SHARED: HOURS}.items():
            (space / path).parent.mkdir(exist_ok=True)
            (space / path).write_text(text.format(**words) if path in PRIVATE else text)
        (space / "docs/link.md").symlink_to("../MEMORY.md")
        subprocess.run(["git", "add", "--all"], cwd=space, check=True)
        subprocess.run(["git", "commit", "--quiet", "-m", "what Ana wrote"], cwd=space, check=True)
        state = folder / ".openclaw"
        state.mkdir()
        owner = {"commands": {"ownerAllowFrom": ["telegram:1001"]}, "channels": {"telegram": {"dmPolicy": "open"}}}
        agents = {"agents": {"entries": {"main": {"workspace": str(space)}}}}
        (state / "openclaw.json").write_text(json.dumps(owner | agents))
        with pytest.MonkeyPatch.context() as terminal:  # the operator's: an agent's CONFIG.md would share nothing
            terminal.setattr(operator_input, "possible", lambda: True)
            assert call(space, "config", "set", "shared_files", "['docs/*.md']").code == 0
        servers.append(Plugin(folder, space, os.environ | {"OPENCLAW_STATE_DIR": str(state)}))
    yield servers
    for one in servers:
        one.end()


@pytest.mark.parametrize("who", OTHERS)
def test_two_workspaces_that_differ_in_private_lines_answer_others_the_same(who: str, worlds: list[Plugin]) -> None:
    secrets = [word for world in WORLDS for word in world.values()]
    for tool, given in CALLS:
        if tool == "hear" and WHOSE.get(who):  # it is his word; what it is flagged as is shown to no model
            continue
        answers = [one.call(tool, given, OTHERS[who]) for one in worlds]
        if tool == "context" and who == "the owner's name without the flag":  # that hook is never told the flag
            assert WORLDS[0]["bird"] in answers[0] or "Ana" in given.get("text", "")
            continue
        assert answers[0] == answers[1], (tool, given)
        asked = json.dumps(given)
        assert not [word for word in secrets if word in answers[0] and word not in asked], (tool, given)


def test_others_are_answered_from_shared_files_and_told_so(worlds: list[Plugin]) -> None:
    who = OTHERS["a stranger in private"]
    for tool, given in CALLS:
        if tool in ("context", "recall", "memory_search") and "staging" in str(given):
            answer = worlds[0].call(tool, given, who)
            assert "open at nine" in answer
            assert "files that the operator shares" in answer
    assert "open at nine" in worlds[0].call("memory_get", {"path": SHARED}, who)
    assert "operator shares" in worlds[0].call("recall", {"query": "xylophone"}, who)
    assert json.loads(worlds[0].call("context", {"query": "xylophone"}, who))["result"]["structuredContent"] == {
        "text": ""
    }


@pytest.mark.parametrize("who", OWNERS)
def test_where_the_owner_listens_alone_he_is_answered_as_before(who: str, worlds: list[Plugin]) -> None:
    words = WORLDS[0]
    assert words["bird"] in worlds[0].call("recall", {"query": QUESTION}, OWNERS[who])
    assert words["bird"] in worlds[0].call("memory_search", {"query": QUESTION}, OWNERS[who])
    assert words["city"] in worlds[0].call("memory_get", {"path": "USER.md"}, OWNERS[who])
    assert '"alone": true' in worlds[0].call("listens", {}, OWNERS[who])
    shown = worlds[0].call("context", {"query": QUESTION}, OWNERS[who])
    assert words["bird"] in shown or who in ("timer", "timer for the owner", "heartbeat", "sub-agent")


def test_turns_that_take_turns_in_one_session_are_each_answered_for_themselves(worlds: list[Plugin]) -> None:
    for _ in range(2):
        assert WORLDS[0]["bird"] in worlds[0].call("recall", {"query": QUESTION}, OWNERS["direct message"])
        assert WORLDS[0]["bird"] not in worlds[0].call("recall", {"query": QUESTION}, OTHERS["a stranger in private"])


def test_there_are_no_resources_which_say_nothing_of_who_asks(worlds: list[Plugin]) -> None:
    assert worlds[0].ask({"method": "resources/list"})["result"]["resources"] == []
    assert "error" in worlds[0].ask({"method": "resources/read", "params": {"uri": "clawgit://memory"}})
