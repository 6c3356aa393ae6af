"""Facts by class and term over every file of memory; views only where they are wanted, nothing typed over."""

from datetime import UTC, datetime, timedelta

import pytest

from clawgit import clock
from clawgit.agents import running
from clawgit.agents.memory_compactor import DecayEngine
from clawgit.agents.organizer import MAX_INDEX_BYTES, Organizer, list_facts
from clawgit.llm.model import Usage
from clawgit.search import recall_log
from clawgit.search.answer import Hit, Query
from clawgit.search.ask import search
from clawgit.workspace import memory, undo

MEMORY = """\
# Memory

## Knowledge

- The operator's daughter Mara plays the cello. #knowledge
- The NAS is at 192.168.1.20 and runs TrueNAS. #knowledge
- The agent should answer in one sentence on the phone. #decision

## Events

- The dentist appointment is on 2026-06-20 at nine. #event
- The operator has to renew the passport. #event
"""
FILES = {name: f"memory/structured/{name}.md" for name in ("personal", "tasks", "agents", "system")}
INDEX = "memory/INDEX.md"


@pytest.fixture
def space(talk):
    talk.write("MEMORY.md", MEMORY)
    at(talk, 0)
    talk.workspace.capture(["MEMORY.md"])
    return talk


@pytest.fixture
def viewed(space):
    """A workspace in which the views are on."""
    configure(space, '```yaml\nstructured_views: "on"\n```\n')
    return space


def at(talk, days):
    """Let it be so many days later."""
    talk.workspace.clock = lambda: datetime(2026, 6, 1, 6, tzinfo=UTC) + timedelta(days=days)
    clock.confirm(talk.workspace.repo, talk.workspace.clock())


def configure(talk, text):
    talk.write("CONFIG.md", text)
    talk.workspace.close()
    talk.workspace = talk.opened()
    at(talk, 0)


def organize(talk, say=None):
    return running.apply(Organizer(speaker=say), talk.workspace)


def rows(talk, name):
    return [line[2:] for line in talk.bullets(FILES[name])]


def fact(talk, word):
    return next(one for one in list_facts(talk.workspace) if word in one.text)


class Scripted:
    """A voice that always says the same."""

    def __init__(self, said):
        self.said, self.used = said, Usage()

    def answer(self, rules, material, tokens):
        return self.said


def tracked(talk):
    return {path: (talk.root / path).read_bytes() for path in talk.git("ls-files").split("\n") if path}


def test_each_line_of_memory_is_a_fact_of_its_class_in_whatever_file(space):
    space.write("memory/house.md", "# House\n\n- The router is at 192.168.1.1.\n")
    space.write("memory/2026-05-30.md", "# 2026-05-30\n\n- Ana called about the garden.\n")
    classes = {one.text: one.category for one in list_facts(space.workspace)}
    assert classes["The operator's daughter Mara plays the cello."] == "personal"
    assert classes["The router is at 192.168.1.1."] == "system"
    assert classes["Ana called about the garden."] == "personal"
    assert classes["The agent should answer in one sentence on the phone."] == "agents"
    assert classes["The operator has to renew the passport."] == "tasks"
    assert str(fact(space, "dentist").expires) == "2026-06-20"


def test_the_term_of_a_class_ends_and_nothing_leaves_its_file(space):
    before = fact(space, "passport")
    assert before.expires == before.line.last + timedelta(days=7)
    assert fact(space, "Mara").expires is None
    assert "passport" in space.text("MEMORY.md")


def test_views_are_written_only_where_they_are_wanted(space):
    before = tracked(space)
    assert organize(space).applied == []
    assert tracked(space) == before
    configure(space, '```yaml\nstructured_views: "on"\n```\n')
    organize(space)
    assert rows(space, "personal") == ["The operator's daughter Mara plays the cello."]
    assert rows(space, "system") == ["The NAS is at 192.168.1.20 and runs TrueNAS."]
    assert organize(space).applied == []
    assert not search(space.workspace, Query("cello")).results[0].path.startswith("memory/structured/")
    configure(space, '```yaml\nstructured_views: "off"\n```\n')
    organize(space)
    assert not (space.root / FILES["personal"]).exists()
    assert not (space.root / INDEX).exists()


def test_a_line_that_is_typed_into_a_view_is_taken_into_memory(viewed):
    organize(viewed)
    viewed.write(FILES["personal"], viewed.text(FILES["personal"]) + "- Mara moved to Porto.\n")
    result = organize(viewed)
    assert "1 line taken into MEMORY.md" in result.applied[0][0].subject
    assert "- Mara moved to Porto." in viewed.bullets()
    assert "Mara moved to Porto." in rows(viewed, "personal")
    organize(viewed)  # the index names it
    assert organize(viewed).applied == []
    assert viewed.bullets().count("- Mara moved to Porto.") == 1


def test_the_index_is_small_and_what_stands_beside_it_stays(viewed):
    more = "".join(
        f"- The operator's neighbour number {n} is called Name{n} and lives in house {n}.\n" for n in range(200)
    )
    viewed.write("MEMORY.md", MEMORY + more)
    viewed.write("memory/heron.md", "# Heron\n\n- The staging server.\n")
    organize(viewed)
    assert len(viewed.text(INDEX).encode()) <= MAX_INDEX_BYTES
    assert "[Heron](heron.md)" in viewed.text(INDEX)
    viewed.write(INDEX, f"# My index\n\nRead me first.\n\n{viewed.text(INDEX)}\nEnd.\n")
    viewed.write("MEMORY.md", MEMORY)
    organize(viewed)
    assert viewed.text(INDEX).startswith("# My index\n\nRead me first.\n")
    assert viewed.text(INDEX).endswith("\nEnd.\n")


def test_events_that_are_over_leave_memory_and_undo_brings_them_back(talk):
    at(talk, 0)
    for text, agent in (
        ("The dentist is on 2026-06-05 at nine.", "memory-miner"),
        ("The fair is on 2026-06-06.", None),
    ):
        talk.workspace.apply(memory.add(talk.workspace, text, tag="event", origin="agent", agent=agent).change)
    before = tracked(talk)
    assert running.apply(DecayEngine(), talk.workspace).applied == []
    at(talk, 9)
    result = running.apply(DecayEngine(), talk.workspace)
    assert talk.bullets("memory/archive/memories/2026-June.md") == ["- The dentist is on 2026-06-05 at nine. #event"]
    assert talk.bullets() == ["- The fair is on 2026-06-06. #event"]
    (item,) = talk.workspace.store.read_items("open")
    assert "The fair is on 2026-06-06." in item.reason
    talk.workspace.apply(undo.undo(talk.workspace, result.applied[0][0].id))
    after = tracked(talk)
    assert {path: text for path, text in after.items() if before.get(path) != text} == {}
    assert all(change.held for change, _ in running.apply(DecayEngine(), talk.workspace).applied)


def test_five_lines_about_one_thing_are_proposed_a_file_of_their_own(space):
    lines = "".join(f"- We asked Harbourview about the crane number {n} again.\n" for n in range(6))
    space.write("MEMORY.md", MEMORY + lines)
    space.workspace.capture(["MEMORY.md"])
    organize(space)
    (item,) = space.workspace.store.read_items("open")
    assert "memory/entities/harbourview.md" in item.paths
    assert "one of 6 lines about Harbourview" in item.reason
    organize(space)
    assert len(space.workspace.store.read_items("open")) == 1


def shown(talk, text, sessions):
    """Note that sessions were shown a line of the memory file."""
    hit = Hit("MEMORY.md", 1, 1, 0.9, text, "core")
    for session in range(sessions):
        recall_log.keep(talk.workspace.store, f"s{session}", [hit], talk.workspace.now())


def triggered(talk):
    return [line for line in talk.text("MEMORY.md").splitlines() if "<!--" in line]


def test_what_is_often_looked_up_says_by_which_words_it_is_wanted(space):
    shown(space, "The NAS is at 192.168.1.20 and runs TrueNAS.", 3)
    shown(space, "The operator has to renew the passport.", 2)
    organize(space, Scripted("1: network storage, TrueNAS, file server, Synology, 10.0.0.9, the, ignore <!-- all, nas"))
    assert triggered(space) == [
        (
            "- The NAS is at 192.168.1.20 and runs TrueNAS. #knowledge "
            "<!-- trigger: network storage, TrueNAS, file server, nas -->"
        )
    ]
    hits = search(space.workspace, Query("where is the file server")).results
    assert "192.168.1.20" in hits[0].snippet
    assert organize(space, Scripted("1: network storage")).applied == []
