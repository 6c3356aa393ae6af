"""Identity: edited in one place, compared between any two moments."""

import pytest

from clawgit.workspace import identity_edits

from .places import SOUL


def edit(place, act, text, **more):
    return place.ws.apply(identity_edits.edit(place.ws, act, text, **{"why": "asked for", **more}))


def lines(difference):
    return [(line.op, line.text) for hunk in difference.hunks for line in hunk.lines]


@pytest.mark.parametrize("ending", ["\r\n"])
@pytest.mark.parametrize("start", ["\ufeff"])
@pytest.mark.parametrize("final", [True, False])
def test_every_other_byte_stays(place, ending, start, final):
    text = start + SOUL.replace("\n", ending)
    text = text if final else text.removesuffix(ending)
    place.given(SOUL=text)
    edit(place, "add", "New.", section="Core Truths")
    assert place.text("SOUL.md") == text.replace(f"asking.{ending}", f"asking.{ending}- New.{ending}")
    edit(place, "remove", "New.")
    assert place.text("SOUL.md") == text
    edit(place, "replace", "Have views.", old="Have a view.")
    assert place.text("SOUL.md") == text.replace("a view", "views")


@pytest.mark.parametrize(
    ("act", "text", "more", "words"),
    [
        ("replace", "x", {"old": "not there"}, "was not found"),
        ("replace", "x", {"old": "a"}, "times, on lines"),
        ("remove", "Calm and plain.", {"section": "Core Truths"}, "was not found"),
        ("add", "x", {"section": "Vibes and such"}, "no section"),
        ("add", "x", {"section": "Vibe", "path": "MEMORY.md"}, "path-role"),
        ("add", "x", {"section": "Vibe", "path": "agents/../SOUL.md"}, "agents/../SOUL.md"),
    ],
)
def test_a_place_that_is_not_found_once_is_refused(place, act, text, more, words):
    with place.refused(words):
        edit(place, act, text, **more)


@pytest.mark.parametrize(
    ("soul", "after"),
    [
        ("- Calm.\n- Plain.\n", "- Calm.\n- Plain.\n- New.\n"),
        ("# Tess\n\n- Calm.\n", "# Tess\n\n- Calm.\n- New.\n"),
        ("I am calm.\n", "I am calm.\n\n- New.\n"),
        ("<h1>Soul</h1>\n<ul><li>Calm.</li></ul>\n", "<h1>Soul</h1>\n<ul><li>Calm.</li></ul>\n\n- New.\n"),
    ],
)
def test_a_soul_without_sections_is_one(place, soul, after):
    place.given(SOUL=soul)
    edit(place, "add", "New.")
    assert place.text("SOUL.md") == after


def test_an_agent_grows_a_soul_past_the_cap_only_with_a_word_of_the_operators(place):
    place.commit({"CONFIG.md": "```yaml\nsoul_max_tokens: 40\n```\n"})
    applied = edit(place, "add", "word " * 40, section="Vibe", agent="soul-keeper", origin="agent")
    assert (applied.commit, bool(applied.proposal)) == (None, True)
    assert any("past its cap of 40" in doubt for doubt in applied.doubts)
