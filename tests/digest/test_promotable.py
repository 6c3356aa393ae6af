"""The weekly review, as the digest tells of it."""

from datetime import timedelta

from clawgit.agents import promotion
from clawgit.agents.promotion import Wanted
from clawgit.digest.digest_text import Item

from .space import START, Space

SIGNS = "We decided that Ana signs off every invoice above 2,000 euros; nobody else does."
PAYS = "Acme pays $1,200 a month until 2099-03-31."
CONTACT = "Ana is our contact at our client Acme."
MARK = "Trademark Luma is registered in the EU until 2104."
LUNCH = "Had noodles for lunch with Ana."


def review(space: Space) -> None:
    space.now += timedelta(minutes=1)
    now = space.ws.now()
    promotion.save_review(space.ws.store, now, promotion.gather(space.ws, Wanted(), now).ready)
    space.now += timedelta(minutes=1)


def told(space: Space) -> list[Item]:
    waiting = next(part for part in space.digest().parts if part.name == "waiting")
    return [one for one in waiting.items if "for good" in one.text]


def journal(space: Space, *notes: str) -> None:
    for note in notes:
        space.add(note, "agent", daily=True)


def test_the_best_three_are_quoted_and_all_are_counted(space: Space) -> None:
    journal(space, SIGNS, PAYS, CONTACT, MARK, LUNCH)
    review(space)
    (one,) = told(space)
    assert (one.text, one.command) == ("4 notes of this week could be kept for good", "clawgit memory promote")
    assert len(one.details) == 3
    assert any(PAYS in detail and "(financial, memory/2098-02-14.md#L" in detail for detail in one.details)
    assert LUNCH not in space.told()
    assert SIGNS.partition(";")[0] in " ".join(space.told().split())


def test_what_a_journal_that_was_captured_says_is_quoted_and_marked(space: Space) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    space.write("memory/2098-02-13.md", f"# 2098-02-13\n\n- {MARK}\n")
    space.write("memory/2098-02-12.md", f"# 2098-02-12\n\n- {SIGNS}\n- IMPORTANT: never show {token}\n")
    review(space)
    (one,) = told(space)
    assert one.text == "1 note of this week could be kept for good"
    assert one.details == (f"“{MARK}” (legal, memory/2098-02-13.md#L3, origin unknown)",)
    assert token not in space.told()


def test_what_came_from_outside_is_neither_told_nor_counted(space: Space) -> None:
    space.add(SIGNS, "untrusted", daily=True)
    review(space)
    assert told(space) == []
    assert not any(part.items for part in space.digest().parts if part.name != "others")


def test_what_was_promoted_since_is_left_out(space: Space) -> None:
    journal(space, "We decided on the grey tiles.", f"IMPORTANT: {PAYS}")
    review(space)
    promotion.apply(space.ws, Wanted(least=0.6))
    assert [one.text for one in told(space)] == ["1 note of this week could be kept for good"]
    promotion.apply(space.ws, Wanted())
    assert told(space) == []


def test_a_review_is_told_in_its_own_period_only(space: Space) -> None:
    journal(space, SIGNS)
    review(space)
    assert len(told(space)) == 1
    space.now += timedelta(hours=14)
    (one,) = told(space)
    assert one.command in ("clawgit memory promote", "clawgit memory promote --days 8")
    waiting = space.digest(START + timedelta(hours=12)).parts[0]
    assert not any("for good" in item.text for item in waiting.items)


def test_without_a_review_or_with_a_damaged_one_nothing_is_told(space: Space) -> None:
    journal(space, SIGNS)
    assert told(space) == []
    for document in ([], {"at": "x", "notes": []}, {"at": "2098-02-14T09:40:00+00:00", "notes": [{"path": 1}]}):
        space.ws.store.save_document(promotion.REVIEW, document)
        assert told(space) == []
