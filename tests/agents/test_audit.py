"""What should not be in memory is listed with the command that helps; the score falls with each line of it."""

import pytest

from clawgit.agents import audit
from clawgit.agents.auditing import junk_lines
from clawgit.errors import Advice
from clawgit.llm.model import ModelError
from clawgit.text.entry import entries
from clawgit.workspace.undo import undo

JUNK = [
    "ok, thanks!",
    "[INFO] 2026-05-04 12:01:33 server started on port 8080",
    "What time is the meeting?",
    "TODO",
    "Let me check that for you.",
    "了解しました。",
    "Ich schaue gleich nach.",
    "No, thanks.",
    "Great, thanks a lot!",
]
MEMORIES = [
    "Backups run at 02:00 to the NAS.",
    "Router: 192.168.1.1",
    "Uses macOS.",
    "Never deploy on Fridays.",
    "No deploys on Fridays after noon.",
    "Great Britain needs a visa since 2025.",
    "Hi-fi stands in the kitchen.",
    "Der Zaun wird 2027 gestrichen.",
    "毎朝7時に散歩する。",
    "It-Sicherheit: jeden Montag Update",
    "Chose Postgres over MySQL (2026-02-03)",
]


@pytest.mark.parametrize("text", JUNK)
def test_what_is_no_memory_is_told_from_what_is_one(text):
    assert junk_lines.reason(text)


@pytest.mark.parametrize("text", MEMORIES)
def test_a_memory_is_left_alone(text):
    assert not junk_lines.reason(text)


def write(talk, *lines):
    talk.write("MEMORY.md", "# Memory\n\n## Knowledge\n\n" + "".join(f"- {line}\n" for line in lines))
    talk.git("add", "-A")
    talk.git("commit", "-qm", "memory")


def part(found, name):
    return next(one for one in found.parts if one.name == name)


def test_the_score_falls_with_each_line_of_junk(talk):
    scores = []
    for count in range(len(JUNK) + 1):
        write(talk, *MEMORIES, *JUNK[:count])
        found = audit.audit(talk.workspace)
        assert len(part(found, "junk").found) == count
        scores.append(sum(one.lost for one in found.parts))
    assert scores == sorted(set(scores))


def test_what_is_said_twice_is_told_where(talk):
    write(talk, *MEMORIES, "Backups run at 02:00 to the NAS.")
    (one,) = part(audit.audit(talk.workspace), "twice").found
    assert "MEMORY.md:5" in one.reason


def test_what_could_not_be_looked_at_is_unknown(talk, monkeypatch):
    def fail(_):
        raise audit.ClawgitError("test", "no", fix=Advice(""))

    monkeypatch.setattr(audit.enforcement, "deviations", fail)
    assert "identity" in audit.audit(talk.workspace).unknown


def test_a_fix_archives_and_undo_brings_back(talk):
    write(talk, *MEMORIES, *JUNK)
    before = talk.text()
    applied = talk.workspace.apply(audit.fix(talk.workspace, audit.audit(talk.workspace)))
    assert all(line not in talk.bullets() for line in (f"- {one}" for one in JUNK))
    assert all(f"- {one}" in talk.bullets() for one in MEMORIES)
    archive = talk.text("memory/archive/audit/2026-June.md")
    assert all(one in archive for one in JUNK)
    assert not part(audit.audit(talk.workspace), "junk").found
    talk.workspace.apply(undo(talk.workspace, applied.change))
    assert talk.text() == before


def test_a_fix_waits_until_it_is_approved(talk):
    write(talk, *MEMORIES, *JUNK)
    before = talk.text()
    applied = talk.workspace.apply(audit.fix(talk.workspace, audit.audit(talk.workspace)), wait=True)
    assert applied.commit is None
    assert talk.text() == before
    assert applied.proposal is not None


def test_a_fix_keeps_lines_together_and_leaves_what_others_hang_on(talk):
    stays = "# Memory\n\n- Bob is the landlord.\n- ok\n  - Ana has the key.\n"
    talk.write("MEMORY.md", f"{stays}- thanks!\n  and more thanks\n")
    talk.workspace.apply(audit.fix(talk.workspace, audit.audit(talk.workspace)))
    assert talk.text() == stays
    (one,) = (one for one in entries(talk.text("memory/archive/audit/2026-June.md")) if one.kind == "bullet")
    assert "and more thanks" in one.text


def test_nothing_to_look_at_is_unknown_and_not_clean(talk):
    assert {"junk", "twice"} <= set(audit.audit(talk.workspace).unknown)


def test_it_is_kept_once_a_day(talk):
    found = audit.audit(talk.workspace)
    audit.note(talk.workspace, found)
    audit.note(talk.workspace, found)
    (one,) = audit.history(talk.workspace)
    assert one.score == found.score


def test_a_voice_flags_what_no_rule_does(talk):
    write(talk, *MEMORIES, "Everything is going great with the thing.")
    asked = []

    def say(_, material, tokens):
        asked.append((material, tokens))
        return f"{len(MEMORIES) + 1} empty\n99 machine\n1 sure"

    found = audit.audit(talk.workspace, say)
    (one,) = part(found, "junk").found
    assert (one.text, one.reason) == ("Everything is going great with the thing.", "says nothing")
    assert len(asked) == 1
    assert asked[0][0].startswith("== MEMORY.md\n1 ")
    assert found.notes == ()


def test_what_a_voice_did_not_read_is_told(talk):
    write(talk, *MEMORIES)

    def say(*_):
        raise ModelError("test", "the budget of this run is spent")

    many = len(MEMORIES)
    note = f"{many} of {many} lines were not read: the budget of this run is spent"
    assert audit.audit(talk.workspace, say).notes == (note,)
