"""Each clone of a workspace has an id of its own."""

import shutil

import pytest

from clawgit import clock
from clawgit.workspace import memory

from .places import Place


def add(place, text):
    return place.ws.apply(memory.add(place.ws, text).change)


def name(place):
    return clock.name_machine(place.open().repo)


def test_a_copied_folder_has_an_id_of_its_own(place, tmp_path):
    add(place, "One.")
    first = name(place)
    shutil.copytree(place.root, tmp_path / "copy", symlinks=True)
    assert name(Place(tmp_path / "copy")) != first
    assert name(place) == first


def test_a_folder_that_was_moved_keeps_its_id(place):
    add(place, "One.")
    first = name(place)
    place.root.rename(place.root.parent / "moved")
    assert name(Place(place.root.parent / "moved")) == first


FORGED = '{"machine": {"id": "../../x", "place": ""}}'


@pytest.mark.parametrize("broken", ["", FORGED])
def test_what_is_kept_may_be_broken(place, broken):
    add(place, "One.")
    first = name(place)
    place.write(".git/clawgit/notes.json", broken)
    assert name(place) not in (first, "../../x")
