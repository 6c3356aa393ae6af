"""Each limit of a context, from both sides."""

import pytest
from msgspec.structs import replace

from clawgit.context import known_corrections, relevant_memory
from clawgit.context.assemble import _bounded, assemble
from clawgit.context.openclaw_layout import check
from clawgit.context.pack import FENCE, Pack, closed
from clawgit.context.prompt_pieces import Known, Piece
from clawgit.context.receipt import Asked
from clawgit.context.relevant_memory import entities
from clawgit.errors import ClawgitError
from clawgit.text.tokens import count_at_most

from .conftest import slot
from .test_ugly import record


def turns(number: int) -> str:
    return "\n".join(f"user: turn {at}" for at in range(number))


def test_the_last_six_turns_are_gone_by() -> None:
    assert [text for _, text in relevant_memory.turns(Asked(text=turns(9)), None)] == [
        f"turn {at}" for at in range(3, 9)
    ]


@pytest.mark.parametrize(("said", "questions"), [("red green blue", 1), ("red green blue grey", 2)])
def test_a_turn_of_fewer_than_four_words_goes_with_those_before_it(said: str, questions: int) -> None:
    assert len(relevant_memory.questions(Asked(), [(True, "the kettle"), (True, said)])) == questions


def test_of_a_turn_the_last_fifteen_hundred_letters_are_searched() -> None:
    assert relevant_memory.questions(Asked(), [(True, "a" * 2000)]) == ("a" * 1500,)


def test_a_side_of_a_conflict_is_cut_at_a_hundred_and_sixty_letters() -> None:
    assert known_corrections._short("a" * 160) == "a" * 160
    assert known_corrections._short("a" * 161) == "a" * 159 + "\u2026"


def test_twenty_names_are_enough() -> None:
    assert len(entities([" ".join(f'"name {at}"' for at in range(30))])) == 20


def test_a_line_of_six_letters_is_said_once_and_a_shorter_one_as_often_as_it_likes() -> None:
    known = Known()
    known.add("- yesss\n- sixsix")
    assert known.new(Piece("a.md", 1, 1, "- yesss"))
    assert known.new(Piece("a.md", 1, 1, "- sixsix")) is None


def test_what_was_left_out_is_named_up_to_twenty() -> None:
    pack = Pack("Notes", Known())
    for line in range(1, 23):
        pack.cut(Piece("a.md", line, line, "x"), "no room")
    assert [cut.what for cut in pack.cuts()][-2:] == ["a.md#L20", "2 more"]


def test_a_line_that_just_fits_is_taken() -> None:
    pack, piece = Pack("N", Known()), Piece("a", 0, 0, "ab")
    assert pack.fill([piece], 200) == []
    price = pack.price(replace(piece, text="no"))
    assert price > 5
    assert pack.fill([replace(piece, text="no")], pack.used + price) == []


@pytest.mark.parametrize("number", range(50))
def test_a_fence_is_reckoned_as_long_as_it_is_and_at_the_most_that_its_code_may_cost(number: int) -> None:
    shut = closed(f"{number:02}\n")
    assert len(shut) == len(FENCE) + 2
    assert count_at_most(shut) <= count_at_most(FENCE) + count_at_most(f"{number:02}\n")


@pytest.mark.parametrize(("total", "most"), [(0, 40), (480, 40), (492, 41), (6000, 500)])
def test_a_search_asks_for_a_hit_for_each_twelve_tokens(total: int, most: int) -> None:
    class Asking:
        def find(self, _question, hits):
            return hits

    assert relevant_memory.found(Asking(), ["kettle"], total) == [most]


def test_the_first_question_has_three_hits_for_one_of_the_second() -> None:
    assert relevant_memory._merged([[*"abcdefg"], [*"XYZ"]]) == [*"abcXdefYgZ"]


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
    known = "\n".join(record(number, embedded=True) for number in range(1000))
    ground.write("CORRECTIONS.md", f"# Corrections\n\n{known}")
    ground.write("memory/2026-11-20.md", "# 2026-11-20\n\n" + "".join(f"- Note {n} of the day.\n" for n in range(900)))
    ground.write("MEMORY.md", "# Memory\n\n" + "".join(f"- The garden has {n} trees in it.\n" for n in range(2000)))
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


def test_a_long_line_of_a_journal_gives_what_fits(ground) -> None:
    said = " ".join(f"The tapir number {at} sleeps." for at in range(3000))
    ground.write("memory/2026-11-20.md", f"# Today\n\n- {said}\n- The zebra is awake.\n")
    found = assemble(ground.ws, Asked("how are you?"))
    assert "The zebra is awake." in found.text
    assert "sleeps. …" in found.text
    assert found.tokens <= found.budget


def test_a_line_of_two_thousand_letters_is_given_whole(ground) -> None:
    line = "- " + "word " * 399 + "end"
    ground.write("memory/2026-11-20.md", f"# Today\n\n{line}\n")
    assert line in assemble(ground.ws, Asked("word")).text
