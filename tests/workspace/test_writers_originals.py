"""What a stale writer wrote can be had as it was written."""

import pytest

from clawgit.workspace import restore
from clawgit.workspace.capture_and_enforce import capture_all

OLD = "# Memory\n\n## Knowledge\n\n- The office is in Berlin.\n- Ana leads the team.\n"
NEW = OLD + "- The budget of spring is spent.\n"
STALE = OLD + "- Rust is what the indexer is written in.\n"


@pytest.fixture
def stale(place):
    """A memory file that somebody wrote back from what they had read before its last line came."""
    place.given(MEMORY=OLD)
    place.given(MEMORY=NEW)
    place.write("MEMORY.md", STALE)
    return place


def test_the_branch_gets_the_healed_file_and_both_can_be_had(stale):
    (captured,) = capture_all(stale.ws).captured
    healed = stale.text("MEMORY.md")
    assert "spring" in healed
    assert "Rust" in healed
    assert stale.committed("MEMORY.md").decode() == healed
    told, way, line = captured.notes
    assert told == "MEMORY.md got back 1 line that its writer had not seen"
    assert line == "MEMORY.md: “The budget of spring is spent.” is back; take it out again if that was meant"
    words, _, command = way.partition(": git show ")
    assert words == "MEMORY.md as it was written"
    assert stale.git("show", command.strip("'")) == STALE


def test_what_came_back_goes_when_its_writer_takes_it_out_again(stale):
    capture_all(stale.ws)
    stale.write("MEMORY.md", STALE)
    capture_all(stale.open())
    assert stale.committed("MEMORY.md").decode() == STALE


def test_what_was_put_back_keeps_its_commit(stale):
    before = stale.git("blame", "-s", "MEMORY.md", "HEAD").splitlines()[-1].split()[0]
    capture_all(stale.ws)
    lines = stale.git("blame", "-s", "MEMORY.md").splitlines()
    assert next(line.split()[0] for line in lines if "spring" in line) == before


def test_where_it_is_only_told_the_file_stays_and_the_lines_are_named(stale):
    config = stale.text("CONFIG.md").replace("```yaml\n", "```yaml\nstale_writes: report\n", 1)
    stale.commit({"CONFIG.md": config})
    (captured,) = capture_all(stale.open()).captured
    assert stale.text("MEMORY.md") == STALE
    told, way, back = captured.notes
    assert told == "MEMORY.md lacks 1 line that its writer may not have seen"
    assert way.startswith("what MEMORY.md lacks: git diff ")
    stale.ws.apply(restore.restore(stale.ws, back.rpartition("clawgit restore ")[2]))
    assert sorted(stale.text("MEMORY.md").split()) == sorted((STALE + NEW.removeprefix(OLD)).split())
    stale.git("reset", "--hard", "--quiet", "HEAD~1")
    assert captured.stale["MEMORY.md"].missing == ("- The budget of spring is spent.",)
    assert stale.git("for-each-ref", "refs/clawgit") == ""
    assert [alarm.words for alarm in captured.alarms] == [told]
    assert stale.message().count(told) == 1


def test_a_change_of_ours_heals_what_it_writes_to_as_well(stale):
    from clawgit.workspace import memory  # noqa: PLC0415

    applied = stale.ws.apply(memory.add(stale.ws, "Likes tea.").change)
    text = stale.text("MEMORY.md")
    assert all(word in text for word in ("spring", "Rust", "Likes tea."))
    assert "MEMORY.md got back 1 line that its writer had not seen" in applied.notes


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("committed", [False, True])
def test_the_second_write_from_the_same_reading_is_healed_too(place, count, committed):
    """An agent that keeps the file in mind writes it back again and again, with one more line of its own."""
    place.given(MEMORY=OLD)
    for number in range(count):
        place.given(MEMORY=place.text("MEMORY.md") + f"- Something else that was noted, number {number}.\n")
    words = OLD
    for topic in ("Rust is what the indexer is written in.", "Deploys are frozen in December.", "Ana moved to Porto."):
        words += f"- {topic}\n"
        if committed:
            place.commit({"MEMORY.md": words}, "update memory")
        place.write("MEMORY.md", words)
        capture_all(place.open())
        text = place.text("MEMORY.md")
        assert [number for number in range(count) if f"number {number}." not in text] == []
        assert topic in text
        assert text.count("Rust is what") == 1
    place.agrees()


def test_a_plan_that_is_made_once_more_does_not_take_the_text_for_an_older_one(stale, monkeypatch):
    """The writer's own new line stays, although the workspace moved while its text was being healed."""
    from clawgit.git import transaction  # noqa: PLC0415

    locked, moves = transaction.locked, [True, True]

    def moved(*arguments):
        if moves and moves.pop():
            raise transaction.MovedError
        return locked(*arguments)

    monkeypatch.setattr(transaction, "locked", moved)
    capture_all(stale.ws)
    assert "Rust" in stale.text("MEMORY.md")
    assert "spring" in stale.text("MEMORY.md")
    assert stale.git("rev-list", "--count", "refs/clawgit/originals").strip() == "1"


def test_what_an_operator_added_to_a_stale_text_is_not_taken_back_in_silence(stale):
    stale.write("MEMORY.md", STALE + "- Said by the operator: the van is blue.\n")
    capture_all(stale.ws)
    stale.write("MEMORY.md", STALE + "- Deploys are frozen in December.\n")
    (captured,) = capture_all(stale.open()).captured
    known = stale.text("MEMORY.md") + "".join(captured.stale["MEMORY.md"].missing)
    assert [words for words in ("spring", "Rust", "van is blue", "December") if words not in known] == []
