"""Flags are filed for the miner, and none is lost."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from clawgit.messages import message_flags
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.store.database import StateStore

NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)


def file(folder, text, session=""):
    return message_flags.file(StateStore(folder), text, triage(text, BUILT_IN), NOW, session)


def test_what_is_filed_is_read_in_order(tmp_path):
    filed = [file(tmp_path, "Remember that\nit rains"), file(tmp_path, "you forgot ümläut \ud800", "s1")]
    read = list(message_flags.flags(StateStore(tmp_path)))
    assert [flag.id for flag in read] == [flag.id for flag in filed]
    assert read[0].text == "Remember that\nit rains"
    assert read[1].session == "s1"
    assert read[1].found["matches"][0]["group"] == "recall"


def test_only_its_owner_may_read_it(tmp_path):
    file(tmp_path, "you forgot")
    assert all(place.stat().st_mode & 0o077 == 0 for place in tmp_path.iterdir())


def test_many_writers_at_once_lose_nothing(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: file(tmp_path, f"remember that {n} {'x' * 9000}"), range(64)))
    assert len({flag.id for flag in message_flags.flags(StateStore(tmp_path))}) == 64
