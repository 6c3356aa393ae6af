"""Ids of changes."""

import re

from clawgit.text.entry import is_id, new_id
from clawgit.workspace.change import Append, Change, Edit


def test_ids_are_ten_letters_that_no_commit_begins_with():
    """Not one of 2,000 can be read as hexadecimal, and no two are the same."""
    ids = [new_id() for _ in range(2000)]
    assert len(set(ids)) == len(ids)
    for found in ids:
        assert re.fullmatch("[k-z]{10}", found)
        assert is_id(found)
        assert not re.search("[0-9a-f]", found)


def test_all_sixteen_letters_occur():
    """Forty bits: five random bytes, none of them thrown away."""
    assert set("".join(new_id() for _ in range(200))) == set("klmnopqrstuvwxyz")


def test_every_change_has_an_id_of_its_own():
    assert Change("a").id != Change("a").id


def test_a_change_names_the_files_it_edits():
    assert Change("s", edits=(Edit("a.md", None, "x"), Append("b.md", "y"))).paths == ("a.md", "b.md")
