"""Every entry is followed from the commit that it came with."""

import shutil

import pytest

from tests.store.conftest import births_of, bullets, opened, rows_of

PUMP = "The pump in the cellar is serviced each March by Mr Keller."
LAMP = "All lamps of the hall are rated at 400 watts."
DOG = "The dog of the neighbours is called Bruno and bites."


# --- moves


def test_a_line_moves_within_a_file_and_between_files(repo, commit):
    first = commit({"MEMORY.md": "# A\n" + bullets(PUMP, LAMP) + "# B\n" + bullets(DOG), "USER.md": "# U\n"})
    commit({"MEMORY.md": "# A\n" + bullets(LAMP) + "# B\n" + bullets(DOG, PUMP)})
    commit({"MEMORY.md": "# A\n" + bullets(LAMP) + "# B\n" + bullets(DOG), "USER.md": bullets(PUMP)})
    assert births_of(repo) == {LAMP: first, DOG: first, PUMP: first}
    assert rows_of(repo)[PUMP].changed.commit == first


def test_a_copy_is_born_when_it_is_made(repo, commit):
    first = commit({"memory/2026-03-01.md": bullets(PUMP)})
    second = commit({"MEMORY.md": bullets(PUMP)})
    assert births_of(repo, "MEMORY.md") == {PUMP: second}
    assert births_of(repo, "memory/2026-03-01.md") == {PUMP: first}
    assert rows_of(repo, "MEMORY.md")[PUMP].copies == 2


@pytest.mark.parametrize(
    ("taken", "given"),
    [(["Not yet done"], ["Not yet done"]), ([PUMP], [PUMP, PUMP])],
    ids=["three words", "twice on one side"],
)
def test_what_is_short_or_not_alone_does_not_move_between_files(repo, commit, taken, given):
    commit({"MEMORY.md": bullets(LAMP, *taken), "USER.md": bullets(DOG)})
    second = commit({"MEMORY.md": bullets(LAMP), "USER.md": bullets(DOG, *given)})
    assert births_of(repo)[taken[0]] == second


def test_equal_lines_keep_their_order(repo, commit):
    first = commit({"MEMORY.md": bullets(PUMP)})
    second = commit({"MEMORY.md": bullets(PUMP, LAMP, PUMP)})
    third = commit({"MEMORY.md": bullets(PUMP, LAMP, PUMP, DOG, PUMP)})
    with opened(repo) as table:
        assert [row.birth.commit for row in table.list_rows() if row.text == PUMP] == [first, second, third]
        assert len({row.id for row in table.list_rows()}) == 5


# --- rewording


def test_other_words_make_the_same_entry_and_a_later_change(repo, commit):
    first = commit({"MEMORY.md": "# A\n" + bullets(PUMP, LAMP)})
    other = PUMP.replace("March", "April")
    second = commit({"MEMORY.md": "# A\n" + bullets(LAMP) + "# B\n" + bullets(DOG, other)})
    row = rows_of(repo)[other]
    assert (row.birth.commit, row.changed.commit, row.probable) == (first, second, False)
    assert births_of(repo)[DOG] == second


def test_a_loose_rewording_is_a_probably_from_then_on(repo, commit):
    first = commit({"SOUL.md": bullets(PUMP)})
    longer = PUMP.removesuffix(".") + ", who has to be called six weeks before, or else he has no time for it."
    commit({"SOUL.md": bullets(longer)})
    commit({"SOUL.md": bullets(longer.replace("six", "four"))})
    (row,) = rows_of(repo).values()
    assert row.birth.commit == first
    assert row.probable


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Bins on Monday", "Bins on Tuesday"),
        ("**Status:** ordered, comes in May", "**Status:** paid"),
        (PUMP, "The pump in the cellar"),
        ("**Name:** _(pick something you like)_", "**Name:** Clara"),
        ("**Timezone:**", "**Timezone:** Europe/Berlin, and in winter often Lisbon, where the clock is an hour behind"),
    ],
    ids=["value", "label", "part", "placeholder", "empty field"],
)
def test_an_entry_goes_on_in_its_place(repo, commit, old, new):
    first = commit({"MEMORY.md": "# A\n" + bullets(LAMP, old, DOG)})
    commit({"MEMORY.md": "# A\n" + bullets(LAMP, new, DOG)})
    assert births_of(repo)[new] == first


@pytest.mark.parametrize(
    ("old", "new", "kept"), [("Just done", "Recently done", True), ("2026-04-17", "2026-04-18", False)]
)
def test_a_heading_in_other_words_is_the_same_heading_and_another_day_is_not(repo, commit, old, new, kept):
    first = commit({"MEMORY.md": f"# A\n\n## {old}\n" + bullets("Boiler serviced, 90 tests run by Mr Keller")})
    text = "Boiler serviced, 133 tests run by Mr Keller"
    second = commit({"MEMORY.md": f"# A\n\n## {new}\n" + bullets(text)})
    assert births_of(repo)[text] == (first if kept else second)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("memory/2026-03-01.md", PUMP, PUMP.replace("March", "April")),
        ("MEMORY.md", PUMP, DOG),
        ("MEMORY.md", "Pump: serviced in March by Mr Keller", "Boiler: serviced in March by Mr Wolf"),
        ("MEMORY.md", f"2026-03-09 {PUMP}", f"2026-03-15 {PUMP}"),
        ("MEMORY.md", "Last report: 2026-03-14 13:08", "Next report: 2026-03-14 16:08"),
    ],
    ids=["journal", "another matter", "another label", "event of another day", "numbers of another field"],
)
def test_what_is_no_rewording_is_a_birth(repo, commit, path, old, new):
    first = commit({path: bullets(LAMP, old)})
    second = commit({path: bullets(LAMP, new)})
    assert births_of(repo) == {LAMP: first, new: second}


def test_a_state_belongs_to_its_heading(repo, commit):
    first = commit({"MEMORY.md": "# A\n\n## L-01 set up\n" + bullets("priority: P1", "owner: Lab")})
    second = commit({"MEMORY.md": "# A\n\n## L-07 test\n" + bullets("priority: P2", "owner: Lab")})
    assert births_of(repo)["priority: P2"] == second != first


def test_of_two_candidates_none_is_taken(repo, commit):
    commit({"MEMORY.md": bullets(PUMP)})
    others = [PUMP.replace("March", month) for month in ("April", "August")]
    second = commit({"MEMORY.md": bullets(*others)})
    assert set(births_of(repo).values()) == {second}


@pytest.mark.parametrize(
    "text",
    [f"- {PUMP.replace('pump', '**pump**')}  \n", f"# Cellar\n\n1. {PUMP}\n"],
    ids=["emphasis", "heading"],
)
def test_another_form_is_no_other_entry(repo, commit, text):
    first = commit({"MEMORY.md": bullets(PUMP)})
    commit({"MEMORY.md": text})
    (row,) = rows_of(repo).values()
    assert (row.birth.commit, row.changed.commit, row.probable) == (first, first, False)


# --- files and commits


def test_a_removed_line_that_comes_back_is_born_again(repo, commit):
    commit({"MEMORY.md": bullets(PUMP, LAMP)})
    commit({"MEMORY.md": bullets(LAMP)})
    third = commit({"MEMORY.md": bullets(PUMP, LAMP)})
    assert births_of(repo)[PUMP] == third


def test_a_renamed_file_takes_all_its_entries_along(repo, commit):
    short = [f"Point {number}" for number in range(5)]
    first = commit({"memory/pumps.md": "# Pumps\n" + bullets(*short, PUMP, PUMP)})
    second = commit({"memory/pumps.md": None, "memory/water.md": "# Water\n" + bullets(*short, PUMP, PUMP, DOG)})
    assert births_of(repo) == dict.fromkeys([*short, PUMP], first) | {DOG: second}


def test_a_merge_brings_the_births_of_both_sides(repo, git, commit):
    commit({"MEMORY.md": bullets("Above", "Between the two", "Below")})
    git("checkout", "-qb", "side")
    side = commit({"MEMORY.md": bullets("Above", "Between the two", "Below", DOG), "memory/side.md": bullets(LAMP)})
    git("checkout", "-q", "main")
    main = commit({"MEMORY.md": bullets(PUMP, "Above", "Between the two", "Below")})
    git("merge", "-q", "--no-edit", "side")
    births = births_of(repo)
    assert [births[text] for text in (PUMP, DOG, LAMP)] == [main, side, side]


def test_branches_that_move_a_line_to_two_places_leave_one_id_to_each(repo, git, commit):
    commit({"MEMORY.md": bullets(PUMP, LAMP), "USER.md": "# U\n"})
    git("checkout", "-qb", "side")
    commit({"MEMORY.md": bullets(LAMP), "USER.md": bullets(PUMP)})
    git("checkout", "-q", "main")
    commit({"MEMORY.md": bullets(LAMP), "memory/pumps.md": bullets(PUMP)})
    git("merge", "-q", "--no-edit", "side")
    with opened(repo) as table:
        rows = table.list_rows()
    assert sorted(row.text for row in rows) == sorted([PUMP, PUMP, LAMP])
    assert len({row.id for row in rows}) == 3


def test_the_end_of_a_shallow_clone_is_no_birth(repo, git, commit, tmp_path):
    for text in (PUMP, LAMP, DOG):
        last = commit({"MEMORY.md": bullets(text)})
    commit({"USER.md": bullets(PUMP)})
    git("clone", "-q", "--depth", "2", f"file://{repo}", tmp_path / "shallow")
    assert births_of(tmp_path / "shallow")[DOG] is None
    assert births_of(tmp_path / "shallow")[PUMP] == git("rev-parse", "HEAD").strip()
    git("fetch", "-q", "--unshallow", cwd=tmp_path / "shallow")
    assert births_of(tmp_path / "shallow")[DOG] == last


def test_a_missing_object_leaves_births_unknown(repo, git, commit):
    commit({"MEMORY.md": bullets(PUMP), "USER.md": bullets(LAMP)})
    second = commit({"MEMORY.md": bullets(PUMP, DOG)})
    third = commit({"MEMORY.md": bullets(PUMP, DOG, "Something quite new")})
    user = git("rev-parse", "HEAD:USER.md").strip()
    blob = git("rev-parse", f"{second}:MEMORY.md").strip()
    (repo / ".git/objects" / blob[:2] / blob[2:]).unlink()
    births = births_of(repo)
    assert births[PUMP] is None
    assert third not in births.values()
    tree = git("rev-parse", f"{second}^{{tree}}").strip()
    (repo / ".git/objects" / tree[:2] / tree[2:]).unlink()
    shutil.rmtree(repo / ".git/clawgit/cache")
    assert births_of(repo) == dict.fromkeys([PUMP, DOG, "Something quite new", LAMP])
    assert user
