"""Comments of OpenClaw about a line count; and words inside of names, emoji."""

from collections.abc import Callable
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
- Atlas ships in June. <!-- project: github.com/acme/Atlas -->
- Borealis ships in June. <!-- project: borealis --> <!-- importance: 4000000000000000000000 -->
- 紧急情况打这个号码 <!-- trigger: 火警 -->
- Call `getUserById` for the profile.
- Release day \U0001f680 is Friday.
- `<!-- trigger: zebra -->` is how a trigger is written.
"""


def test_comments_parts_of_names_and_emoji_lead_to_a_line(write: Callable) -> None:
    root = write({"MEMORY.md": MEMORY})

    def search(question: str, **options: Any) -> list[Hit]:
        with open_workspace(root) as workspace:
            return list(recall.search_files(workspace, Query(question, **options)).results)

    first = {
        "network safety": 3,
        "火警": 8,
        "how often does the kettle descale": 5,
        **dict.fromkeys(("user profile by id", "getUserById", "get_user_by_id"), 9),
        **dict.fromkeys(("\U0001f680", "what happens on \U0001f680 day"), 10),
    }
    assert {question: search(question)[0].start for question in first} == first
    assert search("network safety")[0].snippet == LAB
    assert [hit.start for hit in search("what ships in June", project="atlas")] == [6]
    assert {hit.start for hit in search("what ships in June")} == {6, 7}


def test_the_triggers_of_a_line_count_as_its_words(write: Callable) -> None:
    others = "\n## Network\n\n- The safety lamp of the vlan room stands on the desk of Ben, who is away.\n- A vlan.\n"
    root = write({"MEMORY.md": f"# Memory\n\n{LAB} <!-- trigger: network safety, vlan -->\n{others}"})
    with open_workspace(root) as workspace:
        assert recall.search_files(workspace, Query("network safety")).results[0].snippet == LAB


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("Die Rechnungsnummer steht oben rechts.", "Wo steht die Nummer der Rechnung?"),
        ("Die Nummer der Rechnung steht oben.", "Wie ist die Rechnungsnummer?"),
        ("Der Gartenzaun klemmt.", "Was ist mit dem Garten?"),
        ("Die Steuererklärung liegt im Ordner.", "Steuer"),
        ("Die Kapitalertragsteuer ist bezahlt.", "steuer"),
    ],
)
def test_parts_of_german_compounds_are_found(write: Callable, memory: str, question: str) -> None:
    others = ("Hund", "Kuchen", "Schule", "Wasser", "Bruder", "Straße", "Zucker", "Fenster", "Birne", "Lampe")
    lines = "".join(f"- Heute kam {other} zu uns.\n" for other in others)
    root = write({"MEMORY.md": f"# Notizen\n\n- {memory}\n{lines}"})
    with open_workspace(root) as workspace:
        assert recall.search_files(workspace, Query(question)).results[0].start == 3


@pytest.mark.parametrize("question", ["Where is the port?", "port"])
def test_a_part_of_an_english_word_is_no_hit(write: Callable, question: str) -> None:
    root = write({"MEMORY.md": "# Notes\n\n- The passport is in the drawer.\n"})
    with open_workspace(root) as workspace:
        assert recall.search_files(workspace, Query(question)).results == ()
