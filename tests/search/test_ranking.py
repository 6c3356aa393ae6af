"""The first hits, and texts that never count."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from clawgit.search import corpus, rank
from clawgit.search.answer import Hit, Query
from clawgit.search.question_words import Cues, Term
from clawgit.search.rank import Rules
from clawgit.search.store import Place
from clawgit.text import conflict
from clawgit.workspace.workspace import open_workspace

from .conftest import git
from .test_recall import search

NAME, OTHER = "klmnopqrst", "zyxwvutsrq"
DEMO = "The demo is on"
MONDAY, FRIDAY = f"{DEMO} Monday.", f"{DEMO} Friday."


def search_first(root: Path, question: str) -> Hit:
    return search(root, question).results[0]


def place(text: str, *, nth: int = 0, trail: str = "", chat: bool = False, day: date | None = None) -> Place:
    path = f"memory/{day}.md" if day else "memory/a.md"
    return Place(nth, f"{nth:016x}", path, "", nth, nth + 1, nth + 1, text, trail, "", chat, day)


def scores(places: list[Place], question: str, rules: Rules | None = None) -> list[float]:
    terms = [Term(word, word, f'"{word}"', 1, 1.0, f" {word}") for word in question.split()]
    ranking = rank.rank(places, {candidate.doc: 1.0 for candidate in places}, terms, Cues(), rules or Rules(None))
    scores_by_place = {candidate.place.nth: candidate.score for candidate in ranking}
    return [round(scores_by_place[candidate.nth], 4) for candidate in places]


def test_what_stands_under_a_heading_is_found_by_it(root: Path, write: Callable) -> None:
    """A heading names the subject of its lines: it counts more than a list that has the same words among others."""
    bullets = "".join(f"- Looked for the kettle and for the warranty of the {word}.\n" for word in ("lamp", "oven"))
    write(
        {
            "memory/list.md": f"# List\n\n{bullets}",
            "memory/home.md": "# Home\n\n## Kettle warranty\n\n- It ends in June, and the slip is in the drawer.\n",
        }
    )
    assert search_first(root, "kettle warranty").path == "memory/home.md"


def test_how_much_of_a_question_stands_in_a_note_counts_and_in_a_turn_does_not() -> None:
    """A turn goes with its neighbours, and says less by itself."""
    whole, half = "the brass kettle", "the brass lamp"
    note = scores([place(whole, nth=1), place(half, nth=2)], "brass kettle")
    turn = scores([place(whole, nth=1, chat=True), place(half, nth=2, chat=True)], "brass kettle")
    assert note == [1.0, 0.9475]
    assert turn == [1.0, 1.0]


@pytest.mark.parametrize(
    ("days", "half_life", "weight"),
    [(0, 23, 1.0), (23, 23, 0.5), (57, 23, 0.18)],
)
def test_age_weighs_what_the_formula_says(days: int, half_life: float, weight: float) -> None:
    """score * exp(-age * ln 2 / half-life) (spec 5, Temporal Decay)."""
    rules = Rules(date(2026, 5, 20), half_life, least=0)
    assert rank.weigh_age(days, rules) == pytest.approx(weight, abs=0.008)
    day = date.fromordinal(date(2026, 5, 20).toordinal() - days)
    (dated,), (now,) = scores([place("kettle", day=day)], "kettle", rules), scores([place("kettle")], "kettle", rules)
    assert dated == pytest.approx(now * weight, abs=0.008)


def test_last_years_answer_comes_before_yesterdays_half_of_it(root: Path, write: Callable) -> None:
    write(
        {
            "memory/2025-05-20.md": "- The brass kettle came from Lisbon.\n",
            "memory/2026-05-19.md": "- Bought a brass lamp and a kettle stand.\n",
        }
    )
    question = "which kettle of brass came from Lisbon"
    assert search_first(root, question).path == "memory/2025-05-20.md"


def templates() -> dict[str, str]:
    from clawgit.resources import resource  # noqa: PLC0415

    folder = resource("templates") / "workspace"
    return {name: (folder / name).read_text("utf-8") for name in ("CORRECTIONS.md", "CONFLICTS.md", "USER.md")}


@pytest.mark.parametrize(
    "question",
    [
        "what was remembered wrongly",
        "memories that contradict each other",
        "journals of the month",
        "time zone",
    ],
)
def test_sentences_of_templates_are_no_evidence(root: Path, write: Callable, question: str) -> None:
    chronicle = f"# Chronicle of May 2026\n\n{corpus.CHRONICLE}\n"
    write({**templates(), "memory/archive/chronicles/2026-May.md": chronicle, "memory/2026-05-01.md": "# 2026-05-01\n"})
    assert search(root, question, least=0.0).results == ()


def test_what_stands_between_them_is_found(root: Path, write: Callable) -> None:
    field = "- **Time zone:**"
    write({"USER.md": templates()["USER.md"].replace(field, f"{field} Lisbon")})
    assert search_first(root, "time zone").snippet == f"{field} Lisbon"


def record() -> str:
    fields = {
        "Trigger": "No, the demo is on Friday",
        "Trigger confidence": "high",
        "Said": "Monday",
        "True": "Friday",
        "Entry was": MONDAY,
        "Entry is": FRIDAY,
        "About": OTHER,
        "Source": "session x, demo notes",
        "Re-embedded": "true",
    }
    return "# Corrections\n\nHow the demo was got wrong.\n\n" + conflict.format_record(
        NAME, "2026-05-01 09:00", fields.items()
    )


def test_a_record_of_a_conflict_is_not_searched(root: Path, write: Callable) -> None:
    """Its subject is in memories, which are searched."""
    write({"MEMORY.md": f"- {MONDAY}\n", "CONFLICTS.md": conflict_record()})
    hits = search(root, "when is the demo", least=0.0).results
    assert [hit.path for hit in hits] == ["MEMORY.md"]


def conflict_record() -> str:
    sides = [conflict.Side(f"{DEMO} {day}.", "MEMORY.md", OTHER, "2026-05-01", "operator") for day in DAYS]
    record = conflict.Conflict(NAME, "2026-05-01", *sides, "two days", "open", "open", ())
    return f"{conflict.EMPTY_CONFLICTS}\n{conflict.rendered(record)}"


@pytest.mark.parametrize("question", ["when is the demo", "demo Friday"])
def test_a_record_never_comes_before_the_memory_that_it_is_about(root: Path, write: Callable, question: str) -> None:
    """The memory has the weight of its correction; each text is there once."""
    memory = f"# Memory\n\n- {MONDAY}\n- {FRIDAY} #correction\n- The lamp is red.\n"
    write({"MEMORY.md": memory, "CORRECTIONS.md": record(), "CONFLICTS.md": conflict_record()})
    hits = search(root, question, explain=True, least=0.0).results
    assert hits[0].path == "MEMORY.md"
    assert hits[0].text == f"- {FRIDAY} #correction"
    assert hits[0].explain["correction"] == 1.5
    assert [hit.text for hit in hits if DEMO in hit.text][1:] in ([], [f"- {MONDAY}"])


DAYS = ("Monday", "Friday")
BLUE, GREEN = "- The kettle is blue.", "- The kettle is green."
OPEN = f"# Day\n\n<<<<<<< HEAD\n- The kettle is red.\n=======\n{GREEN}\n>>>>>>> side\n"
DAY = "memory/2026-05-12.md"


def test_of_committed_markers_both_sides_are_found_as_of_then(root: Path, write: Callable, commit: Callable) -> None:
    from clawgit.search import ask as asking  # noqa: PLC0415

    write({DAY: f"# Day\n\n{BLUE}\n"})
    commit()
    write({DAY: OPEN})
    commit()
    write({DAY: "# Day\n\n- The lamp is on.\n"})
    commit()
    git(root, "checkout", "-q", "HEAD~1", "--", DAY)
    with open_workspace(root) as workspace:
        now = asking.answer_question(workspace, Query("kettle"))
        old = asking.answer_question(workspace, Query("kettle", as_of="HEAD~1"))
        deleted = asking.answer_question(workspace, Query("kettle", deleted=True))
    assert "blue" not in " ".join(hit.text for hit in now.results)
    assert {hit.snippet for hit in old.results} == {"- The kettle is red.", GREEN}
    assert not any(
        mark in hit.text for hit in (*now.results, *old.results, *deleted.results) for mark in ("<<<", "===")
    )
