"""Contradictions in the inbox, `clawgit conflicts` and `clawgit run conflict-detector`."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

OLD, NEW = "The relay listens on port 8080.", "The relay listens on port 9090."


@pytest.fixture
def open_conflict(call):
    """The id of an open conflict."""
    for text in (OLD, NEW):
        assert call("memory", "add", text).code == 0
    assert call("run", "conflict-detector", "--apply").code == 0
    (item,) = call("conflicts", "--json").json
    return item["id"]


def test_a_word_more_behind_a_value_of_the_same_type_hides_no_contradiction(call):
    for text in ("Deployments happen on Mondays.", "Deployments happen on Thursdays only."):
        call("memory", "add", text)
    call("memory", "add", "Deployments of the shop happen on Fridays.")
    assert len(call("run", "conflict-detector", "--json").json["proposed"]) == 1


def test_a_copy_in_a_journal_is_the_same_side(call, space, open_conflict):
    (space / f"memory/{datetime.now(UTC):%Y-%m-%d}.md").write_text(f"- 08:02 {NEW}\n")
    call("capture")
    assert call("run", "conflict-detector", "--json").json["proposed"] == []
    call("accept", open_conflict, "--only", "1")
    call("undo")
    assert call("run", "conflict-detector", "--json").json["proposed"] == []


@pytest.fixture
def team(call, space):
    """The journal that a topic file contradicts, with the time of day in front of its lines."""
    (space / "memory/team.md").write_text("- The team meeting is on Monday\n")
    journal = space / f"memory/{datetime.now(UTC):%Y-%m-%d}.md"
    journal.write_text("- 09:15 The team meeting is on Friday\n- 09:20 The spare key is in the blue drawer\n")
    assert call("capture").code == 0
    return journal


def test_a_side_in_a_journal_waits_until_it_is_reworded(call, team):
    assert call("run", "conflict-detector", "--apply").code == 0
    assert [item["kind"] for item in call("inbox", "--json").json] == ["conflict"]
    call("correct", "the spare key is in the red drawer, not the blue drawer")
    assert "red" in team.read_text()
    assert [item["kind"] for item in call("inbox", "--json").json] == ["conflict"]
    team.write_text(team.read_text().replace("Friday", "Monday"))
    assert call("capture").code == 0
    assert call("inbox", "--json").json == []


@pytest.mark.parametrize("clock", ["", "09:15 "])
def test_a_record_with_or_without_the_time_of_day_stays(call, space, team, clock):
    rows = "- A: The team meeting is on Monday\n- A is: memory/team.md, kkkkkkkkkk, 2026-06-01, unknown\n"
    rows += f"- B: {clock}The team meeting is on Friday\n- B is: memory/{team.name}, llllllllll, 2026-06-01, unknown\n"
    (space / "CONFLICTS.md").write_text(f"# Conflicts\n\n## mmmmmmmmmm 2026-06-01\n\n{rows}- Status: open\n")
    assert call("capture").code == 0
    assert call("run", "conflict-detector", "--apply", "--json").json["proposed"] == []
    assert [item["id"] for item in call("inbox", "--json").json] == ["mmmmmmmmmm"]
    assert call("accept", "mmmmmmmmmm", "--only", "1,2").code == 0
    assert call("run", "conflict-detector", "--apply", "--json").json["proposed"] == []


def test_a_merge_puts_other_words_in_place_of_both_and_takes_no_secret(call, open_conflict, space, photograph):
    before = photograph()
    refusal = call("accept", open_conflict, "--text", "The key is AKIA" + "Z7Q2X4WNB3RTY5KP")
    assert (refusal.code, "AKIA" in refusal.err) == (1, False)
    assert photograph() == before
    words = "The relay listens on 9090; 8080 forwards there."
    assert "undo: clawgit undo" in call("accept", open_conflict, "--text", words).out
    text = (space / "MEMORY.md").read_text()
    assert f"- {words} #knowledge\n" in text
    assert (OLD in text, NEW in text) == (False, False)


RECORDS = {
    "reports on two things": (
        "# Audit of the relay\n\n## Tests\n- All tests passed (53/53)\n\n## Result\n- Signed by Ada at 08:25\n",
        "# Audit of the printer\n\n## Tests\n- All tests passed (29/29)\n\n## Result\n- Signed by Ada at 08:15\n",
    ),
    "entries of a log": (
        (
            "# Log\n\n## 2026-02-14 18:00 First\n- Messages processed: 4 in the inbox\n"
            "\n## 2026-02-15 18:22 Second\n- Messages processed: 2 in the inbox\n"
        ),
    ),
    "papers": (
        (
            "# Papers\n\n## Superposition\n- Relevance to us: Highly relevant\n- Year it came: 2024\n"
            "\n## Geometry\n- Relevance to us: Directly relevant\n- Year it came: 2025\n"
        ),
    ),
    "denials that are none": ("# Notes\n\n- 金融学习任务是否成功\n- 金融学习任务\n- 无验证\n- 证书验证\n",),
}


@pytest.mark.parametrize("texts", RECORDS.values(), ids=RECORDS)
def test_records_of_one_form_contradict_nothing(call, space, texts):
    """As public workspaces have them: all 190 pairs that were found in 24 of them were such records."""
    for number, text in enumerate(texts):
        (space / f"memory/notes-{number}.md").write_text(text)
    assert call("capture").code == 0
    assert call("run", "conflict-detector", "--json").json["proposed"] == []


RULES = {
    "thirty days newer": (30, (), "newer by 30 days", NEW),
    "a day too few": (29, (), "open", OLD),
    "a skill": (60, ("--tag", "skill"), "open", OLD),
    "words of the agent": (60, ("--origin", "agent"), "open", OLD),
    "words of others, with the tag": (60, ("--origin", "untrusted"), "open", OLD),
    "a correction, of whatever age": (-60, (), "correction", NEW),
    "a correction, with a copy in memory/relay.md": (60, (), "correction", NEW),
    "a copy that clawgit did not write in memory/relay.md": (60, (), "open", OLD),
    "a copy of a day less in memory/2026-07-02.md": (60, (), "open", OLD),
}


@pytest.mark.parametrize("case", RULES)
def test_a_rule_decides_what_it_may(call, space, inside, case):
    days, options, rule, stays = RULES[case]
    with time_machine.travel("2026-06-01 07:00:00+00:00", tick=True) as clock:
        first, second = (OLD, NEW) if days > 0 else (NEW, OLD)
        call("memory", "add", first, *(options if "skill" in options else ()))
        clock.shift(timedelta(days=abs(days)))
        call("memory", "add", second, *options)
        if rule == "correction":
            text = f"# Corrections\n\n## kkkkkkkkkk\n\n- Said: {OLD}\n- True: {NEW}\n"
            (space / "CORRECTIONS.md").write_text(text)
        if "with the tag" in case:
            text = (space / "MEMORY.md").read_text()
            (space / "MEMORY.md").write_text(text.replace(f"{NEW} #knowledge", f"{NEW} #knowledge #correction"))
        path = case.rpartition(" in ")[2] if ".md" in case else "memory/2026-06-01.md"
        (space / path).write_text(f"- {'08:02 ' if '2026' in path else ''}{OLD}\n")
        assert call("capture").code == 0
        before = {name: (space / name).read_text() for name in ("MEMORY.md", "CONFLICTS.md")}
        assert call("run", "conflict-detector", "--apply").code == 0
        assert f"- Rule: {rule}" in (space / "CONFLICTS.md").read_text()
        assert stays in (space / "MEMORY.md").read_text()
        assert (rule == "open") == all(text in (space / "MEMORY.md").read_text() for text in (OLD, NEW))
        served_paths = [hit["path"] for hit in call("search", OLD, "--json").json["results"]]
        assert (rule == "open") == (path in served_paths)
        if "untrusted" in options:
            assert "9090" not in inside("log", "-1", "--format=%s%x00%b").partition("Evidence:")[0]
        if rule == "newer by 30 days":
            assert call("undo").code == 0
            assert {name: (space / name).read_text() for name in before} == before
            skipped = call("run", "conflict-detector", "--apply", "--since", "2026-01-01", "--json").json["skipped"]
            assert [row["reason"] for row in skipped] == ["taken back before"]


@pytest.mark.parametrize("rule", ["correction", "open"])
def test_equal_words_below_another_title_are_no_copy(call, space, rule):
    printer = "# Printer\n\n- Port: 8080\n\n# Relay\n"
    (space / "memory/ports.md").write_text(f"{printer}\n- Port: 8080\n")
    true = "The relay port is 9090."
    if rule == "correction":
        text = f"# Corrections\n\n## kkkkkkkkkk\n\n- Said: Relay port: 8080\n- True: {true}\n"
        (space / "CORRECTIONS.md").write_text(text)
    call("memory", "add", true)
    call("capture")
    assert call("run", "conflict-detector", "--apply").code == 0
    assert f"- Rule: {rule}\n" in (space / "CONFLICTS.md").read_text()
    if rule == "open":
        assert call("accept", call("conflicts", "--json").json[0]["id"], "--only", "1").code == 0
    assert (space / "memory/ports.md").read_text() == printer


def test_five_wait_a_day_and_a_reworded_side_is_looked_at_again(call, space):
    for hall in "ABCDEFGH":
        for port in ("8011", "9022"):
            call("memory", "add", f"The relay of hall {hall} listens on port {port}.")
    for waiting in (5, 8):
        assert call("run", "conflict-detector", "--apply").code == 0
        assert len(call("conflicts", "--json").json) == waiting
    text = (space / "MEMORY.md").read_text()
    (space / "MEMORY.md").write_text(text.replace("hall A listens on port 9022", "hall A listens on port 9191"))
    assert call("run", "conflict-detector", "--apply").code == 0
    assert "gone or reworded" in (space / "CONFLICTS.md").read_text()
    assert "9191" in call("conflicts").out
