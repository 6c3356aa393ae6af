"""A correction reaches every copy of the old value; look-alikes stay, and no mixture lands."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from tests.promises.desk import Desk


@dataclass(frozen=True)
class World:
    """One fact in several files: the correction, the new lines, and the look-alikes."""

    name: str
    lines: dict[str, list[str]]
    said: str
    changed: dict[str, str]
    refuted: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    question: str = ""
    gone: str = ""
    more: dict[str, str] = field(default_factory=dict)


WORLDS = [
    World(
        "a port in three files",
        {
            "memory/ops.md": ["The relay listens on port 8080.", "The backup relay listens on port 8080."],
            "memory/network.md": ["Relay port: 8080", "The printer listens on port 8080."],
            "memory/2026-01-19.md": ["Told Ben that the relay listens on port 8080.", "Port 8080 is free on bastion."],
        },
        "The relay listens on port 9090, not 8080.",
        {
            "The relay listens on port 8080.": "The relay listens on port 9090.",
            "Relay port: 8080": "Relay port: 9090",
        },
        ("Told Ben that the relay listens on port 8080.",),
        (
            "The backup relay listens on port 8080.",
            "The printer listens on port 8080.",
            "Port 8080 is free on bastion.",
        ),
        question="Which port does the relay listen on?",
        gone="The relay listens on port 8080",
    ),
    World(
        "two values at once",
        {
            "memory/courses.md": ["The CPD webinar is on Tuesday the 10th.", "The tax webinar is on Tuesday the 10th."],
            "memory/2026-01-19.md": ["09:31 The CPD webinar is on Tuesday the 10th.", "Tuesday the 10th is a holiday."],
        },
        "The CPD webinar is on Wednesday the 11th.",
        {"The CPD webinar is on Tuesday the 10th.": "The CPD webinar is on Wednesday the 11th."},
        ("09:31 The CPD webinar is on Tuesday the 10th.",),
        ("The tax webinar is on Tuesday the 10th.", "Tuesday the 10th is a holiday."),
        question="When is the CPD webinar?",
        gone="CPD webinar is on Tuesday",
    ),
    World(
        "a weekday, and somebody else's",
        {
            "memory/health.md": ["The dentist is on Monday.", "Ben's dentist is on Monday."],
            "memory/family.md": ["The dentist of my brother is on Monday.", "Swimming is on Monday."],
            "memory/2026-01-19.md": ["Moved the dentist: it is on Monday."],
        },
        "The dentist is on Tuesday, not Monday.",
        {"The dentist is on Monday.": "The dentist is on Tuesday."},
        ("Moved the dentist: it is on Monday.",),
        ("Ben's dentist is on Monday.", "The dentist of my brother is on Monday.", "Swimming is on Monday."),
    ),
    World(
        "history stays",
        {
            "memory/home.md": [
                "The rent is 900 euros.",
                "Last year the rent was 900 euros.",
                "The rent is not 900 francs.",
            ],
            "memory/2026-01-18.md": ["The deposit is 900 euros."],
        },
        "The rent is 950 euros, not 900 euros.",
        {"The rent is 900 euros.": "The rent is 950 euros."},
        (),
        ("Last year the rent was 900 euros.", "The rent is not 900 francs.", "The deposit is 900 euros."),
    ),
    World(
        "Deutsch",
        {
            "memory/verein.md": ["Die Sitzung des Vereins ist in Raum 214.", "Der Drucker steht in Raum 214."],
            "memory/termine.md": ["Vereinssitzung: Raum 214", "Sitzung des Vereins: Raum 214"],
            "memory/2026-01-19.md": ["Heute mit Jana: die Sitzung des Vereins ist in Raum 214."],
        },
        "Die Sitzung des Vereins ist in Raum 241, nicht in Raum 214.",
        {
            "Die Sitzung des Vereins ist in Raum 214.": "Die Sitzung des Vereins ist in Raum 241.",
            "Sitzung des Vereins: Raum 214": "Sitzung des Vereins: Raum 241",
        },
        ("Heute mit Jana: die Sitzung des Vereins ist in Raum 214.",),
        ("Der Drucker steht in Raum 214.",),
    ),
    World(
        "español",
        {
            "memory/familia.md": ["La reunión con Lucía es el jueves.", "La reunión con Marta es el jueves."],
            "memory/2026-01-19.md": ["Lucía confirma: la reunión con Lucía es el jueves."],
        },
        "No, la reunión con Lucía es el viernes, no el jueves.",
        {"La reunión con Lucía es el jueves.": "La reunión con Lucía es el viernes."},
        ("Lucía confirma: la reunión con Lucía es el jueves.",),
        ("La reunión con Marta es el jueves.",),
    ),
    World(
        "français",
        {
            "memory/cours.md": ["Le cours de yoga est à 18h.", "Le cours de piano est à 18h."],
            "memory/agenda.md": ["Cours de yoga : 18h"],
        },
        "Non, le cours de yoga est à 19h, pas à 18h.",
        {"Le cours de yoga est à 18h.": "Le cours de yoga est à 19h.", "Cours de yoga : 18h": "Cours de yoga : 19h"},
        (),
        ("Le cours de piano est à 18h.",),
    ),
    World(
        "日本語",
        {"memory/kaigi.md": ["定例会議は月曜日。", "歓迎会は月曜日。"]},
        "定例会議は月曜日じゃなくて火曜日です。",
        {"定例会議は月曜日。": "定例会議は火曜日。"},
        (),
        ("歓迎会は月曜日。",),
    ),
    World(
        "a table, a quotation, a code block and a heading",
        {"memory/codes.md": ["The shed has the code 4711."]},
        "The shed has the code 4712, not 4711.",
        {"The shed has the code 4711.": "The shed has the code 4712."},
        (),
        ("> The shed has the code 4711, said Tomas.", "shed = 4711", "## The shed, 4711"),
        more={
            "memory/more.md": "# More\n\n> The shed has the code 4711, said Tomas.\n\n```\nshed = 4711\n```\n\n"
            "## The shed, 4711\n\n| what | code |\n|---|---|\n| shed | 4711 |\n| gate | 4711 |\n"
        },
        asked=("| shed | 4711 |",),
    ),
    World(
        "a name with the same first name",
        {"memory/people.md": ["Our landlord is Pavel Novak.", "Pavel Dvorak repairs the roof."]},
        "Our landlord is Paul Novak, not Pavel Novak.",
        {"Our landlord is Pavel Novak.": "Our landlord is Paul Novak."},
        (),
        ("Pavel Dvorak repairs the roof.",),
    ),
    World(
        "forty copies",
        {f"memory/copy{number}.md": ["The gate code of the depot is 4471."] for number in range(40)},
        "The gate code of the depot is 4417, not 4471.",
        {"The gate code of the depot is 4471.": "The gate code of the depot is 4417."},
    ),
]


def lay_out(desk: Desk, world: World) -> None:
    for path, lines in world.lines.items():
        desk.write(path, f"# {path}\n\n" + "".join(f"- {line}\n" for line in lines))
    for path, text in world.more.items():
        desk.write(path, text)
    desk.run("capture")


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_every_copy_is_corrected_and_no_look_alike(desk: Desk, world: World) -> None:
    lay_out(desk, world)
    before, head = desk.files(), desk.head()
    desk.run("correct", world.said)
    assert len(desk.commits(head)) == 1
    text = "\n".join(content.decode() for path, content in desk.files().items() if path != "CORRECTIONS.md")
    lines = text.split("\n")
    for old, new in world.changed.items():
        assert f"- {old}" not in lines
        assert any(line.startswith(f"- {new}") for line in lines)
    for line in world.refuted:
        assert NOTE.match(lines[lines.index(f"- {line}") + 1])
    for line in world.alike:
        index = next(number for number, row in enumerate(lines) if row.removeprefix("- ") == line)
        assert not NOTE.match(lines[index + 1])
    assert sum(bool(NOTE.match(line)) for line in lines) == len(world.refuted)
    record = desk.read("CORRECTIONS.md")
    assert world.said in record
    if world.question:
        assert world.gone not in serve(desk, world.question)
    desk.run("undo", desk.git("log", "-1", "--format=%H", head + "..").strip())
    assert {path: text for path, text in desk.files().items() if path in before} == before


NOTE = re.compile(r"  - Corrected \d{4}-\d\d-\d\d: .+ \(CORRECTIONS\.md#[k-z]{10}\)$")


def serve(desk: Desk, question: str) -> str:
    hits = [hit["snippet"] for hit in desk.run("search", question)["results"]]
    text = "\n".join((*hits, desk.run("context", question)["text"]))
    return re.sub(r"\(not: [^)]*\)", "", text)


@pytest.mark.parametrize(
    ("line", "correction"),
    [
        ("Irina lives in Berlin with Karl.", "Irina is in Bonn these days and Paul came along, not Berlin with Karl."),
        ("The trip costs 200 euros for 2 people.", "It is 250 euros for 3 people, not 200 euros."),
        ("Call Ana or Ben about the boiler.", "Maybe call Cem about the boiler, not Ben?"),
        ("The kickoff is on Monday, unless Monday is a holiday.", "The kickoff is on Tuesday, not Monday."),
    ],
)
def test_no_mixture_lands(desk: Desk, line: str, correction: str) -> None:
    desk.write("memory/mixed.md", f"# Mixed\n\n- {line}\n")
    desk.run("capture")
    before = desk.files()
    desk.call("correct", correction)
    assert desk.files() == before


def test_what_clawgit_leaves_as_it_is_is_named(desk: Desk) -> None:
    old = "Rua do Ouro 5"
    desk.write(
        "memory/office.md",
        f"# Office\n\n## The office at {old}\n\n- The office is at {old}\n\n> The office is at {old}.\n\n"
        f"| what | where |\n|---|---|\n| office | {old} |\n\n```\noffice = {old}\n```\n",
    )
    desk.run("capture")
    answer = desk.call("correct", "The office is at Rua da Prata 9, not Rua do Ouro 5")
    text = desk.read("memory/office.md")
    assert "- The office is at Rua da Prata 9 #correction\n" in text
    assert "| office | Rua da Prata 9 |" in text
    places = ", ".join(f"memory/office.md:{line}" for line in (3, 7, 14))
    assert f"headings, quotations and code stay as they are: {places}" in answer.err


def test_two_lines_that_are_no_copies_are_one_item_with_a_box_each(desk: Desk) -> None:
    desk.write("memory/calls.md", "# Calls\n\n- The board call is on Monday.\n- The press call is on Monday.\n")
    desk.write("memory/sales.md", "# Sales\n\n- The sales call is on Monday.\n")
    desk.run("capture")
    before = desk.files()
    answer = desk.call("correct", "The call is on Tuesday, not Monday.")
    assert (answer.code, desk.files()) == (1, before)
    (item,) = desk.run("inbox", "--kind", "correction")
    choices = desk.run("show", item["id"])["choices"]
    numbers = [choice["number"] for choice in choices if "press" not in choice["text"]]
    desk.run("accept", item["id"], "--only", ",".join(map(str, numbers)))
    assert "The board call is on Tuesday." in desk.read("memory/calls.md")
    assert "The press call is on Monday." in desk.read("memory/calls.md")
    assert "The sales call is on Tuesday." in desk.read("memory/sales.md")


def test_identity_lines_and_doubtful_ones_are_one_item(desk: Desk) -> None:
    desk.write("USER.md", "# USER.md\n\n- Name: Ines\n- The office of Ines is in Porto.\n")
    desk.write(
        "memory/work.md",
        "# Work\n\n- The office of Ines is in Porto.\n- Parking at the office of Ines in Porto is free.\n",
    )
    desk.run("capture")
    desk.run("correct", "The office of Ines is in Braga, not in Porto.")
    assert "The office of Ines is in Braga." in desk.read("memory/work.md")
    assert "in Porto" in desk.read("USER.md")
    (item,) = desk.run("inbox", "--kind", "correction")
    assert {choice["text"] for choice in desk.run("show", item["id"])["choices"]} >= {"The office of Ines is in Porto."}


def test_a_correction_of_a_correction_holds_and_the_note_says_the_last_value(desk: Desk) -> None:
    desk.write("memory/2026-01-19.md", "# 2026-01-19\n\n- The gate code of the depot is 1111.\n")
    desk.write("memory/gate.md", "# Gate\n\n- The gate code of the depot is 1111.\n")
    desk.run("capture")
    desk.run("correct", "The gate code of the depot is 2222, not 1111.")
    desk.run("correct", "The gate code of the depot is 3333, not 2222.")
    text = serve(desk, "What is the gate code of the depot?")
    assert "3333" in text
    assert "depot is 1111" not in text
    assert "depot is 2222" not in text


def correct_all(desk: Desk, words: str) -> None:
    """Correct every line that may say the old value, the doubtful ones too."""
    desk.call("correct", words)
    for item in desk.run("inbox", "--kind", "correction"):
        choices = desk.run("show", item["id"])["choices"]
        if choices:
            desk.run("accept", item["id"], "--only", ",".join(str(choice["number"]) for choice in choices))


REST = "Dana brought the lemon cake, and the ferry has a new timetable"
MIXED = {
    "behind": f"- Ann moved to Malta. {REST}.",
    "before": f"- {REST}. Ann moved to Malta.",
    "a paragraph": f"{REST}. Ann moved to Malta.",
    "wrapped": f"- Ann moved to\n  Malta. {REST}.",
    "a long line": f"- {'We packed the tent and the stove for the walk. ' * 12}Ann moved to Malta. {REST}.",
    "nested": f"- Travel\n  - Ann moved to Malta.\n  - {REST}.",
    "above a nested one": f"- Ann moved to Malta.\n  - {REST}.",
}


@pytest.mark.parametrize("text", MIXED.values(), ids=MIXED)
def test_of_a_line_of_a_journal_the_wrong_sentence_alone_is_not_served(desk: Desk, text: str) -> None:
    desk.write("memory/2026-01-19.md", f"# 2026-01-19\n\n- The dentist said to floss.\n{text}\n- Bread is out.\n")
    desk.run("capture")
    correct_all(desk, "Ann moved to Gozo, not Malta.")
    assert "Corrected" in desk.read("memory/2026-01-19.md")
    for question in ("Where did Ann move?", "Malta", "lemon cake", "new timetable of the ferry", "tent and stove"):
        assert "Malta" not in serve(desk, question)
        assert not any("Malta" in hit["snippet"] for hit in desk.run("search", question)["results"])
    assert "lemon cake" in serve(desk, "Who brought the lemon cake?")
    hits = desk.run("search", "Where did Ann move?")["results"]
    assert "moved to Gozo" in " ".join(" ".join(hit["snippet"] for hit in hits).split())


def test_of_a_line_no_sentence_with_a_wrong_value_over_two_rows_is_served(desk: Desk) -> None:
    text = "# 2026-01-19\n\n- Ask for Rosa\n  Meier at the desk. The dentist is Rosa Meier. The ferry was late.\n"
    desk.write("memory/2026-01-19.md", text)
    desk.run("capture")
    correct_all(desk, "The dentist is Ann Kuhner, not Rosa Meier.")
    (hit,) = desk.run("search", "ferry")["results"]
    assert "Ask for Rosa" not in hit["snippet"]
    assert "ferry was late" in hit["snippet"]


def test_two_corrections_of_two_sentences_of_one_line_hold(desk: Desk) -> None:
    desk.write("memory/2026-01-19.md", "# 2026-01-19\n\n- The rent is 1200. Bob is an engineer. Lunch was soup.\n")
    desk.run("capture")
    correct_all(desk, "The rent is 1350, not 1200.")
    correct_all(desk, "Bob is a teacher, not an engineer.")
    for question in ("What is the rent?", "What is Bob?", "What was for lunch?"):
        text = serve(desk, question)
        assert "1200" not in text
        assert "engineer" not in text
    assert "soup" in serve(desk, "What was for lunch?")


@pytest.mark.parametrize("memory", ["# Home\n\n- The rent is 1200.\n- Bob is an engineer.\n", "# Home\n"])
def test_a_note_of_two_corrections_says_the_last_value_of_each(desk: Desk, memory: str) -> None:
    desk.write("memory/home.md", memory)
    desk.write("memory/2026-01-19.md", "# 2026-01-19\n\n- The rent is 1200. Bob is an engineer. Lunch was soup.\n")
    desk.run("capture")
    correct_all(desk, "The rent is 1350, not 1200.")
    correct_all(desk, "Bob is a teacher, not an engineer.")
    correct_all(desk, "The rent is 1400, not 1350.")
    assert "The rent is 1400. Bob is a teacher." in desk.read("memory/2026-01-19.md")
    correct_all(desk, "Bob is a farmer, not a teacher.")
    assert "The rent is 1400. Bob is a farmer." in desk.read("memory/2026-01-19.md")


def test_a_journal_is_in_force_again_when_a_value_is_corrected_back(desk: Desk) -> None:
    desk.write("memory/home.md", "# Home\n\n- The rent is 840.\n")
    journal = "# 2026-01-19\n\n- Paid the rent of 840.\n"
    desk.write("memory/2026-01-19.md", journal)
    desk.run("capture")
    desk.run("correct", "The rent is 900, not 840.")
    desk.run("correct", "The rent is 840, not 900.")
    assert desk.read("memory/2026-01-19.md") == journal
    assert "Paid the rent of 840" in serve(desk, "What rent was paid?")


def test_a_journal_stays_out_of_force_if_another_sentence_has_the_new_value(desk: Desk) -> None:
    desk.write("memory/home.md", "# Home\n\n- The rent is 840.\n")
    desk.write("memory/2026-01-19.md", "# 2026-01-19\n\n- The rent is 840. The deposit is 950.\n")
    desk.run("capture")
    desk.run("correct", "The rent is 900, not 840.")
    desk.run("correct", "The rent is 950, not 900.")
    text = serve(desk, "What are rent and deposit?")
    assert "The rent is 840" not in text
    assert "The deposit is 950" in text
    assert re.search(r"Corrected \S+: The rent is 950\.", text)


def test_a_second_correction_reaches_the_note_of_the_first(desk: Desk) -> None:
    line = "Herr Kern comes on 5 March for the boiler service, costs 180 euros."
    desk.write("memory/2026-01-19.md", f"# 2026-01-19\n\n- {line}\n")
    desk.run("capture")
    desk.run("correct", "Herr Kern comes on 6 March, not 5 March.")
    desk.run("correct", "The boiler service costs 190 euros, not 180 euros.")
    text = serve(desk, "When does Herr Kern come for the boiler?")
    assert "comes on 6 March for the boiler service, costs 190 euros" in text
    assert "5 March" not in text
    assert "180" not in text


def test_a_correction_in_the_context_has_the_values_of_later_ones(desk: Desk) -> None:
    line = "The second shop opens on 1 March, and the oven costs 31400 euros."
    desk.write("memory/shop.md", f"# Shop\n\n- {line}\n")
    desk.run("capture")
    correct_all(desk, "The oven costs 33100 euros, not 31400 euros.")
    correct_all(desk, "The second shop opens on 15 March, not 1 March.")
    text = serve(desk, "When does the second shop open, and what does the oven cost?")
    assert "opens on 15 March, and the oven costs 33100 euros" in text
    assert "opens on 1 March" not in text


def test_a_label_in_front_of_a_sentence_narrows_nothing_and_two_values_may_be_written_apart(desk: Desk) -> None:
    desk.write("memory/lea.md", "# Lea\n\n- Lea's swimming lesson is on Wednesday at 16:30 in the old bath.\n")
    desk.write("memory/2026-01-19.md", "# 2026-01-19\n\n- Reminder: Lea's swimming lesson is on Wednesday at 16:30.\n")
    desk.write("memory/2026-01-20.md", "# 2026-01-20\n\nLea's swimming moved to Wednesday 16:30.\n")
    desk.run("capture")
    desk.run("correct", "Lea's swimming lesson is on Thursday at 17:00, not Wednesday at 16:30.")
    assert "Reminder: Lea's swimming lesson is on Thursday at 17:00." in desk.read("memory/2026-01-19.md")
    (item,) = desk.run("inbox", "--kind", "correction")
    assert "moved to Wednesday 16:30" in desk.run("show", item["id"])["choices"][0]["text"]


def test_the_choices_of_a_correction_show_old_and_new_with_an_arrow_between(desk: Desk) -> None:
    for place in ("mill", "harbour"):
        desk.run("remember", f"The launch at the {place} is on Monday.")
    desk.refuse("correct", "the launch is not on Monday, it is on Tuesday", key="correction-ambiguous")
    (item,) = desk.run("inbox", "--kind", "correction")
    output = " ".join(desk.shell(f"clawgit show {item['id']}").split())
    assert "is on Monday. → The launch at the mill is on Tuesday." in output


def test_a_note_below_a_line_of_others_has_all_that_the_line_says(desk: Desk) -> None:
    desk.write("memory/team.md", "# Team\n\n- The team meeting is on Monday.\n")
    desk.run("capture")
    desk.run("correct", "The team meeting is on Tuesday, not Monday.")
    line = "10:00 Told Bob: the team meeting is on Monday, he brings cake."
    journal = f"memory/{datetime.now(UTC):%Y-%m-%d}.md"
    desk.write(journal, f"# Today\n\n- {line}\n")
    desk.run("capture")
    assert line.replace("Monday", "Tuesday") in desk.read(journal)
    assert "cake" in serve(desk, "Who brings cake?")


def test_a_time_inside_a_sentence_stays_and_one_in_front_is_in_the_note(desk: Desk) -> None:
    line = "- 09:30 Signing with Michael is at 11:00 for 60000 euros.\n"
    desk.write("memory/2026-01-19.md", f"# 2026-01-19\n\n{line}")
    desk.run("capture")
    correct_all(desk, "The signing with Michael is for 65000 euros, not 60000 euros.")
    assert "09:30 Signing with Michael is at 11:00 for 65000 euros." in desk.read("memory/2026-01-19.md")


def test_of_a_line_of_a_journal_the_operators_sentence_becomes_a_memory(desk: Desk) -> None:
    desk.write("memory/2026-01-19.md", "# 2026-01-19\n\nRan with Anja, 10 km. She is moving to Linz in February.\n")
    desk.run("capture")
    correct_all(desk, "Anja is moving to Salzburg, not Linz.")
    assert "- Anja is moving to Salzburg. #" in desk.read("MEMORY.md")
    assert "She is moving" not in desk.read("MEMORY.md")


def test_a_line_of_the_identity_alone_is_an_item(desk: Desk) -> None:
    before = desk.read("USER.md")
    assert desk.call("correct", "My timezone is Europe/Madrid, not Europe/Lisbon.").code == 1
    assert desk.read("USER.md") == before
    (item,) = desk.run("inbox", "--kind", "correction")
    assert [choice["text"] for choice in desk.run("show", item["id"])["choices"]] == ["Timezone: Europe/Lisbon"]
    desk.refuse("accept", item["id"], key="terminal-needed")
    desk.run("accept", item["id"], terminal="y\n")
    assert "- Timezone: Europe/Madrid" in desk.read("USER.md")


@pytest.mark.parametrize("line", ["The backup relay listens on port 8080.", "The old relay listens on port 8080."])
@pytest.mark.parametrize("path", ["memory/ops.md", "memory/2026-01-19.md"])
def test_a_line_with_a_narrowing_word_is_no_copy(desk: Desk, path: str, line: str) -> None:
    desk.write("memory/network.md", "# Network\n\n- The relay listens on port 8080.\n")
    desk.write(path, f"# Notes\n\n- {line}\n")
    desk.run("capture")
    desk.call("correct", "The relay listens on port 9090, not 8080.")
    assert desk.read(path) == f"# Notes\n\n- {line}\n"


def test_two_equal_labels_below_two_names_are_no_copies(desk: Desk) -> None:
    for name in ("Ben", "Mia"):
        desk.write(f"memory/{name.lower()}.md", f"# {name}\n\n- Bed at 20:00\n")
    desk.run("capture")
    desk.call("correct", "Ben goes to bed at 20:30, not 20:00.")
    assert desk.read("memory/mia.md") == "# Mia\n\n- Bed at 20:00\n"


def test_of_two_whole_texts_no_line_with_the_wrong_one_is_passed_over(desk: Desk) -> None:
    for name in ("cellar", "hall"):
        desk.write(f"memory/{name}.md", f"# {name}\n\n- Day: 20 °C\n")
    desk.run("capture")
    desk.call("correct", "Day: 20 °C", "Day: 21 °C")
    (item,) = desk.run("inbox", "--kind", "correction")
    desk.run("accept", item["id"], "--only", "1")
    assert [desk.read(f"memory/{name}.md").count("21 °C") for name in ("cellar", "hall")] == [1, 0]


def test_a_copy_with_one_word_more_changes_with_it_and_no_payment_of_the_past(desk: Desk) -> None:
    desk.write("memory/gate.md", "# Gate\n\n- The gate code is 4471.\n- The gate code remains 4471.\n")
    desk.write("memory/shed.md", "# Shed\n\n- The gate code of the shed is 4471.\n- The rent is 900 euros.\n")
    journal = "# 2026-01-19\n\n- Paid the rent, 900 euros.\n"
    desk.write("memory/2026-01-19.md", journal)
    desk.run("capture")
    desk.run("correct", "The gate code is 4417, not 4471.")
    desk.run("correct", "The rent is 950 euros, not 900 euros.")
    assert desk.read("memory/gate.md").count("4417") == len(("copy", "copy"))
    assert desk.read("memory/shed.md").count("4471") == 1
    assert desk.read("memory/2026-01-19.md") == journal
    assert len(desk.run("inbox", "--kind", "correction")) > 1


def test_an_item_shows_each_line_that_an_acceptance_changes(desk: Desk) -> None:
    for path in ("memory/plan.md", "memory/mill.md"):
        desk.write(path, "# Plan\n\n- The review with Ana is on Monday.\n- The kickoff with Bo is on Monday.\n")
    desk.run("capture")
    desk.call("correct", "not on Monday, on Friday")
    (item,) = desk.run("inbox", "--kind", "correction")
    choice = desk.run("show", item["id"])["choices"][0]
    before = desk.files()
    desk.run("accept", item["id"], "--only", "1")
    changed = {path for path, text in desk.files().items() if text != before.get(path) and path.startswith("memory/")}
    assert changed == {place.partition(":")[0] for place in (choice["at"], *choice["copies"])}
    assert [desk.read(path).count("Friday") for path in changed] == [1, 1]
