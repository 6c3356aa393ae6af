"""Journals grow at their end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError, UsageError
from clawgit.workspace import memory
from tests.amounts import amount

from .places import AWS, DAY, another


def test_a_note_stands_under_its_time(place):
    place.ws.apply(memory.add_note(place.ws, "Deploy moved.\n\nAna tells.", title="Release\nplan "))
    place.later(hours=1)
    place.ws.apply(memory.add_note(place.ws, "Done."))
    assert place.text(DAY) == (
        "# 2026-02-14\n\n## 09:30 - Release plan\n\nDeploy moved.\n\nAna tells.\n\n## 10:30\n\nDone.\n"
    )
    assert place.message().startswith("journal: Done.\n")
    place.agrees()


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_nothing_is_no_note(place, text):
    with place.refused("no text to note", kind=UsageError):
        memory.add_note(place.ws, text)


def test_a_note_with_a_secret_is_refused(place):
    with place.refused(f"{DAY}:5"):
        place.ws.apply(memory.add_note(place.ws, AWS))
    with place.refused(f"{DAY}:3"):
        place.ws.apply(memory.add_note(place.ws, "x", title=f"key {AWS}"))


@settings(max_examples=amount(15, 6))
@given(st.lists(st.text("ab中#->`|\n \r\t<!", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=3))
def test_no_note_changes_another(mould, notes):
    """Whatever they say, each version of the journal is the beginning of the next."""
    with another(mould) as place:
        before = b""
        for text in notes:
            try:
                place.ws.apply(memory.add_note(place.ws, text))
            except ClawgitError:
                assert (place.read(DAY) or b"") == before
                continue
            now = place.read(DAY)
            assert now.startswith(before)
            assert text.strip().replace("\r\n", "\n").encode() in now.replace(b"\r\n", b"\n")
            before = now
        place.agrees()
