"""What goes against a correction that stands is found, and put right."""

import pytest

from clawgit.agents.standing_corrections import Rule, require_none, rules, ruling
from clawgit.errors import ClawgitError
from clawgit.text.correction import corrections, written
from clawgit.workspace.correction_records import Standing

KICKOFF = Rule("a", "The kickoff with Acme is on Monday.", "Monday", "Tuesday", "The kickoff with Acme is on Tuesday.")


def record(said: str, true: str, subject: str, name: str = "kkkkkkkkkk", whole: str = "") -> str:
    fields = {"Said": said, "True": true, "Answers": subject, "Entry is": whole}
    return written(name, "2026-05-04 12:00", fields) + "\n"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The kickoff with Acme is on Monday.", "The kickoff with Acme is on Tuesday."),
        ("The kickoff with Acme is on Monday (2026-05-04).", "The kickoff with Acme is on Tuesday."),
        ("Kickoff with Acme Monday at 10, bring slides", "Kickoff with Acme Tuesday at 10, bring slides"),
        ("Operator: the Acme kickoff is on monday", "Operator: the Acme kickoff is on Tuesday"),
    ],
)
def test_what_says_the_refuted_value_of_the_subject_is_put_right(text: str, right: str) -> None:
    found = ruling(text, [KICKOFF])
    assert found is not None
    assert (found.rule.id, found.text) == ("a", right)


@pytest.mark.parametrize(
    "text",
    [
        "The Acme invoice is due on Monday.",
        "The kickoff party of the Berlin team is on Monday.",
        "The kickoff with Acme and the retro are both on Monday.",
        "The kickoff with Acme is not on Monday.",
        "The kickoff with Acme was moved from Monday to Tuesday.",
        "The kickoff with Acme is on Tuesday.",
        "On Monday the dentist, then lunch with Ada, and send Acme the slides for the kickoff.",
        "",
        "Monday",
    ],
)
def test_an_honest_sentence_is_left_alone(text: str) -> None:
    assert ruling(text, [KICKOFF]) is None


@pytest.mark.parametrize(
    ("subject", "wrong", "right", "other"),
    [
        ("The fence is 40 m long.", "40 m", "46 m", "The hose is 40 m long."),
        ("Der Serverraum ist in Raum 214.", "214", "241", "In Raum 214 steht der Drucker."),
        ("Mi hermana vive en Sevilla.", "Sevilla", "Segovia", "El congreso es en Sevilla."),
        ("Le budget du salon est de 168 000 €.", "168 000 €", "186 000 €", "La voiture coûte 168 000 €."),
        ("新办公室在三楼。", "三楼", "五楼", "打印机在三楼。"),
        ("Las Monjas tiene 1,9 hectáreas.", "1,9", "1,1", "El Canchal tiene 1,9 hectáreas."),
        ("Brno has 12 shelves.", "12", "14", "Olomouc has 12 shelves."),
        ("Our depot in Brno has 12 shelves.", "12", "14", "Our depot in Olomouc has 12 shelves."),
        ("定例会議は水曜日です。", "水曜日", "木曜日", "歯医者は水曜日です。"),
        ("정례 회의는 수요일이야.", "수요일", "목요일", "치과는 수요일이야."),
    ],
)
def test_seven_languages(subject: str, wrong: str, right: str, other: str) -> None:
    (rule,) = rules(corrections(record(wrong, right, subject)))
    found = ruling(subject, [rule])
    assert found is not None
    assert found.text.rstrip(".") == subject.replace(wrong, right).rstrip(".")
    assert ruling(other, [rule]) is None


def test_a_correction_of_a_correction_holds() -> None:
    first = record("Monday", "Tuesday", "The kickoff is on Monday.", "kkkkkkkkkk")
    known = rules(corrections(first + record("Tuesday", "Wednesday", "The kickoff is on Tuesday.", "mmmmmmmmmm")))
    for text in ("The kickoff is on Monday.", "The kickoff is on Tuesday."):
        assert (found := ruling(text, known)) is not None
        assert found.text == "The kickoff is on Wednesday."
    assert ruling("The kickoff is on Wednesday.", known) is None
    back = rules(corrections(first + record("Tuesday", "Monday", "The kickoff is on Tuesday.", "mmmmmmmmmm")))
    assert ruling("The kickoff is on Monday.", back) is None
    assert (found := ruling("The kickoff is on Tuesday.", back)) is not None
    assert found.text == "The kickoff is on Monday."


def test_of_two_values_on_one_day_the_last_one_holds() -> None:
    first = record("Monday", "Tuesday", "The kickoff is on Monday.", "kkkkkkkkkk")
    known = rules(corrections(first + record("Monday", "Wednesday", "The kickoff is on Monday.", "mmmmmmmmmm")))
    for text in ("The kickoff is on Monday.", "The kickoff is on Tuesday."):
        assert (found := ruling(text, known)) is not None
        assert (found.rule.id, found.text) == ("mmmmmmmmmm", "The kickoff is on Wednesday.")


def test_a_record_without_a_subject_refutes_no_line_by_its_value_alone() -> None:
    assert rules(corrections(record("Monday", "Tuesday", ""))) == ()
    assert rules(corrections("# Corrections\n\n## kkkkkkkkkk\n\n- Said: Monday\n")) == ()


def test_whoever_writes_against_one_is_told_which() -> None:
    (one,) = corrections(record("Monday", "Tuesday", "The kickoff is on Monday."))
    with pytest.raises(ClawgitError, match="not 'Monday' but 'Tuesday'") as caught:
        require_none("The kickoff is on Monday.", [Standing("CORRECTIONS.md", one)])
    assert str(caught.value.fix) == "clawgit corrections show kkkkkkkkkk"
    require_none("The kickoff is on Tuesday.", [Standing("CORRECTIONS.md", one)])
