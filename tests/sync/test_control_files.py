"""Content of other machines comes in; what would control this one waits for its operator."""

import os
import subprocess
import sys

import pytest

from clawgit.clock import name_machine
from clawgit.errors import ClawgitError
from clawgit.git import commit_graph
from clawgit.git.repository import find
from clawgit.workspace import decide, inbox

from .machines import git

WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
NEW = {
    "a skill's script": ("skills/weather/fetch.sh", b"#!/bin/sh\nid\n", 0o755),
    "a hook": ("hooks/greet/handler.ts", b"export default async () => {};\n", 0o644),
    "a skill in a hidden folder": (".agents/skills/x/SKILL.md", b"x\n", 0o644),
    "rules of git's": ("memory/.gitattributes", b"*.bin binary\n", 0o644),
    "a program": ("tools/report", b"#!/bin/sh\nid\n", 0o755),
    "an unknown file beside the registers": (".clawgit/more", b"x\n", 0o644),
}


class Plain:
    """A clone without clawgit."""

    def __init__(self, hub, root):
        git(root.parent, "clone", "-q", hub, root.name)
        self.root = root

    def put(self, path, data, mode=0o644):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(mode)

    def push(self, message="by hand"):
        git(self.root, "add", "-A", "-f")
        git(self.root, *WHO, "commit", "-q", "--allow-empty", "-m", message)
        self.pull()
        git(self.root, "push", "-q", "origin", "HEAD:main")

    def pull(self):
        git(self.root, *WHO, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")


@pytest.fixture
def plain(machines, tmp_path):
    for machine in machines.values():
        machine.sync()
    return Plain(machines.hub, tmp_path / "plain")


def items(machine):
    with machine.open() as workspace:
        return [item for item in workspace.store.read_items("open") if item.kind == "sync"]


def approve(machine, name):
    with machine.open() as workspace:
        shown = decide.view(workspace, inbox.find_item(workspace, name))
        return decide.accept(workspace, name, shown.digest)


def reject(machine, name):
    with machine.open() as workspace:
        decide.reject(workspace, name, "not here")


def entry(root, path):
    return commit_graph.entry(find(root).raw and find(root), git(root, "rev-parse", "HEAD").strip(), path)


def quiet(machines):
    """Sync until nothing moves, and tell how many rounds that took."""
    for turn in range(6):
        before = [(machine.head, [one.id for one in items(machine)]) for machine in machines]
        for machine in machines:
            machine.sync()
        if before == [(machine.head, [one.id for one in items(machine)]) for machine in machines]:
            return turn
    raise AssertionError


def add_line(plain, text):
    plain.put("memory/2026-02-13.md", f"# 2026-02-13\n\n- {text}\n".encode())


@pytest.mark.parametrize("kind", NEW)
def test_a_control_file_waits_and_lands_as_it_is_by_approval(machines, plain, kind):
    path, data, mode = NEW[kind]
    a = machines["a"]
    plain.put(path, data, mode)
    add_line(plain, "The well is 9 metres deep.")
    plain.push()
    done = a.sync()
    assert "9 metres" in a.text("memory/2026-02-13.md")
    assert not (a.root / path).exists()
    assert entry(a.root, path) is None
    assert [one.id for one in items(a)] == [done.landed.control]
    assert done.landed.control in done.landed.waiting
    assert a.sync().landed.waiting == ()
    approve(a, done.landed.control)
    assert (a.root / path).read_bytes() == data
    assert bool((a.root / path).stat().st_mode & 0o100) == (mode == 0o755)
    assert entry(a.root, path) == entry(plain.root, path)
    assert items(a) == []
    a.agrees()
    quiet([a])
    plain.pull()
    assert entry(a.root, path) == entry(plain.root, path)


APPROVED = """
import os, sys
from pathlib import Path
from clawgit.git import write_steps
from clawgit.workspace import decide, inbox
from clawgit.workspace.workspace import open_workspace
from clawgit.clock import name_machine
write_steps.observe(lambda step: os._exit(9) if step == sys.argv[2] else None)
with open_workspace(Path(sys.argv[1])) as workspace:
    (item,) = workspace.store.read_items("open")
    decide.accept(workspace, item.id, decide.view(workspace, item).digest)
"""


@pytest.mark.parametrize("step", ["pending", "exchange fetch.sh", "branch"])
def test_an_approval_that_is_killed_is_there_or_waits(machines, plain, step):
    a = machines["a"]
    plain.put("skills/weather/fetch.sh", b"#!/bin/sh\nid\n", 0o755)
    plain.push()
    item = a.sync().landed.control
    done = subprocess.run([sys.executable, "-c", APPROVED, a.root, step], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr.decode()
    a.add("The next command.")
    if not (a.root / "skills/weather/fetch.sh").exists():
        approve(a, item)
    assert (a.root / "skills/weather/fetch.sh").stat().st_mode & 0o100
    assert entry(a.root, "skills/weather/fetch.sh") == entry(plain.root, "skills/weather/fetch.sh")
    a.agrees()


def test_links_and_repositories_wait_and_git_brings_them(machines, plain):
    a = machines["a"]
    plain.put("memory/topic.md", b"# Topic\n\n- One.\n")
    plain.push()
    a.sync()
    (plain.root / "memory/link.md").symlink_to("/etc/passwd")
    (plain.root / "memory/topic.md").unlink()
    (plain.root / "memory/topic.md").symlink_to("../SOUL.md")
    head = git(plain.root, "rev-parse", "HEAD").strip()
    git(plain.root, "update-index", "--add", "--cacheinfo", f"160000,{head},vendor")
    (plain.root / "vendor").mkdir()
    plain.put("skills/x/SKILL.md", b"x\n")
    add_line(plain, "Came along.")
    git(plain.root, "add", "memory", "skills")
    git(plain.root, *WHO, "commit", "-q", "-m", "links")
    git(plain.root, "push", "-q", "origin", "HEAD:main")
    item = a.sync().landed.control
    assert "Came along" in a.text("memory/2026-02-13.md")
    assert a.text("memory/topic.md") == "# Topic\n\n- One.\n"
    assert not os.path.lexists(a.root / "memory/link.md")
    for _ in range(3):
        with pytest.raises(ClawgitError) as caught:
            approve(a, item)
        subprocess.run(str(caught.value.fix), shell=True, cwd=a.root, check=True, capture_output=True)
    assert (a.root / "memory/link.md").is_symlink()
    approve(a, item)
    assert a.text("skills/x/SKILL.md") == "x\n"
    assert quiet([a]) <= 1


def test_a_refusal_destroys_nothing_and_is_asked_once(machines, plain):
    a, b = machines["a"], machines["b"]
    path = "skills/weather/fetch.sh"
    plain.put(path, b"#!/bin/sh\nid\n", 0o755)
    plain.push()
    approve(b, b.sync().landed.control)
    reject(a, a.sync().landed.control)
    a.add("Known to a.")
    assert quiet([a, b]) <= 3
    assert (items(a), items(b)) == ([], [])
    plain.pull()
    assert "Known to a" in (plain.root / "MEMORY.md").read_text()
    assert (plain.root / path).read_bytes() == b.text(path).encode()
    assert not (a.root / path).exists()
    add_line(plain, "A line.")
    plain.push()
    b.add("Known to b.")
    assert quiet([b, a]) <= 3
    plain.pull()
    assert (items(a), items(b)) == ([], [])
    assert "Known to b." in a.text("MEMORY.md")
    assert (plain.root / path).exists()
    assert (b.root / path).exists()
    plain.put(path, b"#!/bin/sh\nwho\n", 0o755)
    plain.push()
    a.sync()
    b.sync()
    (asked,), (same,) = items(a), items(b)
    assert same.paths == asked.paths == (path,)
    assert b.text(path) == "#!/bin/sh\nid\n"


def test_what_the_owner_makes_or_deletes_himself_goes_to_the_others(machines, plain):
    a, b = machines["a"], machines["b"]
    a.commit("skills/x/run.sh", "one\n")
    a.sync()
    approve(b, b.sync().landed.control)
    plain.pull()
    assert (plain.root / "skills/x/run.sh").exists()
    a.commit("skills/x/run.sh", None)
    a.sync()
    item = b.sync().landed.control
    assert b.text("skills/x/run.sh") == "one\n"
    plain.pull()
    assert not (plain.root / "skills/x/run.sh").exists()
    approve(b, item)
    assert not (b.root / "skills/x/run.sh").exists()
    quiet([a, b])
    assert a.tree == b.tree


def test_an_edit_that_is_not_committed_is_not_written_over(machines, plain):
    a = machines["a"]
    plain.put("skills/one/SKILL.md", b"1\n")
    plain.push()
    item = a.sync().landed.control
    a.write("skills/one/SKILL.md", "mine\n")
    with pytest.raises(ClawgitError):
        approve(a, item)
    assert a.text("skills/one/SKILL.md") == "mine\n"
    assert [one.id for one in items(a)] == [item]


@pytest.mark.parametrize("kind", ["link"])
def test_what_takes_the_place_of_our_folder_waits_as_one_item(machines, plain, kind):
    a, b = machines["a"], machines["b"]
    a.add("The base fact.")
    quiet([a, b])
    rows = a.rows()
    plain.pull()
    git(plain.root, "rm", "-rq", ".clawgit")
    if kind == "file":
        plain.put(".clawgit", b"hi\n")
    else:
        (plain.root / ".clawgit").symlink_to("memory")
    add_line(plain, "After it.")
    plain.push()
    done = a.sync()
    assert [problem for problem in done.problems if "left clawgit" in problem.message]
    assert [one.paths[0] for one in items(a)] == [".clawgit"]
    assert "After it" in a.text("memory/2026-02-13.md")
    assert a.rows() == rows
    a.add("And on.")
    b.sync()
    assert quiet([a, b]) <= 2
    assert a.tree == b.tree
    a.agrees()
    with pytest.raises(ClawgitError):
        approve(a, items(a)[0].id)
    assert a.text(".clawgit/format") == "2\n"


@pytest.mark.parametrize(("text", "taken"), [("3\n", False), ("1\n", True), ("x\n", True)])
def test_another_format_stops_nobody(machines, plain, text, taken):
    a, b = machines["a"], machines["b"]
    plain.put(".clawgit/format", text.encode())
    add_line(plain, "Of the other format.")
    plain.push()
    a.add("Of a.")
    b.add("Of b.")
    done = a.sync()
    assert bool(done.problems) != taken
    assert (a.root / "memory/2026-02-13.md").exists() == taken
    quiet([a, b])
    assert a.text(".clawgit/format") == "2\n"
    assert "Of b" in a.text("MEMORY.md")
    assert a.tree == b.tree


def test_a_pulled_ejection_is_told_and_the_fix_takes_it_back(machines, plain):
    a = machines["a"]
    a.add("The base fact.")
    a.sync()
    plain.pull()
    git(plain.root, "rm", "-rq", ".clawgit")
    plain.push("workspace: given back by clawgit")
    rows = a.rows()
    git(a.root, "pull", "-q", "--ff-only", "origin", "main")
    with pytest.raises(ClawgitError) as caught:
        a.add("Nowhere.")
    assert "adopt" not in str(caught.value.fix)
    subprocess.run(str(caught.value.fix), shell=True, cwd=a.root, check=True, capture_output=True)
    a.add("And on.")
    assert rows.keys() < a.rows().keys()
    a.sync()
    assert rows.keys() < a.rows().keys()


MARKED = {
    "of git": "<<<<<<< HEAD\n- One.\n=======\n- Two.\n>>>>>>> side\n",
    "of diff3": "<<<<<<< HEAD\n- One.\n||||||| base\n- Zero.\n=======\n- Two.\n>>>>>>> side\n",
    "in a quotation": "> <<<<<<< HEAD\n> - One.\n> =======\n> - Two.\n> >>>>>>> side\n",
    "one in another": "<<<<<<< A\n<<<<<<< B\n- One.\n=======\n- Two.\n>>>>>>> B\n=======\n- Two.\n>>>>>>> A\n",
    "one alone": "<<<<<<< HEAD\n- One.\n- Two.\n",
    "the end alone": "- One.\n>>>>>>> side\n- Two.\n",
    "no begin": "- One.\n=======\n- Two.\n>>>>>>> Stashed changes\n",
}


@pytest.mark.parametrize(
    ("path", "form"),
    [*(("MEMORY.md", form) for form in MARKED), ("AGENTS.md", "of diff3")],
)
def test_conflict_markers_do_not_come_in(machines, plain, form, path):
    a = machines["a"]
    before = a.text(path) if (a.root / path).exists() else "# Topic\n"
    plain.put(path, f"{before}\n{MARKED[form]}".encode())
    plain.push()
    done = a.sync()
    assert done.problems == ()
    assert [note for note in done.notes if note.endswith(f"markers: {path}")]
    rows = [row.strip() for row in a.text(path).splitlines()]
    assert {row.removeprefix("> ") for row in rows} >= {"- One.", "- Two."}
    assert not [row for row in rows if row.lstrip("->* ").startswith(("<<<<<<<", "=======", "|||||||"))]
    assert ">>>>>>>" not in a.text(path)
    assert "Zero" not in a.text(path)
    a.add("Written after it.")
    a.agrees()
    assert quiet([a, machines["b"]]) <= 2


def test_markers_in_a_register_do_not_come_in(machines, plain):
    a, b = machines["a"], machines["b"]
    a.add("Alpha is known.")
    a.sync()
    plain.put("MEMORY.md", (plain.root / "MEMORY.md").read_bytes() + b"\n- Beta.\n")
    rows = a.text(".clawgit/entries.tsv").splitlines()
    plain.put(".clawgit/entries.tsv", f"{rows[0]}\n<<<<<<< HEAD\n{rows[1]}\n=======\n>>>>>>> side\n".encode())
    git(plain.root, "add", "-A")
    git(plain.root, *WHO, "commit", "-q", "-m", "with markers")
    git(plain.root, *WHO, "pull", "-q", "--no-rebase", "-X", "ours", "origin", "main")
    git(plain.root, "push", "-q", "origin", "HEAD:main")
    quiet([a, b])
    assert "<<<<" not in a.text(".clawgit/entries.tsv")
    assert [row.status for row in a.rows().values()] == ["live"]


@pytest.mark.parametrize(
    "text",
    [
        "# Git\n\n```\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> side\n```\n\n- Above: a conflict.\n",
        "Recipes\n=======\n\n- Tea.\n",
        "# Mail\n\n>>>>>> so he said\n>>>>>>> and\n>>>>>> she said\n",
    ],
    ids=["code", "underline", "quotation"],
)
def test_what_looks_like_markers_is_content(machines, plain, text):
    a = machines["a"]
    plain.put("memory/git.md", text.encode())
    plain.push()
    a.sync()
    assert a.text("memory/git.md") == text


def test_a_heading_stays_where_a_marker_alone_goes(machines, plain):
    a = machines["a"]
    plain.put("memory/recipes.md", b"Recipes\n=======\n\n- Tea.\n>>>>>>> side\n")
    plain.push()
    a.sync()
    assert a.text("memory/recipes.md") == "Recipes\n=======\n\n- Tea.\n"


def raw_commit(root, parent, *entries, words="hostile"):
    """Commit names that git itself would not stage, beside what the parent has."""
    tree = git(root, "ls-tree", parent)
    made = subprocess.run(
        ["git", "mktree"], cwd=root, input=tree + "".join(entries), capture_output=True, text=True, check=True
    ).stdout.strip()
    return git(root, *WHO, "commit-tree", "-p", parent, "-m", words, made).strip()


def blob(root, data):
    return (
        subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=root, input=data, capture_output=True, check=True)
        .stdout.decode()
        .strip()
    )


def tree(root, *entries):
    return subprocess.run(
        ["git", "mktree"], cwd=root, input="".join(entries), capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize("name", [".GIT", "..", "git~1", "a\\..\\b"])
def test_hostile_names_are_left_out(machines, plain, name):
    a, b = machines["a"], machines["b"]
    inner = blob(plain.root, b"#!/bin/sh\ntouch ran\n")
    folder = tree(plain.root, f"100755 blob {inner}\tpre-commit\n")
    hostile = raw_commit(plain.root, git(plain.root, "rev-parse", "HEAD").strip(), f"040000 tree {folder}\t{name}\n")
    git(machines.hub, "config", "receive.fsckObjects", "false")
    subprocess.run(
        ["git", "-c", "push.recurseSubmodules=no", "push", "-q", "origin", f"{hostile}:refs/heads/main"],
        cwd=plain.root,
        check=True,
        capture_output=True,
    )
    b.add("Of b.")
    git(b.root, "push", "-q", "origin", f"HEAD:refs/clawgit/heads/{name_machine(b.open().repo)}")
    outside = sorted(path.name for path in a.root.parent.iterdir())
    done = a.sync()
    assert done.problems
    assert "Of b" in a.text("MEMORY.md")
    assert sorted(path.name for path in a.root.parent.iterdir()) == outside
    assert not list(a.root.rglob("pre-commit"))
    a.agrees()
    a.add("And on.")


def test_a_twin_stays_on_the_branch_and_where_it_was_made(machines, plain):
    a = machines["a"]
    a.commit("memory/ferns.md", "# Ferns\n\n- One.\n")
    a.sync()
    git(plain.root, *WHO, "pull", "-q", "--no-rebase", "origin", "main")
    plain.put("memory/Ferns.md", b"# Ferns\n\n- Two.\n")
    plain.push()
    for number in range(3):
        a.add(f"Number {number}.")
        a.sync()
    assert not (a.root / "memory/Ferns.md").exists()
    git(plain.root, *WHO, "pull", "-q", "--no-rebase", "origin", "main")
    assert (plain.root / "memory/Ferns.md").read_bytes() == b"# Ferns\n\n- Two.\n"
    assert (plain.root / "memory/ferns.md").exists()
