"""Room is shared: the highest first, taken from the lowest first."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.context.token_budget import NAMES, Want, share

TOKENS = st.integers(0, 3000)
TOTAL = 100 * len(NAMES)


@st.composite
def wants(draw):
    found = {}
    for name in NAMES:
        asked = draw(TOKENS)
        found[name] = Want(draw(TOKENS), asked, draw(st.integers(0, asked)), whole=name == "identity")
    return found


@given(wants())
def test_the_rooms_come_to_no_more_than_the_whole_and_nobody_gets_more_than_they_ask_for(found) -> None:
    total = sum(want.size for want in found.values())
    rooms = share(total, found, NAMES)
    assert sum(rooms.values()) <= total
    assert all(0 <= rooms[name] <= found[name].asked for name in NAMES)


@given(wants())
def test_what_the_identity_needs_it_gets_while_there_is_anything(found) -> None:
    total = sum(want.size for want in found.values())
    assert share(total, found, NAMES)["identity"] >= min(found["identity"].needed, total)


def test_the_lowest_slot_loses_first() -> None:
    found = {name: Want(100, 100) for name in NAMES} | {"identity": Want(100, 250, 250, whole=True)}
    rooms = share(TOTAL, found, NAMES)
    assert rooms == dict.fromkeys(NAMES, 100) | {"identity": 250, "external": 0, "longterm": 50}


def test_recall_keeps_its_floor_while_others_have_any() -> None:
    found = {name: Want(100, 100) for name in NAMES} | {"identity": Want(100, 700, 700, whole=True)}
    found["recall"] = Want(100, 100, floor=60)
    rooms = share(TOTAL, found, NAMES)
    assert (rooms["identity"], rooms["recall"]) == (700, 60)


def test_a_guest_has_its_size_from_what_others_leave_and_then_from_what_they_fill() -> None:
    found = {name: Want(100, 100) for name in NAMES if name != "external"} | {"external": Want(60, 60, 60, guest=True)}
    order = ("recall", "recent", "longterm")
    rooms = share(TOTAL - 100, found, order)
    assert rooms == dict.fromkeys(NAMES, 100) | {"external": 60, "longterm": 50, "recent": 90}
    found["recent"] = Want(100, 30)
    assert share(TOTAL - 100, found, order) == dict.fromkeys(NAMES, 100) | {"external": 60, "recent": 30, "recall": 100}
