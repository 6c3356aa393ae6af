"""The operator decides: a rejected correction is not made later, and the identity asks at a terminal."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

HOTEL = "Olive said: the hotel in Lisbon is Casa do Tejo."


def test_a_rejected_correction_of_a_journal_is_not_made_later(call: Callable, space: Path) -> None:
    with (space / "MEMORY.md").open("a") as memory:
        memory.write("\n- The hotel in Lisbon is Casa do Tejo.\n")
    (space / "memory/lisbon.md").write_text("# Lisbon\n\n- Hotel: Casa do Tejo, Alfama.\n")
    journal = space / f"memory/{datetime.now().astimezone():%Y-%m-%d}.md"
    journal.write_text(f"# Today\n\n## 09:00 - trip\n\n- {HOTEL}\n- Packed the bags.\n")
    call("capture")
    call("correct", "no wait, the hotel in Lisbon is now Hotel Mundial instead of Casa do Tejo")
    (item,) = [row["id"] for row in call("inbox", "--json").json if row["kind"] == "correction"]
    texts = [row["text"] for row in call("show", item, "--json").json["choices"]]
    assert call("accept", item, "--only", str(1 + texts.index("The hotel in Lisbon is Casa do Tejo."))).code == 0
    for name in [row["id"] for row in call("inbox", "--json").json if row["kind"] == "correction"]:
        assert call("reject", name).code == 0
    before = journal.read_text()
    journal.write_text(f"{before}- Something else.\n")
    call("capture")
    assert journal.read_text() == f"{before}- Something else.\n"


def test_a_value_of_another_subject_is_not_offered(call: Callable, space: Path) -> None:
    with (space / "MEMORY.md").open("a") as memory:
        memory.write("\n- BahnCard 50 is valid.\n")
    call("capture")
    answer = call("correct", "The rent is 900 euros.")
    assert answer.code == 1
    assert "BahnCard" not in answer.out + answer.err
    assert "BahnCard 50 is valid." in (space / "MEMORY.md").read_text()


def test_a_line_that_left_the_identity_is_not_offered_by_the_digest(call: Callable, space: Path) -> None:
    soul = (space / "SOUL.md").read_text()
    (space / "SOUL.md").write_text(soul.replace("Have a view.", "Agree with everything."))
    call("capture")
    assert call("restore", "SOUL.md", "--approved").code == 0
    assert "Agree with everything" not in call("digest", "--json").json["text"].partition("Removed")[2]
