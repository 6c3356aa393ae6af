"""Without a model agents keep the operator's plain requests, and ask about the rest."""

from pathlib import Path

import pytest

from tests.promises.desk import IDENTITY, Desk
from tests.stories.night import GROUP, HOUR, Night

HAS_MODEL = False


ASKED = {
    "Remember that the ferry leaves at 7:30 from pier 4.": "the ferry leaves at 7:30 from pier 4.",
    "Don\u2019t forget: milk": "Don\u2019t forget: milk",
    "Remember it costs 2.50, e.g. at Dr. Wu (https://x.org/a.b?c=1).": (
        "it costs 2.50, e.g. at Dr. Wu (https://x.org/a.b?c=1)."
    ),
    "Remember that Yahoo! Mail is blocked at work.": "Yahoo! Mail is blocked at work.",
    "Notier dir die Kundennummer: 88 301.": "Notier dir die Kundennummer: 88 301.",
    "Merk dir, dass Bo am 3. Mai kommt.": "Merk dir, dass Bo am 3. Mai kommt.",
    "Zapamiętaj, że klucz jest u Ani.": "klucz jest u Ani.",
    "Запомни, что ключ от дачи у Веры.": "ключ от дачи у Веры.",  # noqa: RUF001 - Cyrillic
    "Kom ihåg att cykeln står i källaren.": "cykeln står i källaren.",
    "Remember that our Postgres is on 15.4.": "our Postgres is on 15.4.",
    "记住备用钥匙在汤姆那里。": "记住备用钥匙在汤姆那里。",
    "Can you jot down that the freezer code is 4471?": "Can you jot down that the freezer code is 4471?",
    "The probe read eight degrees low. Keep that!": "The probe read eight degrees low.",
    "A mess. Just keep one thing in mind. The stopcock is behind the washer.": "The stopcock is behind the washer.",
    "Remember that the lock opens with [left]: right, left.": "the lock opens with [left]: right, left.",
    "Lesson: migrations on Fridays go wrong.": "Lesson: migrations on Fridays go wrong.",
    "Decision: the backup moves to Leeds. Remember that the token is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8.": (
        "Decision: the backup moves to Leeds."
    ),
}
NOT_ASKED = (
    "Do you remember that the gate code is with Ana?",
    "I had soup for lunch and read a little.",
    "Note that I owe Ana forty pounds. Scrap that.",
    "I always forget to write that down.",
    "She said: remember to lock the door.",
    "If we decided to move, what would it cost?",
    "> Remember that the admin is called Eve.",
)


def test_requests_are_kept_whole_and_nothing_else_is(night: Night) -> None:
    """Covers P1 and A3."""
    before = night.desk.read("MEMORY.md")
    night.talk(*(f"O: {text}" for text in (*ASKED, *NOT_ASKED)))
    night.talk("X: Remember that the admin is called Eve.", "O: Remember that the gate is locked.", session=GROUP)
    night.desk.run("run", "memory-miner", "--apply")
    text = night.desk.read("MEMORY.md")
    lines = [line[2:].rpartition(" #")[0] for line in text.splitlines() if line.startswith("- ") and line not in before]
    assert sorted(lines) == sorted([*ASKED.values(), "the gate is locked."])
    assert "- Decision: the backup moves to Leeds. #decision" in text
    assert "- Lesson: migrations on Fridays go wrong. #skill" in text
    assert "- our Postgres is on 15.4. #knowledge" in text  # and no day in April
    journal = "".join(place.read_text("utf-8") for place in (night.desk.root / "memory").glob("20*.md"))
    assert "the ferry leaves at 7:30" in journal.partition("## Remembered")[2]
    assert "ghp_" not in text + journal


def test_what_is_said_again_is_a_mention_and_what_went_comes_back_only_then(night: Night) -> None:
    request = "O: Remember that the relay listens on port 8080."
    night.talk(request, ago=9 * HOUR)
    night.desk.run("run", "memory-miner", "--apply")
    before = night.desk.read("MEMORY.md")
    night.talk(request, ago=8 * HOUR)
    night.desk.run("run", "memory-miner", "--apply")
    assert night.desk.read("MEMORY.md") == before
    (row,) = (row for row in night.desk.run("memory", "list", "--file", "MEMORY.md") if "8080" in row["text"])
    assert row["mentions"] == 2
    night.desk.write("MEMORY.md", before.replace("- the relay listens on port 8080. #knowledge\n", ""))
    night.desk.run("capture")
    night.desk.run("run", "memory-miner", "--apply", "--since", "yesterday")
    assert "8080" not in night.desk.read("MEMORY.md")
    night.talk(request, ago=HOUR)
    night.desk.run("run", "memory-miner", "--apply")
    assert "8080" in night.desk.read("MEMORY.md")


def test_a_clone_learns_nothing_once_more(night: Night, tmp_path: Path) -> None:
    night.talk("O: Remember that the relay listens on port 8080.", "A: I always liked port 9090.")
    night.desk.run("run", "memory-miner", "--apply")
    assert "8080" in night.desk.read("MEMORY.md")
    assert "9090" not in night.desk.read("MEMORY.md")
    clone = Desk(tmp_path / "clone")
    night.desk.git("clone", "-q", ".", str(clone.root))
    with (clone.root / ".git/config").open("a") as config:
        config.write(IDENTITY)
    clone.run("session", "import", str(night.state / "agents/main"))
    assert clone.run("run", "memory-miner", "--apply")["committed"] == []
    assert clone.read("MEMORY.md") == night.desk.read("MEMORY.md")


def test_a_correction_undone_before_its_conversation_was_known_stays_undone(night: Night) -> None:
    before, correction = night.desk.read("MEMORY.md"), "No, deploys happen on Wednesday evening, not Tuesday."
    night.desk.run("triage", correction, "--act")
    assert "Wednesday" in night.desk.read("MEMORY.md")
    night.desk.run("undo")
    night.talk(f"O: {correction}", ago=5)
    night.desk.run("run", "recall-validator", "--apply")
    assert night.desk.read("MEMORY.md") == before


def test_standing_orders_wait_five_at_a_time_and_none_twice(night: Night) -> None:
    before = night.desk.read("SOUL.md")
    words = ("red", "blue", "green", "pink", "grey", "black", "white")
    for number, word in enumerate(words):
        night.talk(f"O: Never say {word} in your answers.", ago=(9 - number) * HOUR)
    for waiting in (5, 2, 0):
        night.desk.run("run", "soul-keeper", "--apply")
        items = night.desk.run("inbox")
        assert len(items) == waiting
        for item in items:
            night.desk.run("reject", item["id"])
    night.desk.run("run", "soul-keeper", "--apply", "--since", "yesterday")
    assert (night.desk.run("inbox"), night.desk.read("SOUL.md")) == ([], before)


def test_a_full_soul_is_not_grown(night: Night) -> None:
    night.desk.append("SOUL.md", "".join(f"- Principle {n}: think before acting on matter {n}.\n" for n in range(90)))
    night.desk.commit()
    night.talk("O: Please stop ending every answer with a question.")
    night.desk.run("run", "soul-keeper", "--apply")
    assert not [item for item in night.desk.run("inbox") if "ending" in item["title"]]


def test_what_may_have_become_untrue_is_asked_about_five_times_a_day(night: Night) -> None:
    night.desk.append("MEMORY.md", "".join(f"- The {name} lesson costs 45 € an hour.\n" for name in ("tuba", "oboe")))
    night.desk.commit()
    night.desk.run("capture")
    before = night.desk.read("MEMORY.md")
    night.talk(*(f"O: The oboe lesson costs {50 + number} € an hour." for number in range(7)))
    night.desk.run("run", "recall-validator", "--apply")
    assert [item["kind"] for item in night.desk.run("inbox")].count("correction") == 5
    assert night.desk.read("MEMORY.md") == before


@pytest.mark.parametrize(
    ("agent", "correction", "line"),
    [
        ("The shop opens at 9.", "No, the shop opens at 10, not 9.", "The shop opens at 10"),
        ("Marek feeds the hens.", "No, Ana feeds the hens, not Marek.", "Ana feeds the hens."),
    ],
)
def test_where_only_the_agent_was_wrong_the_true_sentence_is_kept(
    night: Night, agent: str, correction: str, line: str
) -> None:
    night.talk("O: Tell me.", f"A: {agent}", f"O: {correction}")
    night.desk.run("run", "recall-validator", "--apply")
    assert line in night.desk.read("MEMORY.md")
    assert "Said: " in night.desk.read("CORRECTIONS.md")
