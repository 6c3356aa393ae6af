"""OpenClaw's settings of a conversation, and conversations that it wrote: covers A6, A7, A8."""

import hashlib
from pathlib import Path

import pytest

from clawgit.openclaw.openclaw_files import HostConfig
from clawgit.sessions import transcript_discovery
from clawgit.sessions.life import model_context
from clawgit.sessions.life.model_context import Rules, read_rules
from tests.amounts import amount

from . import recorded_transcripts as recorded
from .transcripts import SESSION

# --- limits


def configured(**values):
    return read_rules(HostConfig(Path("openclaw.json"), values))


def test_the_limits_are_those_of_the_seeds_where_openclaw_json_says_nothing():
    rules = configured()
    assert rules == Rules()
    assert (rules.reserve, rules.soft, rules.compact_at, rules.flush_at) == (20_000, 4_000, 180_000, 176_000)
    assert (rules.turns, rules.answers, rules.ttl, rules.mode, rules.hour) == (10, 3, 600, "daily", 4)


def test_openclaw_json_says_when_in_its_own_keys():
    flush = {"enabled": False, "softThresholdTokens": 8_000, "prompt": "Save to memory/YYYY-MM-DD.md or NO_REPLY"}
    compaction = {"reserveTokensFloor": 30_000, "recentTurnsPreserve": 3, "memoryFlush": flush}
    pruning = {
        "mode": "off",
        "ttl": "1h",
        "keepLastAssistants": 5,
        "softTrim": {"maxChars": 9},
        "hardClear": {"enabled": False},
    }
    defaults = {"contextTokens": 100_000, "compaction": compaction, "contextPruning": pruning}
    rules = configured(agents={"defaults": defaults}, session={"reset": {"atHour": 5, "idleMinutes": 90}})
    assert (rules.window, rules.reserve, rules.soft, rules.flushes, rules.turns) == (100_000, 30_000, 8_000, False, 3)
    assert (rules.prunes, rules.ttl, rules.answers, rules.max_chars, rules.clears) == (False, 3_600, 5, 9, False)
    assert (rules.mode, rules.hour, rules.idle_minutes) == ("daily+idle", 5, 90)
    assert rules.prompt == flush["prompt"]


# --- files


@pytest.mark.parametrize("place", recorded.FILES[:: amount(1, 5)], ids=lambda one: one.name.partition(".")[0])
def test_what_openclaw_itself_wrote_is_read_and_left_as_it_was(place, tmp_path):
    """Twenty conversations of a real OpenClaw, with compactions, and with calls of tools."""
    lines = recorded.rows(place)
    file = tmp_path / f"{SESSION}.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    (found,) = transcript_discovery.list_transcripts_at(file)
    read = model_context.read(found)
    assert read.unread == 0
    assert len(read.items) == len([one for one in lines if '"role"' in one or '"summary"' in one])
    assert model_context.count_tokens(read.context)[0] > 0
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
