"""What the writer of an old version never saw comes back, and what somebody meant stays."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.stale_write.stale_merge import Doubt
from clawgit.workspace.stale_write import heal
from tests.text.ugly import markdown

OLD = """# Memory

## Decisions

- Chose REST over GraphQL for the public API. #decision
- The team meets on Monday at nine
  - Bob brings the minutes along each time
- Use tabs, never spaces

## Animals

| the person | the animal |
|---|---|
| Ann | cats |
| Bob | dogs |

- [ ] buy milk for the hedgehog
- last of all
"""
NEW = (
    OLD.replace("on Monday", "on Tuesday")
    .replace("- Use tabs, never spaces\n", "")
    .replace("| Bob | dogs |\n", "| Bob | dogs |\n| Cy | emus |\n")
    .replace("[ ] buy", "[x] buy")
    .replace("- last of all\n", "- last of all\n- 新しいサーバーは東京にあります\n")
    + "\n## Skills\n\n1. Bake bread\n"
)
CHANGED = ["on Tuesday at nine", "| Cy | emus |", "[x] buy milk", "新しいサーバーは東京にあります", "Bake bread"]


def healed(disk, committed=NEW, older=(OLD,)):
    return heal(committed, disk, older, grows=False)


def never():
    raise AssertionError
    yield


def test_who_adds_to_an_old_version_gets_what_changed_since():
    found = healed(OLD.replace("- last of all\n", "- last of all\n- zebras are yellow\n"))
    assert found.base == 0
    assert all(words in found.text for words in [*CHANGED, "zebras are yellow"])
    assert "Monday" not in found.text
    assert "never spaces" not in found.text
    assert found.back[:2] == ("- The team meets on Tuesday at nine", "| Cy | emus |")
    assert found.missing == ()


def test_what_comes_back_is_dressed_like_its_neighbours():
    disk = """Memory
======

Decisions
---------
* Chose **REST** over GraphQL for the
  public API. #decision
* The team meets on Monday at nine
    * Bob brings the minutes along each time
* Use tabs, never spaces

Animals
-------
| the person | the animal |
|------------|------------|
| Ann   | cats   |
| Bob   | dogs   |

* [ ] buy milk for the hedgehog
* last of all"""
    put_back = disk.replace("Monday", "Tuesday").replace("* Use tabs, never spaces\n", "").replace("[ ]", "[x]")
    put_back = put_back.replace("| Bob   | dogs   |\n", "| Bob   | dogs   |\n| Cy | emus |\n")
    assert healed(disk).text == put_back + "\n* 新しいサーバーは東京にあります\n\n## Skills\n\n1. Bake bread"


@pytest.mark.parametrize(
    "disk",
    [
        NEW.replace("- last of all\n", ""),
        NEW.replace("- last of all\n", "").replace("\n", "\r\n"),
        NEW.replace("新しいサーバー", "新しいサーバ"),
        NEW.replace("Bake bread", "Bake rye bread").replace("- last of all\n", ""),
        NEW.replace("- ", "* "),
        NEW.replace("## Skills\n\n1. Bake bread\n", ""),
        "",
    ],
)
def test_who_works_on_the_committed_version_is_left_alone(disk):
    found = healed(disk)
    assert (found.text, found.back, found.missing, found.went_back) == (disk, (), (), False)


@pytest.mark.parametrize("disk", [OLD, OLD.replace("\n", "\r\n"), "\ufeff" + OLD.replace("\n", "  \n"), OLD.rstrip()])
def test_an_older_version_that_stands_there_again_is_a_decision(disk):
    found = healed(disk, older=["", OLD])
    assert (found.text, found.back, found.went_back) == (disk, (), True)


@pytest.mark.parametrize("disk", [NEW, NEW + "- more\n", NEW.replace("- ", "+ "), NEW.replace("\n", "\r\n")])
def test_no_older_version_is_drawn_while_nothing_is_missing(disk):
    assert healed(disk, older=never()).text == disk


def test_an_old_version_in_other_clothes_is_no_deletion():
    found = healed(OLD.replace("- ", "* ").replace("# ", "#  "))
    assert found.base == 0
    assert all(words in found.text for words in CHANGED)


def test_what_others_and_the_writer_changed_each_in_their_way_stands_twice_and_is_asked():
    found = healed(OLD.replace("Monday at nine", "Monday at ten sharp") + "- more\n")
    assert "Monday at ten sharp" in found.text
    assert "on Tuesday" in found.text
    assert found.doubts == (Doubt("The team meets on Tuesday at nine", "The team meets on Monday at ten sharp"),)


def test_a_row_that_fits_no_longer_is_told():
    narrow = OLD.replace(
        "| the person | the animal |\n|---|---|\n| Ann | cats |\n| Bob | dogs |",
        "| the person |\n|---|\n| Ann |\n| Bob |",
    )
    found = healed(narrow.replace("- ", "* "))
    assert found.missing == ("| Cy | emus |",)
    assert all(words in found.text for words in CHANGED if "emus" not in words)


def test_a_section_that_the_writer_dropped_comes_back_with_what_is_young_in_it():
    found = healed(OLD.partition("## Animals")[0] + "- more\n")
    assert all(words in found.text for words in CHANGED if "milk" not in words)
    assert "| Ann | cats |" not in found.text


def test_what_may_be_dropped_or_never_seen_stands_and_is_asked():
    """A section is gone as a whole, and half of it is young: the text does not say why."""
    old = "## A\n\n- Ana likes cats\n- Bob has a boat\n\n## B\n\n- one thing\n- another thing\n"
    new = old + "- something young\n"
    found = healed("## A\n\n- Ana likes black cats\n- Bob has a boat\n", new, [old])
    assert found.text == "## A\n\n- Ana likes black cats\n- Bob has a boat\n\n## B\n\n- something young\n"
    assert found.doubts == (Doubt("something young"),)


def test_an_entry_that_is_edited_before_anything_else_is_written_is_not_doubled():
    """Its first words are all that the older version lacks; an edit keeps most of them."""
    edited = "- a b c\n- Ana meets the bank on Tuesday, at ten\n"
    assert healed(edited, "- a b c\n- Ana meets the bank on Monday\n", ["- a b c\n"]).text == edited


def test_what_may_be_an_edit_or_another_entry_is_told():
    """Lines of one pattern differ as little as a line and its correction."""
    old, young = "- a b c\n", "- The printer comes on Monday from Munich for 2448 euros, says Emil\n"
    own = "- The dentist comes on Monday from Goerlitz for 515 euros, says Emil\n"
    found = healed(old + own, old + young, [old])
    assert young.strip() in (*found.missing, *found.text.split("\n"))


def test_a_text_of_which_every_line_was_restyled_is_still_known():
    old = "- Chidi paused the backups\n- The roof belongs to Emil\n- Ana asked about the taxes\n"
    found = healed(old.lower(), old + "- The printer was moved\n", [old])
    assert found.text == old.lower() + "- The printer was moved\n"


def test_two_lines_that_became_one_are_not_put_back():
    old = "- Chidi paused the backups\n- The roof belongs to Emil\n- Ana asked about the taxes\n"
    joined = "- Chidi paused the backups; The roof belongs to Emil\n- Ana asked about the taxes\n"
    found = healed(joined, old + "- The printer was moved\n", [old])
    assert found.text == joined + "- The printer was moved\n"


def test_a_mark_of_byte_order_stays_at_the_start():
    young = "# New\n\n- first of all\n\n"
    found = healed("\ufeff- a b c\n- d e f\n- own words\n", young + "- a b c\n- d e f\n", ["- a b c\n- d e f\n"])
    assert found.text.count("\ufeff") == 1
    assert found.text.startswith("\ufeff")
    assert "first of all" in found.text


def test_a_journal_is_united_and_says_what_came_back():
    found = heal("- a\n- b\n- c\n", "- a\n- d\n", ["- a\n- b\n", "- a\n"], grows=True)
    assert sorted(found.text.split()) == ["-", "-", "-", "-", "a", "b", "c", "d"]
    assert (found.base, found.back) == (1, ("- b", "- c"))


@given(markdown(), markdown(), st.lists(markdown(), max_size=4))
def test_any_text_is_healed_once_and_nothing_is_raised(committed, disk, older):
    found = healed(disk, committed, older)
    assert healed(found.text, committed, older).text == found.text


def test_what_is_added_at_the_end_leaves_nothing_to_be_added_by_the_next_healing():
    committed, older = "===\n\nSetext\n- a\n```", ["# Title #\nSetext"]
    found = healed("# Title #\n   ", committed, older)
    assert healed(found.text, committed, older).text == found.text


def test_a_large_file_is_healed_in_bounded_time():
    """Whatever was done to it: turned round, all edited, all new."""
    base = [f"- {number} bottles of milk {number * 7919 % 10007} for the hedgehog" for number in range(6_000)]
    committed, older = "\n".join([*base, "- a young one"]), ["\n".join(base)] * 49
    begun = process_time()
    for rows in (
        base[::-1],
        [row + " or so" for row in base],
        [row[::-1] for row in base],
        [*base, "- mine, all mine"],
    ):
        healed("\n".join(rows), committed, older)
    assert process_time() - begun < 30


def test_fifty_versions_of_a_long_file_are_looked_at_in_a_second():
    """Whatever the writer did: 300 KB, of which the last five versions were never seen."""
    rows = [
        "# Memory",
        "",
        *(
            f"- {number} bottles of milk for the hedgehog of {number * 7919} neighbours, who all like tea"
            for number in range(3_500)
        ),
    ]
    versions = [
        "\n".join([*rows, *(f"- young one number {at} of many" for at in range(number))]) + "\n" for number in range(50)
    ]
    old = versions[44]
    for disk in (
        old.replace(rows[40] + "\n", ""),
        old.replace("\n- ", "\n* "),
        old.replace(" bottles", " large bottles"),
    ):
        begun = process_time()
        found = heal(versions[-1], disk, versions[-2::-1], grows=False)
        assert process_time() - begun < 3  # a second on a machine of its own
        assert all(f"young one number {at} of" in found.text for at in range(49))
