"""Each limit of a context, from both sides."""

import pytest

from clawgit.context.assemble import _bounded, assemble
from clawgit.context.prompt_check import check
from clawgit.context.receipt import Asked
from clawgit.errors import ClawgitError

from .conftest import slot
from .test_ugly import record


def test_a_file_from_outside_has_a_quarter_of_a_megabyte(tmp_path) -> None:
    place = tmp_path / "source"
    place.write_text("a" * (256 << 10))
    assert len(_bounded(place)) == 256 << 10
    place.write_text("a" * ((256 << 10) + 1))
    with pytest.raises(ClawgitError, match="256 KB"):
        _bounded(place)


def test_growth_is_that_of_a_week(ground) -> None:
    for day, size in ((12, 10), (14, 30)):  # eight days ago, six days ago
        ground.write("USER.md", "x" * size)
        ground.commit(f"2026-11-{day}T12:00:00+00:00")
    [user] = check(ground.ws)
    assert user.growth == 20


def test_corrections_that_search_serves_take_as_much_again_from_lower_slots(ground) -> None:
    known = "\n".join(record(number, embedded=True) for number in range(300))
    ground.write("CORRECTIONS.md", f"# Corrections\n\n{known}")
    ground.write("memory/2026-11-20.md", "# 2026-11-20\n\n" + "".join(f"- Note {n} of the day.\n" for n in range(900)))
    ground.write("MEMORY.md", "# Memory\n\n" + "".join(f"- The garden has {n} trees in it.\n" for n in range(700)))
    found = slot(assemble(ground.ws, Asked("shop garden note")), "corrections")
    assert found.given - found.stolen == 400
    assert 700 < found.given <= 800


def test_a_line_too_long_for_any_slot_gives_the_sentences_that_answer(ground) -> None:
    said = " ".join(f"The tapir number {at} sleeps in hut {at + 3}." for at in range(1600))
    ground.write("memory/notes.md", f"# Notes\n\n- {said}\n")
    found = assemble(ground.ws, Asked("where does tapir number 1555 sleep?"))
    recalled = slot(found, "recall")
    assert "The tapir number 1555 sleeps in hut 1558." in found.text
    assert recalled.sources == ("memory/notes.md#L3",)
    assert recalled.kept <= recalled.given
    assert "… The tapir" in found.text
