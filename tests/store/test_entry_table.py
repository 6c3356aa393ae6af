"""The table of all entries is what the history says, whatever became of its file."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.store import entry_update
from clawgit.text.entry import digest
from clawgit.text.entry import entries as parsed
from tests.store.conftest import ID, bullets, everything, opened, rebuilt, rows_of
from tests.store.test_births import DOG, LAMP, PUMP

TABLE = (
    "# Fleet\n\n| Boat | Berth |\n|---|---|\n| Ada | 4 |\n\nA paragraph\nof two lines.\n\n- A bullet\n  and its rest\n"
)


# --- rows


def test_there_is_a_row_for_each_bullet_table_row_and_paragraph(repo, commit):
    commit({"memory/fleet.md": TABLE})
    with opened(repo) as table:
        rows = [(row.kind, row.text, row.start, row.end, row.section) for row in table.list_rows()]
    assert rows == [(entry.kind, entry.text, entry.start, entry.end, entry.section) for entry in parsed(TABLE)]
    assert [row[0] for row in rows] == ["row", "paragraph", "bullet"]


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
        assert len(table.list_rows(limit=3)) == 3


def test_a_row_is_found_by_id_key_and_line(repo, commit):
    commit({"MEMORY.md": "# A\n\n" + bullets(PUMP, LAMP), "USER.md": bullets(LAMP)})
    with opened(repo) as table:
        row = table.find_at_line("MEMORY.md", 3)
        assert (row.text, row.section) == (PUMP, ("A",))
        assert ID.fullmatch(row.id)
        assert table.find_by_id(row.id) == table.find_by_id(row.id[:6]) == [row]
        assert [found.path for found in table.find_by_key(digest(LAMP))] == ["MEMORY.md", "USER.md"]
        assert table.find_at_line("MEMORY.md", 1) is None


def test_a_cut_off_change_is_not_known_either(repo, git, commit, tmp_path):
    for text in (PUMP, LAMP):
        commit({"MEMORY.md": bullets(text)})
    git("clone", "-q", "--depth", "1", f"file://{repo}", tmp_path / "shallow")
    (row,) = rows_of(tmp_path / "shallow").values()
    assert (row.birth, row.changed) == (None, None)


def test_a_removed_entry_leads_to_where_it_last_was(repo, git, commit):
    commit({"MEMORY.md": bullets(PUMP, LAMP)})
    second = commit({"MEMORY.md": bullets(DOG, PUMP, LAMP)})
    before = rows_of(repo)[PUMP]
    third = commit({"MEMORY.md": bullets(DOG, LAMP)})
    with opened(repo) as table:
        (gone,) = table.find_removed_by_key(digest(PUMP))
        assert table.list_removed(paths=["MEMORY.md"]) == table.find_removed_by_id(gone.id) == [gone]
    assert (gone.id, gone.birth, gone.text, gone.by.commit, gone.holder) == (
        before.id,
        before.birth,
        PUMP,
        third,
        second,
    )
    assert git("show", f"{gone.holder}:{gone.path}").splitlines()[gone.line - 1] == f"- {PUMP}"


# --- odd workspaces


def test_no_commit_and_no_entry(tmp_path, git, repo):
    assert everything(repo) == ([], [], {})
    git("init", "-q", tmp_path / "new")
    assert everything(tmp_path / "new") == ([], [], {})


def test_bytes_that_are_no_text_and_lines_without_end(repo, commit):
    commit(
        {"MEMORY.md": b"- caf\xe9 au lait\n- a\0b\n" + b"- " + b"x " * (1 << 16) + b"\n", "memory/\udcff.md": "- odd\n"}
    )
    with opened(repo) as table:
        assert [row.path for row in table.list_rows()] == ["MEMORY.md"] * 3 + ["memory/\udcff.md"]
        assert table.find_at_line("MEMORY.md", 1).text == "caf\N{REPLACEMENT CHARACTER} au lait"
        assert len(table.find_at_line("MEMORY.md", 3).text) < 1 << 16


def test_a_link_has_no_lines(repo, commit):
    commit({"MEMORY.md": bullets(PUMP)})
    (repo / "USER.md").symlink_to("MEMORY.md")
    commit({})
    with opened(repo) as table:
        assert {row.path for row in table.list_rows()} == {"MEMORY.md"}


# --- later commits


STORY = [
    {"MEMORY.md": "# A\n" + bullets(PUMP, LAMP), "memory/2026-03-01.md": bullets(DOG)},
    {"MEMORY.md": "# A\n" + bullets(LAMP, PUMP.replace("March", "April")), "USER.md": TABLE},
    {"memory/2026-03-01.md": None, "USER.md": TABLE + "\n" + bullets(DOG)},
    {"MEMORY.md": "# B\n" + bullets("one", LAMP, "one")},
    {"MEMORY.md": "# B\n" + bullets("one", PUMP, LAMP, "one"), "USER.md": None, "memory/user.md": TABLE},
    {"README.md": "no memory\n"},
]


def test_following_commit_by_commit_says_what_a_rebuild_does(repo, git, commit):
    for files in STORY:
        commit(files)
        followed = everything(repo)
    assert followed == rebuilt(repo)
    assert {len(row.id) for row in followed[0]} == {10}


@pytest.mark.parametrize("steps", [1, 3, 5])
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


def test_a_step_that_is_forgotten_is_read_again(repo, git, commit, monkeypatch):
    monkeypatch.setattr(entry_update, "MAX_STEPS", 2)
    for files in STORY:
        commit(files)
        everything(repo)
    git("reset", "-q", "--hard", "HEAD~4")
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


def spoil(root: Path, how: str) -> None:
    place = database(root)
    if how == "deleted":
        place.unlink()
    elif how == "no database":
        place.write_bytes(b"no database" * 1000)
    elif how == "empty":
        place.write_bytes(b"")
    elif how == "damaged page":
        sqlite3.connect(place).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
        data = bytearray(place.read_bytes())
        data[4096:] = b"\xff" * (len(data) - 4096)
        place.write_bytes(data)
    elif how == "a link instead":
        place.rename(root.parent / "elsewhere.db")
        place.symlink_to(root.parent / "elsewhere.db")
    else:
        with sqlite3.connect(place) as connection:
            connection.execute(how)
        connection.close()


@pytest.mark.parametrize(
    "how",
    [
        *("deleted", "no database", "empty", "damaged page", "a link instead"),
        *("PRAGMA user_version = 99", "PRAGMA user_version = 0", "DROP TABLE origin"),
    ],
)
def test_a_damaged_or_foreign_file_is_made_anew(repo, commit, how):
    for files in STORY:
        commit(files)
    before = everything(repo)
    spoil(repo, how)
    commit({"MEMORY.md": STORY[-2]["MEMORY.md"] + "\n"})
    assert everything(repo)[1:] == before[1:]
    assert everything(repo)[0] == before[0]


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
from clawgit.store import entry_update
from clawgit.store.entry_table import open_entries
from clawgit.workspace.file_roles import entry_role
with open_entries(repository.find(Path(sys.argv[1])), entry_role) as table:
    print(*sorted(row.id for row in table.list_rows()))
"""


def test_sixteen_processes_open_it_at_once(repo, commit):
    for files in STORY[:5]:
        commit(files)
    command = [sys.executable, "-c", OPEN, repo]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(16)]
    answers = [process.communicate() for process in running]
    assert {errors for _, errors in answers} == {""}
    assert {ids for ids, _ in answers} == {" ".join(sorted(row.id for row in everything(repo)[0])) + "\n"}
    assert len(list((repo / ".git/clawgit/cache").glob("*.db"))) == 1
