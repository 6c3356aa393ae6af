"""A context holds what matters, whole, once, and never more than its budget."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.context.assemble import assemble
from clawgit.context.pack import Pack, rendered
from clawgit.context.prompt_pieces import Known, Piece
from clawgit.context.receipt import Asked
from clawgit.context.token_budget import NAMES
from clawgit.text.entry import digest
from clawgit.text.tokens import count_at_most
from clawgit.workspace import entries
from clawgit.workspace.entries import Row
from tests.amounts import amount

from .conftest import slot
from .test_ugly import record

SOUL = "# Soul\n\n- Have a view.\n- Look before asking.\n"
LIVED = {
    "SOUL.md": SOUL,
    "USER.md": "# User\n\n- Name: Mira\n- Lives in Lisbon\n",
    "MEMORY.md": "# Memory\n\n## Decisions\n\n- Chose REST over GraphQL for the API. #decision\n",
    "CORRECTIONS.md": "# Corrections\n\n## kxqmwrtzvn 2026-11-18 09:00\n\n- Said: Tuesday\n- True: Wednesday\n",
    "memory/2026-11-20.md": "# 2026-11-20\n\n## 09:10 - bakery\n\n- The bakery moved to Alfama.\n",
    "memory/2026-03-01.md": "# 2026-03-01\n\n- Booked the ferry to Cacilhas for Ana.\n",
}


def lived(ground):
    for path, text in LIVED.items():
        ground.write(path, text)
    return ground


def lines_of(text):
    """What is said, without titles, citations and headings."""
    return [row for row in text.split("\n") if row.strip() and not re.match(r"#|\[[^]]*\]$", row)]


def test_every_slot_holds_its_source_and_cites_it(ground) -> None:
    found = assemble(lived(ground).ws, Asked("when does the ferry go?"))
    assert [one.name for one in found.slots] == list(NAMES)
    assert slot(found, "identity").sources == ("SOUL.md#L1-L4",)
    assert slot(found, "recent").sources == ("memory/2026-11-20.md#L5",)
    assert slot(found, "recall").sources == ("memory/2026-03-01.md#L3",)
    for words in ("Have a view", "Lisbon", "Chose REST", "Wednesday (not: Tuesday)", "Alfama", "ferry to Cacilhas"):
        assert found.text.count(words) == 1
    assert "[memory/2026-03-01.md#L3]\n- Booked the ferry" in found.text


def test_nothing_is_said_twice(ground) -> None:
    lived(ground)
    ground.write(
        "memory/2026-11-19.md", "# 2026-11-19\n\n- chose REST over GraphQL for the API.\n- Lives in **Lisbon**\n"
    )
    found = assemble(ground.ws, Asked("REST or GraphQL, and who lives in Lisbon?"))
    assert found.text.casefold().count("chose rest over") == 1
    assert "said already" in {cut.why for one in found.slots for cut in one.cut}


def test_a_soul_larger_than_its_slot_takes_from_the_lowest_slots(ground) -> None:
    lived(ground)
    ground.write("SOUL.md", "# Soul\n\n" + "- Say what you know, and how you know it, each time anew.\n" * 240)
    ground.write(
        "MEMORY.md", "# Memory\n\n" + "".join(f"- Memory number {n} of the house by the sea.\n" for n in range(90))
    )
    ground.write("memory/2026-11-20.md", "# 2026-11-20\n\n" + "".join(f"- Note {n} of the day.\n" for n in range(300)))
    found = assemble(ground.ws, Asked("what do you know of the sea?"))
    identity = slot(found, "identity")
    assert not found.cut_identity
    assert found.text.count("Say what you know") == 240
    assert identity.stolen > 2000
    assert slot(found, "longterm").given < 500
    assert found.tokens <= found.budget


def test_a_large_soul_leaves_recall_its_floor_and_the_corrections_their_slot(ground) -> None:
    ground.write("SOUL.md", "# Soul\n\n" + "- Say what you know, and how you know it, each time anew.\n" * 270)
    ground.write("USER.md", "# User\n\n" + "".join(f"- Likes tea number {n} best.\n" for n in range(300)))
    ground.write("CORRECTIONS.md", "# Corrections\n\n" + "\n".join(record(n, embedded=True) for n in range(90)))
    for path in ("memory/sea.md", "memory/2026-11-20.md"):
        ground.write(path, "# Notes\n\n" + "".join(f"- House {path} {n} is by the sea.\n" for n in range(900)))
    found = assemble(ground.ws, Asked("a house by the sea"))
    left = 6000 - slot(found, "identity").given
    assert not found.cut_identity
    assert left < 2000
    assert slot(found, "recall").given >= left // 4
    assert slot(found, "corrections").kept >= 350
    assert found.tokens <= found.budget


def test_relevant_corrections_are_those_that_the_question_is_about(ground) -> None:
    heads = ("kxqmwrtzvn 2026-11-01", "kxqmwrtzvo 2026-11-18")
    fields = ("The kettle is green", "The lamp is blue")
    rows = (f"## {head} 09:00\n\n- Said: red\n- True: {said}\n" for head, said in zip(heads, fields, strict=True))
    ground.write("CORRECTIONS.md", "# Corrections\n\n" + "\n".join(rows))
    for strategy, first in (("newest", "lamp"), ("relevant", "kettle")):
        ground.config(f"correction_overflow_strategy: {strategy}")
        text = assemble(ground.ws, Asked("which colour has the kettle?")).text
        assert min(("kettle is", "lamp is"), key=text.index).startswith(first)


@pytest.mark.parametrize("room", [60, 137, 400])
def test_a_slot_keeps_its_room_whatever_stands_above_its_lines(room: int) -> None:
    """Headings that take turns stand above each line anew."""
    lines = [Piece("memory/a.md", 1 + 37 * n, 1 + 37 * n, f"- Note {n} of it.", f"Shelf {n % 3}") for n in range(60)]
    pack = Pack("Relevant memory", Known())
    left = pack.fill(lines, room)
    assert 0 < count_at_most(rendered(pack)) == pack.used <= room
    assert len(left) == len(lines) - len(pack.pieces)


def test_a_budget_is_filled_with_text_that_has_no_spaces(ground) -> None:
    said = "\u6211\u4eec\u51b3\u5b9a\u7528\u5bb9\u5668\u6765\u7ba1\u7406\u53d1\u5e03"
    ground.write("memory/2026-11-20.md", "# Today\n\n" + "".join(f"- {said} {n}.\n" for n in range(900)))
    found = assemble(ground.ws, Asked(said, budget=2000))
    assert 1800 < found.tokens == count_at_most(found.text) <= 2000


def test_an_identity_that_does_not_fit_is_cut_loudly_by_whole_lines(ground) -> None:
    ground.write("SOUL.md", "# Soul\n\n" + "".join(f"- Rule {n} holds for everybody here.\n" for n in range(400)))
    found = assemble(ground.ws, Asked(budget=500))
    assert found.cut_identity
    assert any("identity" in words for words in found.warnings)
    assert slot(found, "identity").cut
    assert all(re.fullmatch(r"- Rule \d+ holds for everybody here\.", row) for row in lines_of(found.text))
    assert found.tokens <= 500


WORDS = st.text(
    st.sampled_from("abc de fgh ABC 0159 .,-#*|`[]<>! \u00e9\u00df \u4eca\u65e5\u306f \uac00 \u0e01 \U0001f600"),
    max_size=60,
)
FILE = st.lists(st.tuples(st.sampled_from(["", "- ", "  - ", "## ", "> ", "```", "| "]), WORDS), max_size=30).map(
    lambda rows: "\n".join(mark + words for mark, words in rows)
)
PATHS = ("SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "memory/2026-11-20.md")
TREE = st.dictionaries(st.sampled_from((*PATHS, "memory/2026-11-19.md", "memory/people.md")), FILE)


@settings(max_examples=amount(40, 16))
@given(files=TREE, question=WORDS, budget=st.integers(1, 900), kind=st.sampled_from(("main", "group", "cron")))
def test_whatever_a_workspace_holds_the_budget_and_the_lines_stay_whole(
    tmp_path_factory, files, question, budget, kind
) -> None:
    from .conftest import Ground  # noqa: PLC0415 - a new one for each example

    ground = Ground(tmp_path_factory.mktemp("any") / "ws")
    (ground.root / "memory").mkdir(parents=True)
    ground.git("init", "-q", "-b", "main")
    for path, text in files.items():
        ground.write(path, text)
    found = assemble(ground.ws, Asked(question, budget=budget, session_kind=kind))
    assert found.tokens <= budget
    assert sum(one.given for one in found.slots) <= budget
    known = {row.rstrip() for text in files.values() for row in text.replace("\r", "").split("\n")}
    ours = re.compile(r"#{1,3} |\[[^\n]*\]$|- Undecided|- .* \(not: |$")
    identity = {row.rstrip() for path in PATHS[:3] for row in files.get(path, "").split("\n")}
    assert [row for row in found.text.split("\n") if row.rstrip() not in known | identity and not ours.match(row)] == []
    if kind == "group":
        assert not {source.partition("#")[0] for one in found.slots for source in one.sources} & {
            "MEMORY.md",
            "USER.md",
        }


@pytest.mark.parametrize("kind", ["group", "subagent", "cron", "heartbeat"])
def test_only_the_operators_own_session_is_told_of_profile_and_memory(ground, kind) -> None:
    found = assemble(lived(ground).ws, Asked("Lisbon, REST over GraphQL and the ferry", session_kind=kind))
    assert "Lisbon" not in found.text
    assert "Chose REST" not in found.text
    assert "Have a view" in found.text
    assert slot(found, "longterm").cut[0].why == f"not for a {kind} session"
    assert ("Wednesday" in found.text) == (kind != "group")


DEAD = ("The kettle is red.", "The lamp is on the left.")


def superseded(ground) -> None:
    """Write a journal and a memory file of which some entries were superseded, by tag and by the sidecar alone."""
    ground.write(
        "memory/2026-11-20.md",
        f"# 2026-11-20\n\n- {DEAD[0]}\n- The kettle is blue.\n- {DEAD[1]} #superseded\n  - since the move\n",
    )
    ground.write("MEMORY.md", f"# Memory\n\n## Knowledge\n\n- {DEAD[1]} #knowledge #superseded\n- Lamps are warm.\n")
    ground.write("USER.md", "# User\n\n- Likes tea. #superseded\n- Likes coffee.\n")
    row = Row("klmnopqrst", "memory/2026-11-20.md", digest(DEAD[0]), status="superseded", by="zyxwvutsrq")
    ground.write(entries.PATH, entries.render({row.id: row}))


def test_what_was_superseded_is_in_no_prompt(ground) -> None:
    """Whether its line says so or the sidecar alone, in every slot, and with what is nested in it."""
    superseded(ground)
    text = assemble(ground.ws, Asked("Which colour has the kettle, and where is the lamp?")).text
    for dead in (*DEAD, "since the move", "Likes tea"):
        assert dead not in text
    for live in ("The kettle is blue.", "Lamps are warm.", "Likes coffee."):
        assert live in text


OPEN = "# 2026-11-20\n\n<<<<<<< HEAD\n- The kettle is red.\n=======\n- The kettle is green.\n>>>>>>> side\n"


@pytest.mark.parametrize("path", ["memory/2026-11-20.md", "SOUL.md", "USER.md", "MEMORY.md", "memory/tea.md"])
def test_no_prompt_has_text_with_conflict_markers(ground, path) -> None:
    """It has what the file said before, and says so."""
    ground.write(path, "# 2026-11-20\n\n- The kettle is blue.\n")
    ground.commit()
    ground.write(path, OPEN)
    found = assemble(ground.ws, Asked("Which colour has the kettle?"))
    assert "The kettle is blue." in found.text
    assert not any(word in found.text for word in ("<<<<", "====", ">>>>", "red", "green"))
    assert [said for said in found.warnings if path in said] == [
        f"{path}:3 has conflict markers; what it said in HEAD is served instead"
    ]
