"""A correction holds: the corrected line is not served again, for any writer that brings it back."""

import re

import pytest

from tests.promises.desk import Desk

MUTATION = ("workspace/entries.py", '    if "superseded" not in text:', '    if True or "superseded" not in text:')

OLD, NEW = "Tuesday evening", "Thursday evening"
OLD_LINE = f"Deploys happen on {OLD}."
QUESTION = "When do deploys happen?"


@pytest.fixture
def corrected_desk(desk: Desk) -> Desk:
    desk.run("correct", f"not {OLD}, {NEW}")
    return desk


def read_served(desk: Desk, question: str) -> str:
    """Return the text that search and context serve; a correction in a context names the old value, in brackets."""
    hits = desk.run("search", question)["results"]
    text = "\n".join([*(hit["snippet"] for hit in hits), desk.run("context", question)["text"]])
    return re.sub(r"\(was[^)]*\)|\([^)]*: [^)]*\)", "", text)


def test_the_entry_is_changed_in_place_in_one_commit(desk: Desk) -> None:
    before, head = desk.read("MEMORY.md"), desk.head()
    desk.run("correct", f"not {OLD}, {NEW}")
    assert len(desk.commits(head)) == 1
    assert OLD not in desk.read("MEMORY.md").replace(NEW, "")
    assert len(desk.read("MEMORY.md").splitlines()) == len(before.splitlines())


def test_the_new_value_is_served_and_the_old_is_not(corrected_desk: Desk) -> None:
    text = read_served(corrected_desk, QUESTION)
    assert NEW in text
    assert f"happen on {OLD}" not in text


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/garden.md"])
def test_a_line_that_comes_back_stays_on_the_disk_and_is_not_served(corrected_desk: Desk, path: str) -> None:
    corrected_desk.append(path, f"- {OLD_LINE} #decision\n")
    corrected_desk.run("capture")
    assert OLD_LINE in corrected_desk.read(path)
    assert f"happen on {OLD}" not in read_served(corrected_desk, QUESTION)


def test_a_line_of_a_memory_file_that_comes_back_is_corrected_there_on_acceptance(corrected_desk: Desk) -> None:
    corrected_desk.write("memory/notes.md", f"# Notes\n\n- Our deploys happen on {OLD}.\n")
    corrected_desk.run("capture")
    (item,) = corrected_desk.run("inbox", "--kind", "correction")
    corrected_desk.run("accept", item["id"])
    assert f"- Our deploys happen on {NEW}." in corrected_desk.read("memory/notes.md")


def test_undo_of_the_correction_brings_the_old_value_back(desk: Desk) -> None:
    before = desk.read("MEMORY.md")
    desk.run("undo", desk.run("correct", f"not {OLD}, {NEW}")["change"])
    assert desk.read("MEMORY.md") == before
    assert f"happen on {OLD}" in read_served(desk, QUESTION)


def test_it_is_recorded_with_the_operators_words(corrected_desk: Desk) -> None:
    assert NEW in corrected_desk.read("CORRECTIONS.md")
    assert len(corrected_desk.run("corrections")) == 1


def test_what_fits_nothing_changes_nothing(desk: Desk) -> None:
    before = desk.files()
    answer = desk.call("correct", "not bananas, apples")
    assert answer.code in (1, 2)
    assert desk.files() == before


def test_a_journal_keeps_its_words(desk: Desk) -> None:
    desk.call("correct", "Marek replaced the pump on bed five, not on bed four.")
    assert "bed four" in desk.read("memory/2026-01-20.md")


def test_a_refuted_line_of_a_journal_is_not_served(desk: Desk) -> None:
    desk.run("correct", "Marek replaced the pump on bed five, not on bed four.")
    assert "bed five" in desk.read("memory/2026-01-20.md")
    text = read_served(desk, "Which pump did Marek replace?")
    assert "bed four" not in text


def test_a_quoted_line_with_the_old_value_is_not_served(desk: Desk) -> None:
    desk.write("memory/board.md", "# Board\n\n> The kickoff with Halden is on Monday.\n> Bring the deck.\n")
    desk.append("MEMORY.md", "- The kickoff with Halden is on Monday.\n")
    desk.run("capture")
    answer = desk.run("correct", "The kickoff with Halden is on Tuesday, not Monday")
    assert "> The kickoff with Halden is on Monday." in desk.read("memory/board.md")
    assert "Monday" not in read_served(desk, "kickoff with Halden")
    assert "Bring the deck" in read_served(desk, "bring the deck")
    desk.run("undo", answer["change"])
    assert "Monday" in read_served(desk, "kickoff with Halden")


def test_a_quotation_of_the_corrected_line_itself_is_not_served(desk: Desk) -> None:
    line = "The kickoff with Halden is on Monday."
    desk.append("MEMORY.md", f"- {line}\n\n> {line}\n")
    desk.run("capture")
    answer = desk.run("correct", "The kickoff with Halden is on Tuesday, not Monday")
    assert "Monday" not in read_served(desk, "kickoff with Halden")
    desk.run("undo", answer["change"])
    assert f"- {line}" in read_served(desk, "kickoff with Halden")


FRAMES = ("```\n{}\n```\n", "    {}\n", "```\n- {}\n```\n", "## {}\n", "- Notes:\n  > {}\n")


@pytest.mark.parametrize("frame", FRAMES)
def test_code_and_a_heading_with_the_old_value_are_not_served(desk: Desk, frame: str) -> None:
    text = f"# Board\n\n{frame.format('The kickoff with Halden is on Monday.')}\n- Bring the deck.\n"
    desk.write("memory/board.md", text)
    desk.append("MEMORY.md", "- The kickoff with Halden is on Monday.\n")
    desk.run("capture")
    answer = desk.run("correct", "The kickoff with Halden is on Tuesday, not Monday")
    assert desk.read("memory/board.md") == text
    assert "Monday" not in read_served(desk, "kickoff with Halden")
    assert "Bring the deck" in read_served(desk, "bring the deck")
    desk.run("undo", answer["change"])
    assert "Monday" in read_served(desk, "kickoff with Halden")


@pytest.mark.parametrize("frame", FRAMES)
def test_code_and_a_heading_corrected_back_are_served(desk: Desk, frame: str) -> None:
    line = "The kickoff with Halden is on Monday."
    desk.write("memory/board.md", f"# Board\n\n{frame.format(line.strip('.' * ('#' in frame)))}\n- Bring the deck.\n")
    desk.append("MEMORY.md", f"- {line}\n")
    desk.run("capture")
    for sides, is_served in (("Tuesday, not Monday", False), ("Monday, not Tuesday", True)):
        desk.run("correct", f"The kickoff with Halden is on {sides}")
        hits = desk.run("search", "kickoff with Halden on Monday")["results"]
        assert ("memory/board.md" in {hit["path"] for hit in hits}) == is_served


def test_a_line_corrected_back_is_in_force_beside_its_quotation(desk: Desk) -> None:
    line = "The kickoff with Halden is on Monday."
    desk.append("MEMORY.md", f"- {line}\n\n> {line}\n\n```\n{line}\n```\n")
    desk.run("capture")
    desk.run("correct", "The kickoff with Halden is on Tuesday, not Monday")
    desk.run("correct", "The kickoff with Halden is on Monday, not Tuesday")
    assert f"- {line}" in read_served(desk, "kickoff with Halden")
    (status,) = {row["status"] for row in desk.run("memory", "list") if row["text"] == line}
    assert status == "live"


def test_a_line_that_denies_the_old_value_is_not_asked_about(desk: Desk) -> None:
    write_memory(desk, "The car from Sandrine is the Zoé.")
    desk.run("remember", "The car from Sandrine is the MG4, not the Zoé.")
    desk.run("correct", "The car from Sandrine is the MG4, not the Zoé.")
    assert desk.run("inbox", "--kind", "correction") == []


def test_no_proposal_repeats_a_name_of_the_line(desk: Desk) -> None:
    write_memory(desk, "Ingrid Dahl is the project lead at Halden.")
    desk.call("correct", "Erik Moe is the lead at Halden Marsh, not Ingrid Dahl")
    assert "Ingrid Dahl is the project lead at Halden." in desk.read("MEMORY.md")
    (item,) = desk.run("inbox")
    assert "Halden Marsh is" not in str(desk.run("show", item["id"]))


def test_a_deleted_record_is_still_in_force(corrected_desk: Desk) -> None:
    corrected_desk.write("CORRECTIONS.md", "# Corrections\n")
    corrected_desk.append("memory/garden.md", f"- {OLD_LINE}\n")
    corrected_desk.run("capture")
    assert corrected_desk.read("CORRECTIONS.md") == "# Corrections\n"
    assert f"happen on {OLD}" not in read_served(corrected_desk, QUESTION)
    assert ["CORRECTIONS.md"] in [item["files"][:1] for item in corrected_desk.run("inbox")]


@pytest.mark.parametrize("field", ["Said", "True", ""])
def test_a_changed_record_is_still_in_force(corrected_desk: Desk, field: str) -> None:
    rows = corrected_desk.read("CORRECTIONS.md").splitlines(keepends=True)
    changed = "".join(row for row in rows if not row.startswith(f"- {field}"))
    corrected_desk.write("CORRECTIONS.md", changed)
    corrected_desk.run("capture")
    corrected_desk.append("memory/garden.md", f"- {OLD_LINE}\n")
    corrected_desk.run("capture")
    assert f"happen on {OLD}" not in read_served(corrected_desk, QUESTION)
    (item,) = [item for item in corrected_desk.run("inbox") if item["files"][:1] == ["CORRECTIONS.md"]]
    corrected_desk.run("accept", item["id"])
    assert corrected_desk.read("CORRECTIONS.md").count("\n## ") == 1
    assert "- True:" in corrected_desk.read("CORRECTIONS.md")


def test_a_record_is_in_force_beside_a_commit_that_names_it(corrected_desk: Desk) -> None:
    name = corrected_desk.git("log", "-1", "--format=%(trailers:key=Clawgit-Change,valueonly)").strip()
    corrected_desk.write("CORRECTIONS.md", "# Corrections\n")
    corrected_desk.commit(f"tidy: {name}")
    assert corrected_desk.call("memory", "add", OLD_LINE, "--origin", "agent").code != 0


def test_a_record_is_in_force_before_its_deletion_is_captured(corrected_desk: Desk) -> None:
    corrected_desk.write("CORRECTIONS.md", "# Corrections\n")
    assert corrected_desk.call("memory", "add", OLD_LINE, "--origin", "agent").code != 0


def test_a_line_is_back_in_force_by_an_undo_and_not_by_a_forged_one(corrected_desk: Desk) -> None:
    corrected_desk.write("memory/2099-01-05.md", f"# 2099-01-05\n\n- The team said: deploys happen on {OLD}.\n")
    corrected_desk.run("capture")
    rows = corrected_desk.read(".clawgit/entries.tsv").splitlines(keepends=True)
    corrected_desk.write(".clawgit/entries.tsv", "".join(row for row in rows if "\tsuperseded\t" not in row))
    corrected_desk.forge("Clawgit-Undoes: kkkkllllmm")
    corrected_desk.run("capture")
    assert "\tsuperseded\t" in corrected_desk.read(".clawgit/entries.tsv")
    corrected_desk.run("undo", corrected_desk.head())
    corrected_desk.run("run", "conflict-detector", "--apply")
    assert "\tsuperseded\t" not in corrected_desk.read(".clawgit/entries.tsv")


def write_memory(desk: Desk, *lines: str, path: str = "MEMORY.md") -> None:
    """Leave a file with these lines, committed."""
    desk.write(path, "# Notes\n\n" + "".join(f"- {line}\n" for line in lines))
    desk.run("capture")


LOOK_ALIKES = {
    "somebody else": (
        "I live in Lille, not in Lyon",
        ["Bernd lives in Lyon.", "My brother's house is in Lyon."],
    ),
    "a narrower thing": ("The backup relay is on port 81, not 80", ["The relay is on port 80."]),
    "another clause": ("The dog is called Max, not Rex", ["The dog is called Rex. The cat is called Rex too."]),
    "another number": ("the report of week 7 is by Ana, not Bo", ["The report of week 8 is by Bo."]),
}


@pytest.mark.parametrize(("correction", "lines"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_what_only_looks_alike_is_asked_about(desk: Desk, correction: str, lines: list[str]) -> None:
    write_memory(desk, *lines)
    before = desk.read("MEMORY.md")
    desk.call("correct", correction)
    assert desk.read("MEMORY.md") == before


def test_the_likeliest_line_is_suggested_or_none(desk: Desk) -> None:
    write_memory(desk, "The train leaves at 9:00 and arrives at 9:00 the next day.", "Meeting with Ana at 9:00.")
    answer = desk.call("correct", "The train leaves at 9:30, not 9:00")
    assert '--only 1 --text "…"' in answer.fix


def test_of_several_chosen_memories_each_holds_with_its_copies(desk: Desk) -> None:
    write_memory(desk, "The review with Ana is on Monday.", "The kickoff with Bo is on Monday.")
    write_memory(desk, "The kickoff with Bo is on Monday.", path="memory/2026-01-21.md")
    desk.call("correct", "not on Monday, on Friday")
    (item,) = desk.run("inbox")
    desk.run("accept", item["id"], "--only", "1,2")
    assert desk.read("MEMORY.md").count("on Friday.") == 2
    assert "Corrected" in desk.read("memory/2026-01-21.md")
    for name in ("review with Ana", "kickoff with Bo"):
        desk.refuse("remember", f"The {name} is on Monday.", "--origin", "agent", key="correction-contradicted")


def test_there_and_back_again(desk: Desk) -> None:
    write_memory(desk, "The kickoff is on Monday.")
    write_memory(desk, "The kickoff is on Monday.", path="memory/2026-01-21.md")
    desk.run("correct", "the kickoff is on Tuesday, not Monday")
    desk.run("correct", "the kickoff is on Monday, not Tuesday")
    assert desk.read("memory/2026-01-21.md") == "# Notes\n\n- The kickoff is on Monday.\n"
    write_memory(desk, "The kickoff is on Monday.", path="memory/plan.md")
    assert {row["status"] for row in desk.run("memory", "list") if "kickoff" in row["text"]} == {"live"}
    assert "goes against" not in str(desk.run("audit"))


def test_a_fact_of_a_journal_is_corrected_twice(desk: Desk) -> None:
    write_memory(desk, "The kickoff is on Monday.", path="memory/2026-01-21.md")
    desk.run("correct", "the kickoff is on Tuesday, not Monday")
    desk.run("correct", "the kickoff is on Wednesday, not Tuesday")
    text = desk.run("context", "when is the kickoff?")["text"]
    assert "The kickoff is on Wednesday." in text
    assert "The kickoff is on Tuesday" not in text


def test_each_correction_leaves_its_memory_as_easy_to_find(desk: Desk) -> None:
    write_memory(desk, "Likes tea.", "The kickoff is on Monday.", "Rent is 800 euros.")
    for old, new in (("Monday", "Wednesday"), ("Wednesday", "Friday")):
        desk.run("correct", f"the kickoff is on {new}, not {old}")
        assert new in desk.run("search", "kickoff meeting")["results"][0]["snippet"]
    assert "Entry was" not in str(desk.run("search", "kickoff", "--as-of", "HEAD")["results"])


def test_what_an_undone_correction_asked_waits_no_longer(desk: Desk) -> None:
    write_memory(desk, "Anna lives in Lyon.", "Bernd lives in Lyon.")
    change = desk.run("correct", "Anna lives in Lille, not Lyon")["change"]
    assert desk.run("inbox")
    desk.run("undo", change)
    assert desk.run("inbox") == []


def test_a_wrapped_memory_is_corrected_with_its_whole_truth(desk: Desk) -> None:
    desk.write("MEMORY.md", "# Notes\n\n- Deploy on Friday at 17:00, then tell Ana\n  and Bob by mail on Friday.\n")
    desk.run("capture")
    desk.call("correct", "Deploy on Thursday, not Friday")
    (item,) = desk.run("inbox")
    whole = "Deploy on Thursday at 17:00, then tell Ana and Bob by mail on Friday."
    desk.run("accept", item["id"], "--only", "1", "--text", whole)
    assert desk.read("MEMORY.md") == f"# Notes\n\n- {whole} #correction\n"


def test_the_date_behind_a_weekday_moves_with_the_operators_consent_alone(desk: Desk) -> None:
    text = desk.read("MEMORY.md") + "- The kickoff is on Monday (2026-12-14).\n"
    desk.write("MEMORY.md", text)
    desk.run("capture")
    answer = desk.call("correct", "the kickoff is on Tuesday, not Monday")
    assert (answer.code, desk.read("MEMORY.md")) == (1, text)
    (item,) = desk.run("inbox", "--kind", "correction")
    desk.run("accept", item["id"], "--only", "1")
    assert "- The kickoff is on Tuesday (2026-12-15)." in desk.read("MEMORY.md")


@pytest.mark.parametrize(
    ("old", "correction", "new"),
    [
        ("The deadline is 14 March.", "the deadline is the 28th, not the 14th", "The deadline is 28 March."),
        ("Mirek runs the mill; ask Mirek.", "Marek runs the mill, not Mirek", "Marek runs the mill; ask Marek."),
    ],
)
def test_a_short_date_and_a_name_said_twice_land_whole(desk: Desk, old: str, correction: str, new: str) -> None:
    desk.write("MEMORY.md", f"{desk.read('MEMORY.md')}- {old}\n")
    desk.run("capture")
    desk.call("correct", correction)
    for item in desk.run("inbox", "--kind", "correction"):
        desk.run("accept", item["id"], "--only", "1")
    assert f"- {new}" in desk.read("MEMORY.md")


TWO = "The rent is 900, not 840. The dentist is on Tuesday, not Monday."


@pytest.mark.parametrize(
    "message",
    [
        f'No, wrong. He wrote: "{TWO}"',
        f"No. Ana said: “{TWO}”",
        f"No!\n```\n{TWO}\n```",
        f"> {TWO}\n> {TWO}\n\nno, wrong",
    ],
)
def test_a_quotation_of_several_sentences_corrects_nothing(desk: Desk, message: str) -> None:
    desk.write("memory/home.md", "# Home\n\n- The rent is 840.\n- The dentist is on Monday.\n")
    desk.run("capture")
    before = desk.files()
    desk.run("triage", message, "--act")
    assert desk.files() == before


@pytest.mark.parametrize(
    ("correction", "old", "other"),
    [
        ("The kickoff is on Tuesday, not Monday.", "The kickoff is on Monday.", "The kickoff dinner is on Monday."),
        ("Not Monday, Tuesday!", "", "The kickoff dinner is on Monday.\n- The kickoff is on Monday."),
        ("The flight is at 9:40, not 8:40.", "The flight is at 8:40.", "The flight to Porto is at 8:40."),
        ("The rent is 900, not 840.", "Rent 840", "Rent garage 840"),
        ("Die Miete ist 900 Euro, nicht 840 Euro.", "Die Miete ist 840 Euro.", "Die Miete der Garage ist 840 Euro."),
        ("De huur is 900 euro, niet 840 euro.", "De huur is 840 euro.", "De huur van de garage is 840 euro."),
        ("O aluguel é 900 euros, não 840 euros.", "O aluguel é 840 euros.", "O aluguel da garagem é 840 euros."),
        ("房租是900元,不是840元。", "房租是840元。", "车库房租是840元。"),
    ],
)
def test_a_line_about_something_narrower_stays_and_is_asked_about(
    desk: Desk, correction: str, old: str, other: str
) -> None:
    desk.write("memory/notes.md", f"# Notes\n\n- {other}\n" + f"- {old}\n" * bool(old))
    desk.run("capture")
    desk.call("correct", correction)
    text = desk.read("memory/notes.md")
    assert f"- {other}\n" in text
    assert not old or f"- {old}\n" not in text
    (item,) = desk.run("inbox", "--kind", "correction")
    choices = {choice["text"] for choice in desk.run("show", item["id"])["choices"]}
    assert choices >= {*other.split("\n- ")}


def test_a_journal_with_the_same_digits_as_an_hour_or_a_date_keeps_its_value(desk: Desk) -> None:
    journal = "# 2026-01-19\n\n- The kickoff room was booked at 8:00.\n- Kickoff room on 8 March.\n"
    desk.write("memory/2026-01-19.md", journal)
    desk.write("memory/rooms.md", "# Rooms\n\n- The kickoff room is 8.\n")
    desk.run("capture")
    desk.run("correct", "The kickoff room is 9, not 8.")
    assert desk.read("memory/2026-01-19.md") == journal


def test_one_statement_in_two_journals_is_corrected_in_both(desk: Desk) -> None:
    days = ("memory/2026-01-18.md", "memory/2026-01-19.md")
    for number, path in enumerate(days):
        desk.write(path, f"# {path[7:-3]}\n\n## 0{number}:10 - calls\n\n- The dentist is on Monday.\n")
    desk.run("capture")
    desk.run("correct", "The dentist is on Tuesday, not Monday.")
    assert all("The dentist is on Tuesday. (CORRECTIONS.md#" in desk.read(path) for path in days)


def test_of_two_texts_another_line_with_the_wrong_value_is_asked_about(desk: Desk) -> None:
    desk.write("memory/house.md", "# House\n\n- Day: 20 °C, night: 16 °C\n- The heating is at 20 °C by day.\n")
    desk.run("capture")
    desk.run("correct", "Day: 20 °C", "Day: 21 °C")
    (item,) = desk.run("inbox", "--kind", "correction")
    desk.run("accept", item["id"], "--only", "1")
    text = "# House\n\n- Day: 21 °C, night: 16 °C #correction\n- The heating is at 21 °C by day. #correction\n"
    assert desk.read("memory/house.md") == text


def test_a_correction_said_again_asks_nothing(desk: Desk) -> None:
    desk.write("memory/home.md", "# Home\n\n- The rent is 840.\n")
    desk.run("capture")
    desk.run("correct", "The rent is 900, not 840.")
    desk.refuse("correct", "The rent is 900, not 840.", key="already-set")
    assert desk.run("inbox", "--kind", "correction") == []


def test_what_an_overruled_correction_says_is_refuted_too(desk: Desk) -> None:
    for hour in ("eight", "nine"):
        desk.run("remember", "The depot opens at seven.")
        desk.run("correct", f"The depot opens at {hour}, not seven.")
    desk.write("memory/depot.md", "# Depot\n\n- The depot opens at eight.\n")
    desk.run("capture")
    assert "memory/depot.md" not in [hit["path"] for hit in desk.run("search", "When does the depot open?")["results"]]
