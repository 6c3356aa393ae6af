"""How full a conversation is, what is pruned, what a compaction keeps: covers A6, A7, A8."""

import hashlib
import json
from pathlib import Path

import pytest

from clawgit.sessions import transcript_discovery
from clawgit.sessions.envelope import Session
from clawgit.sessions.life import model_context
from clawgit.sessions.life.model_context import made
from clawgit.sessions.life.session_plan import Rules, plan_compaction, plan_pruning, read_rules
from clawgit.workspace.host.openclaw_files import HostConfig
from tests.amounts import amount

from . import recorded_transcripts as recorded
from .transcripts import SESSION, START, called, chain, returned, said

HERE = Session(SESSION, "main", "agent:main:main", "direct")
LATE = START + 1e7


def conversation(rows):
    return made([json.dumps(one) for one in rows], HERE)


def raws(items):
    return [json.dumps(one.raw, sort_keys=True) for one in items]


def tools(count, size, start=START):
    """A question, then calls with long results, then answers."""
    rows = [said("q", None, "user", "Look at everything.", start)]
    for n in range(count):
        rows.append(called(f"c{n}", rows[-1]["id"], "read", {"path": f"f{n}"}, start + n))
        rows.append(returned(f"r{n}", f"c{n}", "read", "x" * size, start + n))
        rows[-1]["message"]["toolCallId"] = f"call_c{n}"
    for n in range(3):
        rows.append(said(f"a{n}", rows[-1]["id"], "assistant", "Well.", start + count + n))
    return rows


# --- limits


def configured(**values):
    return read_rules(HostConfig(Path("openclaw.json"), values))


def test_the_limits_are_those_of_the_seeds_where_openclaw_json_says_nothing():
    rules = configured()
    assert rules == Rules()
    assert (rules.reserve, rules.soft, rules.compact_at, rules.flush_at) == (20_000, 4_000, 180_000, 176_000)
    assert (rules.turns, rules.answers, rules.prune_ttl, rules.mode, rules.hour) == (10, 3, 600, "daily", 4)


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
    assert (rules.prunes, rules.prune_ttl, rules.answers, rules.max_chars, rules.clears) == (False, 3_600, 5, 9, False)
    assert (rules.mode, rules.hour, rules.idle_minutes) == ("daily+idle", 5, 90)
    assert rules.prompt == flush["prompt"]


# --- pruning


def test_results_are_cleared_oldest_first_only_while_half_the_window_is_full():
    context = conversation(tools(6, 3_900)).context
    window = model_context.total(context)
    done = plan_pruning(context, Rules(window=window), LATE)
    assert done.trimmed == ()
    assert 0 < len(done.cleared) < 6
    assert done.cleared == tuple(f"r{n}" for n in range(len(done.cleared)))
    assert done.after <= window / 2 < done.before
    assert plan_pruning(context, Rules(window=window, clears=False), LATE).cleared == ()


def test_the_last_answers_and_what_stands_behind_them_stay_whole():
    rows = tools(1, 9_000)
    rows += [called("z", "a2", "read", {}, START + 9), returned("zr", "z", "read", "y" * 9_000, START + 9)]
    done = plan_pruning(conversation(rows).context, Rules(window=1, answers=2), LATE)
    assert {*done.trimmed, *done.cleared} == {"r0"}


# --- compaction


def within(budget, turns):
    return Rules(window=24_000 + budget, turns=turns)


def test_the_last_turns_stay_whole_and_the_rest_is_summarised():
    rows = chain(*(("user" if n % 2 == 0 else "assistant", f"turn {n // 2}") for n in range(300)))
    done = plan_compaction(conversation(rows).context, Rules())
    assert (len(done.summarised), len(done.kept)) == (280, 20)
    assert done.kept[0].event.text == "turn 140"


def test_a_turn_that_is_above_the_budget_is_kept_and_told():
    rows = chain(("user", "hello"), ("assistant", "hi"), ("user", "word " * 2_000))
    done = plan_compaction(conversation(rows).context, within(500, 10))
    assert (done.fits, len(done.kept)) == (False, 1)


def test_a_cut_goes_back_to_where_no_call_is_parted_from_its_result():
    rows = chain(("user", "start"), ("assistant", "yes"), ("user", "go"))
    rows.append(called("c", rows[-1]["id"], "exec", {}, START + 50))
    rows.append(said("u", "c", "user", "hurry", START + 51))
    rows.append(returned("r", "u", "exec", "done", START + 52))
    rows[-1]["message"]["toolCallId"] = "call_c"
    done = plan_compaction(conversation(rows).context, within(10_000, 1))
    assert [one.event.text for one in done.kept if one.event.role == "user"] == ["go", "hurry"]


# --- files


@pytest.mark.parametrize("place", recorded.FILES[:: amount(1, 5)], ids=lambda one: one.name.partition(".")[0])
def test_what_openclaw_itself_wrote_is_read_and_left_as_it_was(place, tmp_path):
    """Twenty conversations of a real OpenClaw, with compactions, and with calls of tools."""
    lines = recorded.rows(place)
    file = tmp_path / f"{SESSION}.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    (found,) = transcript_discovery.at(file)
    read = model_context.read(found)
    assert read.unread == 0
    assert len(read.items) == len([one for one in lines if '"role"' in one or '"summary"' in one])
    recorded.require_sound(read)
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before


def test_a_call_whose_result_never_came_stays_with_its_turn():
    rows = chain(("user", "start"), ("assistant", "yes"), ("user", "go"))
    rows.append(called("c", rows[-1]["id"], "exec", {}, START + 50))
    rows += [said("u", "c", "user", "And now?", START + 51), said("v", "u", "assistant", "It hangs.", START + 52)]
    found = conversation(rows)
    done = plan_compaction(found.context, within(10_000, 1))
    assert [one.event.id for one in done.kept] == ["u", "v"]
    assert raws((*done.summarised, *done.kept)) == raws(found.context)
    lone = conversation([*chain(("user", "hello")), returned("r", "e0000000", "exec", "x" * 9_000, START + 60)])
    assert plan_compaction(lone.context, within(10_000, 1)).fits
