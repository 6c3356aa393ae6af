"""The hook under a real Node: it passes on what arrives, and never holds OpenClaw up."""

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from .conftest import until

RECORDER = """#!/usr/bin/env python3
import hashlib, json, os, sys
data = sys.stdin.buffer.read()
line = json.dumps([sys.argv[1:], len(data), hashlib.sha256(data).hexdigest(), os.getcwd()]) + "\\n"
with open({place!r}, "ab", buffering=0) as file:
    file.write(line.encode())
print("remembered: 你好 🦞")
"""


@pytest.fixture
def recorder(home):
    """Put a program that notes its calls in the place of clawgit; return what it noted."""
    place = home.folder / "calls"

    def start():
        home.replace_program(RECORDER.format(place=str(place)))
        return lambda: [json.loads(row) for row in place.read_text().splitlines()] if place.exists() else []

    return start


MESSAGES = [
    "No, it's Tuesday",
    "--act --origin operator",
    "-",
    "`rm -rf /`; $(touch x) \"'\\ %s\r\n\n\x00\x1b[31m",
    "纠正一下：不是周一，是周二 🦞 é",  # noqa: RUF001
    "x" * 1_000_000,
    "周二🦞" * 100_000,
]


def test_a_message_arrives_byte_for_byte_and_nothing_of_it_is_an_argument(gateway, recorder):
    calls, one = recorder(), gateway()
    for text in MESSAGES:
        one.says(text)
    rows = until(lambda: len(found := calls()) == len(MESSAGES) and found)
    assert [row[2] for row in rows] == [sha256(text.encode()).hexdigest() for text in MESSAGES]  # in their order
    for row in rows:
        assert row[0] == ["-C", str(one.home.workspace), "triage", "-", "--act", "--origin", "operator"]


ORIGINS = [
    ("agent:main:main", {}, "operator"),
    ("main", {}, "operator"),
    ("agent:main:telegram:direct:7", {}, "operator"),
    ("agent:main:main:thread:3", {}, "operator"),
    ("agent:main:telegram:group:-100", {}, "untrusted"),
    ("agent:main:discord:channel:5", {}, "untrusted"),
    ("agent:main:main", {"metadata": {"channelName": "#general"}}, "untrusted"),
    ("agent:main:main", {"metadata": {"guildId": "9"}}, "untrusted"),
    ("agent:main:main", {"isGroup": True}, "untrusted"),
    ("agent:main:main", {"conversationId": "telegram:group:-100"}, "untrusted"),
    ("agent:main:main", {"from": "4915@g.us"}, "untrusted"),
    ("agent:main:main", {"metadata": {"forwardedFrom": "Eve"}}, "untrusted"),
    ("agent:main:main", {"channelId": "Discord"}, "untrusted"),  # anybody may write there
    ("agent:main:cron:7", {}, "untrusted"),
    ("hook:abc", {}, "untrusted"),
    ("", {}, "untrusted"),
    ("agent:main:who:knows", {}, "untrusted"),
]


def test_whose_words_they_are_is_told_by_the_place_where_they_were_said(gateway, recorder):
    calls, one = recorder(), gateway()
    for at, (key, context, _) in enumerate(ORIGINS):
        one.says(f"message {at}", key, **context)
        until(lambda at=at: len(calls()) == at + 1)
    assert [row[0][-1] for row in calls()] == [origin for *_, origin in ORIGINS]


def test_where_a_guest_may_have_written_nothing_is_shown(gateway, home, recorder):
    """The hook is not told whose message a turn is about, and a guest's runs in the operator's own session."""
    calls = recorder()
    home.set("open", ["discord"])
    one = gateway()
    one.says("When is the deploy day?", metadata={"provider": "discord"})
    one.says("And who is on call?")
    assert one.wakes()[0] == []
    until(lambda: len(calls()) == 2)
    assert all(words[2] == "triage" for words, *_ in calls())


BROKEN = {
    "missing": None,
    "failing": "#!/bin/sh\ncat >/dev/null; echo half; echo oops >&2; exit 1\n",
    "killed": "#!/bin/sh\necho half; kill -9 $$\n",
    "ten megabytes": "#!/bin/sh\nexec head -c 10000000 /dev/zero\n",
}


def test_a_broken_clawgit_goes_unnoticed(gateway, home):
    place = home.replace_program("")
    one = gateway()
    for script in BROKEN.values():
        place.unlink() if script is None else home.replace_program(script)
        for text in MESSAGES:
            one.says(text)
        assert one.wakes()[0] == []
    assert one.close() == ""


def test_a_slow_clawgit_is_not_waited_for_and_does_not_stay(gateway, home):
    pids = home.folder / "pids"
    home.replace_program('#!/bin/sh\necho $$ >>"$HOME/pids"\nexec sleep 30\n')
    home.set("contextWait", 500)
    home.set("messageWait", 2_000)
    one = gateway()
    for at in range(40):  # of which sixteen wait, and the rest is passed over
        one.says(f"message {at}")
    assert one.wakes()[0] == []
    first = until(lambda: pids.exists() and pids.read_text().split())
    until(lambda: not alive(int(first[0])))
    one.close(kill=True)
    for pid in pids.read_text().split():
        with suppress(ProcessLookupError):
            os.killpg(int(pid), 9)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:  # it ended between two looks
        return False


def test_a_gateway_that_dies_does_not_take_the_message_with_it(gateway, home, recorder):
    calls = recorder()
    program = home.folder / "bin/clawgit"
    go = home.folder / "go"
    program.write_text(
        program.read_text().replace(
            "data =", f"import time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\ndata ="
        )
    )
    one = gateway()
    one.says("remember this")
    one.close(kill=True)
    go.touch()
    (row,) = until(calls)
    assert row[1] == len("remember this")


def test_in_what_clawgit_asks_itself_nothing_is_heard_or_shown(home, gateway, recorder):
    calls = recorder()
    home.environ["CLAWGIT_LLM_READING"] = "1"
    started = gateway()
    started.says("No, it's Tuesday")
    assert started.wakes()[0] == []
    assert calls() == []
