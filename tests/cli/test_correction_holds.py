"""A correction tells what goes on saying the contrary, and holds against who says it again."""

DOOR = "The door of the greenhouse has the code 4711."


def test_a_journal_that_says_so_still_is_named_and_shown_no_more(call, space):
    call("memory", "add", DOOR)
    call("journal", "add", "Mira asked for the code of the greenhouse door. It is 4711, says Tomas; wrote it down.")
    journal = next(one for one in (space / "memory").glob("20*.md") if "4711" in one.read_text())
    before = journal.read_text()
    assert "It is 4711" in call("context", "what is the code of the greenhouse door?").out
    done = call("correct", "The code of the greenhouse door is 4712, not 4711")
    assert journal.name in done.err
    lines = journal.read_text().splitlines()
    assert [line for line in lines if "Corrected" not in line] == before.splitlines()
    assert "4712" in lines[lines.index(next(line for line in lines if "It is 4711" in line)) + 1]
    assert "It is 4711" not in call("context", "what is the code of the greenhouse door?").out
    call("undo")
    assert journal.read_text() == before
    assert "It is 4711" in call("context", "what is the code of the greenhouse door?").out


def test_who_adds_what_was_corrected_is_told_and_an_agent_is_refused(call, space):
    call("memory", "add", DOOR)
    call("correct", "The code of the greenhouse door is 4712, not 4711")
    before = (space / "MEMORY.md").read_text()
    refused = call("memory", "add", DOOR, "--origin", "agent")
    assert refused.code == 1
    assert "the operator corrected that: not '4711' but '4712'" in refused.err
    assert "clawgit corrections show" in refused.err
    assert (space / "MEMORY.md").read_text() == before
    own = call("memory", "add", DOOR)
    assert own.code == 0
    assert "both stand now" in own.err


def test_what_said_so_already_stands_once(call, space):
    call("memory", "add", DOOR)
    call("memory", "add", "The door of the greenhouse has the code 4712.")
    call("memory", "add", "Tomas keeps the keys.")
    before = (space / "MEMORY.md").read_text()
    done = call("correct", "The code of the greenhouse door is 4712, not 4711")
    assert done.code == 0
    assert (space / "MEMORY.md").read_text().count("has the code 4712.") == 1
    assert [one["text"] for one in call("memory", "list", "--json").json] == [
        "The door of the greenhouse has the code 4712.",
        "Tomas keeps the keys.",
    ]
    call("undo")
    assert (space / "MEMORY.md").read_text() == before


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


def test_a_journal_that_is_put_right_by_hand_is_found_again(call, space):
    call("memory", "add", DOOR)
    call("journal", "add", "Told Ben that the door of the greenhouse has the code 4711.")
    journal = next(one for one in (space / "memory").glob("20*.md") if "4711" in one.read_text())
    call("correct", "The code of the greenhouse door is 4712, not 4711")
    assert "Told Ben" not in call("search", "Told Ben").out
    journal.write_text(journal.read_text().replace("4711", "4712"))
    call("capture")
    assert "Told Ben" in call("search", "Told Ben").out


def test_who_writes_later_what_was_corrected_is_found_and_then_shown_no_more(call, space, inside):
    call("memory", "add", DOOR)
    call("correct", "The code of the greenhouse door is 4712, not 4711")
    call("journal", "add", "Watered the tomatoes in the greenhouse.")
    journal = next(one for one in (space / "memory").glob("20*.md") if "Watered" in one.read_text())
    journal.write_text(
        journal.read_text() + "\n## 23:00\n\n- Told Tomas that the code of the greenhouse door is 4711.\n"
    )
    inside("-c", "user.name=agent", "-c", "user.email=a@localhost", "commit", "-qam", "update memory")
    found = next(one for one in call("audit", "--json").json["parts"] if one["name"] == "contradictions")["found"]
    assert [(one["path"], one["reason"]) for one in found] == [(f"memory/{journal.name}", "goes against a correction")]
    assert "Told Tomas" in call("search", "Told Tomas").out
    assert call("run", "conflict-detector", "--apply").code == 0
    assert "Told Tomas" not in call("search", "Told Tomas").out
    assert "tomatoes" in call("search", "tomatoes").out
    assert "4711" in journal.read_text()
    assert not next(one for one in call("audit", "--json").json["parts"] if one["name"] == "contradictions")["found"]
    call("undo")
    assert "Told Tomas" in call("search", "Told Tomas").out


def test_what_others_write_again_is_out_of_force_with_the_next_capture(call, space, inside):
    """By whatever way, in the words that were corrected; one undo says that it holds after all, and stands."""
    call("memory", "add", DOOR)
    call("journal", "add", "Watered the ferns.")
    call("correct", "The door of the greenhouse has the code 4712, not 4711")
    journal = next((space / "memory").glob("20*.md"))
    told = "- Told Ana that the greenhouse door has the code 4711.\n"
    for place, line in ((space / "MEMORY.md", "- The greenhouse door code is 4711. #knowledge\n"), (journal, told)):
        with place.open("a") as file:
            file.write(line)
    inside("add", "-A")
    inside("-c", "user.name=agent", "-c", "user.email=a@localhost", "commit", "-qm", "update memory")
    answer = call("capture")
    assert f"what you corrected stands again in MEMORY.md, memory/{journal.name}" in answer.err
    assert "- The greenhouse door code is 4711. #knowledge\n" in (space / "MEMORY.md").read_text()
    assert told in journal.read_text()
    texts = [one["snippet"] for one in call("search", "greenhouse door code", "--json").json["results"]]
    assert texts
    assert not [one for one in texts if "4711" in one and "Trigger" not in one and "Said" not in one]
    call("undo")
    assert "stands again" not in call("capture").err


def test_two_memories_never_have_one_id(call, space):
    old = "The door of the greenhouse has the code 4711."
    (space / "MEMORY.md").write_text(f"# Memory\n\n- {old} #knowledge\n")
    call("capture")
    call("correct", "The door of the greenhouse has the code 4712, not 4711")
    with (space / "MEMORY.md").open("a") as file:
        file.write(f"- {old} #knowledge\n")
    names = [one["id"] for one in call("memory", "list", "--json").json]
    assert len(set(names)) == len(names) == 2


def test_the_memory_that_is_true_is_not_corrected(call, space):
    name = call("memory", "add", "The door of the greenhouse has the code 4712.", "--json").json["id"]
    before = (space / "MEMORY.md").read_text()
    answer = call("correct", "the door code of the greenhouse is 4712, not 4711", "--about", name)
    assert (answer.code, (space / "MEMORY.md").read_text()) == (1, before)
    assert "says already what is true" in answer.err
    record = call("correct", "the door code of the greenhouse is 4712, not 4711", "--json").json
    assert (record["said"], record["true"], record["entry"]) == ("4711", "4712", None)
    assert (space / "MEMORY.md").read_text() == before


def test_a_memory_that_was_out_of_force_is_in_force_once_it_is_put_right(call, space):
    (space / "MEMORY.md").write_text("# Memory\n\n- The door has the code 4711. #knowledge #superseded\n")
    call("capture")
    (one,) = call("memory", "list", "--json").json
    call("correct", "The door has the code 4712.", "--about", one["id"])
    (one,) = call("memory", "list", "--json").json
    assert (one["text"], one["status"]) == ("The door has the code 4712.", "live")


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
