"""Content of other machines comes in; what would control this one waits for its operator."""

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


def held(machine):
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
    a, _ = machines.values()
    for path, data, mode in NEW.values():
        plain.put(path, data, mode)
    plain.put(DAY, b"# 2026-02-13\n\n- The well is 9 metres deep.\n")
    plain.push()
    name = held(a)
    assert "9 metres" in a.read(DAY)
    assert items(a) == [name]
    assert not [path for path, *_ in NEW.values() if (a.root / path).exists() or entry(a, path)]
    assert a.sync()["waiting"] == []
    accept(a, name)
    for path, data, mode in NEW.values():
        assert (a.root / path).read_bytes() == data
        assert bool((a.root / path).stat().st_mode & 0o100) == (mode == 0o755)
        assert entry(a, path) == entry(plain, path)
    a.check()
    settle(a)
    plain.pull()
    assert entry(a, SCRIPT) == entry(plain, SCRIPT)


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
    a, _ = machines.values()
    plain.put(SCRIPT, b"#!/bin/sh\nid\n", 0o755)
    plain.push()
    name = held(a)
    command = [sys.executable, "-c", KILLED, "exchange fetch.sh", "-C", a.root, "accept", name]
    done = subprocess.run(command, check=False, capture_output=True, input=b"y\n")
    assert done.returncode == 9, done.stderr.decode()
    a.run("remember", "The next command.")
    if not (a.root / SCRIPT).exists():
        accept(a, name)
    assert (a.root / SCRIPT).stat().st_mode & 0o100
    assert entry(a, SCRIPT) == entry(plain, SCRIPT)
    a.check()


def test_links_and_repositories_wait_and_git_brings_them(machines, plain):
    a, _ = machines.values()
    plain.put("memory/topic.md", b"# Topic\n\n- One.\n")
    plain.push()
    a.sync()
    (plain.root / "memory/link.md").symlink_to("/etc/passwd")
    (plain.root / "memory/topic.md").unlink()
    (plain.root / "memory/topic.md").symlink_to("../SOUL.md")
    plain.git("update-index", "--add", "--cacheinfo", f"160000,{plain.head()},vendor")
    (plain.root / "vendor").mkdir()
    plain.put("skills/x/SKILL.md", b"x\n")
    plain.git("add", "memory", "skills")
    plain.git("commit", "-q", "-m", "links")
    plain.git("push", "-q", "origin", "HEAD:main")
    name = held(a)
    assert a.read("memory/topic.md") == "# Topic\n\n- One.\n"
    assert not os.path.lexists(a.root / "memory/link.md")
    for _ in range(3):
        answer = a.call("accept", name, terminal="y\n")
        assert answer.code == 1
        a.shell(answer.fix)
    assert (a.root / "memory/link.md").is_symlink()
    accept(a, name)
    assert a.read("skills/x/SKILL.md") == "x\n"
    assert settle(a) <= 1


def test_a_refusal_destroys_nothing_and_is_asked_once(machines, plain):
    a, b = machines.values()
    plain.put(SCRIPT, b"#!/bin/sh\nid\n", 0o755)
    plain.push()
    accept(b, held(b))
    a.run("reject", held(a), "not here")
    a.run("remember", "Known to a.")
    assert settle(a, b) <= 3
    assert (items(a), items(b)) == ([], [])
    plain.pull()
    assert "Known to a" in plain.read("MEMORY.md")
    assert plain.read(SCRIPT) == b.read(SCRIPT)
    assert not (a.root / SCRIPT).exists()
    plain.put(SCRIPT, b"#!/bin/sh\nwho\n", 0o755)
    plain.push()
    assert (held(a), held(b)) == (*items(a), *items(b))
    assert b.read(SCRIPT) == "#!/bin/sh\nid\n"


def test_what_the_owner_makes_or_deletes_himself_goes_to_the_others(machines, plain):
    a, b = machines.values()
    a.commit_file(SCRIPT, "one\n")
    a.sync()
    accept(b, held(b))
    plain.pull()
    assert (plain.root / SCRIPT).exists()
    b.write(SCRIPT, "mine\n")  # and not committed
    a.commit_file(SCRIPT, None)
    a.sync()
    name = held(b)
    plain.pull()
    assert not (plain.root / SCRIPT).exists()
    assert b.call("accept", name, terminal="y\n").code == 1
    assert b.read(SCRIPT) == "mine\n"
    b.git("checkout", "--", SCRIPT)
    accept(b, name)
    assert not (b.root / SCRIPT).exists()
    settle(a, b)
    assert a.tree == b.tree


def test_what_takes_the_place_of_our_folder_waits_and_another_format_stops_nobody(machines, plain):
    a, b = machines.values()
    a.run("remember", "The base fact.")
    settle(a, b)
    rows = a.read(".clawgit/entries.tsv")
    plain.pull()
    plain.git("rm", "-rq", ".clawgit")
    (plain.root / ".clawgit").symlink_to("memory")
    plain.put(DAY, b"# 2026-02-13\n\n- After it.\n")
    plain.push()
    assert a.sync()["problems"]
    assert "After it" in a.read(DAY)
    assert a.read(".clawgit/entries.tsv") == rows
    a.run("remember", "And on.")
    b.sync()
    assert settle(a, b) <= 2
    assert a.tree == b.tree
    assert a.call("accept", items(a)[0], terminal="y\n").code == 1
    plain.pull()
    for number, taken in (("3\n", False), ("x\n", True)):
        plain.put(".clawgit/format", number.encode())
        plain.put(DAY, f"# 2026-02-13\n\n- Of format {number}".encode())
        plain.push()
        a.sync()
        assert (f"Of format {number}" in a.read(DAY)) == taken
        assert a.read(".clawgit/format") == "2\n"


def test_a_pulled_ejection_is_told_and_the_fix_takes_it_back(machines, plain):
    a, _ = machines.values()
    a.run("remember", "The base fact.")
    a.sync()
    plain.pull()
    plain.git("rm", "-rq", ".clawgit")
    plain.git("commit", "-q", "-m", "workspace: given back by clawgit")
    plain.push()
    rows = set(a.read(".clawgit/entries.tsv").splitlines())
    a.git("pull", "-q", "--ff-only", "origin", "main")
    answer = a.call("remember", "Nowhere.")
    assert answer.code == 1
    assert "adopt" not in answer.fix
    a.shell(answer.fix)
    a.run("remember", "And on.")
    a.sync()
    assert rows < set(a.read(".clawgit/entries.tsv").splitlines())


def test_who_leaves_by_hand_takes_no_file_along(machines, plain):
    a, _ = machines.values()
    plain.pull()
    plain.git("rm", "-rq", ".clawgit", "CONFIG.md", "CORRECTIONS.md")
    plain.put(DAY, b"# 2026-02-13\n\n- Of the one who left.\n")
    plain.push()
    a.sync()
    assert (a.root / "CONFIG.md").exists()
    assert (a.root / "CORRECTIONS.md").exists()
    assert "Of the one who left" in a.read(DAY)


@pytest.mark.parametrize("block", ["soul_max_tokens: [900\n", "a: &a [x, x]\nb: [*a, *a]\n"])
def test_settings_that_nobody_can_read_wait(machines, plain, block):
    a, _ = machines.values()
    plain.pull()
    before = a.read("CONFIG.md")
    plain.put("CONFIG.md", f"# Config\n\n```yaml\n{block}```\n".encode())
    plain.put(DAY, b"# 2026-02-13\n\n- The lamp is on.\n")
    plain.push()
    assert held(a)
    assert a.read("CONFIG.md") == before
    assert "The lamp is on" in a.read(DAY)


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
    a, b = machines.values()
    a.run("remember", "Alpha is known.")
    a.sync()
    plain.pull()
    files = {f"memory/{number}.md": f"# Topic\n\n{text}" for number, text in enumerate(MARKED.values())}
    content = {f"memory/like-{number}.md": text for number, text in enumerate(CONTENT)}
    for path, text in (files | content).items():
        plain.put(path, text.encode())
    rows = plain.read(".clawgit/entries.tsv").splitlines()
    register = f"{rows[0]}\n<<<<<<< HEAD\n{rows[1]}\n=======\n>>>>>>> side\n"
    plain.put(".clawgit/entries.tsv", register.encode())
    plain.push()
    done = a.sync()
    assert done["problems"] == []
    for path in files:
        lines = {line.removeprefix("> ") for line in a.read(path).splitlines()}
        assert lines - {""} == {"# Topic", "- One.", "- Two."}
    assert {path: a.read(path) for path in content} == content
    assert "<<<<" not in a.read(".clawgit/entries.tsv")
    a.run("remember", "Written after it.")
    a.git("fsck", "--strict", "--no-dangling")
    assert settle(a, b) <= 2


@pytest.mark.parametrize("name", [".GIT", "..", "git~1", "a\\..\\b"])
def test_hostile_names_are_left_out(machines, plain, name):
    a, b = machines.values()
    blob = plain.git("hash-object", "-w", "--stdin", stdin="#!/bin/sh\ntouch ran\n").strip()
    folder = plain.git("mktree", stdin=f"100755 blob {blob}\tpre-commit\n").strip()
    tree = plain.git("ls-tree", "HEAD") + f"040000 tree {folder}\t{name}\n"
    made = plain.git("mktree", stdin=tree).strip()
    hostile = plain.git("commit-tree", "-p", "HEAD", "-m", "hostile", made).strip()
    machines.hub.git("config", "receive.fsckObjects", "false")
    plain.git("push", "-q", "origin", f"{hostile}:refs/heads/main")
    b.run("remember", "Of b.")
    b.git("push", "-q", "--no-verify", "origin", f"HEAD:refs/clawgit/heads/{b.sync()['machine']}")
    outside = sorted(path.name for path in Path(a.root.parent).iterdir())
    assert a.sync()["problems"]
    assert "Of b" in a.read("MEMORY.md")
    assert sorted(path.name for path in Path(a.root.parent).iterdir()) == outside
    assert not list(a.root.rglob("pre-commit"))
    a.run("remember", "And on.")
    a.check()
