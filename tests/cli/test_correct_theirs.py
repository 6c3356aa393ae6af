"""A correction of a line in a file that OpenClaw's agent alone may write."""

import pytest

from tests.cli.test_memory_place import home, records

__all__ = ["home"]

WRONG, TRUE = "The deploy day is Monday.", "The deploy day is Tuesday."


@pytest.fixture
def wrong(call, space, home):
    """A memory that the agent wrote, and the id of it."""
    (space / "MEMORY.md").write_text(f"# Memory\n\n- Bob likes tea.\n- {WRONG}\n")
    call("capture")
    records(space, home, MEMORY="agent")
    return next(row["id"] for row in call("memory", "list", "--json").json if row["text"] == WRONG)


def correct(call, wrong):
    result = call("correct", TRUE, "--about", wrong, "--json")
    assert result.code == 0, result.err
    return result.json


def context(call, *options):
    return call("context", "--query", "When is the deploy day?", *options).out


def test_it_leaves_that_file_as_it_is(call, wrong, space):
    before = (space / "MEMORY.md").read_bytes()
    correct(call, wrong)
    assert (space / "MEMORY.md").read_bytes() == before
    assert f"- {TRUE} #knowledge #correction" in (space / "memory/long-term.md").read_text()
    (record,) = call("corrections", "--json").json
    assert (record["fields"]["entry was"], record["fields"]["left in"]) == (WRONG, "MEMORY.md")
    output = context(call)
    assert TRUE in output
    assert "Bob likes tea." in output
    assert not [row for row in output.splitlines() if WRONG in row and TRUE not in row]
    hits = call("search", "deploy day", "--json").json["results"]
    assert [hit["path"] for hit in hits if WRONG in hit["snippet"] and hit["path"] == "MEMORY.md"] == []
    call("undo")
    assert (space / "MEMORY.md").read_bytes() == before
    assert {row["status"] for row in call("memory", "list", "--json").json} == {"live"}


def test_the_agent_is_asked_until_it_has_mended_its_file(call, wrong, space):
    correct(call, wrong)
    assert f"MEMORY.md:4 still says: '{WRONG}'" in context(call)
    assert "still says" not in context(call, "--session-kind", "cron")
    call("correct", "not Tuesday, Wednesday", "--about", "".join(_true(call)))
    assert f"MEMORY.md:4 still says: '{WRONG}'" in context(call)
    place = space / "MEMORY.md"
    place.write_text(place.read_text().replace("Monday", "Wednesday"))
    assert "still says" not in context(call)
    call("capture")
    output = context(call)
    assert "still says" not in output
    assert "The deploy day is Wednesday." in output


def _true(call):
    return next(row["id"] for row in call("memory", "list", "--json").json if row["text"] == TRUE)
