"""Memories: word for word, once each, with what is known of them."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.text.entry import digest, is_id, normalise
from clawgit.workspace import memory, memory_lines, undo
from tests.amounts import amount

from .places import DAY, another

ODD = [
    "## Knowledge",
    "1) x",
    "- [ ] x",
    "> x",
    "```\ncode\n```",
    "---",
    "| a | b |",
    "<!-- x",
    "emoji 👩‍👧‍👦 🇩🇪 ✅",
    "公開APIにはGraphQLではなくRESTを選んだ。",
    "list:\n- a\n- b",
    "windows\r\nline",
    "trailing\\",
    "&amp; &lt;",
    "x" * 5000,
    "  spaces around  ",
    "non\xa0breaking",
    "[ref]: http://x",
    "e\u0301",
    "#decision first",
]


def texts(place, path="MEMORY.md"):
    lines = memory_lines.list_lines(place.ws, paths=(path,))
    return [found.text for found in lines if found.kind == "bullet"]


def remembered(place, text, **more):
    added = memory.add(place.ws, text, **more)
    return added, place.ws.apply(added.change)


def test_any_text_is_kept_word_for_word(place):
    """Read back each is one memory with exactly these words, and an undo leaves the file as it was."""
    before = "# Memory\n\n## Knowledge\n\n- before #knowledge\n\n## Events\n\n- after\n"
    place.given(MEMORY=before)
    kept = [text.replace("\r\n", "\n").strip(" \t\r\n") for text in ODD]
    applied = [remembered(place, text)[1].change for text in ODD]
    assert texts(place) == ["before", *kept, "after"]
    for text in ODD:
        remembered(place, text, daily=True)
    assert texts(place, DAY) == kept
    place.agrees()
    for change in applied:
        place.ws.apply(undo.undo(place.ws, change))
    assert place.text("MEMORY.md") == before


@settings(max_examples=amount(25, 5))
@given(st.data())
def test_any_text_is_kept_or_refused_with_a_sentence(mould, data):
    text = data.draw(st.text("ab #-*1.>`|<!\\[]x中\n\r\t~_&", max_size=12) | st.text(max_size=8))
    with another(mould) as place:
        before = place.text("MEMORY.md")
        try:
            added, _ = remembered(place, text)
        except ClawgitError as exc:
            assert exc.fix  # noqa: PT017 - most texts do not raise
            assert place.text("MEMORY.md") == before
        else:
            assert texts(place) == [text.replace("\r\n", "\n").strip(" \t\r\n")]
            assert [found.id for found in memory_lines.list_bullets(place.ws)] == [added.id]


def test_each_kind_has_its_section(place):
    place.given(MEMORY="# Notes of mine\n\nwords\n")
    for tag, title in memory.SECTIONS.items():
        remembered(place, f"x of {tag}", tag=tag)
        section = place.text("MEMORY.md").split(f"## {title}\n")[1]
        assert section.startswith(f"\n- x of {tag} #{tag}\n")
    assert place.text("MEMORY.md").startswith("# Notes of mine\n\nwords\n\n## ")


REPEATS = [
    "Chose REST over GraphQL.",
    "chose rest  over\ngraphql.",
    " CHOSE REST OVER GRAPHQL. ",
    "Chose REST over GraphQL. #decision",
]


def test_what_is_there_already_is_mentioned_instead(place):
    """Mentions never change an injected file: not one byte, however often, in any case or spacing."""
    first, _ = remembered(place, REPEATS[0])
    before = place.read("MEMORY.md")
    for days, text in enumerate(REPEATS[1:], 1):
        place.later(days=1)
        added, applied = remembered(place, text)
        assert (added.merged_into, added.id, applied.files) == (first.id, first.id, ())
        assert place.message().startswith("memory: mentioned again: Chose REST over GraphQL.\n")
        (found,) = memory_lines.list_bullets(place.ws)
        assert (found.mentions, found.first, found.last) == (days + 1, date(2026, 2, 14), date(2026, 2, 14 + days))
    assert place.read("MEMORY.md") == before
    place.agrees()


def test_a_row_tells_what_is_known(place):
    added, _ = remembered(place, "From a page.", tag="event", origin="untrusted", agent="miner")
    row = place.ws.rows()[added.id]
    assert is_id(row.id)
    assert (row.file, row.tag, row.origin, row.confidence) == ("MEMORY.md", "event", "untrusted", 0.6)
    assert (row.first, row.last, row.mentions) == (date(2026, 2, 14), date(2026, 2, 14), {added.change.id})
    assert (row.status, row.hash) == ("live", digest("from a PAGE."))


def test_a_memory_that_stands_in_the_place_of_another_is_not_the_agents(place):
    added, _ = remembered(place, "Ana likes tea.", origin="agent")
    remembered(place, "Something else.")
    remembered(place, "A third thing.")
    place.given(MEMORY=place.text("MEMORY.md").replace("Ana likes tea.", "The servers stand in Zurich."))
    found, *_ = memory_lines.list_bullets(place.ws)
    assert (found.text, found.origin) == ("The servers stand in Zurich.", "unknown")
    assert found.id != added.id


def test_what_was_taken_back_can_be_remembered_again(place):
    added, applied = remembered(place, "x")
    place.ws.apply(undo.undo(place.ws, applied.change))
    assert place.ws.rows()[added.id].status == "tombstone"
    again, _ = remembered(place, "x")
    assert again.id == added.id
    (found,) = memory_lines.list_bullets(place.ws)
    assert (found.status, found.mentions) == ("live", 1)
    assert place.ws.rows()[added.id].status == "live"


def test_a_file_of_another_system_keeps_its_line_ends(place):
    place.given(MEMORY="\ufeff# Memory\r\n\r\n## Knowledge\r\n\r\n- a\r\n- b")
    remembered(place, "x\ny")
    assert (
        place.text("MEMORY.md") == "\ufeff# Memory\r\n\r\n## Knowledge\r\n\r\n- a\r\n- b\r\n- x\r\n  y #knowledge\r\n"
    )


def test_an_addition_made_from_an_old_view_lands_once(place):
    """Two sessions learn the same: one line, two mentions."""
    one, two = memory.add(place.ws, "Same."), memory.add(place.open(), "same.")
    place.ws.apply(one.change)
    place.ws.apply(two.change)
    assert [normalise(text) for text in texts(place)] in (["same."], ["same.", "same."])
    same_one, same_two = memory.add(place.ws, "Equal."), memory.add(place.open(), "Equal.")
    place.ws.apply(same_one.change)
    place.ws.apply(same_two.change)
    assert texts(place).count("Equal.") == 1
    assert place.ws.rows()[same_one.id].mentions == {same_one.change.id, same_two.change.id}


@pytest.mark.parametrize("text", ["## Knowledge\n\n```\ncode\n", "# Memory\n\n<!-- open\n"])
def test_a_memory_that_nobody_could_read_is_refused(place, text):
    """In a code block that is left open it would be no memory: added again and again, and never found."""
    place.given(MEMORY=text)
    with place.refused("memory-shape", "MEMORY.md"):
        remembered(place, "y")
