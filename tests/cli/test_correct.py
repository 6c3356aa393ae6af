"""`clawgit correct`."""

import shlex

import pytest

MONDAY = "The kickoff with Acme is on Monday at 10:00."


@pytest.fixture
def kickoff(call):
    """A memory that is wrong."""
    return call("memory", "add", MONDAY, "--tag", "event", "--json").json["id"]


def bullets(space):
    return [row for row in (space / "MEMORY.md").read_text().splitlines() if row.startswith("- ")]


def test_two_texts_are_the_wrong_one_and_the_true_one(call, kickoff, space):
    unsure = call("correct", "No, that's wrong")
    assert (unsure.code, "clawgit show" in unsure.err) == (1, True)
    assert call("correct", " ").code == 2
    assert "MEMORY.md:13: The kickoff" in call("correct", "not", "Monday").err  # what is denied is no new value
    assert bullets(space) == [f"- {MONDAY} #event"]
    call("correct", "kickoff with Acme is on Monday", "kickoff with Acme is on Tuesday.")
    assert call("correct", "Tuesday", "Friday").code == 0
    assert bullets(space) == ["- The kickoff with Acme is on Friday at 10:00. #event #correction"]


LANDING = {
    "words behind the value stand once": (
        ["Line 2 of the tram leaves platform 2 at 2 pm."],
        "Line 2 of the tram leaves platform 5 at 2 pm, not platform 2.",
        ["Line 2 of the tram leaves platform 5 at 2 pm. #correction"],
    ),
    "a denied value is the wrong one": (
        ["The rent is 3200 euros.", "Cash difference of 14.80 euros."],
        "no, it's 15.10 euros, the cash difference was not 14.80 euros",
        ["The rent is 3200 euros.", "Cash difference of 15.10 euros. #correction"],
    ),
    "a line that denies it stays": (
        ["The vet is Dr. Meyer.", "The vet isn't Dr. Meyer any more."],
        "The vet is Dr. Weiss, not Dr. Meyer",
        ["The vet is Dr. Weiss. #correction", "The vet isn't Dr. Meyer any more."],
    ),
    "a value over two rows": (
        ["Anna pays the rent of the studio, 400\n  EUR a month."],
        "400 EUR => 450 EUR",
        ["Anna pays the rent of the studio, 450 EUR a month. #correction"],
    ),
    "a line that tells of the change keeps both": (
        ["Changed the user from 'forge' to 'exedev'"],
        "The user is forge, not exedev",
        ["Changed the user from 'forge' to 'exedev'"],
    ),
}


@pytest.mark.parametrize(("had", "correction", "lines"), LANDING.values(), ids=LANDING)
def test_a_correction_changes_its_value_alone(call, space, had, correction, lines):
    (space / "MEMORY.md").write_text("# Memory\n\n" + "".join(f"- {line}\n" for line in had))
    call("capture")
    call("correct", *correction.split(" => "))
    assert bullets(space) == [f"- {line}" for line in lines]


def test_of_two_corrections_in_one_text_the_second_waits(call, space):
    (space / "MEMORY.md").write_text("# Memory\n\n- Lea swims on Monday.\n- Emil plays chess on Friday.\n")
    call("capture")
    call("correct", "Lea swims on Tuesday, not Monday. Emil plays chess on Thursday, not Friday.")
    (item,) = call("inbox", "--json").json
    call("accept", item["id"])
    assert bullets(space) == ["- Lea swims on Tuesday. #correction", "- Emil plays chess on Thursday. #correction"]


@pytest.mark.parametrize(
    "words", ["It is on\n<!-- Tuesday", "AKIA" + "QWERTYUIOPASDFGH is the key", "x" * 10_000 + "\n# y"]
)
def test_what_a_memory_cannot_hold_is_refused_or_held_whole(call, kickoff, space, words):
    answer = call("correct", words, "--about", kickoff)
    assert answer.code in (0, 1)
    assert len(call("memory", "list", "--json").json) == 1
    assert "AKIA" not in (space / "CORRECTIONS.md").read_text() + (space / "MEMORY.md").read_text()


PRICES = "Der Eintritt kostet 12 Euro für Erwachsene und {} Euro für Rentner."
ACCOUNTANT = "Marta is the accountant, reach her at extension {}."


@pytest.mark.parametrize(
    ("had", "correction", "text", "line"),
    [
        (PRICES.format(12), f"{PRICES.format(9)[:-1]}, nicht 12 Euro für Rentner.", PRICES.format(9), PRICES.format(9)),
        (ACCOUNTANT.format(41), "Marta's extension is 43, not 42", "43", ACCOUNTANT.format(41)),
        (
            ACCOUNTANT.format(41),
            "Marta's extension is 43, not 42",
            "Marta, accountant: extension 43.",
            "Marta, accountant: extension 43.",
        ),
        (ACCOUNTANT.format(41), "not 41", "43", ACCOUNTANT.format(43)),
    ],
)
def test_a_text_takes_the_place_of_the_line_or_of_the_value_and_nothing_else_is_lost(
    call, space, had, correction, text, line
):
    call("memory", "add", had, "--tag", "knowledge")
    assert call("correct", correction).code == 1
    (item,) = call("inbox", "--json").json
    command = call("show", item["id"], "--json").json["accept"]
    assert ' --only 1 --text "…"' in command
    call("accept", item["id"], "--only", "1", "--text", text)
    assert bullets(space) == [f"- {line} #knowledge{'' if line == had else ' #correction'}"]


def test_a_correction_of_what_no_memory_says_needs_the_true_line(call, space):
    call("correct", "The gondola moors at quay 2, not at quay 4.")
    (item,) = call("inbox", "--json").json
    assert ' --text "…"' in call("show", item["id"], "--json").json["accept"]
    assert call("accept", item["id"]).code != 0
    assert call("corrections", "--json").json[0]["kind"] == "candidate"
    assert call("accept", item["id"], "--text", "The gondola moors at quay 2.").code == 0
    assert bullets(space)[0].startswith("- The gondola moors at quay 2. #")


def test_lines_that_were_not_offered_are_asked_about_next(call, space):
    rows = "".join(f"- Dubin likes the report of week {number}.\n" for number in range(24))
    (space / "MEMORY.md").write_text(f"# Memory\n\n{rows}")
    call("capture")
    call("correct", "his name is Dubinn, not Dubin")
    (item,) = call("inbox", "--json").json
    first = [row["number"] for row in call("show", item["id"], "--json").json["choices"]]
    refusal = call("accept", item["id"], "--only", "1,99")
    assert (refusal.code, "has no 99" in refusal.err) == (2, True)
    call("accept", item["id"], "--only", ",".join(map(str, first)))
    (rest,) = call("inbox", "--json").json
    assert (len(first), len(call("show", rest["id"], "--json").json["choices"])) == (20, 4)
    call("accept", rest["id"], "--only", "1,2,3")
    assert call("inbox", "--json").json == []  # what was offered and not chosen is decided
    assert (space / "MEMORY.md").read_text().count("Dubin ") == 1


@pytest.mark.parametrize("words", [("foo", "foo"), ("nothing here",)])
def test_words_without_two_sides_are_a_usage_error(call, space, words):
    assert (call("correct", *words).code, call("inbox", "--json").json) == (2, [])


def test_a_sentence_of_a_paragraph_of_the_identity_is_corrected_alone_by_the_printed_command(call, space):
    before = (space / "SOUL.md").read_text() + "\n## Talk\n\nAnswer first.\nSpeak Dutch with Ana.\nBe brief.\n"
    (space / "SOUL.md").write_text(before)
    call("capture")
    refusal = call("correct", "Speak Welsh with Ana.", "--about", f"SOUL.md:{before.count(chr(10)) - 1}", "--json").json
    assert refusal["key"] == "correction-ambiguous"
    assert (space / "SOUL.md").read_text() == before
    call(*shlex.split(refusal["fix"], comments=True)[1:])
    (item,) = call("inbox", "--json").json
    (choice,) = call("show", item["id"], "--json").json["choices"]
    assert choice["becomes"] == choice["text"].replace("Dutch", "Welsh")
    assert (space / "SOUL.md").read_text() == before


def test_words_around_a_number_in_another_writing_are_not_said_twice(call, space):
    call("remember", "She has 2 dogs.")
    call("correct", "two dogs", "one dog")
    assert "dog dogs" not in (space / "MEMORY.md").read_text()
    assert [item["kind"] for item in call("inbox", "--json").json] == ["correction"]
