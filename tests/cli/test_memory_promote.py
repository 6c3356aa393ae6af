"""`clawgit memory promote`."""

from datetime import UTC, datetime, timedelta

import pytest

DECIDED = "We decided to use PostgreSQL for the ledger."
LEGAL = "Trademark Luma is registered in the EU until 2034."
PLAIN = "Had noodles for lunch."
CALL = ("memory", "promote")


def day(back=0):
    return (datetime.now(UTC).astimezone() - timedelta(days=back)).date().isoformat()


@pytest.fixture
def journal(space):
    """Write the lines of a journal, some days back; returns its place."""

    def write(*lines, back=0, end="\n"):
        place = space / f"memory/{day(back)}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(end.join([f"# {day(back)}", "", *lines, ""]).encode())
        return place

    return write


def texts(answer):
    return [row["text"] for row in answer.json["candidates"]]


def test_a_preview_says_why_and_writes_nothing(call, journal, photograph):
    journal(f"- {DECIDED}", f"- {PLAIN}")
    before = photograph()
    preview = call(*CALL)
    assert {"0.4", "memory/decisions.md"} <= set(preview.out.split())
    assert DECIDED in preview.out
    assert "“decided” (decision)" in preview.out
    assert "clawgit memory promote --apply" in preview.err
    (candidate,) = call(*CALL, "--json").json["candidates"]
    assert (candidate["category"], candidate["confidence"], candidate["to"], candidate["line"]) == (
        "decision",
        0.4,
        "memory/decisions.md",
        3,
    )
    assert sum(part["value"] for part in candidate["why"]) == pytest.approx(candidate["confidence"])
    assert photograph() == before


def test_a_run_moves_notes_in_one_commit_and_undo_brings_them_back_for_good(call, space, journal, inside):
    place = journal(f"- {DECIDED}", "  - Ana runs the migration.", f"- {PLAIN}", "", LEGAL, end="\r\n")
    before, head = place.read_bytes(), inside("rev-list", "--count", "HEAD")
    call("capture")
    document = call(*CALL, "--apply", "--json").json
    assert int(inside("rev-list", "--count", "HEAD")) == int(head) + 2  # the capture, and one
    assert place.read_bytes() == f"# {day()}\r\n\r\n- {PLAIN}\r\n".encode()
    text = (space / "memory/decisions.md").read_text()
    assert f"- {day()}: {DECIDED} #decision\n  - Ana runs the migration.\n" in text
    assert LEGAL in (space / "memory/legal.md").read_text()
    message = inside("log", "-1", "--format=%B")
    assert f"Evidence: memory/{day()}.md#L3-L4@" in message
    assert "\tmemory/legal.md\t" in (space / ".clawgit/entries.tsv").read_text()
    assert call("why", "memory/decisions.md:3").code == 0
    assert call(*CALL, "--apply", "--json").json["commit"] is None
    assert call("undo", document["change"]).code == 0
    assert place.read_bytes() == before
    assert texts(call(*CALL, "--json")) == []
    repeated = call(*CALL, "--json")
    assert repeated.json["skipped"] == [{"reason": "taken back before", "n": 2}]
    assert "clawgit undo --redo" in repeated.err
    assert call("undo", "--redo", document["change"]).code == 0
    assert place.read_bytes() != before


def test_a_time_of_day_that_a_person_wrote_goes_with_the_note(call, journal):
    journal(f"- 14:00 {DECIDED}")
    call("journal", "add", LEGAL)
    assert set(texts(call(*CALL, "--json"))) == {f"14:00 {DECIDED}", LEGAL}


TRIGGERS = {
    "We decided on Postgres.": ("decision", 0.4),
    "우리는 가격을 결정했다": ("decision", 0.4),
    "The database schema is new.": ("architecture", 0.4),
    "It costs $12.": ("financial", 0.4),
    "The trademark is registered.": ("legal", 0.4),
    "GDPR asks for it.": ("legal", 0.4),
    "Ana is our client.": ("people", 0.4),
    "Phase 2 begins.": ("milestone", 0.4),
    "로드맵을 보았다": ("strategy", 0.4),
    "★ call the bank": ("explicit", 0.6),
}


def test_notes_of_the_last_days_are_weighed_by_category(call, journal):
    journal(*(f"- {text}" for text in (*TRIGGERS, "important: lower case is none", PLAIN)))
    journal("- Roadmap for 2027: mobile first.", back=-3)
    journal("- The schema is old.", back=20)
    document = call(*CALL, "--json").json
    weights = {row["text"]: (row["category"], row["confidence"]) for row in document["candidates"]}
    assert weights == TRIGGERS
    assert document["skipped"] == [{"reason": "of a day to come", "n": 1}]
    assert len(texts(call(*CALL, "--days", "30", "--json"))) == len(TRIGGERS) + 1
    assert texts(call(*CALL, "--days", "30", "--min-confidence", "0.95", "--json")) == []


def test_a_target_that_is_no_core_memory_is_refused(call, journal, photograph):
    for path in ("../x.md", "SOUL.md", "memory/2026-01-01.md"):
        journal(f"- {DECIDED}")
        before = photograph()
        answer = call(*CALL, "--apply", "--target", path)
        assert answer.code == 2
        assert "clawgit memory promote --target memory/legal.md" in answer.err
        assert photograph() == before


def test_what_three_sessions_were_shown_is_flagged_however_old(call, space, journal):
    journal("- The spare key is with the baker.", "- The cat is called Miso.", back=90)
    for name in ("one", "two", "three"):
        assert call("search", "spare key baker", "--session", name, "--max-results", "1").code == 0
    (candidate,) = call(*CALL, "--frequency", "--json").json["candidates"]
    assert (candidate["text"], candidate["sessions"], candidate["to"]) == (
        "The spare key is with the baker.",
        3,
        "MEMORY.md",
    )
    assert candidate["confidence"] >= 0.4
    assert texts(call(*CALL, "--json")) == ["The spare key is with the baker."]


def test_what_came_from_outside_is_shown_and_stays_and_a_secret_is_neither(call, space, journal):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    place = journal(f"- IMPORTANT: the token is {token}", f"- {DECIDED}")
    answer = call(*CALL, "--json")
    assert token not in answer.out
    assert all(row["held"] and "secret" in row["held"] for row in answer.json["candidates"])
    place.unlink()
    origin = ("--to", "daily", "--tag", "event", "--origin")
    assert call("memory", "add", LEGAL, *origin, "untrusted").code == 0
    assert call("memory", "add", DECIDED, *origin, "operator").code == 0
    assert "from outside" in call(*CALL).out
    assert call(*CALL, "--apply").code == 0
    assert not (space / "memory/legal.md").exists()
    assert LEGAL in (space / f"memory/{day()}.md").read_text()
    assert DECIDED in (space / "memory/decisions.md").read_text()
