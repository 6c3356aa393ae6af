"""Files of others stay as written, but for lines that an agent overwrites unread."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.promises.desk import Desk

MEMORY = "MEMORY.md"
BORN = "# Memory\n\n## Knowledge\n\n- Marek looks after the pumps.\n- Deploys happen on Tuesday evening.\n"
KEPT = "- The greenhouse lamps are rated at 400 watts. #knowledge"
Call = dict[str, Any]


class House(Desk):
    """A managed workspace, its owner, and its agent with a session of its own."""

    def __init__(self, root: Path, talks: Path) -> None:
        super().__init__(root)
        self.talks, self.calls = talks, 0
        self.rows: list[dict[str, Any]] = [
            {"type": "session", "version": 3, "id": "5d0f3c1e", "timestamp": 4000000000000}
        ]
        self.write(MEMORY, BORN)
        self.write("SOUL.md", "# Soul\n\n- Be brief.\n")
        self.run("adopt", str(root))

    def read(self, path: str = MEMORY) -> str:
        return super().read(path)

    def items(self) -> list[dict[str, Any]]:
        return list(self.run("inbox", "--kind", "restore"))

    def accept(self, name: str) -> None:
        self.run("accept", name)

    def keep(self, text: str = KEPT) -> None:
        self.run("memory", "add", text.removeprefix("- ").removesuffix(" #knowledge"), "--tag", "knowledge")

    def act(self, name: str, arguments: Call, answer: str = "", *, failed: bool = False) -> None:
        """Let the agent call a tool; nothing is written by it."""
        self.calls += 1
        part = {"type": "toolCall", "id": f"call_{self.calls}", "name": name, "arguments": arguments}
        message_record = {"role": "assistant", "content": [part], "provider": "p", "model": "m"}
        result = {
            "role": "toolResult",
            "toolCallId": f"call_{self.calls}",
            "toolName": name,
            "content": [{"type": "text", "text": answer}],
            "isError": failed,
        }
        for message in (message_record, result):
            number = len(self.rows)
            time = {"timestamp": 4000000000000 + number * 1000}
            parent = f"e{number - 1}" if number > 1 else None
            self.rows.append(
                {"type": "message", "id": f"e{number}", "parentId": parent, "message": {**message, **time}}
            )

    def agent_reads(self, path: str = MEMORY, **part: int) -> str:
        text = self.read(path)
        self.act("read", {"path": path, **part}, text)
        return text

    def agent_writes(self, text: str, path: str = MEMORY, *, failed: bool = False) -> None:
        self.write(path, text)
        self.act("write", {"path": path, "content": text}, "written", failed=failed)

    def operator_says(self, text: str) -> None:
        number = len(self.rows)
        message = {
            "role": "user",
            "content": text,
            "timestamp": 4_000_000_000_000,
            "provenance": {"kind": "external_user"},
        }
        self.rows.append({"type": "message", "id": f"e{number}", "parentId": f"e{number - 1}", "message": message})

    def capture(self) -> Any:
        self.talks.mkdir(exist_ok=True)
        (self.talks / "5d0f3c1e.jsonl").write_text("".join(json.dumps(row) + "\n" for row in self.rows), "utf-8")
        self.run("session", "import", str(self.talks))
        return self.run("capture")


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "ws", tmp_path / "talks")


def test_an_item_brings_the_lines_back_and_a_newer_one_takes_its_place(house: House) -> None:
    house.keep()
    house.keep("- The well is nine metres deep. #knowledge")
    whole = house.read()
    house.write(MEMORY, whole.replace(f"{KEPT}\n", ""))
    house.capture()
    house.write(MEMORY, whole.replace(f"{KEPT}\n- The well is nine metres deep. #knowledge\n", "- Something else.\n"))
    house.capture()
    (item,) = house.items()
    house.accept(item["id"])
    assert "nine metres" in house.read()
    assert "Something else." in house.read()
    assert house.items() == []


PLACES = ["memory/garden.md", "memory/2026-02-01.md", "AGENTS.md", MEMORY]
CHANGES = {
    "added": lambda text: text + "- The north gate sticks.\n",
    "reworded": lambda text: text.replace("on Tuesday evening", "on Wednesday morning"),
    "removed": lambda text: text.replace("- Marek looks after the pumps.\n", ""),
    "a section": lambda text: text + "\n## Garden\n\n- Beans are sown in May.\n",
}


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def change(house: House, path: str, kind: str) -> None:
    """Let clawgit change a file on the operator's word."""
    from clawgit.workspace.change import Change, Edit  # noqa: PLC0415
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

    before = house.read(path)
    with open_workspace(house.root) as workspace:
        workspace.apply(Change("memory: a change", edits=(Edit(path, before, CHANGES[kind](before)),)))


@pytest.mark.parametrize(("path", "how"), [*zip(PLACES, CHANGES, strict=True)])
def test_what_an_agent_overwrites_unread_is_merged(house: House, path: str, how: str) -> None:
    house.write(path, BORN)
    house.capture()
    text = house.agent_reads(path)
    change(house, path, how)
    house.agent_writes(text.replace("## Knowledge\n\n", "## Knowledge\n\n- Seeds come from Lisbon.\n"), path)
    (healed,) = house.capture()["healed"]
    assert healed["path"] == path
    merged_text = CHANGES[how](BORN).replace("## Knowledge\n\n", "## Knowledge\n\n- Seeds come from Lisbon.\n")
    assert lines(house.read(path)) == lines(merged_text)
    assert house.capture()["commits"] == []
    house.run("undo")
    assert house.read(path) == BORN.replace("## Knowledge\n\n", "## Knowledge\n\n- Seeds come from Lisbon.\n")


def read_house(house: House) -> str:
    return house.read()


def in_part(house: House) -> str:
    return house.agent_reads(limit=4)


@pytest.mark.parametrize("start", [read_house, in_part])
def test_without_a_whole_read_the_write_stays_and_is_an_item(house: House, start: Any) -> None:
    text = start(house)
    house.keep()
    fresh = text + "- Seeds come from Lisbon.\n"
    house.agent_writes(fresh)
    assert house.capture()["healed"] == []
    assert house.read() == fresh
    assert [item["kind"] for item in house.items()] == ["restore"]


def by_exec(house: House, text: str) -> None:
    house.write(MEMORY, text)
    house.act("exec", {"command": "python3 tidy.py"}, "done")


def by_failed_write(house: House, text: str) -> None:
    house.agent_writes(text, failed=True)


def by_another(house: House, text: str) -> None:
    house.act("write", {"path": MEMORY, "content": text + "more\n"}, "written")
    house.write(MEMORY, text)


@pytest.mark.parametrize("writer", [by_exec, by_failed_write, by_another])
def test_a_write_that_no_call_of_the_agent_made_stays(house: House, writer: Any) -> None:
    text = house.agent_reads()
    house.keep()
    writer(house, text + "- Seeds come from Lisbon.\n")
    assert house.capture()["healed"] == []
    assert house.read() == text + "- Seeds come from Lisbon.\n"


def test_an_agent_that_read_the_line_removes_it(house: House) -> None:
    house.agent_reads()
    house.keep()
    text = house.agent_reads()
    house.agent_writes(text.replace(f"{KEPT}\n", ""))
    assert house.capture()["healed"] == []
    assert KEPT not in house.read()


def undo(house: House) -> None:
    house.run("undo")


def correct(house: House) -> None:
    house.run("correct", "The greenhouse lamps are rated at 450 watts, not 400 watts.")


REMOVALS = {"undo": undo, "correct": correct}


@pytest.mark.parametrize(("how", "path"), [("undo", MEMORY), ("correct", "memory/garden.md")])
def test_a_removed_line_that_comes_back_stays_is_not_served_and_is_an_item(house: House, how: str, path: str) -> None:
    house.write("memory/garden.md", "# Garden\n\n- Beans are sown in May.\n")
    house.keep()
    REMOVALS[how](house)
    assert KEPT not in house.read()
    text = house.read(path) + f"{KEPT}\n"
    house.write(path, text)
    house.capture()
    assert house.read(path) == text
    (item,) = house.items()
    hits = [hit for hit in house.run("search", "greenhouse lamps watts")["results"] if "400 watts" in str(hit)]
    assert [hit["path"] for hit in hits if hit["path"] == path] == []
    assert "rated at 400 watts. #" not in house.run("context", "how strong are the lamps")["text"]
    house.accept(item["id"])
    assert "rated at 400 watts." not in house.read(path)
    house.write(path, text)
    house.capture()
    (item,) = house.items()
    house.run("reject", item["id"], "it holds")
    assert house.read(path) == text
    hits = [hit for hit in house.run("search", "greenhouse lamps watts")["results"] if "400 watts" in str(hit)]
    assert path in {hit["path"] for hit in hits} or how == "correct"


def test_a_line_that_the_operator_asks_for_is_back_in_force(house: House) -> None:
    house.keep()
    house.run("undo")
    house.operator_says("Please note again that the greenhouse lamps are rated at 400 watts.")
    house.agent_writes(house.read() + f"{KEPT}\n")
    house.capture()
    assert house.items() == []


def remove_and_return(house: House) -> tuple[str, str]:
    """Let a line be removed on the operator's word, and come back; return the text without it and with it."""
    house.keep()
    before = house.read()
    house.run("undo")
    after = house.read()
    house.write(MEMORY, before)
    house.capture()
    return after, before


def is_served(house: House) -> bool:
    return any(
        "400 watts" in json.dumps(hit) and "CORRECTIONS" not in json.dumps(hit)
        for hit in house.run("search", "greenhouse lamps watts")["results"]
    )


def test_the_line_moves_to_another_file(house: House) -> None:
    without_line, _ = remove_and_return(house)
    house.write(MEMORY, without_line)
    house.write("memory/garden.md", f"# Garden\n\n{KEPT}\n")
    house.capture()
    assert [item["files"] for item in house.items()] == [["memory/garden.md"]]
    assert not is_served(house)


def test_a_line_below_it_is_not_served_alone(house: House) -> None:
    remove_and_return(house)
    house.write(MEMORY, house.read().replace(KEPT, f"{KEPT}\n  - The spare ones, too."))
    house.capture()
    assert not is_served(house)
