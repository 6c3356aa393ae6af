"""What OpenClaw's comments say of a line counts; and words inside of names, emoji."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clawgit.search import recall
from clawgit.search.answer import Hit, Query
from clawgit.workspace.workspace import open_workspace

LAB = "- Never plug the lab into the main switch."
MEMORY = f"""# Memory

{LAB} <!-- trigger: network safety, vlan --> <!-- importance: 9 -->
- The kettle descales monthly. <!-- importance: 2 -->
- The kettle descales yearly. <!-- importance: 9 -->
- Atlas ships in June. <!-- project: Atlas -->
- Borealis ships in June. <!-- project: borealis --> <!-- importance: 4000000000000000000000 -->
- 紧急情况打这个号码 <!-- trigger: 火警 -->
- Call `getUserById` for the profile.
- Release day \U0001f680 is Friday.
- `<!-- trigger: zebra -->` is how a trigger is written.
"""


@pytest.fixture
def found(write: Callable) -> Callable[..., list[Hit]]:
    root: Path = write({"MEMORY.md": MEMORY})

    def act(question: str, **more: Any) -> list[Hit]:
        with open_workspace(root) as workspace:
            return list(recall.search_files(workspace, Query(question, **more)).results)

    return act


def test_a_line_is_found_by_its_trigger_words_and_shown_without(found: Callable) -> None:
    [hit, *_] = found("network safety")
    assert hit.snippet == LAB
    assert found("火警")[0].start == 8


def test_what_is_important_comes_first_among_what_fits_alike(found: Callable) -> None:
    question = "how often does the kettle descale"
    assert [hit.start for hit in found(question)[:2]] == [5, 4]
    assert found("kettle", explain=True)[0].explain["importance"] == 1.2


def test_a_project_can_be_asked_for(found: Callable) -> None:
    question = "what ships in June"
    assert [hit.start for hit in found(question, project="atlas")] == [6]
    assert {hit.start for hit in found(question)} == {6, 7}


@pytest.mark.parametrize("question", ["user profile by id", "getUserById", "get_user_by_id"])
def test_a_name_is_found_by_its_parts_and_by_itself(found: Callable, question: str) -> None:
    assert found(question)[0].start == 9


def test_emoji_are_found(found: Callable) -> None:
    assert [hit.start for hit in found("\U0001f680")] == [10]
    question = "what happens on \U0001f680 day"
    assert found(question)[0].start == 10


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("Die Rechnungsnummer steht oben rechts.", "Wo steht die Nummer der Rechnung?"),
        ("Die Nummer der Rechnung steht oben.", "Wie ist die Rechnungsnummer?"),
        ("Der Gartenzaun klemmt.", "Was ist mit dem Garten?"),
    ],
)
def test_parts_of_german_compounds_are_found(write: Callable, memory: str, question: str) -> None:
    others = ("Hund", "Kuchen", "Schule", "Wasser", "Bruder", "Straße", "Zucker", "Fenster", "Birne", "Lampe")
    lines = "".join(f"- Heute kam {other} zu uns.\n" for other in others)
    root = write({"MEMORY.md": f"# Notizen\n\n- {memory}\n{lines}"})
    with open_workspace(root) as workspace:
        assert recall.search_files(workspace, Query(question)).results[0].start == 3
