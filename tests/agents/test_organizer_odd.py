"""Organizer and decay engine with memories without structure, of great length, with odd days, open in an editor."""

import tomllib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents import fact_terms, organizer
from clawgit.agents.organizer import MAX_INDEX_BYTES, Topic
from clawgit.agents.organizing import fact_classes, fact_files
from clawgit.agents.organizing.fact_files import Origin
from tests.messy.calls import call

from .test_organizer import FILES, INDEX, at, decay, fact, facts, organize, rows, space, tracked

__all__ = ["space"]
DAY = date(2026, 6, 1)
PAIRS = tomllib.loads((Path(__file__).resolve().parents[2] / "corpora/sameness.toml").read_text("utf-8"))["pair"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "just words, no heading and no list, and a line that goes on\nand on\n",
        "# Memory",
        "- \n-\n* \n",
        "```\n- not an entry\n",
        "\ufeff# Memory\r\n\r\n- The NAS hums.\r\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "---\ntitle: [broken\n---\n- x\n",
    ],
)
def test_a_memory_without_structure_is_organised_once_and_left_as_it_is(space, text):
    space.write("MEMORY.md", text)
    written = (space.root / "MEMORY.md").read_bytes()
    organize(space)
    before = tracked(space)
    assert (space.root / "MEMORY.md").read_bytes() == written
    assert organize(space).applied == []
    assert tracked(space) == before


def test_a_memory_of_340_kb_is_organised_and_its_index_stays_small(space):
    lines = [f"- Contact {number} of the old house{f', and of room {number}' * 19}." for number in range(1000)]
    text = "# Memory\n\n" + "\n".join(lines) + "\n"
    assert len(text.encode()) > 340_000
    space.write("MEMORY.md", text)
    organize(space)
    assert len(facts(space)) == len(lines)
    assert len(space.text(INDEX).encode()) <= MAX_INDEX_BYTES


def test_facts_of_all_languages_are_kept_in_their_words(space):
    said = ["Maras Konzert ist am 20. Juni.", "茶が好き。", "المفتاح عند الجارة.", "Оля любит чай."]
    space.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {one}\n" for one in said))
    organize(space)
    assert sorted(one.text for one in facts(space).values()) == sorted(said)


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("Hand the tax papers in until 2026-06-12, or until 2026-06-25.", "2026-06-25"),
        ("Hand the tax papers in until 2026-02-30.", "2026-06-08"),
        ("Hand the tax papers in until 2019-01-01.", "2026-06-08"),
    ],
)
def test_of_days_that_contradict_each_other_the_last_that_can_be_holds(space, said, last):
    space.write("MEMORY.md", f"# Memory\n\n## Events\n\n- {said} #event\n")
    organize(space)
    assert str(fact(space, "tax papers").expires) == last


def test_what_an_editor_writes_back_after_it_was_over_is_a_fact_again(space):
    organize(space)
    open_in_editor = space.text(FILES["tasks"])
    at(space, 8)
    decay(space)
    space.write(FILES["tasks"], open_in_editor)
    organize(space)
    assert "The operator has to renew the passport." in rows(space, "tasks")
    at(space, 60)
    decay(space)
    assert "The operator has to renew the passport." in rows(space, "tasks")


def test_a_clock_that_jumps_back_brings_nothing_twice(space):
    organize(space)
    at(space, 8)
    decay(space)
    at(space, 1)
    organize(space)
    organize(space)
    assert [one.text for one in facts(space).values()].count("The operator has to renew the passport.") == 1
    assert decay(space).applied == []


def test_each_fact_that_is_over_comes_back_by_a_command(space):
    organize(space)
    before = {name: rows(space, name) for name in FILES}
    for one in facts(space).values():
        space.workspace.apply(fact_terms.expired(space.workspace, one))
    assert not any(rows(space, name) for name in FILES)
    for key in facts(space):
        assert call(space.root, "facts", "renew", key).code == 0
    assert {name: sorted(rows(space, name)) for name in FILES} == {name: sorted(some) for name, some in before.items()}


def test_what_contradicts_each_other_is_never_one_fact():
    merged = []
    for pair in (one for one in PAIRS if one["kind"] == "contradiction"):
        some = [Origin(name, pair[name], "knowledge", DAY, DAY) for name in ("a", "b")]
        if len(fact_files.organised({}, some, DAY, fact_classes.by_rules)) != len(some):
            merged.append(pair["id"])
    assert merged == []


words = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=400)


@given(st.lists(words, max_size=60), st.lists(words, max_size=40), st.none() | words)
def test_the_index_is_never_larger_than_2048_bytes(said, titles, typed):
    origins = [Origin(f"k{number}", text, "knowledge", DAY, DAY) for number, text in enumerate(said)]
    found = fact_files.organised({}, origins, DAY, fact_classes.by_rules)
    topics = [Topic(f"memory/{number}.md", title, "2026-06-01") for number, title in enumerate(titles)]
    text = organizer.render_index(typed, found, origins, topics, [one.id for one in origins])
    own = len((typed or "").encode()) + len(organizer.EMPTY_INDEX.encode()) + 4
    assert len(text.encode()) <= max(MAX_INDEX_BYTES, own)
    assert organizer.render_index(text, found, origins, topics, [one.id for one in origins]) == text
