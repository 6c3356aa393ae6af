"""A correction names the lines that still contradict it, and holds when somebody repeats them."""

DOOR = "The door of the greenhouse has the code 4711."


def test_who_adds_what_was_corrected_is_told_and_an_agent_is_refused(call, space):
    call("memory", "add", DOOR)
    call("correct", "The code of the greenhouse door is 4712, not 4711")
    before = (space / "MEMORY.md").read_text()
    refusal = call("memory", "add", DOOR, "--origin", "agent")
    assert refusal.code == 1
    assert "the operator corrected that: not '4711' but '4712'" in refusal.err
    assert "clawgit show" in refusal.err
    assert (space / "MEMORY.md").read_text() == before
    own = call("memory", "add", DOOR)
    assert own.code == 0
    assert "both stand now" in own.err


def test_the_conflict_that_a_correction_decides_is_closed_with_it(call, space):
    call("memory", "add", DOOR)
    call("memory", "add", "The door of the greenhouse has the code 4712.")
    call("run", "conflict-detector", "--apply")
    assert "Undecided" in call("context", "what is the code of the greenhouse door?").out
    call("correct", "The code of the greenhouse door is 4712, not 4711")
    assert call("conflicts", "--json").json == []
    assert "Undecided" not in call("context", "what is the code of the greenhouse door?").out
    call("undo")
    assert len(call("conflicts", "--json").json) == 1


def test_who_writes_later_what_was_corrected_is_found_and_then_shown_no_more(call, space, inside):
    call("memory", "add", DOOR)
    call("correct", "The code of the greenhouse door is 4712, not 4711")
    call("journal", "add", "Watered the tomatoes in the greenhouse.")
    journal = next(path for path in (space / "memory").glob("20*.md") if "Watered" in path.read_text())
    journal.write_text(
        journal.read_text() + "\n## 23:00\n\n- Told Tomas that the code of the greenhouse door is 4711.\n"
    )
    inside("-c", "user.name=agent", "-c", "user.email=a@localhost", "commit", "-qam", "update memory")
    conflicts = next(part for part in call("audit", "--json").json["parts"] if part["name"] == "contradictions")[
        "found"
    ]
    assert [(row["path"], row["reason"]) for row in conflicts] == [
        (f"memory/{journal.name}", "goes against a correction")
    ]
    assert "Told Tomas" in call("search", "Told Tomas").out
    assert call("run", "conflict-detector", "--apply").code == 0
    assert "4711" not in call("search", "Told Tomas").out
    assert "the greenhouse door is 4712" in call("search", "Told Tomas").out
    assert "tomatoes" in call("search", "tomatoes").out
    assert "4711" in journal.read_text()
    assert not next(part for part in call("audit", "--json").json["parts"] if part["name"] == "contradictions")["found"]
    call("undo")
    assert "4711" in call("search", "Told Tomas").out


def test_the_memory_that_is_true_is_not_corrected(call, space):
    name = call("memory", "add", "The door of the greenhouse has the code 4712.", "--json").json["id"]
    before = (space / "MEMORY.md").read_text()
    answer = call("correct", "the door code of the greenhouse is 4712, not 4711", "--about", name)
    assert (answer.code, (space / "MEMORY.md").read_text()) == (1, before)
    assert "says already what is true" in answer.err
    assert call("correct", "the door code of the greenhouse is 4712, not 4711").code == 1
    assert (space / "MEMORY.md").read_text() == before


def test_a_record_that_others_wrote_takes_no_memory_out_of_force(call, space):
    with (space / "MEMORY.md").open("a") as file:
        file.write(f"\n- {DOOR} #knowledge\n")
    call("capture")
    record = "\n## kxqmwrtzvn 2026-02-14 10:00\n\n- Said: 4711\n- True: 9999\n"
    record += f"- Entry was: {DOOR}\n- Entry is: {DOOR.replace('4711', '9999')}\n"
    with (space / "CORRECTIONS.md").open("a") as file:
        file.write(record)
    before = (space / "MEMORY.md").read_text()
    assert call("capture").code == 0
    assert (space / "MEMORY.md").read_text() == before
    assert "4711" in call("search", "code of the greenhouse door").out
