"""What others write stays as they wrote it, but for what an agent overwrites unread."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.messy.calls import call

MEMORY = "MEMORY.md"
BORN = "# Memory\n\n## Knowledge\n\n- Marek looks after the pumps.\n- Deploys happen on Tuesday evening.\n"
KEPT = "- The greenhouse lamps are rated at 400 watts. #knowledge"
Call = dict[str, Any]


class Desk:
    """A managed workspace, its owner, and its agent with a session of its own."""

    def __init__(self, root: Path, talks: Path) -> None:
        self.root, self.talks = root, talks
        self.rows: list[dict[str, Any]] = [
            {"type": "session", "version": 3, "id": "5d0f3c1e", "timestamp": 4000000000000}
        ]
        self.calls = 0
        root.mkdir()
        self.write(MEMORY, BORN)
        self.write("SOUL.md", "# Soul\n\n- Be brief.\n")
        call(root, "adopt", str(root))

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def read(self, path: str = MEMORY) -> str:
        return (self.root / path).read_text("utf-8")

    def type(self, *words: str, code: int = 0) -> Any:
        done = call(self.root, *words, "--json", debug=False)
        assert done.code == code, done.err
        return done.document

    def items(self) -> list[dict[str, Any]]:
        return list(self.type("soul", "proposals"))

    def approve(self, name: str) -> None:
        from clawgit.workspace import desk_decisions, proposal, proposal_view  # noqa: PLC0415
        from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

        with open_workspace(self.root) as workspace:
            digest = proposal_view.view(workspace, proposal.find(workspace, name)).digest
            desk_decisions.approve(workspace, name, digest)

    def keep(self, text: str = KEPT) -> None:
        self.type("memory", "add", text.removeprefix("- ").removesuffix(" #knowledge"), "--tag", "knowledge")

    def act(self, name: str, arguments: Call, answer: str = "", *, failed: bool = False) -> None:
        """Let the agent call a tool; nothing is written by it."""
        self.calls += 1
        asked = {"type": "toolCall", "id": f"call_{self.calls}", "name": name, "arguments": arguments}
        said = {"role": "assistant", "content": [asked], "provider": "p", "model": "m"}
        result = {
            "role": "toolResult",
            "toolCallId": f"call_{self.calls}",
            "toolName": name,
            "content": [{"type": "text", "text": answer}],
            "isError": failed,
        }
        for message in (said, result):
            number = len(self.rows)
            at = {"timestamp": 4000000000000 + number * 1000}
            parent = f"e{number - 1}" if number > 1 else None
            self.rows.append({"type": "message", "id": f"e{number}", "parentId": parent, "message": {**message, **at}})

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
        self.type("session", "import", str(self.talks))
        return self.type("capture")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "ws", tmp_path / "talks")


OWNERS = {
    "rewords": lambda text: text.replace("rated at 400 watts", "rated at 450 watts"),
    "corrects": lambda text: text.replace(KEPT, "- The lamps of the greenhouse need 450 W."),
    "deletes": lambda text: text.replace(f"{KEPT}\n", ""),
    "splits": lambda text: text.replace(KEPT, "- The greenhouse has lamps.\n- They are rated at 400 watts."),
    "deletes and writes elsewhere": lambda text: text.replace(f"{KEPT}\n", "") + "\n## Garden\n\n- Beans in May.\n",
    "rewrites": lambda _: "# Memory\n\n- Marek: pumps. Deploys: Tuesday.\n",
    "empties": lambda _: "",
}


@pytest.mark.parametrize("how", OWNERS)
@pytest.mark.parametrize("by_git", [False, True], ids=["saves", "commits"])
def test_what_the_owner_makes_of_clawgits_line_stays(desk: Desk, how: str, by_git: bool, git: Any) -> None:
    desk.keep()
    text = OWNERS[how](desk.read())
    desk.write(MEMORY, text)
    if by_git:
        git(desk.root, "commit", "-qam", "by hand")
    for _ in range(2):
        desk.capture()
        assert desk.read() == text
        assert git(desk.root, "show", f"HEAD:{MEMORY}") == text
    gone = how not in ("rewords", "splits")
    assert [item["kind"] for item in desk.items()] == ["restore"] * gone


def test_an_item_brings_the_lines_back_and_a_newer_one_takes_its_place(desk: Desk) -> None:
    desk.keep()
    desk.keep("- The well is nine metres deep. #knowledge")
    whole = desk.read()
    desk.write(MEMORY, whole.replace(f"{KEPT}\n", ""))
    desk.capture()
    desk.write(MEMORY, whole.replace(f"{KEPT}\n- The well is nine metres deep. #knowledge\n", "- Something else.\n"))
    desk.capture()
    (item,) = desk.items()
    desk.approve(item["id"])
    assert "nine metres" in desk.read()
    assert "Something else." in desk.read()
    assert desk.items() == []


PLACES = ["memory/garden.md", "memory/2026-02-01.md", "AGENTS.md", MEMORY]
CHANGES = {
    "added": lambda text: text + "- The north gate sticks.\n",
    "reworded": lambda text: text.replace("on Tuesday evening", "on Wednesday morning"),
    "removed": lambda text: text.replace("- Marek looks after the pumps.\n", ""),
    "a section": lambda text: text + "\n## Garden\n\n- Beans are sown in May.\n",
}


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def change(desk: Desk, path: str, how: str) -> None:
    """Let clawgit change a file on the operator's word."""
    from clawgit.workspace.change import Change, Edit  # noqa: PLC0415
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

    before = desk.read(path)
    with open_workspace(desk.root) as workspace:
        workspace.apply(Change("memory: a change", edits=(Edit(path, before, CHANGES[how](before)),)))


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("how", CHANGES)
def test_what_an_agent_overwrites_unread_is_merged(desk: Desk, path: str, how: str) -> None:
    desk.write(path, BORN)
    desk.capture()
    text = desk.agent_reads(path)
    change(desk, path, how)
    desk.agent_writes(text.replace("## Knowledge\n\n", "## Knowledge\n\n- Seeds come from Lisbon.\n"), path)
    (healed,) = desk.capture()["healed"]
    assert healed["path"] == path
    both = CHANGES[how](BORN).replace("## Knowledge\n\n", "## Knowledge\n\n- Seeds come from Lisbon.\n")
    assert lines(desk.read(path)) == lines(both)
    assert desk.capture()["commits"] == []
    undone = call(desk.root, "undo", debug=False)
    assert undone.code == 0, undone.err
    assert desk.read(path) == BORN.replace("## Knowledge\n\n", "## Knowledge\n\n- Seeds come from Lisbon.\n")


def unread(desk: Desk) -> str:
    return desk.read()


def in_part(desk: Desk) -> str:
    return desk.agent_reads(limit=4)


@pytest.mark.parametrize("start", [unread, in_part])
def test_without_a_whole_read_the_write_stays_and_is_an_item(desk: Desk, start: Any) -> None:
    text = start(desk)
    desk.keep()
    fresh = text + "- Seeds come from Lisbon.\n"
    desk.agent_writes(fresh)
    assert desk.capture()["healed"] == []
    assert desk.read() == fresh
    assert [item["kind"] for item in desk.items()] == ["restore"]


def by_exec(desk: Desk, text: str) -> None:
    desk.write(MEMORY, text)
    desk.act("exec", {"command": "python3 tidy.py"}, "done")


def by_failed_write(desk: Desk, text: str) -> None:
    desk.agent_writes(text, failed=True)


def by_another(desk: Desk, text: str) -> None:
    desk.act("write", {"path": MEMORY, "content": text + "more\n"}, "written")
    desk.write(MEMORY, text)


@pytest.mark.parametrize("writer", [by_exec, by_failed_write, by_another])
def test_a_write_that_no_call_of_the_agent_made_stays(desk: Desk, writer: Any) -> None:
    text = desk.agent_reads()
    desk.keep()
    writer(desk, text + "- Seeds come from Lisbon.\n")
    assert desk.capture()["healed"] == []
    assert desk.read() == text + "- Seeds come from Lisbon.\n"


def test_an_agent_that_read_the_line_removes_it(desk: Desk) -> None:
    desk.agent_reads()
    desk.keep()
    text = desk.agent_reads()
    desk.agent_writes(text.replace(f"{KEPT}\n", ""))
    assert desk.capture()["healed"] == []
    assert KEPT not in desk.read()


def test_an_agents_other_wording_stays(desk: Desk) -> None:
    text = desk.agent_reads()
    desk.keep()
    fresh = text + "- The greenhouse lamps are rated at 450 watts.\n"
    desk.agent_writes(fresh)
    assert desk.capture()["healed"] == []
    assert desk.read() == fresh


def undo(desk: Desk) -> None:
    desk.type("undo")


def correct(desk: Desk) -> None:
    desk.type("correct", "The greenhouse lamps are rated at 450 watts, not 400 watts.")


REMOVALS = {"undo": undo, "correct": correct}


@pytest.mark.parametrize("how", REMOVALS)
@pytest.mark.parametrize("path", [MEMORY, "memory/garden.md"], ids=["same file", "another file"])
def test_a_removed_line_that_comes_back_stays_is_not_served_and_is_an_item(desk: Desk, how: str, path: str) -> None:
    desk.write("memory/garden.md", "# Garden\n\n- Beans are sown in May.\n")
    desk.keep()
    REMOVALS[how](desk)
    assert KEPT not in desk.read()
    text = desk.read(path) + f"{KEPT}\n"
    desk.write(path, text)
    desk.capture()
    assert desk.read(path) == text
    (item,) = [item for item in desk.items() if item["kind"] == "restore"]
    hits = [hit for hit in desk.type("search", "greenhouse lamps watts")["results"] if "400 watts" in str(hit)]
    assert [hit["path"] for hit in hits if hit["path"] == path] == []
    assert "rated at 400 watts. #" not in call(desk.root, "context", "how strong are the lamps", debug=False).out
    desk.approve(item["id"])
    assert "rated at 400 watts." not in desk.read(path)
    desk.write(path, text)
    desk.capture()
    (item,) = [item for item in desk.items() if item["kind"] == "restore"]
    desk.type("soul", "reject", item["id"], "--why", "it holds")
    assert desk.read(path) == text
    hits = [hit for hit in desk.type("search", "greenhouse lamps watts")["results"] if "400 watts" in str(hit)]
    assert path in {hit["path"] for hit in hits} or how == "correct"


def test_a_line_that_the_operator_asks_for_is_back_in_force(desk: Desk) -> None:
    desk.keep()
    desk.type("undo")
    desk.operator_says("Please note again that the greenhouse lamps are rated at 400 watts.")
    desk.agent_writes(desk.read() + f"{KEPT}\n")
    desk.capture()
    assert desk.items() == []


@pytest.fixture
def git() -> Any:
    import subprocess  # noqa: PLC0415

    def run(root: Path, *words: str) -> str:
        done: Sequence[str] = ("git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", *words)
        return subprocess.run(done, cwd=root, capture_output=True, text=True, check=True).stdout

    return run


def removed_and_back(desk: Desk) -> tuple[str, str]:
    """Let a line be removed on the operator's word, and come back; return the text without it and with it."""
    desk.keep()
    before = desk.read()
    desk.type("undo")
    after = desk.read()
    desk.write(MEMORY, before)
    desk.capture()
    return after, before


def is_served(desk: Desk) -> bool:
    return any(
        "400 watts" in json.dumps(one) and "CORRECTIONS" not in json.dumps(one)
        for one in desk.type("search", "greenhouse lamps watts")["results"]
    )


def test_the_line_goes_and_comes_back_again(desk: Desk) -> None:
    without, with_it = removed_and_back(desk)
    desk.write(MEMORY, without)
    desk.capture()
    assert desk.items() == []
    desk.write(MEMORY, with_it)
    desk.capture()
    (item,) = desk.items()
    assert "is back" in item["subject"]
    assert not is_served(desk)


def test_the_line_moves_to_another_file(desk: Desk) -> None:
    without, _ = removed_and_back(desk)
    desk.write(MEMORY, without)
    desk.write("memory/garden.md", f"# Garden\n\n{KEPT}\n")
    desk.capture()
    assert [item["files"] for item in desk.items()] == [["memory/garden.md"]]
    assert not is_served(desk)


def test_a_line_below_it_is_not_served_alone(desk: Desk) -> None:
    removed_and_back(desk)
    desk.write(MEMORY, desk.read().replace(KEPT, f"{KEPT}\n  - The spare ones, too."))
    desk.capture()
    assert not is_served(desk)


def test_it_was_removed_after_the_owner_had_removed_it(desk: Desk) -> None:
    desk.keep()
    with_it = desk.read()
    desk.write(MEMORY, BORN)
    desk.capture()
    desk.keep()
    desk.type("undo")
    desk.write(MEMORY, with_it)
    desk.capture()
    assert ["is back" in item["subject"] for item in desk.items()] == [True]
    assert not is_served(desk)


def test_the_operator_says_it_himself(desk: Desk) -> None:
    removed_and_back(desk)
    desk.keep()
    assert desk.items() == []
    assert is_served(desk)


@pytest.mark.parametrize("answer", ["again", "keep"])
def test_the_wrong_words_of_a_correction_are_back(desk: Desk, answer: str) -> None:
    desk.keep()
    before = desk.read()
    desk.type("correct", "the greenhouse lamps are rated at 450 watts, not 400 watts")
    desk.write(MEMORY, before)
    desk.capture()
    (item,) = desk.items()
    if answer == "again":
        desk.approve(item["id"])
    else:
        desk.type("soul", "reject", item["id"], "--why", "as I wrote it")
    desk.capture()
    assert ("450 watts" in desk.read(), "400 watts" in desk.read()) == (
        (True, False) if answer == "again" else (False, True)
    )
    assert is_served(desk) == (answer == "keep")
    assert desk.items() == []


@pytest.mark.parametrize("tree", ["HEAD^{tree}", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"])
def test_a_forged_item_is_in_the_way_of_no_write(desk: Desk, tree: str) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        return subprocess.run(["git", *who, *words], cwd=desk.root, capture_output=True, text=True, check=True).stdout

    subprocess.run(["git", "mktree"], cwd=desk.root, input="", capture_output=True, text=True, check=True)
    words = "memory: x\n\nClawgit-Change: zzzzzzzzzz\nClawgit-Kind: restore\n"
    made = git("commit-tree", git("rev-parse", tree).strip(), "-p", "HEAD", "-m", words).strip()
    git("update-ref", "refs/clawgit/proposals/zzzzzzzzzz", made)
    desk.keep()
    desk.write(MEMORY, BORN)
    desk.capture()
    assert any("is gone" in item["subject"] for item in desk.items())
