"""Every line of memory is looked at, and what is found comes with the command that helps."""

from clawgit.findings import audit

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


def write(talk, *lines):
    talk.write("MEMORY.md", "# Memory\n\n## Knowledge\n\n" + "".join(f"- {line}\n" for line in lines))
    talk.git("add", "-A")
    talk.git("commit", "-qm", "memory")


def part(found, name):
    return next(one for one in found.parts if one.name == name)


def test_the_score_falls_with_each_line_that_is_repeated(talk):
    scores = []
    for count in range(4):
        write(talk, *MEMORIES, *MEMORIES[3 : 3 + count])
        found = audit.audit(talk.workspace)
        assert found.entries == len(MEMORIES) + count
        assert len(part(found, "twice").found) == count
        scores.append(sum(one.lost for one in found.parts))
    assert scores == sorted(set(scores))


def test_it_looks_at_files_by_topic_and_journals(talk):
    write(talk, *MEMORIES)
    talk.write("memory/rooms.md", "# Rooms\n\n- Never deploy on Fridays.\n- The blue room has a printer.\n")
    talk.write("memory/2026-05-01.md", "# 2026-05-01\n\n- The blue room has a printer.\n- Ana called again.\n" * 2)
    found = audit.audit(talk.workspace)
    assert found.entries == len(MEMORIES) + 6
    places = {f"{one.path}:{one.line}" for one in part(found, "twice").found}
    assert places == {"memory/rooms.md:3", "memory/2026-05-01.md:7", "memory/2026-05-01.md:8"}
    assert len({one.fix for one in part(found, "twice").found}) == 3
