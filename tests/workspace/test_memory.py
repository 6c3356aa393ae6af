"""Memories: word for word, once each, with what is known of them."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError, UsageError
from clawgit.text.entry import digest, is_id, normalise
from clawgit.workspace import memory, memory_lines, undo
from clawgit.workspace.change import Change, Edit
from tests.amounts import amount

from .places import AWS, DAY, another

ODD = [
    "# x",
    "## Knowledge",
    "1. x",
    "1) x",
    "- x",
    "* x",
    "+ x",
    "- [ ] x",
    "[x] done",
    "> x",
    "```\ncode\n```",
    "~~~",
    "---",
    "***",
    "===",
    "| a | b |",
    "<!-- x",
    "a --> b",
    "-->",
    "<div>x</div>",
    "emoji 👩‍👧‍👦 🇩🇪 ✅",
    "公開APIにはGraphQLではなくRESTを選んだ。",
    "결정: 화요일에 배포",
    "नमस्ते दुनिया",
    "two\nlines",
    "para\n\npara",
    "list:\n- a\n- b",
    "heading:\n# not one",
    "windows\r\nline",
    "tab\there",
    "back\\slash \\# \\-",
    "trailing\\",
    "a #tag in between",
    "costs 5 * 3 * 2",
    "`code` **bold** [link](http://x)",
    "&amp; &lt;",
    "x" * 5000,
    "  spaces around  ",
    "non\xa0breaking",
    "{{ template }} ${VAR} $(cmd)",
    "[ref]: http://x",
    "a|b",
    "e\u0301",
    "#decision first",
    "Straße ﬁ Ⅷ",
]


def texts(place, path="MEMORY.md"):
    return [found.text for found in memory.memories(place.ws, path)]


def remembered(place, text, **more):
    added = memory.add(place.ws, text, **more)
    return added, place.ws.apply(added.change)


@pytest.mark.parametrize("text", ODD)
def test_any_text_is_kept_word_for_word(place, text):
    """Read back it is one memory with exactly these words, and the file is otherwise as it was."""
    place.given(MEMORY="# Memory\n\n## Knowledge\n\n- before #knowledge\n\n## Events\n\n- after\n")
    added, applied = remembered(place, text)
    plain = text.replace("\r\n", "\n").strip(" \t\r\n")
    assert texts(place) == ["before", plain, "after"]
    (found,) = [one for one in memory.memories(place.ws) if one.text == plain]
    assert (found.id, found.tag, found.mentions) == (added.id, "knowledge", 1)
    place.agrees()
    place.ws.apply(undo.undo(place.ws, applied.change))
    assert place.text("MEMORY.md") == "# Memory\n\n## Knowledge\n\n- before #knowledge\n\n## Events\n\n- after\n"


@settings(max_examples=amount(25, 10))
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
            assert [found.id for found in memory.memories(place.ws)] == [added.id]


@pytest.mark.parametrize("text", ["", "  ", "\n\n", "<!-- only a comment -->", "#decision"])
def test_nothing_is_no_memory(place, text):
    with place.refused("no text", kind=UsageError):
        memory.add(place.ws, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [(f"key {AWS}", "secret"), ("in\u200bvisible", "hidden"), ("a\0b", "hidden"), ("cut \ud83d", "half")],
)
def test_what_may_not_be_kept_is_refused(place, text, words):
    with place.refused(words):
        remembered(place, text)


@pytest.mark.parametrize(("tag", "title"), list(memory.SECTIONS.items()))
def test_each_kind_has_its_section(place, tag, title):
    remembered(place, "x", tag=tag)
    section = place.text("MEMORY.md").split(f"## {title}\n")[1]
    assert section.startswith(f"\n- x #{tag}\n")


def test_a_missing_section_is_made(place):
    place.given(MEMORY="# Notes of mine\n\nwords\n")
    remembered(place, "x", tag="skill")
    assert place.text("MEMORY.md") == "# Notes of mine\n\nwords\n\n## Skills\n\n- x #skill\n"


@pytest.mark.parametrize("before", [None, "", "\n"])
def test_a_missing_or_empty_file_is_begun(place, before):
    place.commit({"MEMORY.md": before}) if before is not None else place.git("rm", "--quiet", "MEMORY.md")
    place.git("commit", "--quiet", "--allow-empty", "-m", "x")
    remembered(place, "x")
    assert texts(place) == ["x"]
    place.agrees()


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
        (found,) = memory.memories(place.ws)
        assert (found.mentions, found.first, found.last) == (days + 1, date(2026, 2, 14), date(2026, 2, 14 + days))
    assert place.read("MEMORY.md") == before
    place.agrees()


def test_a_bullet_that_the_operator_wrote_is_mentioned_too(place):
    place.given(MEMORY="- By hand.\n")
    (before,) = memory.memories(place.ws)
    assert (before.origin, before.confidence, before.mentions, before.first) == ("operator", 0.95, 0, None)
    added, _ = remembered(place, "by hand.", origin="agent")
    assert added.merged_into == before.id
    assert place.text("MEMORY.md") == "- By hand.\n"


def test_a_row_tells_what_is_known(place):
    added, _ = remembered(place, "From a page.", tag="event", origin="untrusted", agent="miner")
    row = place.ws.rows()[added.id]
    assert is_id(row.id)
    assert (row.file, row.tag, row.origin, row.confidence) == ("MEMORY.md", "event", "untrusted", 0.6)
    assert (row.first, row.last, row.mentions) == (date(2026, 2, 14), date(2026, 2, 14), {added.change.id})
    assert (row.status, row.hash) == ("live", digest("from a PAGE."))


def test_a_memory_that_was_reworded_by_hand_keeps_what_is_known_of_it(place):
    """The text always wins; the entry is still the same one."""
    added, _ = remembered(place, "Ana likes tea in the early morning.", origin="agent")
    place.given(MEMORY=place.text("MEMORY.md").replace("tea", "coffee"))
    (found,) = memory.memories(place.ws)
    assert (found.id, found.text, found.origin) == (added.id, "Ana likes coffee in the early morning.", "agent")


def test_a_memory_that_stands_in_the_place_of_another_is_the_operators(place):
    added, _ = remembered(place, "Ana likes tea.", origin="agent")
    remembered(place, "Something else.")
    remembered(place, "A third thing.")
    place.given(MEMORY=place.text("MEMORY.md").replace("Ana likes tea.", "The servers stand in Zurich."))
    found, *_ = memory.memories(place.ws)
    assert (found.text, found.origin) == ("The servers stand in Zurich.", "operator")
    assert found.id != added.id


def test_a_memory_that_was_moved_keeps_what_is_known_of_it(place):
    added, _ = remembered(place, "Ana likes tea.", origin="agent")
    place.given(MEMORY="# Other\n\n- x\n- ANA likes  tea.\n")
    assert [(one.id == added.id, one.origin) for one in memory.memories(place.ws)] == [
        (False, "operator"),
        (True, "agent"),
    ]


def test_what_was_taken_back_can_be_remembered_again(place):
    added, applied = remembered(place, "x")
    place.ws.apply(undo.undo(place.ws, applied.change))
    assert place.ws.rows()[added.id].status == "tombstone"
    again, _ = remembered(place, "x")
    assert again.id == added.id
    (found,) = memory.memories(place.ws)
    assert (found.status, found.mentions) == ("live", 1)
    assert place.ws.rows()[added.id].status == "live"


def test_a_memory_is_found_by_the_beginning_of_its_id(place):
    for number in range(17):
        remembered(place, f"thing {number}")
    ids = [line.id for line in memory_lines.list_lines(place.ws, "memory", "journal", "identity", "instruction")]
    for wanted in ids:
        size = next(n for n in range(1, 11) if sum(other.startswith(wanted[:n]) for other in ids) == 1)
        assert (
            memory_lines.find_line(place.ws, wanted[:size]).id == memory_lines.find_line(place.ws, wanted).id == wanted
        )
    with pytest.raises(ClawgitError, match="memories begin with"):
        memory_lines.find_line(place.ws, next(one for one in "klmnopqrstuvwxyz" if "".join(ids)[::10].count(one) > 1))


def test_a_memory_that_is_not_there_names_the_nearest(place):
    added, _ = remembered(place, "x")
    with pytest.raises(ClawgitError) as caught:
        memory_lines.find_line(place.ws, added.id[:-1] + ("k" if added.id[-1] != "k" else "l"))
    assert f"nearest: {added.id}" in str(caught.value)
    assert str(caught.value.fix) == "clawgit memory list"


def test_a_daily_memory_goes_to_todays_journal(place):
    place.now = place.now.replace(hour=23, minute=59)
    added, _ = remembered(place, "Ana is on leave.", daily=True, tag="event")
    assert place.text(DAY) == "# 2026-02-14\n\n- Ana is on leave. #event\n"
    assert memory_lines.find_line(place.ws, added.id).path == DAY
    assert texts(place) == []
    place.later(minutes=2)
    remembered(place, "Ana is back.", daily=True)
    assert place.text("memory/2026-02-15.md").endswith("- Ana is back. #knowledge\n")


def test_the_same_daily_memory_twice_is_two(place):
    """A journal says what happened, and it happened twice."""
    one, _ = remembered(place, "Coffee.", daily=True)
    two, _ = remembered(place, "coffee.", daily=True)
    assert one.id != two.id
    assert len(list(memory.memories(place.ws, DAY))) == 2


@pytest.mark.parametrize("text", [text for text in ODD if "\r" not in text])
def test_any_daily_text_is_kept_word_for_word(place, text):
    remembered(place, "before", daily=True)
    added, _ = remembered(place, text, daily=True)
    assert texts(place, DAY) == ["before", text.strip()]
    assert memory_lines.find_line(place.ws, added.id).text == text.strip()


def test_a_file_of_another_system_keeps_its_line_ends(place):
    place.given(MEMORY="\ufeff# Memory\r\n\r\n## Knowledge\r\n\r\n- a\r\n- b")
    remembered(place, "x\ny")
    assert (
        place.text("MEMORY.md") == "\ufeff# Memory\r\n\r\n## Knowledge\r\n\r\n- a\r\n- b\r\n- x\r\n  y #knowledge\r\n"
    )


def test_rows_and_paragraphs_are_read_not_managed(place):
    place.given(MEMORY="A paragraph.\n\n| a | b |\n|---|---|\n| c | d |\n\n- a bullet\n  - nested\n- [ ] box\n")
    assert texts(place) == ["a bullet", "nested", "box"]


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


@pytest.mark.parametrize("text", ["## Knowledge\n\n```\ncode\n", "# Memory\n\n<!-- open\n\n## Knowledge\n\n- x\n"])
def test_a_memory_that_nobody_could_read_is_refused(place, text):
    """In a code block that is left open it would be no memory: added again and again, and never found."""
    place.given(MEMORY=text)
    with place.refused("memory-shape", "MEMORY.md"):
        remembered(place, "y")


def test_a_table_or_fence_at_the_end_is_not_written_into(place):
    place.given(MEMORY="## Knowledge\n\n- a\n\n```\ncode\n")
    added = memory.add(place.ws, "x")
    place.ws.apply(added.change)
    assert "x" in texts(place)
    place.ws.apply(Change("x", edits=(Edit("MEMORY.md", place.text("MEMORY.md"), "- a\n"),)))
    assert texts(place) == ["a"]
