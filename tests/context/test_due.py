"""What is due stands in the context on its day and in the week before, and plans that are over do not."""

from datetime import UTC, date, datetime

import pytest

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked
from clawgit.text.entry import digest, entry_id
from clawgit.workspace import entries
from clawgit.workspace.entries import Row

from .conftest import NOW, slot

SAID = date(2026, 11, 16)
TITLE = "# Due today and this week"


def remember(ground, *texts, said=SAID, tag="event", path="MEMORY.md"):
    """Write memories that were said on a day."""
    ground.write(path, "# Memory\n\n## Events\n\n" + "".join(_line(text, tag) for text in texts))
    rows = {}
    for text in texts:
        plain = text.partition(" <!--")[0]
        key = entry_id(path, plain)
        rows[key] = Row(key, path, digest(plain), tag, first=said, last=said, mentions=frozenset({"m"}))
    known = {} if not (ground.root / entries.PATH).exists() else entries.parse((ground.root / entries.PATH).read_text())
    ground.write(entries.PATH, entries.render({**known, **rows}))


def _line(text, tag):
    plain, mark, comment = text.partition(" <!--")
    return f"- {plain} #{tag}{mark}{comment}\n"


def shown(ground, now=NOW, **asked):
    workspace = ground.ws
    workspace.clock = lambda: now
    return assemble(workspace, Asked("hello", **asked))


def test_what_is_due_today_and_this_week_stands_below_its_day(ground) -> None:
    remember(ground, "The lease ends on 23 November.", "Dentist on Friday at 9.", "Launch on 2026-12-24.")
    text = shown(ground).text
    part = text[text.index(TITLE) :].split("\n\n# ")[0]
    assert "### today, Friday 2026-11-20\n- Dentist on Friday at 9." in part
    assert "### Monday 2026-11-23\n- The lease ends on 23 November." in part
    assert "Launch" not in part
    assert text.count("Dentist on Friday") == 1
    assert text.count("Launch") == 1


def test_what_is_over_leaves_the_prompt_the_day_after_and_is_still_found(ground) -> None:
    remember(ground, "Dentist on Friday at 9.", "The relay is in room 4.")
    later = datetime(2026, 11, 21, 0, 30, tzinfo=UTC)
    found = shown(ground, later)
    assert "Dentist" not in found.text
    assert "room 4" in found.text
    assert slot(found, "due").kept == 0
    workspace = ground.ws
    workspace.clock = lambda: later
    assert "Dentist" in assemble(workspace, Asked("when was the dentist?")).text


@pytest.mark.parametrize(
    "text", ["Standup every Friday at 9.", "Tom's birthday is on 20 November.", "The shelf is new."]
)
def test_what_comes_again_and_what_has_no_day_is_never_due_and_never_over(ground, text) -> None:
    remember(ground, text)
    assert TITLE not in shown(ground).text
    assert text in shown(ground, datetime(2027, 3, 1, tzinfo=UTC)).text


def test_a_group_hears_of_no_plans(ground) -> None:
    remember(ground, "Dentist on Friday.")
    assert TITLE not in shown(ground, session_kind="group").text


def test_what_is_due_fits_the_budget_and_costs_nothing_where_nothing_is(ground) -> None:
    remember(ground, *(f"Call number {n} on Friday about the shelf and the rope." for n in range(40)))
    found = shown(ground, budget=600)
    assert found.tokens <= 600
    assert slot(found, "due").kept > 0
    remember(ground, "The relay is in room 4.")
    assert slot(shown(ground), "due").given == 0


@pytest.mark.parametrize(
    "text",
    [
        "Dentist on 20 November.",
        "Zahnarzt am 20. November.",
        "Dentista el 20 de noviembre.",
        "Dentiste le 20 novembre.",
        "11月20日看牙医。",
        "11月20日に歯医者。",
        "11월 20일 치과.",
    ],
)
def test_in_seven_languages(ground, text) -> None:
    remember(ground, text)
    assert f"### today, Friday 2026-11-20\n- {text}" in shown(ground).text
    assert text not in shown(ground, datetime(2026, 11, 21, 12, tzinfo=UTC)).text
