"""Every entry is followed from its first commit, and the table agrees with the history."""

import shutil
from pathlib import Path

import pytest

from tests.promises.desk import Desk

PUMP = "The pump in the cellar is serviced each March by Mr Keller."
LAMP = "All lamps of the hall are rated at 400 watts."
DOG = "The dog of the neighbours is called Bruno and bites."


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.adopt(tmp_path / "ws", {"SOUL.md": "# Soul\n\n- Be kind.\n", "MEMORY.md": "# Memory\n"})


def bullets(*texts: str) -> str:
    return "".join(f"- {text}\n" for text in texts)


def commit(desk: Desk, files: dict[str, str | None]) -> str:
    for path, text in files.items():
        if text is None:
            (desk.root / path).unlink()
        else:
            desk.write(path, text)
    return desk.commit()


def births(desk: Desk) -> dict[str, str | None]:
    """Return the commit that each text came with."""
    return {row["text"]: row["commit"] for row in desk.run("memory", "list")}


STAYS = {
    "moved within a file": (f"# A\n{bullets('One of A', 'Two')}# B\n", f"# A\n- Two\n# B\n{bullets('One of A')}"),
    "a value": ("Bins on Monday", "Bins on Tuesday"),
    "other words": (LAMP, LAMP.replace("400", "60")),
    "a label": ("**Status:** ordered, comes in May", "**Status:** paid"),
    "emphasis": ("The boiler is in the shed behind", "The **boiler** is in the shed behind"),
}
BORN = {
    "another matter": ("A bench stands by the pond", DOG),
    "another label": ("Oven: serviced in June by Mr Wolf", "Stove: cleaned in May by Ms Hart"),
    "an event of another day": ("2026-03-09 The gutter was cleaned by Ada", "2026-03-15 The gutter was cleaned by Ada"),
    "numbers of another field": ("Last report: 2026-03-14 13:08", "Next report: 2026-03-14 16:08"),
}


def test_other_words_make_the_same_entry_and_another_statement_is_born(desk: Desk) -> None:
    """Each in a file of its own, between two lines that stay."""

    def write(side: int) -> str:
        texts = {f"memory/{number}.md": pair[side] for number, pair in enumerate((*STAYS.values(), *BORN.values()))}
        neighbours = {path: (f"Above {path} is this.", f"Below {path} is that.") for path in texts}
        return commit(
            desk,
            {
                path: text if "\n" in text else f"# A\n{bullets(neighbours[path][0], text, neighbours[path][1])}"
                for path, text in texts.items()
            },
        )

    first, second = write(0), write(1)
    commits = births(desk)
    for name, (_, text) in (STAYS | BORN).items():
        words_of_entry = "One of A" if "\n" in text else text.replace("**boiler**", "boiler")
        rows = [commit for words, commit in commits.items() if words.replace("**boiler**", "boiler") == words_of_entry]
        assert rows == [first if name in STAYS else second], name


def test_of_two_candidates_none_is_taken_and_a_loose_rewording_is_a_probably(desk: Desk) -> None:
    first = commit(desk, {"memory/a.md": bullets(PUMP), "memory/b.md": bullets(DOG)})
    rewordings = [PUMP.replace("March", month) for month in ("April", "August")]
    longer = DOG.removesuffix(".") + ", but it has never bitten anybody who came with a bone or a piece of cheese."
    second = commit(desk, {"memory/a.md": bullets(*rewordings), "memory/b.md": bullets(longer)})
    rows = {row["text"]: row for row in desk.run("memory", "list")}
    assert {rows[text]["commit"] for text in rewordings} == {second}
    assert (rows[longer]["commit"], rows[longer]["probable"]) == (first, True)


def test_a_merge_brings_the_births_of_both_sides_and_no_id_twice(desk: Desk) -> None:
    commit(desk, {"memory/a.md": bullets("Above", PUMP, "Below")})
    desk.git("switch", "-qc", "side")
    side = commit(desk, {"memory/a.md": bullets("Above", "Below", DOG), "memory/side.md": bullets(PUMP)})
    desk.git("switch", "-q", "main")
    main = commit(desk, {"memory/a.md": bullets(LAMP, "Above", "Below"), "memory/main.md": bullets(PUMP)})
    desk.git("merge", "-q", "--no-edit", "side")
    commits = births(desk)
    assert (commits[LAMP], commits[DOG]) == (main, side)
    ids = [row["id"] for row in desk.run("memory", "list")]
    assert len(ids) == len(set(ids))


def test_what_history_does_not_go_back_to_has_no_birth(desk: Desk, tmp_path: Path) -> None:
    commit(desk, {"memory/a.md": bullets(PUMP)})
    second = commit(desk, {"memory/a.md": bullets(PUMP, DOG)})
    commit(desk, {"memory/b.md": bullets(LAMP)})
    desk.git("clone", "-q", "--depth", "1", f"file://{desk.root}", str(tmp_path / "shallow"))
    assert births(Desk(tmp_path / "shallow"))[PUMP] is None
    blob = desk.git("rev-parse", f"{second}:memory/a.md").strip()
    (desk.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert births(desk)[LAMP] is not None


def rebuilt(desk: Desk) -> object:
    shutil.rmtree(desk.root / ".git/clawgit/cache")
    return desk.run("memory", "list")


@pytest.mark.parametrize("steps", [1, 3])
def test_after_a_reset_a_merge_or_another_past_it_says_what_a_rebuild_does(desk: Desk, steps: int) -> None:
    for files in (
        {"memory/a.md": "# A\n" + bullets(PUMP, LAMP), "memory/2026-03-01.md": bullets(DOG)},
        {"memory/a.md": "# A\n" + bullets(LAMP, PUMP.replace("March", "April"))},
        {"memory/2026-03-01.md": None, "memory/b.md": bullets(DOG)},
        {"memory/a.md": "# B\n" + bullets("one", LAMP, "one"), "memory/b.md": None},
    ):
        commit(desk, files)
        before = desk.run("memory", "list")
    desk.git("branch", "side", "HEAD~2")
    desk.git("reset", "-q", "--hard", f"HEAD~{steps}")
    assert desk.run("memory", "list") == rebuilt(desk)
    desk.git("reset", "-q", "--hard", "ORIG_HEAD")
    assert desk.run("memory", "list") == before
    desk.git("switch", "-q", "side")
    commit(desk, {"memory/side.md": bullets("Written on the side branch")})
    desk.git("switch", "-q", "main")
    desk.git("merge", "-q", "--no-edit", "side")
    assert desk.run("memory", "list") == rebuilt(desk)
    desk.git("switch", "-q", "--orphan", "other")
    desk.git("checkout", "-q", "main", "--", ".")
    commit(desk, {"memory/a.md": bullets(PUMP)})
    desk.git("branch", "-qM", "other", "main")
    assert desk.run("memory", "list") == rebuilt(desk)


def test_a_damaged_index_is_made_anew(desk: Desk) -> None:
    commit(desk, {"memory/a.md": bullets(*(f"{PUMP} {number}" for number in range(500)))})
    before = desk.run("memory", "list")
    (place,) = (desk.root / ".git/clawgit/cache").glob("index.*.db")
    data = bytearray(place.read_bytes())
    middle = data.index(b"Mr Keller. 250") // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    place.write_bytes(data)
    desk.call("memory", "list")
    assert desk.run("memory", "list") == before
    shutil.rmtree(place.parent)
    place.parent.write_text("in the way")
    assert desk.run("memory", "list") == before
