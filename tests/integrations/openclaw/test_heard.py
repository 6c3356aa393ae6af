"""A message that arrives at OpenClaw corrects a memory, and the agent wakes up knowing."""

import pytest

from clawgit.messages import message_flags
from clawgit.store.database import StateStore
from tests.sessions.transcripts import SESSION, chain, listed, written

from .conftest import until

WRONG, RIGHT = "The deploy day is Monday.", "The deploy day is Tuesday."
SAID = "No, the deploy day is Tuesday, not Monday."


@pytest.fixture
def wrong(home):
    """The workspace remembers something that is wrong."""
    home.clawgit("memory", "add", WRONG)
    return home


def test_a_correction_of_the_operator_becomes_a_commit(wrong, gateway):
    gateway().says(SAID)
    until(lambda: RIGHT in (wrong.workspace / "MEMORY.md").read_text())
    until(lambda: "correct" in wrong.git("log", "-1", "--format=%s%n%b").lower())
    assert "Tuesday" in (wrong.workspace / "CORRECTIONS.md").read_text()
    assert "Origin: operator" in wrong.git("log", "-1", "--format=%b")


def flags_of(home):
    return message_flags.flags(StateStore(home.workspace / ".git/clawgit"))


def test_what_a_group_says_corrects_nothing(wrong, gateway):
    one = gateway()
    one.says(SAID, "agent:main:telegram:group:-100", metadata={"channelName": "#all"})
    one.says("Don't forget the milk")  # they are dealt with in their order
    until(lambda: any("milk" in flag.text for flag in flags_of(wrong)))
    assert WRONG in (wrong.workspace / "MEMORY.md").read_text()


def test_the_next_context_shows_what_is_true(wrong, gateway):
    one = gateway()
    one.says(SAID)
    soul = {"name": "SOUL.md", "path": "SOUL.md", "content": (wrong.workspace / "SOUL.md").read_text()}
    text = "".join(file["content"] for file in one.wakes(files=(soul,))[0])
    assert RIGHT in text
    assert "Core Truths" not in text  # OpenClaw shows it itself


@pytest.mark.parametrize("how", ["compact", "new", "elsewhere"])
def test_what_is_compacted_or_left_is_flushed(how, home, gateway):
    told = (("user", "We decided to use PostgreSQL for the new billing project."), ("assistant", "Noted."))
    written(home.state / f"agents/main/sessions/{SESSION}.jsonl", chain(*told))
    listed(home.state / "agents/main/sessions", **{SESSION: ("agent:main:main", {"chatType": "direct"})})
    key = "agent:other:main" if how == "elsewhere" else "agent:main:main"
    event = {"type": "session", "action": "compact:before", "context": {"sessionId": SESSION}}
    if how != "compact":
        event = {"type": "command", "action": "new", "context": {"previousSessionEntry": {"sessionId": SESSION}}}
    one = gateway()
    one.send({**event, "sessionKey": key, "messages": []})
    journal = home.workspace / "memory/2026-05-04.md"
    if how == "elsewhere":
        one.says("Don't forget the milk")  # what was begun before is done by then
        until(lambda: flags_of(home))
        assert not journal.exists()
        return
    until(lambda: journal.exists() and "PostgreSQL" in journal.read_text())
    if how == "new":
        until(lambda: list(home.workspace.glob("memory/2026-05-04-*.md")))
