"""Which agent may write which file, and how (spec P12)."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.manifest import check_manifest
from clawgit.workspace.workspace import open_workspace

RECORDS = "# Records\n\n## 2026-02-14 kkkkkkkkkk\n\n- is: a\n\n## zzzzzzzzzz\n\n- is: b\n"
STEPS = {
    "append": RECORDS + "\n## nnnnnnnnnn\n",
    "retitle": RECORDS.replace("## 2026-02-14 kkkkkkkkkk", "## kkkkkkkkkk (closed)"),
    "remove": RECORDS.replace("## 2026-02-14 kkkkkkkkkk\n\n- is: a\n\n", ""),
    "delete": None,
}
MAY = [
    ("memory-miner", "MEMORY.md", "append retitle remove delete"),
    ("memory-miner", "memory/2026-02-14.md", "append"),
    ("memory-miner", "SOUL.md", ""),
    ("memory-miner", "CONFIG.md", ""),
    ("soul-keeper", "SOUL.md", "append retitle remove delete"),
    ("soul-keeper", "agents/soul-keeper/SOUL.md", ""),
    ("soul-keeper", "AGENTS.md", "append"),
    ("soul-keeper", "MEMORY.md", ""),
    ("recall-validator", "CORRECTIONS.md", "append"),
    ("conflict-detector", "CONFLICTS.md", "append retitle"),
    ("memory-compactor", "CORRECTIONS.md", "append retitle"),
    ("lessons", "memory/lessons.md", "append"),
    ("organizer", ".clawgit/facts.tsv", "append retitle remove delete"),
    ("anybody", "CORRECTIONS.md", "append"),
    ("anybody", "USER.md", ""),
    ("anybody", "agents/memory-miner/SOUL.md", ""),
    ("anybody", "CHANGELOG.md", ""),
    ("anybody", ".gitignore", ""),
    (None, "SOUL.md", "append retitle remove delete"),
]


def is_allowed(agent, before, after):
    try:
        check_manifest(agent, before, after)
    except ClawgitError:
        return False
    return True


@pytest.mark.parametrize(("agent", "path", "steps"), MAY)
def test_an_agent_does_what_its_row_says_and_nothing_else(agent, path, steps):
    steps_allowed = [name for name, text in STEPS.items() if is_allowed(agent, {path: RECORDS}, {path: text})]
    assert " ".join(steps_allowed) == steps


def test_one_file_that_is_not_its_own_refuses_the_whole_change(desk):
    note, config = Append("memory/2026-02-14.md", "- note\n", "# 2026-02-14\n"), desk.read("CONFIG.md")
    fields = {"rows": (Row("kkkkkkkkkk", "MEMORY.md", "0"),), "agent": "memory-miner", "origin": "agent"}
    before, head = desk.files(), desk.head()
    with open_workspace(desk.root) as workspace:
        for edit in (Edit("CONFIG.md", config, config + "\n"), Edit(".clawgit/entries.tsv", None, "")):
            with pytest.raises(ClawgitError) as caught:
                workspace.apply(Change("x", edits=(note, edit), **fields))
            assert caught.value.key == "agent-forbidden"
            assert (desk.files(), desk.head()) == (before, head)
        assert workspace.apply(Change("x", edits=(note,), **fields)).commit
