"""Which agent may write which file, and how: every agent on every kind of file."""

from typing import get_args

import pytest
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.workspace import manifest
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.manifest import check, kind

FILES = {
    "soul": ("SOUL.md", "IDENTITY.md"),
    "rules": ("AGENTS.md", "TOOLS.md"),
    "ritual": ("HEARTBEAT.md", "BOOTSTRAP.md"),
    "persona": ("agents/other/SOUL.md",),
    "prompt": ("agents/soul-keeper/SOUL.md", "agents/memory-miner/SOUL.md"),
    "user": ("USER.md", "CONFIG.md"),
    "memory": ("MEMORY.md", "memory.md", "memory/long-term.md", "memory/people/ana.md"),
    "journal": ("memory/2026-02-14.md", "memory/2026-02-14-vendor.md", "memory/clawgit/2026-02-14.md"),
    "corrections": ("CORRECTIONS.md",),
    "conflicts": ("CONFLICTS.md",),
    "archive": ("Archive/Chronicles/2026-January.md", "memory/archive/2026-01-01.md", "Archive/x.md"),
    "facts": ("memory/structured/tasks.md", "memory/INDEX.md", ".clawgit/facts.tsv"),
    "view": ("CHANGELOG.md", "SOUL_CHANGELOG.md", "COMPACTION_LOG.md"),
    "other": (
        "README.md",
        "src/x.md",
        ".gitignore",
        ".clawgit/format",
        "soul.md",
        "memory/x.json",
        "agents/x/TOOLS.md",
    ),
}

# Written down once more, so that a slip in the table is seen: agent, then what it may do with each kind.
MAY = {
    "memory-miner": {"memory": "edit", "journal": "add", "rules": "add"},
    "recall-validator": {"memory": "edit", "journal": "edit", "corrections": "add"},
    "conflict-detector": {"memory": "edit", "journal": "edit", "conflicts": "keep"},
    "soul-keeper": {"soul": "edit", "rules": "add", "persona": "edit"},
    "lessons": {"memory": "add"},
    "organizer": {"facts": "edit", "memory": "edit"},
    "decay-engine": {"memory": "edit", "archive": "add"},
    "memory-compactor": {"memory": "edit", "journal": "edit", "corrections": "move", "archive": "add"},
    "main": dict.fromkeys(("soul", "rules", "ritual", "memory", "journal", "archive", "facts"), "edit")
    | {"corrections": "add", "conflicts": "keep"},
    None: dict.fromkeys(FILES, "edit"),
}

RECORDS = "# Records\n\n## 2026-02-14 kkkkkkkkkk\n\n- is: a\n\n## zzzzzzzzzz\n\n- is: b\n"
LESS = RECORDS.replace("## 2026-02-14 kkkkkkkkkk\n\n- is: a\n\n", "")
STEPS = {
    "append": (RECORDS, RECORDS + "\n## nnnnnnnnnn\n"),
    "create": (None, RECORDS),
    "insert": (RECORDS, RECORDS.replace("## zzz", "## nnnnnnnnnn\n\n- is: c\n\n## zzz")),
    "change": (RECORDS, RECORDS.replace("- is: a", "- is: c")),
    "retitle": (RECORDS, RECORDS.replace("## 2026-02-14 kkkkkkkkkk", "## kkkkkkkkkk (closed)")),
    "remove": (RECORDS, LESS),
    "delete": (RECORDS, None),
    "comment": (RECORDS, RECORDS.replace("- is: a", "- is: a <!-- trigger: b -->")),
    "comment on more": (RECORDS, RECORDS.replace("- is: a", "- is: c <!-- trigger: b -->")),
}
ALLOWED = {
    "edit": set(STEPS),
    "keep": {"append", "create", "insert", "change", "retitle", "comment", "comment on more"},
    "move": {"append", "create", "insert", "change", "retitle", "comment", "comment on more"},
    "add": {"append", "create", "insert"},
    None: set(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_of_one_kind(name):
    assert {path: kind(path) for path in FILES[name]} == dict.fromkeys(FILES[name], name)
    assert set(FILES) == set(get_args(manifest.Kind))


def refusal(agent, path, before, after):
    """The error of a step that an agent may not take; None where it may."""
    try:
        check(agent, {path: before}, {path: after})
    except ClawgitError as exc:
        return exc
    return None


@pytest.mark.parametrize("agent", MAY, ids=str)
def test_an_agent_does_what_the_matrix_says_and_nothing_else(agent):
    """One test an agent: hundreds of rows that each take less than a test costs."""
    wrong = []
    for name, paths in FILES.items():
        may = ALLOWED[MAY[agent].get(name)]
        for step, (before, after) in STEPS.items():
            for path in paths:
                error = refusal(agent, path, before, after)
                told = error and error.message.startswith(f"{agent} may ") and path in error.message and error.fix
                if error is not None if step in may else not told:
                    wrong.append((step, path, error))
    assert not wrong


def test_a_correction_leaves_its_file_for_the_archive_and_nowhere_else():
    """The compactor moves it in one change; a record that stood in the archive already is no second home."""
    archive, lost = "Archive/Corrections/2026-02.md", "## kkkkkkkkkk\n\n- is: a\n"
    files = {"CORRECTIONS.md": RECORDS, archive: None}
    check("memory-compactor", files, {"CORRECTIONS.md": LESS, archive: lost})
    for elsewhere in ("memory/archived.md", "memory/2026-02-14.md"):
        with pytest.raises(ClawgitError, match="may not remove a record"):
            check("memory-compactor", files | {elsewhere: None}, {"CORRECTIONS.md": LESS, elsewhere: lost})
    with pytest.raises(ClawgitError, match="may not remove a record"):
        check("memory-compactor", files | {archive: lost}, {"CORRECTIONS.md": LESS, archive: lost + "\nmore\n"})


def test_the_agents_are_those_of_the_templates():
    assert set(manifest.WRITERS) | {"main", None} == set(MAY)


def agent_change(agent, *edits, **more):
    return Change("x", edits=edits, agent=agent, origin="agent", **more)


def test_a_write_of_an_agent_is_held_to_it(place):
    text = place.text("SOUL.md")
    edit = Edit("SOUL.md", text, text + "- More.\n")
    with place.refused("memory-miner may not write SOUL.md", "leave it to the operator"):
        place.ws.apply(agent_change("memory-miner", edit))
    assert place.ws.apply(agent_change("soul-keeper", edit)).proposal
    assert place.text("SOUL.md") == text
    assert place.ws.apply(
        replace(agent_change(None, Edit("SOUL.md", text, text + "- Again.\n")), origin="operator")
    ).commit


def test_one_file_that_is_not_its_own_refuses_the_whole_change(place):
    append = Append("memory/2026-02-14.md", "- note\n", "# 2026-02-14\n")
    config = place.text("CONFIG.md")
    with place.refused("memory-miner may not write CONFIG.md"):
        place.ws.apply(agent_change("memory-miner", append, Edit("CONFIG.md", config, config + "\n")))
    assert place.ws.apply(agent_change("memory-miner", append)).commit
    assert place.ws.apply(agent_change("memory-miner", append)).commit
    text = place.text("memory/2026-02-14.md")
    with place.refused("memory-miner may only add to memory/2026-02-14.md; this removes"):
        place.ws.apply(agent_change("memory-miner", Edit("memory/2026-02-14.md", text, text.replace("note", "lie", 1))))


def test_the_sidecar_is_written_by_rows_alone(place):
    row = Row("kkkkkkkkkk", "MEMORY.md", "0")
    assert place.ws.apply(agent_change("memory-miner", rows=(row,))).commit
    text = place.text(".clawgit/entries.tsv")
    with place.refused("memory-miner may not write .clawgit/entries.tsv"):
        place.ws.apply(agent_change("memory-miner", Edit(".clawgit/entries.tsv", text, "")))
