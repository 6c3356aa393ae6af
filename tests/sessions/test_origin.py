"""Whose words a message holds is decided by where it was said."""

import pytest

from clawgit.sessions.envelope import Clean, Session, kind, origin
from clawgit.sessions.transcript import Entry


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("agent:main:main", "direct"),
        ("agent:main:main:thread:7", "direct"),
        ("agent:main:dashboard:7e0a", "direct"),
        ("agent:main:dashboard:incognito-7e0a", "own"),
        ("agent:main:telegram:direct:123", "direct"),
        ("agent:main:telegram:direct:123:thread:7", "direct"),
        ("agent:main:whatsapp:dm:123", "direct"),
        ("agent:main:telegram:group:-100", "group"),
        ("agent:main:discord:channel:5", "group"),
        ("agent:main:telegram:group:-100:thread:7", "group"),
        ("agent:main:cron:job", "cron"),
        ("agent:main:cron:job:run:1", "cron"),
        ("cron:job", "cron"),
        ("hook:7e0a", "hook"),
        ("agent:main:hook:7e0a", "hook"),
        ("agent:main:subagent:7e0a", "subagent"),
        ("agent:main:main:heartbeat", "heartbeat"),
        ("dreaming-narrative-light-1", "dreaming"),
        ("agent:main:dreaming-narrative-rem", "dreaming"),
        ("agent:main:explicit:model-run-7e0a", "own"),
        ("explicit:model-run-7e0a", "own"),
        ("agent:main:clawgit", "own"),
        ("agent:main:clawgit:miner", "own"),
        ("agent:main:main:active-memory:1", "subagent"),
        ("acp:7", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_key_tells_the_kind(key, expected):
    assert kind("5b0f", key) == expected


def test_a_machines_key_goes_before_the_type_of_chat():
    assert kind("5b0f", "agent:main:cron:job", "direct") == "cron"
    assert kind("5b0f", "agent:main:main", "group") == "group"
    assert kind("5b0f", "", "channel") == "group"
    assert kind("5b0f", "agent:main:main", "direct", spawned=True) == "subagent"
    assert kind("clawgit-soul-keeper", "") == "own"
    assert kind("dreaming-narrative-1", "") == "dreaming"


def entry(role="user", by=""):
    return Entry("a", None, "message", role, "x", by=by)


@pytest.mark.parametrize(
    ("one", "place", "said", "expected"),
    [
        (entry(), "direct", Clean("x"), "operator"),
        (entry(by="external_user"), "direct", Clean("x"), "operator"),
        (entry(), "unknown", Clean("x"), "operator"),
        (entry(), "unknown", Clean("x", group=True), "untrusted"),
        (entry(), "group", Clean("x"), "untrusted"),
        (entry(by="external_user"), "group", Clean("x"), "untrusted"),
        (entry(), "hook", Clean("x"), "untrusted"),
        (entry(), "direct", Clean("x", forwarded=True), "untrusted"),
        (entry(by="inter_session"), "direct", Clean("x"), "agent"),
        (entry("assistant"), "direct", Clean("x"), "agent"),
        (entry("assistant"), "group", Clean("x"), "agent"),
        (entry("tool"), "direct", Clean("x"), "untrusted"),
    ],
)
def test_the_owner_speaks_in_direct_chats_alone(one, place, said, expected):
    assert origin(one, Session("s", kind=place), said) == expected
