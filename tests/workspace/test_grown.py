"""What an identity grew by since the operator approved it is named until it is approved."""

import pytest

from clawgit.text.tokens import count
from clawgit.workspace import identity_edits, trust_review
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.status import Grown, status

from .desks import trusted

LINE = "- Tea first, then talk."


def on_disk(place, text=LINE):
    place.write("SOUL.md", place.text("SOUL.md").rstrip("\n") + f"\n{text}\n")
    capture_all(place.ws)


def again(place):
    place.__dict__.pop("ws", None)
    return place.ws


def test_an_edit_on_disk_of_a_low_grade_is_named_until_it_is_approved(place):
    trusted(place)
    assert status(again(place)).grown == ()
    on_disk(place)
    found = status(again(place))
    assert (found.grown, found.untrusted) == ((Grown("SOUL.md", 1, 0),), ())
    shown = trust_review.review(place.ws)
    assert [(one.path, LINE in one.text, LINE in one.approved) for one in shown.files] == [("SOUL.md", True, False)]
    trust_review.accept(place.ws, shown)
    assert status(again(place)).grown == ()
    assert trust_review.review(place.ws).files == ()


def test_what_an_agent_adds_at_a_low_grade_is_named_too(place):
    trusted(place)
    words = {"why": "asked", "section": "Vibe", "agent": "soul-keeper", "origin": "agent", "evidence": ("USER.md#L1",)}
    place.ws.apply(identity_edits.edit(place.ws, "add", "Short on the phone.", **words))
    assert status(again(place)).grown == (Grown("SOUL.md", 1, 0),)


@pytest.mark.parametrize(("approved", "cap"), [(30, 100), (300, 400)])
def test_a_soul_within_its_cap_stays_within_and_a_larger_one_may_grow_by_as_much_again(place, approved, cap):
    text = "# Soul\n\n## Vibe\n\n"
    while count(text) < approved:
        text += "- Calm and plain.\n"
    place.commit({"SOUL.md": text})
    trusted(place)
    allowed = again(place).trust.cap("SOUL.md", 100)
    assert allowed == (100 if cap == 100 else count(text) + 100)
