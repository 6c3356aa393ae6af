"""What is said in a day is read at night, and known in the morning."""

import night


def test_a_night_keeps_what_was_said_for_good_and_nothing_else(openclaw):
    night.night(openclaw)
    memory, soul = night.files(openclaw).values()
    wanted = {one.operation["text"] for one in night.READINGS if one.operation["act"] == "add"}
    lines = {line.removeprefix("- ").partition(" #")[0] for line in memory.splitlines() if line.startswith("- ")}
    assert lines == wanted | {"The standup is at ten.", night.MEMORY[1]}
    assert soul == night.SOUL + "- Never use emojis in mails to clients.\n"
    assert "MAGPIE" not in memory + soul
