"""The inbox is one list for the operator: each item has an id, a diff, a reason and a source."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.promises.desk import Desk
from tests.promises.mcp_server import Server

MUTATION = (
    "workspace/identity_enforcement.py",
    "in list_refused(workspace, contents, before).items():",
    "in {**dict.fromkeys(())}.items():",
)

RULE = "Sing in the morning"


@pytest.fixture
def waiting(desk: Desk) -> str:
    """Return the id of an edit that waits."""
    desk.run("config", "soul_policy", "review", terminal="y\n")
    desk.append("SOUL.md", f"- {RULE}.\n")
    desk.run("capture")
    return str(desk.run("soul", "proposals")[0]["id"])


def test_an_item_has_its_kind_title_reason_and_source(desk: Desk, waiting: str) -> None:
    item = desk.run("inbox")[0]
    assert item["id"] == waiting
    assert {"kind", "title", "reason", "source", "opened"} <= item.keys()
    assert RULE in item["title"]


def test_an_edit_that_goes_on_from_another_replaces_its_item_and_no_other_does(desk: Desk, waiting: str) -> None:
    desk.append("SOUL.md", f"- {RULE}.\n- Whistle in the eve")
    desk.run("capture")
    desk.append("SOUL.md", f"- {RULE}.\n- Whistle in the evening.\n")
    desk.run("capture")
    (item,) = desk.run("inbox")
    assert desk.run("show", waiting)["state"] == "closed"
    desk.append("SOUL.md", f"- {RULE}.\n- Hum at noon.\n")
    desk.run("capture")
    assert len(desk.run("inbox")) == 2
    assert desk.run("show", item["id"])["state"] == "open"


def test_accept_is_one_commit_that_can_be_undone(desk: Desk, waiting: str) -> None:
    before = desk.head()
    change = desk.run("accept", waiting, terminal="y\n")["change"]
    assert len(desk.commits(before)) == 1
    assert RULE in desk.read("SOUL.md")
    desk.run("undo", change, terminal="y\n")
    assert RULE not in desk.read("SOUL.md")
    assert desk.run("show", waiting)["state"] == "open"
    desk.run("undo", "--redo", terminal="y\n")
    assert desk.run("show", waiting)["state"] == "accepted"
    desk.run("undo", change, terminal="y\n")
    desk.run("accept", waiting, terminal="y\n")
    assert RULE in desk.read("SOUL.md")
    desk.refuse("accept", waiting, key="already-decided", terminal="y\n")


def follow_undos(desk: Desk, change: str, item: str) -> list[str]:
    """Return the state of an item after the undo of a change, and after each undo of the undo before."""
    states = []
    for _ in range(4):
        change = desk.run("undo", change, terminal="y\n")["change"]
        states.append(desk.run("show", item)["state"])
    return states


def test_an_undone_redo_leaves_an_accepted_item_open(desk: Desk, waiting: str) -> None:
    change = desk.run("accept", waiting, terminal="y\n")["change"]
    assert follow_undos(desk, change, waiting) == ["open", "accepted"] * 2


def test_an_undone_redo_of_a_correction_closes_its_question(desk: Desk) -> None:
    desk.append("USER.md", "- The office of Ines is in Porto.\n")
    desk.write("memory/work.md", "# Work\n\n- The office of Ines is in Porto.\n")
    desk.run("capture")
    change = desk.run("correct", "The office of Ines is in Braga, not in Porto.")["change"]
    (question,) = desk.run("inbox", "--kind", "correction")
    assert follow_undos(desk, change, question["id"]) == ["closed", "open"] * 2


def test_a_commit_that_claims_to_undo_itself_is_undone(desk: Desk) -> None:
    desk.append("memory/garden.md", "- The shed is red.\n")
    head = desk.commit(
        "memory: red\n\nClawgit-Agent: memory-miner\nClawgit-Change: kkkkllllmm\nClawgit-Undoes: kkkkllllmm"
    )
    desk.run("undo", head)
    assert "shed is red" not in desk.read("memory/garden.md")


def test_reject_needs_no_reason_and_closes_it(desk: Desk, waiting: str) -> None:
    desk.run("reject", waiting)
    assert desk.run("inbox") == []
    assert RULE not in desk.read("SOUL.md")


def test_a_prefix_that_is_unique_will_do_and_another_is_refused(desk: Desk, waiting: str) -> None:
    assert desk.run("show", waiting[:5])["id"] == waiting
    desk.refuse("show", "zzzzz", key="id-unknown")


def test_every_list_of_today_is_in_it(desk: Desk, waiting: str) -> None:
    kinds = ("identity", "memory", "correction", "conflict", "quarantine", "restore", "settings", "sync", "candidate")
    assert [item["kind"] for kind in kinds for item in desk.run("inbox", "--kind", kind)] == ["identity"]


def test_what_waits_is_not_in_force(desk: Desk, waiting: str) -> None:
    assert waiting
    assert RULE not in desk.read("SOUL.md")
    context = desk.run("context", "What do I do in the morning?")
    assert RULE not in context["text"]


def test_what_the_operator_does_himself_never_waits(desk: Desk) -> None:
    desk.run("soul", "edit", "--add", "Ask first.", "--section", "Core", "--why", "Asked for.")
    desk.run("remember", "The lamps are rated at 400 watts.")
    desk.run("correct", "not Tuesday evening, Thursday evening")
    assert desk.run("soul", "proposals") == []


def drop_lines(desk: Desk, words: str) -> str:
    """Have somebody remove the lines of MEMORY.md with these words; return these lines."""
    lines = desk.read("MEMORY.md").splitlines(keepends=True)
    desk.write("MEMORY.md", "".join(line for line in lines if words not in line))
    desk.run("capture")
    return "".join(line for line in lines if words in line)


def lose_lamps(desk: Desk) -> None:
    for number in range(3):
        desk.run("remember", f"Lamp number {number} is rated at {number}00 watts.")
    drop_lines(desk, "watts")


def test_status_and_the_digest_have_the_same_items(desk: Desk, waiting: str) -> None:
    lose_lamps(desk)
    ids = [item["id"] for item in desk.run("inbox")]
    assert waiting in ids
    assert len(ids) == 2
    assert desk.run("status")["inbox"] == len(ids)
    digest = desk.run("digest")["waiting"]
    assert {*ids} == {item["command"].rpartition(" ")[2] for item in digest if "clawgit show" in item["command"]}


def test_mcp_has_the_same_items(desk: Desk, waiting: str) -> None:
    server = Server(desk.root)
    try:
        items = json.loads(server.call("inbox", {}))["result"]["structuredContent"]["items"]
    finally:
        server.end()
    assert items == desk.run("inbox")
    assert [item["id"] for item in items] == [waiting]


NEWER = "Deploys happen on Thursday evening."
CONTRADICTION = """# Conflicts

## kkkkkkkkkk 2026-05-04

- A: Deploys happen on Tuesday evening.
- A is: MEMORY.md, llllllllll, 2026-01-20, operator
- B: Deploys happen on Thursday evening.
- B is: MEMORY.md, mmmmmmmmmm, 2026-05-04, operator
- Why: one day of the week
- Rule: open
- Status: open
"""


@pytest.fixture
def contradiction(desk: Desk) -> str:
    """Return the id of two lines that contradict each other."""
    desk.append("MEMORY.md", f"- {NEWER}\n")
    desk.write("CONFLICTS.md", CONTRADICTION)
    desk.commit()
    return "kkkkkkkkkk"


def test_of_decisions_at_the_same_time_one_lands(desk: Desk, contradiction: str) -> None:
    with ThreadPoolExecutor() as pool:
        sides = [["accept", contradiction, "--only", number] for number in "12"] + [["reject", contradiction]]
        answers = [*pool.map(lambda words: desk.process(*words), sides * 2)]
    assert [answer.returncode for answer in answers].count(0) == 1, answers
    keys = {json.loads(answer.stdout)["key"] for answer in answers if answer.returncode}
    assert keys <= {"already-decided", "locked"}
    assert desk.run("show", contradiction)["state"] in ("accepted", "rejected")
    assert desk.read("CONFLICTS.md").count("Winner") == 1


@pytest.mark.parametrize("now", [f"{NEWER[:-1]}, mostly.", ""], ids=["reworded", "gone"])
def test_a_contradiction_is_rejected_whatever_became_of_its_lines(desk: Desk, contradiction: str, now: str) -> None:
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace(f"- {NEWER}\n", f"- {now}\n" if now else ""))
    before = desk.read("MEMORY.md")
    desk.run("reject", contradiction)
    assert desk.run("inbox", "--kind", "conflict") == []
    assert desk.read("MEMORY.md") == before


def test_the_command_that_show_prints_decides(desk: Desk, contradiction: str) -> None:
    output = desk.shell(f"clawgit show {contradiction}")
    command = output.partition("\naccept")[2].partition("\n")[0].strip(": ")
    desk.shell(command)
    assert desk.run("inbox") == []


def test_an_accepted_restoration_is_told_as_accepted(desk: Desk) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    drop_lines(desk, "watts")
    (item,) = desk.run("inbox", "--kind", "restore")
    document = desk.run("accept", item["id"])
    document = desk.run("show", item["id"])
    assert (document["state"], document["commit"]) == ("accepted", document["commit"])
    assert desk.git("log", "-1", "--format=%s").strip().startswith("memory: reverted: MEMORY.md: 1 line")


@pytest.mark.parametrize("became", ["renamed", "deleted"])
def test_an_item_whose_file_is_gone_is_a_conflict_and_stays(desk: Desk, became: str) -> None:
    lose_lamps(desk)
    (item,) = desk.run("inbox")
    if became == "renamed":
        desk.git("mv", "MEMORY.md", "memory/old.md")
    else:
        desk.git("rm", "-q", "MEMORY.md")
    desk.commit(became)
    before = desk.files(), desk.head()
    desk.refuse("accept", item["id"], key="undo-conflict")
    assert (desk.files(), desk.head()) == before
    assert [row["id"] for row in desk.run("inbox")] == [item["id"]]
    desk.run("reject", item["id"])
    assert desk.run("inbox") == []


def test_a_purged_file_is_in_no_item(desk: Desk) -> None:
    desk.run("remember", "The vault is behind the oak panel.")
    drop_lines(desk, "oak panel")
    assert desk.run("inbox")
    preview = desk.run("purge", "--path", "MEMORY.md")
    desk.run("purge", "--path", "MEMORY.md", "--apply", "--hash", preview["hash"])
    assert desk.run("inbox") == []
    state = desk.root / ".git/clawgit"
    assert not [place for place in state.iterdir() if place.is_file() and b"oak panel" in place.read_bytes()]


def test_a_file_that_is_no_utf_8_hides_no_other(desk: Desk, contradiction: str) -> None:
    for path in ("CONFLICTS.md", "memory/garden.md"):
        desk.write(path, (desk.root / path).read_bytes() + b"\n- caf\xe9\n")
    assert contradiction in [item["id"] for item in desk.run("inbox")]
    assert desk.run("show", contradiction)["kind"] == "conflict"
    assert {"MEMORY.md", "memory/garden.md"} <= {row["path"] for row in desk.run("memory", "list")}


def test_a_line_that_turns_up_in_another_file_is_no_longer_missed(desk: Desk) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    lines = drop_lines(desk, "watts")
    assert desk.run("inbox", "--kind", "restore")
    desk.append("memory/garden.md", lines)
    desk.run("capture")
    assert desk.run("inbox", "--kind", "restore") == []


def lose_a_line(desk: Desk) -> str:
    """Have somebody remove a line of clawgit's, and return the id of the item that asks about it."""
    desk.run("remember", "The router is in the hall closet.")
    drop_lines(desk, "router")
    (item,) = desk.run("inbox")
    return str(item["id"])


def test_own_words_take_the_place_of_what_an_item_adds(desk: Desk) -> None:
    before = desk.read("MEMORY.md")
    desk.run("accept", lose_a_line(desk), "--text", "The router is in the attic.")
    assert "- The router is in the attic.\n" in desk.read("MEMORY.md")
    assert set(before.splitlines()) <= set(desk.read("MEMORY.md").splitlines())
    assert "attic" in desk.git("log", "-1", "--format=%s")


def contradict(desk: Desk) -> str:
    """Leave two statements that contradict each other, and return the id of the item."""
    desk.append("MEMORY.md", "- The print shop opens at 8:00.\n- The print shop opens at 9:30.\n")
    desk.append("memory/2026-01-20.md", "- The print shop opens at 8:00.\n")
    desk.run("capture")
    desk.run("run", "conflict-detector", "--apply")
    return str(next(item["id"] for item in desk.run("inbox") if item["kind"] == "conflict"))


def test_an_editor_that_was_left_as_it_was_decides_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    name = contradict(desk)
    monkeypatch.setenv("EDITOR", "true")
    desk.refuse("accept", name, "--edit", key="text-missing", code=2, terminal="")


def test_the_side_that_lost_leaves_everywhere(desk: Desk) -> None:
    name = contradict(desk)
    choices = desk.run("show", name)["choices"]
    winner = next(str(row["number"]) for row in choices if "9:30" in row["text"])
    desk.run("accept", name, "--only", winner)
    assert "8:00" not in "".join(hit["snippet"] for hit in desk.run("search", "print shop opens")["results"])


def test_a_rejected_contradiction_is_called_so_and_comes_back_with_its_undo(desk: Desk) -> None:
    name = contradict(desk)
    answer = desk.run("reject", name)
    assert (answer["state"], desk.run("show", name)["state"]) == ("rejected", "rejected")
    desk.shell(answer["undo"])
    assert desk.run("show", name)["state"] == "open"


def test_a_setting_is_decided_with_a_way_back(desk: Desk) -> None:
    desk.run("config", "soul_policy", "review", terminal="y\n")
    desk.run("trust", terminal="y\n")
    desk.write("CONFIG.md", desk.read("CONFIG.md").replace('soul_policy: "review"', "soul_policy: evolve"))
    (item,) = [item for item in desk.run("inbox") if item["kind"] == "settings"]
    assert desk.run("show", item["id"])["reject"] is None
    answer = desk.run("accept", item["id"], terminal="y\n")
    assert desk.run("config", "soul_policy")["value"] == "evolve"
    assert answer["commit"] is None or answer["undo"] == f"clawgit undo {answer['commit'][:10]}"


ADDRESS, MOVED = "Rua Augusta 14, 1100 Lisbon", "Rua Augusta 41, 1100 Lisbon"


@pytest.fixture
def addresses(desk: Desk) -> str:
    """Return the id of a question about the lines of two files that say an old address, one of them of the identity."""
    for path in ("USER.md", "MEMORY.md"):
        desk.append(path, f"- The office is at {ADDRESS}.\n" if path == "MEMORY.md" else f"- Lives at {ADDRESS}.\n")
    desk.append("memory/2026-01-20.md", f"- A parcel went to {ADDRESS}.\n")
    desk.commit()
    desk.call("correct", ADDRESS, MOVED)
    return str(desk.run("inbox", "--kind", "correction")[0]["id"])


def place_number(desk: Desk, item: str, path: str) -> str:
    """Return the number of the choice of an item that is in a file."""
    numbers = {choice["at"].partition(":")[0]: choice["number"] for choice in desk.run("show", item)["choices"]}
    return str(numbers[path])


def test_a_line_of_the_identity_is_corrected_at_a_terminal_alone(desk: Desk, addresses: str) -> None:
    """A hash does not take the place of a terminal, and no fix says that it does."""
    number, digest = place_number(desk, addresses, "USER.md"), desk.run("show", addresses)["hash"]
    for options in ((), ("--hash", digest)):
        answer = desk.refuse("accept", addresses, "--only", number, *options, key="terminal-needed")
        assert "terminal" in answer.fix
    desk.run("accept", addresses, "--only", number, terminal="y\n")
    assert MOVED in desk.read("USER.md")


def test_a_hash_is_that_of_the_choices_and_is_shown(desk: Desk, addresses: str) -> None:
    digest, number = desk.run("show", addresses)["hash"], place_number(desk, addresses, "memory/2026-01-20.md")
    assert digest in desk.shell(f"clawgit show {addresses}")
    desk.call("correct", "the hose is 12 metres long, not 14")
    others = {desk.run("show", item["id"])["hash"] for item in desk.run("inbox") if item["id"] != addresses}
    assert digest not in others
    desk.write("USER.md", desk.read("USER.md").replace("Lives at", "Works at"))
    assert desk.run("show", addresses)["hash"] != digest
    desk.refuse("accept", addresses, "--only", number, "--hash", digest, key="preview-outdated")
    desk.run("accept", addresses, "--only", number, "--hash", desk.run("show", addresses)["hash"])


def test_what_cannot_be_accepted_is_not_asked_about(desk: Desk, addresses: str) -> None:
    answer = desk.refuse("accept", addresses, key="correction-ambiguous", terminal="y\n")
    assert "[y/N]" not in answer.err


def test_a_contradiction_without_one_of_its_sides_no_longer_waits(desk: Desk, contradiction: str) -> None:
    text = desk.read("MEMORY.md")
    desk.write("MEMORY.md", text.replace("Deploys happen on Tuesday evening.", NEWER))
    assert desk.run("inbox") == []
    desk.write("MEMORY.md", text)
    assert [item["id"] for item in desk.run("inbox")] == [contradiction]
    desk.write("MEMORY.md", text.replace("Deploys happen on Tuesday evening.", NEWER))
    answer = desk.call("accept", contradiction, "--only", "1")
    assert answer.key == "item-outdated"
    assert desk.run("show", contradiction)["state"] != "open"
    assert desk.run("inbox") == []


def test_an_accepted_compaction_is_in_its_log_at_once(desk: Desk) -> None:
    desk.write("memory/2024-03-01.md", "- The deploy moved to 14:30.\n")
    desk.run("capture")
    desk.run("run", "memory-compactor", "--apply")
    (item,) = desk.run("inbox", "--kind", "memory")
    desk.run("accept", item["id"])
    assert f"clawgit undo {item['id']}" in desk.read("COMPACTION_LOG.md")
