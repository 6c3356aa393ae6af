"""The table of all entries is what the history says, whatever became of its file."""

import sqlite3
import subprocess
import sys

import pytest

from clawgit.text.entry import digest
from tests.store.conftest import bullets, everything, opened, rebuilt, rows_of
from tests.store.test_births import DOG, LAMP, PUMP

TABLE = (
    "# Fleet\n\n| Boat | Berth |\n|---|---|\n| Ada | 4 |\n\nA paragraph\nof two lines.\n\n- A bullet\n  and its rest\n"
)


# --- rows


def test_classes_and_totals(repo, commit):
    paths = {
        "memory": ["MEMORY.md", "memory/pumps.md"],
        "journal": ["memory/2026-03-01.md"],
        "identity": ["SOUL.md", "IDENTITY.md", "USER.md", "users/bo/USER.md", "agents/ida/SOUL.md"],
        "instruction": ["AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md"],
        None: ["memory/structured/x.md", "memory/INDEX.md", "memory/dreaming/x.md", "README.md", "Archive/x.md"],
    }
    commit({path: bullets(f"In {path}", LAMP) for some in paths.values() for path in some})
    with opened(repo) as table:
        totals = table.count_rows()
        assert totals == {(role, path): 2 for role, some in paths.items() if role for path in some}
        assert {row.role for row in table.list_rows(roles=["journal", "identity"])} == {"journal", "identity"}
        assert [row.text for row in table.list_rows(paths=["SOUL.md"])] == ["In SOUL.md", LAMP]


def test_a_removed_entry_leads_to_where_it_last_was(repo, git, commit):
    commit({"MEMORY.md": bullets(PUMP, LAMP)})
    second = commit({"MEMORY.md": bullets(DOG, PUMP, LAMP)})
    before = rows_of(repo)[PUMP]
    third = commit({"MEMORY.md": bullets(DOG, LAMP)})
    with opened(repo) as table:
        (gone,) = table.find_removed_by_key(digest(PUMP))
        assert table._find_removed("r.path = ?", b"MEMORY.md") == table.find_removed_by_id(gone.id) == [gone]
    assert (gone.id, gone.birth, gone.text, gone.by.commit, gone.holder) == (
        before.id,
        before.birth,
        PUMP,
        third,
        second,
    )
    assert git("show", f"{gone.holder}:{gone.path}").splitlines()[gone.line - 1] == f"- {PUMP}"


# --- odd workspaces


def test_bytes_that_are_no_text_and_lines_without_end(repo, commit):
    commit(
        {"MEMORY.md": b"- caf\xe9 au lait\n- a\0b\n" + b"- " + b"x " * (1 << 16) + b"\n", "memory/\udcff.md": "- odd\n"}
    )
    with opened(repo) as table:
        assert [row.path for row in table.list_rows()] == ["MEMORY.md"] * 3 + ["memory/\udcff.md"]
        assert table.find_at_line("MEMORY.md", 1).text == "caf\N{REPLACEMENT CHARACTER} au lait"
        assert len(table.find_at_line("MEMORY.md", 3).text) < 1 << 16


# --- later commits


STORY = [
    {"MEMORY.md": "# A\n" + bullets(PUMP, LAMP), "memory/2026-03-01.md": bullets(DOG)},
    {"MEMORY.md": "# A\n" + bullets(LAMP, PUMP.replace("March", "April")), "USER.md": TABLE},
    {"memory/2026-03-01.md": None, "USER.md": TABLE + "\n" + bullets(DOG)},
    {"MEMORY.md": "# B\n" + bullets("one", LAMP, "one")},
    {"MEMORY.md": "# B\n" + bullets("one", PUMP, LAMP, "one"), "USER.md": None, "memory/user.md": TABLE},
    {"README.md": "no memory\n"},
]


@pytest.mark.parametrize("steps", [1, 5])
def test_after_a_reset_and_other_commits_it_says_what_a_rebuild_does(repo, git, commit, steps):
    for files in STORY:
        commit(files)
        before = everything(repo)
    git("reset", "-q", "--hard", f"HEAD~{steps}")
    assert everything(repo) == rebuilt(repo)
    git("reset", "-q", "--hard", "ORIG_HEAD")
    assert everything(repo) == before
    git("reset", "-q", "--hard", f"HEAD~{steps}")
    commit({"MEMORY.md": bullets(DOG, PUMP, "Written after the reset")})
    assert everything(repo) == rebuilt(repo)


def test_a_past_that_somebody_rewrote(repo, git, commit):
    for files in STORY:
        commit(files)
    everything(repo)
    git("checkout", "-q", "--orphan", "other")
    commit({"MEMORY.md": bullets(PUMP)})
    assert everything(repo) == rebuilt(repo)
    assert {row.birth.commit for row in rows_of(repo).values()} == {git("rev-parse", "HEAD").strip()}


@pytest.mark.parametrize("known", [True, False], ids=["fork known", "fork unknown"])
def test_a_branch_that_comes_from_further_back(repo, git, commit, known):
    for number, files in enumerate(STORY[:4]):
        commit(files)
        if known and number == 1:
            everything(repo)
    everything(repo)
    git("checkout", "-qb", "side", "HEAD~2")
    side = commit({"memory/side.md": bullets("Written on the side branch")})
    git("checkout", "-q", "main")
    git("merge", "-q", "--no-edit", "side")
    followed = everything(repo)
    assert followed == rebuilt(repo)
    assert rows_of(repo)["Written on the side branch"].birth.commit == side


# --- the file


def database(root):
    (place,) = (root / ".git/clawgit/cache").glob("index.*.db")
    return place


def test_damage_that_a_question_meets_is_gone_the_next_time(repo, commit):
    commit({"MEMORY.md": bullets(*(f"{PUMP} {number}" for number in range(500)))})
    before = everything(repo)
    place = database(repo)
    data = bytearray(place.read_bytes())
    middle = data.index(b"Mr Keller. 250") // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    place.write_bytes(data)
    with pytest.raises(sqlite3.DatabaseError):
        everything(repo)
    assert everything(repo) == before


def test_where_nothing_can_be_written_it_is_made_in_memory(repo, commit):
    commit({"MEMORY.md": bullets(PUMP)})
    (repo / ".git/clawgit").write_text("in the way")
    assert [row.text for row in everything(repo)[0]] == [PUMP]


OPEN = """
import sys
from pathlib import Path
from clawgit.git import repository
from clawgit.store import entry_table
from clawgit.store.entry_table import open_entries
from clawgit.file_roles import entry_role
with open_entries(repository.find(Path(sys.argv[1])), entry_role) as table:
    print(*sorted(row.id for row in table.list_rows()))
"""


def test_several_processes_open_it_at_once(repo, commit):
    for files in STORY[:5]:
        commit(files)
    command = [sys.executable, "-c", OPEN, repo]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    answers = [process.communicate() for process in running]
    assert {errors for _, errors in answers} == {""}
    assert {ids for ids, _ in answers} == {" ".join(sorted(row.id for row in everything(repo)[0])) + "\n"}
    assert len(list((repo / ".git/clawgit/cache").glob("*.db"))) == 1
