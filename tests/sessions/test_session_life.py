"""How full a conversation is, what is pruned, what a compaction keeps: covers A6, A7, A8."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError, UsageError
from clawgit.sessions import transcript_discovery
from clawgit.sessions.envelope import Session
from clawgit.sessions.life import model_context
from clawgit.sessions.life.conversation_outline import outline
from clawgit.sessions.life.model_context import is_result, made
from clawgit.sessions.life.session_plan import Rules, plan_compaction, plan_pruning, read_rules
from clawgit.workspace.host.openclaw_files import HostConfig

from . import recorded_transcripts as recorded
from . import varied_transcripts as varied
from .transcripts import SESSION, START, called, chain, database, returned, said, written

HERE = Session(SESSION, "main", "agent:main:main", "direct")
LATE = START + 1e7
numbers = st.integers(0, 10_000)


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


@pytest.mark.parametrize("odd", [None, "x", -1, True, [], {}, float("nan"), "1h2", 1e300])
def test_what_openclaw_json_says_oddly_counts_as_not_said(odd):
    compaction = {"reserveTokensFloor": odd, "memoryFlush": odd, "recentTurnsPreserve": odd}
    pruning = {"ttl": odd if not isinstance(odd, float) else None, "softTrim": odd, "hardClearRatio": odd}
    reset = {"atHour": odd, "idleMinutes": odd}
    found = configured(
        agents={"defaults": {"contextTokens": odd, "compaction": compaction, "contextPruning": pruning}},
        session={"reset": reset},
    )
    assert (found.reserve, found.turns, found.prune_ttl, found.hour) == (20_000, 10, 600, 4)


def test_a_picture_and_a_call_cost_what_they_are():
    rows = chain(("user", "look"))
    rows[0]["message"]["content"].append({"type": "image", "data": "aGk=" * 9_000, "mimeType": "image/png"})
    rows.append(called("c", rows[0]["id"], "write", {"path": "x", "text": "word " * 1_000}, START))
    found = conversation(rows)
    assert found.items[0].tokens == 1_600 + 4 + model_context.tokens("look")
    assert found.items[1].tokens > model_context.tokens("word " * 1_000)


def test_a_window_without_room_is_refused():
    with pytest.raises(UsageError, match="no room"):
        read_rules(HostConfig(Path("openclaw.json")), 24_000)


def test_what_the_last_answer_reported_counts_with_what_came_after_it():
    rows = chain(("user", "hello"), ("assistant", "hi"), ("user", "more"))
    rows[1]["message"]["usage"] = {"input": 100, "cacheRead": 50_000, "output": 7}
    found = conversation(rows)
    assert model_context.used(found.context) == (50_107 + found.items[2].tokens, True)
    rows[1]["message"]["usage"] = {"input": 0}
    assert model_context.used(conversation(rows).context) == (model_context.total(found.items), False)


def test_a_report_from_before_a_compaction_counts_no_more():
    rows = chain(("user", "hello"), ("assistant", "hi"))
    rows[1]["message"]["usage"] = {"totalTokens": 180_000}
    rows.append({"type": "compaction", "id": "c", "parentId": rows[1]["id"], "summary": "They met.",
                 "firstKeptEntryId": rows[1]["id"]})  # fmt: skip
    found = conversation(rows)
    assert [one.event.id for one in found.context] == ["c", rows[1]["id"]]
    assert not model_context.used(found.context)[1]
    assert [one.event.id for one in found.items] == [rows[0]["id"], rows[1]["id"], "c"]


def test_a_long_text_is_counted_by_samples():
    text = "The deploy day is Tuesday, not Monday. 8080\n" * 20_000
    assert abs(model_context.tokens(text) / (len(text) / 40_000 * model_context.tokens(text[:40_000])) - 1) < 0.05


def test_only_the_branch_that_counts_is_read():
    rows = chain(("user", "first"), ("assistant", "given up"))
    rows.append(said("other", rows[0]["id"], "assistant", "instead", START + 60))
    assert [one.event.text for one in conversation(rows).items] == ["first", "instead"]


def test_a_broken_line_hides_nothing_else():
    rows = chain(("user", "one"), ("assistant", "two"), ("user", "three"))
    lines = [json.dumps(rows[0]), "{half", json.dumps(rows[2]), b"\xff\xfe{", None]
    found = made(lines, HERE)
    assert ([one.event.text for one in found.items], found.unread) == (["one", "three"], 3)


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


@pytest.mark.parametrize(
    ("rules", "now", "reason"),
    [
        (Rules(prunes=False), LATE, "off"),
        (Rules(), START + 600, "too young"),
        (Rules(answers=99), LATE, "99 answers"),
    ],
)
def test_when_nothing_is_pruned_it_says_why(rules, now, reason):
    done = plan_pruning(conversation(tools(2, 9_000)).context, rules, now)
    assert reason in done.reason
    assert done.before == done.after


def test_the_last_answers_and_what_stands_behind_them_stay_whole():
    rows = tools(1, 9_000)
    rows += [called("z", "a2", "read", {}, START + 9), returned("zr", "z", "read", "y" * 9_000, START + 9)]
    done = plan_pruning(conversation(rows).context, Rules(window=1, answers=2), LATE)
    assert {*done.trimmed, *done.cleared} == {"r0"}


@given(numbers, st.integers(0, 5), st.integers(0, 6_000), st.integers(200, 90_000))
def test_pruning_takes_results_alone_and_costs_nothing(number, answers, longest, window):
    context = conversation(varied.transcript(number)).context
    done = plan_pruning(context, Rules(window=window, answers=answers, max_chars=longest), LATE)
    assert {*done.trimmed, *done.cleared} <= {one.event.id for one in context if is_result(one.message)}
    assert done.after <= done.before == model_context.total(context)


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


@given(numbers, st.integers(1, 12), st.integers(10, 60_000))
def test_a_compaction_parts_nothing_and_fits(number, keep, budget):
    found = conversation(varied.transcript(number, 80))
    done = plan_compaction(found.context, within(budget, keep))
    assert raws((*done.summarised, *done.kept)) == raws(found.context)
    assert done.fits == (model_context.total(done.kept) <= budget)
    asked = {call for one in done.summarised for call in one.makes}
    later = {call for one in done.kept for call in one.makes}
    assert not [one for one in done.kept if one.answers in asked - later]
    starts, kept = model_context.turns(found.context), len(model_context.turns(done.kept))
    if done.fits and kept < min(keep, len(starts)):
        parts = model_context.parting(found.context)
        least = starts[-min(keep, len(starts))]
        cut = max((at for at in starts if at <= least and not parts[at]), default=0)
        assert model_context.total(found.context[cut:]) > budget


# --- files


def test_two_hundred_transcripts_are_read_and_left_as_they_were(tmp_path):
    for number in range(200):
        place = tmp_path / f"t{number}.jsonl"
        rows = varied.transcript(number, 60)
        place.write_text("\n".join(varied.as_lines(rows, number)) + "\n{half", "utf-8")
        before = hashlib.sha256(place.read_bytes()).hexdigest()
        (found,) = transcript_discovery.at(place)
        read = model_context.read(found)
        plan_pruning(read.context, Rules(window=5_000), LATE)
        done = plan_compaction(read.context, within(4_000, 3))
        outline((*done.summarised, *done.kept), SESSION, lambda _: ())
        assert hashlib.sha256(place.read_bytes()).hexdigest() == before
        kept = {row["id"] for row in rows}
        assert {one.event.id for one in read.items} <= kept


@pytest.mark.parametrize("place", recorded.FILES, ids=lambda one: one.name.partition(".")[0])
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


def test_there_are_twenty_of_them():
    assert len(recorded.FILES) == 20


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


def test_a_result_of_five_megabytes_takes_no_time_to_speak_of():
    found = conversation(tools(1, 5_000_000))
    assert 50_000 < found.items[2].tokens < 5_000_000
    assert plan_pruning(found.context, Rules(), LATE).trimmed == ("r0",)


def test_a_transcript_that_grows_meanwhile_is_read_up_to_its_last_whole_line(tmp_path):
    rows = chain(("user", "one"), ("assistant", "two"))
    place = written(tmp_path / f"{SESSION}.jsonl", rows)
    with place.open("a") as file:
        file.write('{"type":"message","id":"late","mess')
    (found,) = transcript_discovery.at(place)
    assert [one.event.text for one in model_context.read(found).items] == ["one", "two"]


def test_the_database_gives_the_same_as_the_file(tmp_path):
    rows = varied.transcript(7, 60)
    place = written(tmp_path / f"{SESSION}.jsonl", rows)
    base = database(tmp_path / "agent/openclaw-agent.sqlite", {SESSION: rows})
    (file,) = transcript_discovery.at(place)
    found = transcript_discovery.Found(base, "database", "main", SESSION)
    assert raws(model_context.read(file).items) == raws(model_context.read(found).items)


def test_a_transcript_that_is_gone_is_told_in_words(tmp_path):
    found = transcript_discovery.Found(tmp_path / "gone.jsonl", "jsonl", "main", "gone", "file")
    with pytest.raises(ClawgitError, match="gone"):
        model_context.read(found)
