"""How full a conversation is, what is pruned, what a compaction keeps: covers A6, A7."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError, UsageError
from clawgit.sessions import transcript_discovery
from clawgit.sessions.envelope import Session
from clawgit.sessions.life import compaction_plan, model_context, reset_times, result_pruning, token_limits
from clawgit.sessions.life.conversation_outline import Outline, outline
from clawgit.sessions.life.model_context import is_result, made
from clawgit.sessions.life.result_pruning import Pruning, prune, result_text
from clawgit.workspace.settings import KEYS

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


def test_the_limits_are_those_of_openclaw():
    limits = token_limits.Limits()
    assert (limits.reserve, limits.soft, limits.compact_at, limits.flush_at) == (20_000, 4_000, 180_000, 176_000)


def test_the_keys_have_the_same_defaults():
    def value(name):
        return KEYS[name].default

    assert token_limits.of_config(value) == token_limits.Limits()
    assert token_limits.of_config(value, 50_000).window == 50_000
    assert result_pruning.of_config(value) == Pruning()
    assert reset_times.of_config(value) == reset_times.Resets()
    assert (value("keep_last_turns"), value("new_session_messages"), value("memory_flush")) == (10, 15, "on")


def test_a_picture_and_a_call_cost_what_they_are():
    rows = chain(("user", "look"))
    rows[0]["message"]["content"].append({"type": "image", "data": "aGk=" * 9_000, "mimeType": "image/png"})
    rows.append(called("c", rows[0]["id"], "write", {"path": "x", "text": "word " * 1_000}, START))
    found = conversation(rows)
    assert found.items[0].tokens == 1_600 + 4 + model_context.tokens("look")
    assert found.items[1].tokens > model_context.tokens("word " * 1_000)


def test_a_window_without_room_is_refused():
    with pytest.raises(UsageError, match="no room"):
        token_limits.Limits(24_000)


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


def test_a_long_result_keeps_its_head_and_its_tail():
    rows = tools(2, 10_000)
    rows[2]["message"]["content"][0]["text"] = "H" * 5_000 + "T" * 5_000
    done = prune(conversation(rows).context, Pruning(), 200_000, LATE)
    text = result_text(done.items[2])
    assert text == "H" * 1_500 + "\n[7,000 characters left out]\n" + "T" * 1_500
    assert (done.trimmed, done.cleared, done.after < done.before) == (("r0", "r1"), (), True)


def test_results_are_cleared_oldest_first_only_while_half_the_window_is_full():
    context = conversation(tools(6, 3_900)).context
    window = model_context.total(context)
    done = prune(context, Pruning(), window, LATE)
    assert done.trimmed == ()
    assert 0 < len(done.cleared) < 6
    assert done.cleared == tuple(f"r{n}" for n in range(len(done.cleared)))
    assert done.after <= window / 2 < done.before
    assert result_text(done.items[2]) == "[old tool result cleared]"
    assert prune(context, Pruning(clears=False), window, LATE).cleared == ()


@pytest.mark.parametrize(
    ("rules", "now", "reason"),
    [
        (Pruning("off"), LATE, "off"),
        (Pruning(), START + 600, "too young"),
        (Pruning(keep=99), LATE, "99 answers"),
    ],
)
def test_when_nothing_is_pruned_it_says_why(rules, now, reason):
    done = prune(conversation(tools(2, 9_000)).context, rules, 1_000, now)
    assert reason in done.reason
    assert done.before == done.after


def test_the_last_answers_and_what_stands_behind_them_stay_whole():
    rows = tools(1, 9_000)
    rows += [called("z", "a2", "read", {}, START + 9), returned("zr", "z", "read", "y" * 9_000, START + 9)]
    done = prune(conversation(rows).context, Pruning(keep=2), 1, LATE)
    assert set(done.trimmed) | set(done.cleared) == {"r0"}
    assert raws(done.items[-3:]) == raws(conversation(rows).context[-3:])


@given(numbers, st.integers(1, 5), st.integers(0, 6_000), st.integers(0, 3_000), st.integers(200, 90_000))
def test_pruning_alters_results_alone_and_twice_is_once(number, keep, longest, head, window):
    rules = Pruning(keep=keep, longest=longest, head=head, tail=head)
    context = conversation(varied.transcript(number)).context
    once = prune(context, rules, window, LATE)
    again = prune(once.items, rules, window, LATE)
    assert raws(again.items) == raws(once.items)
    assert (again.trimmed, again.cleared) == ((), ())
    assert once.after == model_context.total(once.items) <= once.before
    last = result_pruning.protected(context, keep)
    for at, (before, after) in enumerate(zip(context, once.items, strict=True)):
        assert before.raw == after.raw or (is_result(before.message) and at < last)
        assert (before.event, before.makes, before.answers) == (after.event, after.makes, after.answers)


# --- compaction


def test_the_last_turns_stay_whole_and_the_rest_is_summarised():
    rows = chain(*(("user" if n % 2 == 0 else "assistant", f"turn {n // 2}") for n in range(300)))
    done = compaction_plan.plan(conversation(rows).context, 10, 176_000)
    assert (done.turns, len(done.summarised), len(done.kept)) == (10, 280, 20)
    assert done.kept[0].event.text == "turn 140"


def test_a_turn_that_is_above_the_budget_is_kept_and_told():
    rows = chain(("user", "hello"), ("assistant", "hi"), ("user", "word " * 2_000))
    done = compaction_plan.plan(conversation(rows).context, 10, 500)
    assert (done.fits, done.turns, len(done.kept)) == (False, 1, 1)
    assert compaction_plan.summary(done, Outline()) == ""


def test_a_cut_goes_back_to_where_no_call_is_parted_from_its_result():
    rows = chain(("user", "start"), ("assistant", "yes"), ("user", "go"))
    rows.append(called("c", rows[-1]["id"], "exec", {}, START + 50))
    rows.append(said("u", "c", "user", "hurry", START + 51))
    rows.append(returned("r", "u", "exec", "done", START + 52))
    rows[-1]["message"]["toolCallId"] = "call_c"
    done = compaction_plan.plan(conversation(rows).context, 1, 10_000)
    assert [one.event.text for one in done.kept if one.event.role == "user"] == ["go", "hurry"]


@given(numbers, st.integers(1, 12), st.integers(10, 60_000))
def test_a_compaction_parts_nothing_and_fits(number, keep, budget):
    found = conversation(varied.transcript(number, 80))
    done = compaction_plan.plan(found.context, keep, budget)
    told = outline(done.summarised, SESSION, lambda event: [event.text[:80]])
    text = compaction_plan.summary(done, told) if done.summarised else ""
    head = [compaction_plan.entry(done, text, 1)] if text else []
    assert raws((*done.summarised, *done.kept)) == raws(found.context)
    if done.fits:
        assert model_context.total([*head, *done.kept]) <= budget
    asked = {call for one in done.summarised for call in one.makes}
    later = {call for one in done.kept for call in one.makes}
    assert not [one for one in done.kept if one.answers in asked - later]
    starts = model_context.turns(found.context)
    if done.fits and done.turns < min(keep, len(starts)):
        parts = model_context.parting(found.context)
        least = starts[-min(keep, len(starts))]
        cut = max((at for at in starts if at <= least and not parts[at]), default=0)
        assert model_context.total(found.context[cut:]) > budget


def test_a_summary_takes_two_thousand_tokens_at_most():
    rows = chain(*(("user", f"We decided on number {n}, " + "and more " * 30) for n in range(60)))
    done = compaction_plan.plan(conversation(rows).context, 1, 100_000)
    told = outline(done.summarised, SESSION, lambda event: [event.text] * 3)
    text = compaction_plan.summary(done, told)
    assert 1_500 < model_context.tokens(text) <= 2_000
    assert len(told.decisions) == 20


def test_a_summary_says_what_an_earlier_one_said():
    rows = chain(("user", "hello"), ("assistant", "hi"))
    rows.append({"type": "compaction", "id": "c", "parentId": rows[1]["id"], "summary": "The port is 8080.",
                 "firstKeptEntryId": "none"})  # fmt: skip
    rows += [said("u", "c", "user", "Deploy on Friday please", START + 90), said("v", "u", "user", "ok", START + 91)]
    done = compaction_plan.plan(conversation(rows).context, 1, 1_000)
    text = compaction_plan.summary(done, outline(done.summarised, SESSION, lambda _: ()))
    assert text.splitlines() == ["The port is 8080.", f"Last request: Deploy on Friday please [session:{SESSION}#u]"]


# --- files


def test_two_hundred_transcripts_are_read_and_left_as_they_were(tmp_path):
    for number in range(200):
        place = tmp_path / f"t{number}.jsonl"
        rows = varied.transcript(number, 60)
        place.write_text("\n".join(varied.as_lines(rows, number)) + "\n{half", "utf-8")
        before = hashlib.sha256(place.read_bytes()).hexdigest()
        (found,) = transcript_discovery.at(place)
        read = model_context.read(found)
        context = prune(read.context, Pruning(), 5_000, LATE).items
        done = compaction_plan.plan(context, 3, 4_000)
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
    done = compaction_plan.plan(found.context, 1, 10_000)
    assert [one.event.id for one in done.kept] == ["u", "v"]
    assert raws((*done.summarised, *done.kept)) == raws(found.context)
    assert raws(prune(found.context, Pruning(), 1, LATE).items) == raws(found.context)
    lone = conversation([*chain(("user", "hello")), returned("r", "e0000000", "exec", "x" * 9_000, START + 60)])
    assert compaction_plan.plan(lone.context, 1, 10_000).fits


def test_a_result_of_five_megabytes_takes_no_time_to_speak_of():
    found = conversation(tools(1, 5_000_000))
    assert 50_000 < found.items[2].tokens < 5_000_000
    assert len(result_text(prune(found.context, Pruning(), 200_000, LATE).items[2])) < 4_000


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
