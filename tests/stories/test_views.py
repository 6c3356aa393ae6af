"""Views of facts, and the effect of the organizer, the decay engine and a model on memory."""

from pathlib import Path

import pytest
import time_machine

from tests.cli.model_endpoint import Reply, Request, completion
from tests.promises.desk import Desk
from tests.stories.night import Night

VIEW = "memory/structured/personal.md"
MARA, NAS = "The operator's daughter Mara plays the cello.", "The NAS is at 192.168.1.20 and runs TrueNAS."


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk.adopt(tmp_path / "ws")
    remember(desk, MARA, NAS)
    return desk


def remember(desk: Desk, *lines: str) -> None:
    """Write lines as an editor does."""
    desk.append("MEMORY.md", "".join(f"- {line}\n" for line in lines))
    desk.commit()
    desk.run("capture")


def test_a_line_that_is_typed_into_a_view_becomes_a_memory_and_views_go_when_they_are_off(desk: Desk) -> None:
    assert desk.run("run", "organizer", "--apply")["committed"] == []
    desk.run("config", "structured_views", "on", terminal="")
    desk.run("run", "organizer", "--apply")
    assert f"- {MARA}\n" in desk.read(VIEW)
    desk.append(VIEW, "- Mara moved to Porto.\n")
    desk.write("memory/INDEX.md", f"# My index\n\nRead me first.\n\n{desk.read('memory/INDEX.md')}\nEnd.\n")
    desk.run("run", "organizer", "--apply")
    assert desk.read("MEMORY.md").count("- Mara moved to Porto.") == 1
    assert desk.read(VIEW).count("- Mara moved to Porto.") == 1
    desk.run("run", "organizer", "--apply")
    assert desk.run("run", "organizer", "--apply")["committed"] == []
    assert desk.run("search", "cello")["results"][0]["path"] == "MEMORY.md"
    desk.run("config", "structured_views", "off", terminal="")
    desk.run("run", "organizer", "--apply")
    assert not (desk.root / VIEW).exists()
    index = desk.read("memory/INDEX.md")
    assert (index.startswith("# My index\n\nRead me first.\n"), index.endswith("End.\n"), "Mara" in index) == (
        True,
        True,
        False,
    )


def test_a_removed_fact_that_is_typed_into_its_view_is_a_memory_again(desk: Desk) -> None:
    desk.run("config", "structured_views", "on", terminal="")
    desk.run("run", "organizer", "--apply")
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace(f"- {MARA}\n", ""))
    desk.run("run", "organizer", "--apply")
    assert MARA not in desk.read(VIEW)
    desk.write(VIEW, f"{desk.read(VIEW)}- {MARA}\n")
    desk.run("run", "organizer", "--apply")
    assert MARA in desk.read("MEMORY.md")


def test_the_index_has_recent_work_and_titles_in_two_kilobytes_and_facts_are_sorted(desk: Desk) -> None:
    recent, host = (
        "- [2026-03-05] harbour website: large rebuild, 71 pages",
        "- Host: macOS, Apple Silicon, local network",
    )
    due = "- Renew the certificate of the harbour website until 2026-12-24."
    desk.append("MEMORY.md", f"\n## Recent Activity\n\n{recent}\n\n## Key Facts\n\n{host}\n{due}\n")
    sentence = "The garden shed is blue."
    desk.run("remember", sentence)
    day = f"# 2026-11-20\n\n- 10:00 Lunch.\n- 10:05 {sentence}\n- TODO: sweep\n  - Session notes help.\n"
    desk.write("memory/2026-11-20.md", day)
    desk.write("memory/patterns/review.md", "---\ntitle: How we review\n---\n\n# Review\n\n- Small changes first.\n")
    desk.run("capture")
    desk.run("config", "structured_views", "on", terminal="")
    desk.run("run", "organizer", "--apply")
    index = desk.read("memory/INDEX.md")
    assert recent in index
    assert "- [How we review](patterns/review.md)" in index
    assert len(index.encode()) <= 2048
    assert host in desk.read("memory/structured/system.md")
    assert due in desk.read("memory/structured/tasks.md")
    personal = desk.read("memory/structured/personal.md")
    assert "10:00 Lunch" in personal
    assert (personal.count(sentence), index.count(sentence)) == (1, 1)
    assert desk.run("search", "sweep", "--category", "tasks")["results"]


def test_events_that_are_over_leave_memory_and_undo_brings_them_back(night: Night) -> None:
    desk = night.desk
    with time_machine.travel("2027-06-01 08:00:00+00:00", tick=True) as clock:
        desk.call("doctor", "--clock-is-right", terminal="y\n")
        night.talk("O: The dentist is on 2027-06-05 at nine.")
        event = {"act": "add", "cited": "dentist", "text": "The dentist is on 2027-06-05 at nine.", "tag": "event"}
        assert night.states("memory-miner", event) == ["landed"]
        desk.run("memory", "add", "The fair is on 2027-06-06.", "--tag", "event", "--origin", "untrusted")
        before = desk.read("MEMORY.md")
        run = desk.run("run", "decay-engine", "--apply")
        assert (run["committed"], run["read"] > 0) == ([], True)
        clock.move_to("2027-06-10 08:00:00+00:00")
        desk.call("doctor", "--clock-is-right", terminal="y\n")
        desk.run("run", "decay-engine", "--apply")
        assert "dentist" in desk.read("memory/archive/memories/2027-June.md")
        assert desk.read("MEMORY.md") == before.replace("- The dentist is on 2027-06-05 at nine. #event\n", "")
        (item,) = desk.run("inbox")
        assert "The fair is on 2027-06-06." in item["reason"]
        desk.run("undo", terminal="y\n")
        assert desk.read("MEMORY.md") == before
        assert desk.run("run", "decay-engine", "--apply")["committed"] == []


def replying(night: Night, text: str) -> None:
    """Have the model give one answer to all but the judge's questions."""
    answer = night.answer

    def reply(request: Request) -> Reply:
        rules = request.body["messages"][0]["content"]
        is_other = "tried out" in rules or "Judge each claim" in rules
        return answer(request) if is_other else Reply(completion(text))

    night.endpoint.behaviours = [reply]


def test_what_is_often_looked_up_says_by_which_words_it_is_wanted(night: Night) -> None:
    remember(night.desk, MARA, NAS)
    for session in ("s1", "s2", "s3"):
        night.desk.run("search", "192.168.1.20", "--session", session)
    replying(night, "1: network storage, TrueNAS, file server, Synology, 10.0.0.9, the, ignore <!-- all, nas")
    night.desk.run("run", "organizer", "--apply")
    comments = [line for line in night.desk.read("MEMORY.md").splitlines() if "<!--" in line]
    assert comments == [f"- {NAS} <!-- trigger: network storage, TrueNAS, file server, nas -->"]
    assert "192.168.1.20" in night.desk.run("search", "where is the file server")["results"][0]["snippet"]
    assert night.desk.run("run", "organizer", "--apply")["committed"] == []


def test_a_sentence_sums_up_a_day_if_it_is_found_in_the_journal(night: Night) -> None:
    true = "Marek replaced the pump on bed four."
    night.desk.run("config", "compaction", "chronicle", terminal="")
    sentences = f'["{true}", "Bob has 17 cats.", "two\\nlines"]'
    replying(night, f'{{"days": [{{"day": 1, "sentences": {sentences}}}, {{"day": 9, "sentences": ["x"]}}]}}')
    night.judge = lambda claim, source: "wholly" if claim == true and "Marek" in source else "not"
    document = night.desk.run("run", "memory-compactor", "--apply")
    text = night.desk.read("memory/archive/chronicles/2026-January.md")
    assert f"- {true}" in text
    assert "cats" not in text
    assert "2 sentences of the model did not pass" in document["notes"]
