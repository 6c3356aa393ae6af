"""Content of other machines comes in; files that would control this one wait for its operator."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.promises.desk import IDENTITY, Desk

SCRIPT = "skills/weather/fetch.sh"
DAY = "memory/2026-02-13.md"
NEW = {
    "a skill's script": (SCRIPT, b"#!/bin/sh\nid\n", 0o755),
    "a hook": ("hooks/greet/handler.ts", b"export default async () => {};\n", 0o644),
    "a skill in a hidden folder": (".agents/skills/x/SKILL.md", b"x\n", 0o644),
    "rules of git's": ("memory/.gitattributes", b"*.bin binary\n", 0o644),
    "a program": ("tools/report", b"#!/bin/sh\nid\n", 0o755),
    "a program without its mode": ("tools/summary", b"#!/bin/sh\nid\n", 0o644),
    "a script": ("tools/report.py", b"print()\n", 0o644),
    "a setting of an editor": (".vscode/tasks.json", b"{}\n", 0o644),
    "an unknown file beside the registers": (".clawgit/more", b"x\n", 0o644),
}


class Plain(Desk):
    """A clone without clawgit."""

    def put(self, path: str, data: bytes, mode: int = 0o644) -> None:
        self.write(path, data)
        (self.root / path).chmod(mode)

    def push(self) -> None:
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "by hand")
        self.pull()
        self.git("push", "-q", "origin", "HEAD:main")

    def pull(self) -> None:
        self.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")


@pytest.fixture
def plain(machines, tmp_path):
    for machine in machines.values():
        machine.sync()
    machines.hub.git("clone", "-q", str(machines.hub.root), str(tmp_path / "plain"))
    with (tmp_path / "plain/.git/config").open("a") as config:
        config.write(IDENTITY)
    return Plain(tmp_path / "plain")


def items(machine):
    return [item["id"] for item in machine.run("inbox") if item["kind"] == "sync"]


def accept(machine, name):
    return machine.run("accept", name, terminal="y\n")


def sync_and_name_item(machine):
    """Sync, and return the id of the item of control files."""
    return machine.sync()["control"]["proposal"]


def entry(desk, path):
    return desk.git("ls-tree", "HEAD", path)


def settle(*machines):
    """Sync until nothing moves, and return how many rounds that took."""
    for turn in range(6):
        before = [(machine.head(), items(machine)) for machine in machines]
        for machine in machines:
            machine.sync()
        if before == [(machine.head(), items(machine)) for machine in machines]:
            return turn
    raise AssertionError


def test_a_control_file_waits_and_lands_as_it_is_by_approval(machines, plain):
    first, _ = machines.values()
    for path, data, mode in NEW.values():
        plain.put(path, data, mode)
    plain.put(DAY, b"# 2026-02-13\n\n- The well is 9 metres deep.\n")
    plain.push()
    name = sync_and_name_item(first)
    assert "9 metres" in first.read(DAY)
    assert items(first) == [name]
    assert not [path for path, *_ in NEW.values() if (first.root / path).exists() or entry(first, path)]
    assert first.sync()["waiting"] == []
    accept(first, name)
    for path, data, mode in NEW.values():
        assert (first.root / path).read_bytes() == data
        assert bool((first.root / path).stat().st_mode & 0o100) == (mode == 0o755)
        assert entry(first, path) == entry(plain, path)
    first.check()
    settle(first)
    plain.pull()
    assert entry(first, SCRIPT) == entry(plain, SCRIPT)


KILLED = """
import os, sys
from clawgit.cli import operator_input
from clawgit.cli.main import main
from clawgit.git import worktree_files
operator_input.is_interactive = lambda: True
step = sys.argv.pop(1)
worktree_files.observe(lambda name: os._exit(9) if name == step else None)
sys.exit(main(sys.argv[1:]))
"""


def test_an_approval_that_is_killed_is_there_or_waits(machines, plain):
    first, _ = machines.values()
    plain.put(SCRIPT, b"#!/bin/sh\nid\n", 0o755)
    plain.push()
    name = sync_and_name_item(first)
    command = [sys.executable, "-c", KILLED, "exchange fetch.sh", "-C", first.root, "accept", name]
    result = subprocess.run(command, check=False, capture_output=True, input=b"y\n")
    assert result.returncode == 9, result.stderr.decode()
    first.run("remember", "The next command.")
    if not (first.root / SCRIPT).exists():
        accept(first, name)
    assert (first.root / SCRIPT).stat().st_mode & 0o100
    assert entry(first, SCRIPT) == entry(plain, SCRIPT)
    first.check()


def test_links_and_repositories_wait_and_git_brings_them(machines, plain):
    first, _ = machines.values()
    plain.put("memory/topic.md", b"# Topic\n\n- One.\n")
    plain.push()
    first.sync()
    (plain.root / "memory/link.md").symlink_to("/etc/passwd")
    (plain.root / "memory/topic.md").unlink()
    (plain.root / "memory/topic.md").symlink_to("../SOUL.md")
    plain.git("update-index", "--add", "--cacheinfo", f"160000,{plain.head()},vendor")
    (plain.root / "vendor").mkdir()
    plain.put("skills/x/SKILL.md", b"x\n")
    plain.git("add", "memory", "skills")
    plain.git("commit", "-q", "-m", "links")
    plain.git("push", "-q", "origin", "HEAD:main")
    name = sync_and_name_item(first)
    assert first.read("memory/topic.md") == "# Topic\n\n- One.\n"
    assert not os.path.lexists(first.root / "memory/link.md")
    for _ in range(3):
        answer = first.call("accept", name, terminal="y\n")
        assert answer.code == 1
        first.shell(answer.fix)
    assert (first.root / "memory/link.md").is_symlink()
    accept(first, name)
    assert first.read("skills/x/SKILL.md") == "x\n"
    assert settle(first) <= 1


def test_a_refusal_destroys_nothing_and_is_asked_once(machines, plain):
    first, second = machines.values()
    plain.put(SCRIPT, b"#!/bin/sh\nid\n", 0o755)
    plain.push()
    accept(second, sync_and_name_item(second))
    first.run("reject", sync_and_name_item(first), "not here")
    first.run("remember", "Known to a.")
    assert settle(first, second) <= 3
    assert (items(first), items(second)) == ([], [])
    plain.pull()
    assert "Known to a" in plain.read("MEMORY.md")
    assert plain.read(SCRIPT) == second.read(SCRIPT)
    assert not (first.root / SCRIPT).exists()
    plain.put(SCRIPT, b"#!/bin/sh\nwho\n", 0o755)
    plain.push()
    assert (sync_and_name_item(first), sync_and_name_item(second)) == (*items(first), *items(second))
    assert second.read(SCRIPT) == "#!/bin/sh\nid\n"


def test_what_the_owner_makes_or_deletes_himself_goes_to_the_others(machines, plain):
    first, second = machines.values()
    first.commit_file(SCRIPT, "one\n")
    first.sync()
    accept(second, sync_and_name_item(second))
    plain.pull()
    assert (plain.root / SCRIPT).exists()
    second.write(SCRIPT, "mine\n")  # and not committed
    first.commit_file(SCRIPT, None)
    first.sync()
    name = sync_and_name_item(second)
    plain.pull()
    assert not (plain.root / SCRIPT).exists()
    assert second.call("accept", name, terminal="y\n").code == 1
    assert second.read(SCRIPT) == "mine\n"
    second.git("checkout", "--", SCRIPT)
    accept(second, name)
    assert not (second.root / SCRIPT).exists()
    settle(first, second)
    assert first.tree == second.tree


def test_what_takes_the_place_of_our_folder_waits_and_another_format_stops_nobody(machines, plain):
    first, second = machines.values()
    first.run("remember", "The base fact.")
    settle(first, second)
    rows = first.read(".clawgit/entries.tsv")
    plain.pull()
    plain.git("rm", "-rq", ".clawgit")
    (plain.root / ".clawgit").symlink_to("memory")
    plain.put(DAY, b"# 2026-02-13\n\n- After it.\n")
    plain.push()
    assert first.sync()["problems"]
    assert "After it" in first.read(DAY)
    assert first.read(".clawgit/entries.tsv") == rows
    first.run("remember", "And on.")
    second.sync()
    assert settle(first, second) <= 2
    assert first.tree == second.tree
    assert first.call("accept", items(first)[0], terminal="y\n").code == 1
    plain.pull()
    for number, is_taken in (("3\n", False), ("x\n", True)):
        plain.put(".clawgit/format", number.encode())
        plain.put(DAY, f"# 2026-02-13\n\n- Of format {number}".encode())
        plain.push()
        first.sync()
        assert (f"Of format {number}" in first.read(DAY)) == is_taken
        assert first.read(".clawgit/format") == "2\n"


def test_a_pulled_ejection_is_told_and_the_fix_takes_it_back(machines, plain):
    first, _ = machines.values()
    first.run("remember", "The base fact.")
    first.sync()
    plain.pull()
    plain.git("rm", "-rq", ".clawgit")
    plain.git("commit", "-q", "-m", "workspace: given back by clawgit")
    plain.push()
    rows = set(first.read(".clawgit/entries.tsv").splitlines())
    first.git("pull", "-q", "--ff-only", "origin", "main")
    answer = first.call("remember", "Nowhere.")
    assert answer.code == 1
    assert "adopt" not in answer.fix
    first.shell(answer.fix)
    first.run("remember", "And on.")
    first.sync()
    assert rows < set(first.read(".clawgit/entries.tsv").splitlines())


def test_who_leaves_by_hand_takes_no_file_along(machines, plain):
    first, _ = machines.values()
    plain.pull()
    plain.git("rm", "-rq", ".clawgit", "CONFIG.md", "CORRECTIONS.md")
    plain.put(DAY, b"# 2026-02-13\n\n- Of the one who left.\n")
    plain.push()
    first.sync()
    assert (first.root / "CONFIG.md").exists()
    assert (first.root / "CORRECTIONS.md").exists()
    assert "Of the one who left" in first.read(DAY)


@pytest.mark.parametrize("block", ["soul_max_tokens: [900\n", "a: &a [x, x]\nb: [*a, *a]\n"])
def test_settings_that_nobody_can_read_wait(machines, plain, block):
    first, _ = machines.values()
    plain.pull()
    before = first.read("CONFIG.md")
    plain.put("CONFIG.md", f"# Config\n\n```yaml\n{block}```\n".encode())
    plain.put(DAY, b"# 2026-02-13\n\n- The lamp is on.\n")
    plain.push()
    assert sync_and_name_item(first)
    assert first.read("CONFIG.md") == before
    assert "The lamp is on" in first.read(DAY)


SIDES = "- One.\n=======\n- Two.\n>>>>>>> side\n"
MARKED = {
    "of git": f"<<<<<<< HEAD\n{SIDES}",
    "of diff3": f"<<<<<<< HEAD\n- One.\n||||||| base\n- Zero.\n{SIDES[7:]}",
    "in a quotation": "> <<<<<<< HEAD\n> - One.\n> =======\n> - Two.\n> >>>>>>> side\n",
    "no begin": SIDES,
    "the end alone": "- One.\n>>>>>>> side\n- Two.\n",
}
CONTENT = (
    "# Git\n\n```\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> side\n```\n\n- Above: a conflict.\n",
    "# Mail\n\n>>>>>> so he said\n>>>>>>> and\n>>>>>> she said\n",
)


def test_conflict_markers_do_not_come_in_and_what_looks_like_them_is_content(machines, plain):
    first, second = machines.values()
    first.run("remember", "Alpha is known.")
    first.sync()
    plain.pull()
    files = {f"memory/{number}.md": f"# Topic\n\n{text}" for number, text in enumerate(MARKED.values())}
    content = {f"memory/like-{number}.md": text for number, text in enumerate(CONTENT)}
    for path, text in (files | content).items():
        plain.put(path, text.encode())
    rows = plain.read(".clawgit/entries.tsv").splitlines()
    register = f"{rows[0]}\n<<<<<<< HEAD\n{rows[1]}\n=======\n>>>>>>> side\n"
    plain.put(".clawgit/entries.tsv", register.encode())
    plain.push()
    document = first.sync()
    assert document["problems"] == []
    for path in files:
        lines = {line.removeprefix("> ") for line in first.read(path).splitlines()}
        assert lines - {""} == {"# Topic", "- One.", "- Two."}
    assert {path: first.read(path) for path in content} == content
    assert "<<<<" not in first.read(".clawgit/entries.tsv")
    first.run("remember", "Written after it.")
    first.git("fsck", "--strict", "--no-dangling")
    assert settle(first, second) <= 2


@pytest.mark.parametrize("name", [".GIT", "..", "git~1", "a\\..\\b"])
def test_hostile_names_are_left_out(machines, plain, name):
    first, second = machines.values()
    blob = plain.git("hash-object", "-w", "--stdin", stdin="#!/bin/sh\ntouch ran\n").strip()
    folder = plain.git("mktree", stdin=f"100755 blob {blob}\tpre-commit\n").strip()
    tree = plain.git("ls-tree", "HEAD") + f"040000 tree {folder}\t{name}\n"
    tree_id = plain.git("mktree", stdin=tree).strip()
    hostile = plain.git("commit-tree", "-p", "HEAD", "-m", "hostile", tree_id).strip()
    machines.hub.git("config", "receive.fsckObjects", "false")
    plain.git("push", "-q", "origin", f"{hostile}:refs/heads/main")
    second.run("remember", "Of b.")
    second.git("push", "-q", "--no-verify", "origin", f"HEAD:refs/clawgit/heads/{second.sync()['machine']}")
    outside = sorted(path.name for path in Path(first.root.parent).iterdir())
    assert first.sync()["problems"]
    assert "Of b" in first.read("MEMORY.md")
    assert sorted(path.name for path in Path(first.root.parent).iterdir()) == outside
    assert not list(first.root.rglob("pre-commit"))
    first.run("remember", "And on.")
    first.check()
