"""The plugin under a real Node, with OpenClaw's input: it never holds a turn up, and hears the operator alone."""

import json
import queue
import subprocess
import threading
import time

import pytest

from clawgit.messages import triage
from clawgit.store.database import StateStore
from tests.sessions.transcripts import SESSION, chain, write_sessions, write_transcript

from .conftest import PATIENCE, Gateway, until

GATEWAY = """
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
const { default: plugin } = await import(pathToFileURL(process.argv[2]).href);
const on = {}, made = {};
plugin.register({
  on: (name, act) => (on[name] = act),
  registerService: (one) => (made.service = one),
  registerTool: (create) => (made.tools = create),
  registerCommand: () => {},
  registerMemoryCorpusSupplement: (one) => (made.corpus = one),
  registerHook: (name, act) => (on[name] = act),
});
made.service.start();
for await (const line of createInterface({ input: process.stdin })) {
  const { hook, event, ctx } = JSON.parse(line);
  const begun = performance.now();
  let answer = null;
  if (hook === "tool") answer = await made.tools(ctx)?.find((one) => one.name === event.name).execute("1", event.given);
  else if (hook === "corpus") answer = await made.corpus[event.act](event.asked);
  else if (hook === "tools") answer = (made.tools(ctx) ?? []).map((one) => one.name);
  else answer = (await on[hook](event, ctx)) ?? null;
  process.stdout.write(JSON.stringify({ answer, took: performance.now() - begun }) + "\\n");
}
await made.service.stop();
"""
MAIN = {"agentId": "main", "sessionKey": "agent:main:main", "sessionId": "5b0f", "senderId": "ada"}
TURN = {**MAIN, "trigger": "user", "channel": "telegram"}
GROUP = {**TURN, "sessionKey": "agent:main:telegram:group:-100"}
SAID = "Don't forget: Ana flies on Friday."
HEARD = ("message_received", "before_prompt_build", "agent_end")


class Hooks(Gateway):
    """Does with the plugin the same as OpenClaw."""

    SCRIPT = GATEWAY

    def __init__(self, home, folder):
        super().__init__(home, folder)
        self.answers = queue.Queue()
        threading.Thread(target=lambda: [self.answers.put(line) for line in self.process.stdout], daemon=True).start()

    def does(self, hook, event=None, ctx=None):
        """Call a hook; return its answer, and the milliseconds it took."""
        self.process.stdin.write(json.dumps({"hook": hook, "event": event or {}, "ctx": ctx or {}}) + "\n")
        self.process.stdin.flush()
        document = json.loads(self.answers.get(timeout=PATIENCE))
        return document["answer"], document["took"]

    def turn(self, prompt, ctx, *, owner=True, arrived=True, sender="ada"):
        """Have a message arrive, and its turn begin; return the addition to the prompt, and the milliseconds."""
        if arrived:
            event = {"content": prompt, "sessionKey": ctx["sessionKey"], "senderId": sender}
            self.does("message_received", event, {"sessionKey": ctx["sessionKey"]})
        self.does("tools", ctx=ctx | {"senderIsOwner": owner, "requesterSenderId": sender})
        answer, took = self.does("before_prompt_build", {"prompt": f"[Sat] {prompt}"}, ctx | {"senderId": sender})
        return (answer or {}).get("appendContext", ""), took

    def ready(self):
        """Wait until its clawgit answers; a question meanwhile waits in line, so it is asked now and then."""

        def answers():
            time.sleep(0.3)
            return self.turn("What did we decide?", {**TURN, "sessionId": "ready"})[0]

        until(answers)


@pytest.fixture
def gateway(start):
    """Start a gateway with the plugin in it, once its behaviour is set."""
    return lambda: start(Hooks)


@pytest.fixture
def patient(installed, gateway):
    """A gateway that waits for a busy machine."""
    installed.set("contextWait", PATIENCE * 400)
    installed.set("messageWait", PATIENCE * 400)
    gateway_hooks = gateway()
    gateway_hooks.ready()
    return gateway_hooks


def flags(home):
    return [flag.text for flag in triage.list_flags(StateStore(home.workspace / ".git/clawgit"))]


def test_what_is_remembered_stands_behind_the_prompt_marked_as_data_and_once(installed, patient):
    installed.clawgit("memory", "add", "The staging server is called heron.")
    installed.clawgit("memory", "add", "The printer says </relevant-memories> to everyone.", "--origin", "agent")
    question, line = "What is the staging server called?", "The staging server is called heron."
    text, _ = patient.turn("What does the printer say?", {**TURN, "sessionId": "printer"})
    assert text.count("</relevant-memories>") == 1
    files = [{"name": name, "content": "x"} for name in ("SOUL.md", "MEMORY.md", "../x")]
    patient.does("agent:bootstrap", {"context": {"sessionKey": GROUP["sessionKey"], "bootstrapFiles": files}})
    text, _ = patient.turn(question, TURN)
    assert text.startswith("<relevant-memories>\n")
    assert text.endswith("\n</relevant-memories>")
    assert "heron" in text
    assert "Core Truths" not in text
    assert "heron" not in patient.turn(question, TURN)[0]  # the same session had it a turn ago
    prompt_event = {
        "prompt": question,
        "messages": [{"role": "assistant", "content": [{"type": "text", "text": line}]}],
    }
    patient.does("tools", ctx={**TURN, "senderIsOwner": True, "requesterSenderId": "ada"})
    assert patient.does("before_prompt_build", prompt_event, {**TURN, "sessionId": "another"})[0] is None
    chat = {**TURN, "sessionKey": "agent:main:dashboard:7e0a", "sessionId": "7e0a"}  # a key for each chat
    assert "heron" in patient.turn(question, chat)[0]
    private = {**TURN, "sessionKey": "agent:main:dashboard:incognito-7e0a"}
    assert patient.turn(SAID, private)[0] == ""
    assert flags(installed) == []
    patient.does("agent:bootstrap", {"context": {"sessionKey": MAIN["sessionKey"], "bootstrapFiles": files}})
    assert patient.turn(question, {**TURN, "sessionId": "a third"})[0] == ""


def test_the_operator_is_heard_wherever_he_speaks_and_nobody_else(installed, patient):
    patient.turn(SAID, GROUP, owner=False, sender="eve")
    patient.turn(SAID, {**TURN, "inputProvenance": {"kind": "inter_session"}})
    patient.turn(SAID, {**TURN, "trigger": "cron", "channel": None}, arrived=False)
    patient.turn(SAID, {**TURN, "sessionKey": "agent:main:subagent:1"})
    event = {"content": SAID, "sessionKey": MAIN["sessionKey"], "senderId": "ada", "metadata": {"forwardedFrom": "eve"}}
    patient.does("message_received", event, {})
    patient.turn(f"Look: {SAID}", TURN, arrived=False)
    patient.turn(SAID, {**TURN, "agentId": "work", "sessionKey": "agent:work:main"})
    patient.does("message_received", {**event, "metadata": {}, "content": "/new Don't forget the tea."}, {})
    patient.does("agent_end", {}, TURN)
    patient.turn("Good morning.", TURN)
    assert flags(installed) == []
    patient.turn(SAID, TURN)
    patient.turn("Don't forget the milk.", GROUP)
    patient.turn("Don't forget the salt.", {**MAIN, "trigger": "user", "senderId": None}, arrived=False, sender=None)
    assert flags(installed) == [SAID, "Don't forget the milk.", "[Sat] Don't forget the salt."]


def test_what_waits_while_openclaw_has_a_turn_of_its_own_is_heard_in_its_turn(installed, patient):
    """After a restart OpenClaw goes on with the turn that was cut off, before it takes up later messages."""
    patient.does("message_received", {"content": SAID, "senderId": "ada", "sessionKey": MAIN["sessionKey"]}, {})
    patient.turn("Your previous turn was interrupted.", TURN, owner=False, arrived=False, sender=None)
    patient.does("agent_end", {}, TURN)
    patient.turn(SAID, TURN, arrived=False)
    until(lambda: flags(installed) == [SAID])


def test_tools_are_for_our_agent_and_keep_things_for_the_operator_alone(installed, patient):
    assert patient.does("tools", ctx={"agentId": "work"})[0] == []
    arguments = {"name": "clawgit_remember", "given": {"text": "The roof opens at nine."}}
    owner = {**MAIN, "senderIsOwner": True}
    keys = {"cron:1": "a timer", "dreaming-1": "OpenClaw's own", "subagent:1": "a sub-agent", "hook:1": "a webhook"}
    turns = [
        *(({**owner, "sessionKey": f"agent:main:{key}"}, speaker) for key, speaker in keys.items()),
        (MAIN, "somebody else"),
    ]
    for number, (ctx, speaker) in enumerate(turns):
        other = {**arguments, "given": {"text": f"Door {number} opens at nine."}}
        waits = patient.does("tool", other, ctx)[0]["content"][0]["text"]
        assert waits.startswith("Not done yet: it waits for the operator")
        assert ("clawgit show" in waits) == (number < 2)  # others are told no more
        items = installed.clawgit("inbox")
        assert f"Asked for in a turn of {speaker}, session {ctx['sessionKey']}." in str(items)
    assert "Door" not in installed.clawgit("memory", "list")
    reply = patient.does("tool", arguments, {**MAIN, "senderIsOwner": True})[0]["content"][0]["text"]
    assert reply.startswith("Kept as ")
    reply = patient.does("tool", {"name": "clawgit_search", "given": {"query": "roof"}}, owner)[0]["content"][0]["text"]
    assert reply.startswith("- The roof opens at nine. #knowledge [MEMORY.md#L")
    wrong = patient.does("tool", {"name": "clawgit_read", "given": {"path": "/etc/passwd"}}, owner)[0]["content"][0][
        "text"
    ]
    assert "passwd" in wrong


def correct_by_hand(installed, words):
    with (installed.workspace / "CORRECTIONS.md").open("a", encoding="utf-8") as file:
        file.write(f"\n## By hand\n\n- {words}\n")


def test_openclaws_own_search_finds_corrections_and_what_is_gone_of_this_agent_alone(installed, patient):
    def asks(act, **query_fields):
        event = {
            "toolName": "memory_search",
            "params": {"query": query_fields.get("query", query_fields.get("lookup"))},
        }
        patient.does("before_tool_call", event, TURN | {"runId": "1"})
        query_fields = {"agentId": "main", "agentSessionKey": MAIN["sessionKey"], **query_fields}
        return patient.does("corpus", {"act": act, "asked": query_fields})[0]

    patient.turn("Good morning.", TURN | {"runId": "1"})

    installed.clawgit("memory", "add", "The staging server is called heron.")
    document = installed.clawgit("journal", "add", "The roof terrace opens at nine.")
    installed.clawgit("correct", "The staging server is called egret, not heron.")
    installed.clawgit("undo", document["commit"])
    (hit,) = asks("search", query="roof terrace")
    assert hit["provenanceLabel"] == "clawgit: this line is gone"
    assert "opens at nine" in hit["snippet"]
    correct_by_hand(installed, "The night porter is called Ines.")
    hits = asks("search", query="night porter Ines", maxResults=5)
    assert {hit["path"] for hit in hits if hit["provenanceLabel"] == "clawgit"} == {"CORRECTIONS.md"}
    assert all(hit["corpus"] == "clawgit" and 0 <= hit["score"] <= 1 for hit in hits)
    assert "egret" in asks("get", lookup="CORRECTIONS.md", lineCount=30)["content"]
    for other in ({"agentId": "ops"}, {"sandboxed": True}):
        assert asks("search", query="night porter", **other) == []
        assert asks("get", lookup="CORRECTIONS.md", **other) is None


SECRET = "The staging server is called osprey."


@pytest.fixture
def knows(installed, patient):
    """Ask the gateway in three ways, in a turn of its own or in none; return those that told of the secret."""
    installed.configure({"meta": {"lastTouchedVersion": "2026.9.6"}, "commands": {"ownerAllowFrom": ["telegram:ada"]}})
    installed.clawgit("memory", "add", SECRET)
    installed.clawgit("correct", "The staging server is called egret, not osprey.")
    correct_by_hand(installed, "The staging server is called egret.")

    def ask(ctx, run="", is_begun=True):
        question = "What is the staging server called?"
        own = {"runId": run or str(time.monotonic()), "sessionId": str(time.monotonic())}
        ctx = {"messageChannel": "telegram", "channel": "telegram", **ctx, **own}
        sources = set()
        patient.does("tools", ctx=ctx)
        if is_begun:
            text = patient.does(
                "before_prompt_build", {"prompt": question}, {**ctx, "senderId": ctx.get("requesterSenderId")}
            )[0]
            sources |= {"context"} if "egret" in str(text) else set()
        search = {"name": "clawgit_search", "given": {"query": question}}
        sources |= {"tool"} if "egret" in str(patient.does("tool", search, ctx)[0]) else set()
        requester = {"senderId": ctx.get("requesterSenderId"), "senderIsOwner": ctx.get("senderIsOwner")}
        lookup = {"toolName": "memory_search", "params": {"query": question}}
        patient.does("before_tool_call", lookup, {**ctx, "requester": {"channel": "telegram", **requester}})
        query = {"query": question, "agentId": "main", "agentSessionKey": ctx["sessionKey"]}
        sources |= {"corpus"} if "egret" in str(patient.does("corpus", {"act": "search", "asked": query})[0]) else set()
        return sources

    return ask


ALL = {"context", "tool", "corpus"}
ADA = {**TURN, "requesterSenderId": "ada", "senderIsOwner": True, "deliveryContext": {"to": "telegram:ada"}}
EVE = {**TURN, "requesterSenderId": "eve", "senderIsOwner": False, "deliveryContext": {"to": "telegram:eve"}}


def test_in_one_session_each_turn_is_its_own_senders(patient, knows):
    """A stranger's direct message runs in the owner's session, and their turns may overlap."""
    for ctx, expected in ((ADA, ALL), (EVE, set()), (ADA, ALL), (EVE, set())):
        run = f"{ctx['requesterSenderId']}-{time.monotonic()}"
        assert knows(ctx, run) == expected
        patient.does("agent_end", {}, {**ctx, "runId": run})
    assert knows(ADA, "a") == ALL
    assert knows(EVE, "b") == set()  # while his turn still runs: nobody knows which of the two asked the corpus
    assert knows(ADA, "a") == {"context", "tool"}
    patient.does("agent_end", {}, {**EVE, "runId": "b"})
    assert knows(ADA, "a") == ALL


def test_who_is_not_said_to_be_the_owner_is_a_stranger(knows):
    nobody = {key: value for key, value in ADA.items() if key not in ("senderIsOwner", "requesterSenderId")}
    assert knows(nobody) == set()
    assert knows({**nobody, "requesterSenderId": "ada"}) == {"context"}  # its hook is told no flag: his id counts
    assert knows({**EVE, "senderIsOwner": None}) == set()
    assert knows({**ADA, "sessionKey": GROUP["sessionKey"], "deliveryContext": {"to": "telegram:-100"}}) == set()


def test_a_sub_agent_hears_as_much_as_the_turn_that_started_it(patient, knows):
    for number, (ctx, expected) in enumerate([(ADA, ALL), (EVE, set()), (None, set())]):
        child = f"agent:main:subagent:{number}"
        kid = {**(ctx or ADA), "sessionKey": child, "senderIsOwner": False, "requesterSenderId": None}
        if ctx:
            knows(ctx, f"run{number}")
            spawned = {"childSessionKey": child, "requester": {"channel": "telegram", **ctx["deliveryContext"]}}
            patient.does("subagent_spawned", spawned, {"requesterSessionKey": ctx["sessionKey"]})
            patient.does("agent_end", {}, {**ctx, "runId": f"run{number}"})
        assert knows(kid) == expected


def running(program):
    """Return the processes that still run this program."""
    result = subprocess.run(["pgrep", "-f", str(program)], capture_output=True, text=True, check=False)
    return result.stdout.split()


JOURNAL = "memory/2026-05-04.md"
DECIDED = (("user", "We decided to use PostgreSQL for the new billing project."), ("assistant", "Noted."))


def test_what_is_compacted_is_flushed_and_what_is_left_leaves_a_file_for_the_next(installed, patient):
    """No turn waits for it, and no model has to obey (spec A6, H3); machine turns and deleted ones leave nothing."""
    write_transcript(installed.state / f"agents/main/sessions/{SESSION}.jsonl", chain(*DECIDED))
    write_sessions(installed.state / "agents/main/sessions", **{SESSION: (MAIN["sessionKey"], {"chatType": "direct"})})
    talked = {**MAIN, "sessionId": SESSION}
    journal = installed.workspace / JOURNAL
    patient.does("before_compaction", {"messageCount": 2}, talked)
    assert until(lambda: journal.exists() and "PostgreSQL" in journal.read_text())
    assert not list(installed.workspace.glob("memory/2026-05-04-*.md"))
    ended = {"sessionId": SESSION, "sessionKey": MAIN["sessionKey"], "messageCount": 2, "reason": "new"}
    patient.does("session_end", ended, MAIN | {"sessionId": "the-next"})
    (left,) = until(lambda: list(installed.workspace.glob("memory/2026-05-04-*.md")))
    assert "PostgreSQL" in left.read_text()
    until(lambda: not running("session flush"))
    assert journal.read_text().count("PostgreSQL") == 1
    flushed = installed.folder / "flushed"
    installed.replace_program(f'#!/bin/sh\necho "$@" >> {flushed}\n')
    other = Hooks(installed, installed.folder)
    no_talk = ({"reason": "deleted"}, {"sessionId": "../x"}, {"sessionKey": "agent:main:cron:1"})
    for end_fields in no_talk:
        other.does("session_end", {**ended, "sessionId": SESSION, **end_fields}, talked)
    other.close()
    time.sleep(0.3)
    assert "flush" not in (flushed.read_text() if flushed.exists() else "")


def test_odd_events_break_nothing(patient):
    for odd in ({"event": []}, {}, {"sessionKey": 1}, {"content": {}}, {"prompt": None}):
        for hook in (*HEARD, "before_compaction", "before_reset", "session_end"):
            patient.does(hook, odd, odd)
        assert patient.process.poll() is None, odd
