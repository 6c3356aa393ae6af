"""The messages of a day are read at night, and known in the morning."""

import night


def test_a_night_keeps_what_was_said_for_good_and_nothing_else(openclaw):
    night.night(openclaw)
    memory, soul = night.files(openclaw).values()
    expected = {reading.operation["text"] for reading in night.READINGS if reading.operation["act"] == "add"}
    lines = {line.removeprefix("- ").partition(" #")[0] for line in memory.splitlines() if line.startswith("- ")}
    assert lines == expected | {"The standup is at ten.", night.MEMORY[1]}
    assert soul == night.SOUL + "- Never use emojis in mails to clients.\n"
    assert "MAGPIE" not in memory + soul
