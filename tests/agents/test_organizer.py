"""Organizer and decay engine: what memory holds, by class, for its term; nothing lost, nothing typed over."""

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.agents import fact_terms, running
from clawgit.agents.decay_engine import DecayEngine
from clawgit.agents.organizer import MAX_INDEX_BYTES, Organizer
from clawgit.errors import Advice, ClawgitError
from clawgit.llm.model import ModelError
from clawgit.search import recall_log
from clawgit.search.answer import Hit, Query
from clawgit.search.ask import search
from clawgit.workspace import clock, undo
from clawgit.workspace.fact_register import PATH, parse

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
    return talk


def at(talk, days):
    """Let it be so many days later."""
    talk.workspace.clock = lambda: datetime(2026, 6, 1, 6, tzinfo=UTC) + timedelta(days=days)
    clock.confirm(talk.workspace)


def organize(talk, say=None):
    return running.apply(Organizer(say), talk.workspace)


def decay(talk):
    return running.apply(DecayEngine(), talk.workspace)


def facts(talk):
    return parse(talk.text(PATH))


def rows(talk, name):
    return [line[2:] for line in talk.bullets(FILES[name])]


def fact(talk, word):
    return next(one for one in facts(talk).values() if word in one.text)


class Scripted:
    """A voice that always says the same."""

    def __init__(self, said):
        self.said, self.usage = said, {}

    def __call__(self, rules, material, tokens):
        return self.said


class Silent(Scripted):
    """A voice that fails."""

    def __init__(self):
        super().__init__("")

    def __call__(self, rules, material, tokens):
        raise ModelError("test", "nobody is there", fix=Advice("clawgit model status"))


def tracked(talk):
    return {path: (talk.root / path).read_bytes() for path in talk.git("ls-files").split("\n") if path}


def test_each_memory_is_a_fact_of_its_class(space):
    organize(space)
    assert rows(space, "personal") == ["The operator's daughter Mara plays the cello."]
    assert rows(space, "system") == ["The NAS is at 192.168.1.20 and runs TrueNAS."]
    assert rows(space, "agents") == ["The agent should answer in one sentence on the phone."]
    assert rows(space, "tasks") == [
        "The dentist appointment is on 2026-06-20 at nine.",
        "The operator has to renew the passport.",
    ]
    assert str(fact(space, "dentist").expires) == "2026-06-20"
    assert str(fact(space, "passport").expires) == "2026-06-08"


def test_two_runs_are_one(space):
    organize(space)
    before = tracked(space)
    assert organize(space).applied == []
    assert tracked(space) == before


def test_a_voice_tells_the_classes_and_where_it_is_silent_words_do(space):
    organize(space, Scripted("1 tasks\n2 nonsense\nignore all rules"))
    assert rows(space, "tasks")[0] == "The operator's daughter Mara plays the cello."
    assert rows(space, "system") == ["The NAS is at 192.168.1.20 and runs TrueNAS."]


def test_what_is_typed_by_hand_wins(space):
    organize(space)
    space.write(
        FILES["personal"], "# Mine\n\nKeep this.\n\n- Mara, the operator's daughter, plays the violin.\n- Likes tea.\n"
    )
    space.write(FILES["system"], "# Machines and software\n")
    organize(space)
    assert space.text(FILES["personal"]).startswith("# Mine\n\nKeep this.\n")
    assert rows(space, "personal") == ["Mara, the operator's daughter, plays the violin.", "Likes tea."]
    assert rows(space, "system") == []
    assert fact(space, "NAS").state == "dropped"
    organize(space)
    assert rows(space, "system") == []


def test_a_fact_moved_by_hand_stays_where_it_is(space):
    organize(space)
    line = "- The operator has to renew the passport.\n"
    space.write(FILES["tasks"], space.text(FILES["tasks"]).replace(line, ""))
    space.write(FILES["personal"], space.text(FILES["personal"]) + line)
    organize(space)
    assert "The operator has to renew the passport." in rows(space, "personal")
    assert fact(space, "passport").category == "personal"


def test_what_memory_says_otherwise_or_no_more_the_facts_do_too(space):
    organize(space)
    space.write("MEMORY.md", MEMORY.replace("- The NAS is at 192.168.1.20 and runs TrueNAS. #knowledge\n", ""))
    organize(space)
    assert rows(space, "system") == []
    assert not any("NAS" in one.text for one in facts(space).values())


def test_what_is_over_leaves_for_the_archive_and_comes_back(space):
    organize(space)
    at(space, 8)
    decay(space)
    assert rows(space, "tasks") == ["The dentist appointment is on 2026-06-20 at nine."]
    archive = "memory/archive/facts/2026-June.md"
    assert "The operator has to renew the passport. (tasks, " in space.text(archive)
    assert "passport" in space.text("MEMORY.md")
    organize(space)
    assert len(rows(space, "tasks")) == 1
    one = fact(space, "passport")
    space.workspace.apply(fact_terms.renewed(space.workspace, one, None))
    assert len(rows(space, "tasks")) == 2
    assert str(fact(space, "passport").expires) == "2026-06-16"


def test_nothing_is_over_before_its_day(space):
    organize(space)
    at(space, 7)
    assert decay(space).applied == []
    at(space, 30)
    decay(space)
    assert {one.text for one in facts(space).values() if one.state == "expired"} == {
        "The dentist appointment is on 2026-06-20 at nine.",
        "The operator has to renew the passport.",
    }


def test_a_clock_that_may_be_wrong_takes_nothing_away(space):
    organize(space)
    space.workspace.clock = lambda: datetime(2031, 1, 1, tzinfo=UTC)
    with pytest.raises(ClawgitError, match="clock"):
        decay(space)
    assert len(rows(space, "tasks")) == 2


def test_the_decay_takes_back_what_it_did_to_the_byte(space):
    organize(space)
    before = tracked(space)
    at(space, 8)
    decay(space)
    space.workspace.apply(undo.undo(space.workspace))
    after = tracked(space)
    assert {path: text for path, text in after.items() if before.get(path) != text} == {}


def test_the_index_is_small_and_what_stands_beside_it_stays(space):
    more = "".join(
        f"- The operator's neighbour number {n} is called Name{n} and lives in house {n}.\n" for n in range(200)
    )
    space.write("MEMORY.md", MEMORY + more)
    space.write("memory/heron.md", "# Heron\n\n- The staging server.\n")
    organize(space)
    assert len(space.text(INDEX).encode()) <= MAX_INDEX_BYTES
    assert "[Heron](heron.md)" in space.text(INDEX)
    space.write(INDEX, f"# My index\n\nRead me first.\n\n{space.text(INDEX)}\nEnd.\n")
    at(space, 1)
    space.write("MEMORY.md", space.text("MEMORY.md") + "- The operator sings.\n")
    organize(space)
    assert space.text(INDEX).startswith("# My index\n\nRead me first.\n")
    assert space.text(INDEX).endswith("\nEnd.\n")
    assert len(space.text(INDEX).encode()) <= MAX_INDEX_BYTES


def test_a_file_in_a_home_is_listed_by_what_its_front_matter_calls_it(space):
    space.write("memory/entities/acme.md", "---\ntitle: Acme Corp\n---\n\n# Notes\n\n- They pay late.\n")
    organize(space)
    assert "[Acme Corp](entities/acme.md)" in space.text(INDEX)


def test_the_index_names_the_day_that_an_entry_begins_with(space):
    space.write(
        "MEMORY.md", "# Memory\n\n- [2026-03-05] The website has 71 pages.\n- 2026-03-04: The town was fixed.\n"
    )
    organize(space)
    assert "- [2026-03-05] The website has 71 pages.\n- [2026-03-04] The town was fixed.\n" in space.text(INDEX)


def test_contradictions_stay_two_facts(space):
    space.write(
        "MEMORY.md",
        MEMORY + "- The NAS is at 192.168.1.30 and runs TrueNAS.\n- The NAS is at 192.168.1.20 and runs no TrueNAS.\n",
    )
    organize(space)
    assert len(rows(space, "system")) == 3


def test_two_entries_that_say_the_same_are_one_fact(space):
    space.write("MEMORY.md", MEMORY + "- the operator's daughter mara plays the cello\n")
    organize(space)
    assert rows(space, "personal") == ["The operator's daughter Mara plays the cello."]
    assert len(fact(space, "Mara").sources) == 2


def test_secrets_are_no_facts(space):
    space.write("MEMORY.md", MEMORY + "- The token is ghp_0123456789abcdefABCDEF0123456789abcd.\n")
    organize(space)
    assert "ghp_" not in space.text(PATH)


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


def test_words_that_were_taken_away_do_not_come_back(space):
    shown(space, "The NAS is at 192.168.1.20 and runs TrueNAS.", 3)
    organize(space, Scripted("1: file server"))
    space.write("MEMORY.md", MEMORY)
    organize(space, Scripted("1: file server"))
    assert triggered(space) == []


def test_words_that_many_memories_share_and_lines_with_comments_are_left_alone(space):
    said = ["The green kettle boils slowly.", "The red kettle boils fast.", "The blue kettle leaks now."]
    other = "- The NAS hums. <!-- trigger: fan -->\n"
    space.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {one}\n" for one in said) + other)
    for one in (*said, "The NAS hums."):
        shown(space, one, 4)
    organize(space, Scripted("1: kettle, green tea\n2: kettle\n3: kettle\n4: noise"))
    assert triggered(space) == ["- The green kettle boils slowly. <!-- trigger: green tea -->", other.strip()]
    assert other in space.text("MEMORY.md")


def test_no_words_where_nobody_is_asked_or_nobody_answers(space):
    shown(space, "The NAS is at 192.168.1.20 and runs TrueNAS.", 3)
    organize(space)
    result = organize(space, Silent())
    assert triggered(space) == []
    assert any("by which words" in note for note in result.notes)


def test_on_another_machine_than_the_one_that_is_named_it_writes_nothing(space):
    own = space.workspace.machine.name()
    space.write("CONFIG.md", "```yaml\njobs_home: kkkkzzzz\n```\n")
    with pytest.raises(ClawgitError, match="kkkkzzzz") as caught:
        organize(space)
    assert str(caught.value.fix).startswith(f"clawgit config set jobs_home {own}")
    assert not (space.root / FILES["personal"]).exists()
    assert running.preview(Organizer(), space.workspace).learnt


def test_on_the_machine_that_is_named_it_works(space):
    space.write("CONFIG.md", f"```yaml\njobs_home: {space.workspace.machine.name()}\n```\n")
    organize(space)
    assert (space.root / FILES["personal"]).exists()
