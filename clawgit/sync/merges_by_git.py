"""Records what a plain `git merge` joined."""

from clawgit.git import commit_graph, references
from clawgit.git.repository import Oid
from clawgit.sync import merge_rules
from clawgit.sync.merge_records import BOTH, read_words
from clawgit.sync.tree_merge import TreeMerge
from clawgit.text import conflict
from clawgit.text.conflict import Conflict
from clawgit.text.edit import append_block
from clawgit.workspace import file_roles, undo
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.workspace import Workspace

_SEEN = "refs/clawgit/merges-seen"
"""The commit up to which merges were looked at."""


def record_merges(workspace: Workspace) -> tuple[str, ...]:
    """Write a record of each line of which git kept both versions since the last time; return their ids."""
    repo, head = workspace.repo, workspace.head
    seen = references.target(repo, _SEEN)
    if head is None or head == seen:
        return ()
    before = workspace.read(file_roles.CONFLICTS)
    known = {record.id for record in conflict.conflicts(before or "")}
    merges = [node for node in commit_graph.beyond(repo, seen, head) if len(node.parents) > 1] if seen else []
    found = {
        record.id: record
        for node in merges
        if not node.ours
        for record in _find_records(workspace, node.parents)
        if record.id not in known
    }
    after = before or conflict.BIRTH
    for name in sorted(found):
        after = append_block(after, conflict.rendered(found[name]))
    if found:
        edits = (Edit(file_roles.CONFLICTS, before, after),)
        subject = f"memory: {len(found)} line{'s'[: len(found) > 1]} that git merged in two versions"
        workspace.apply(Change(subject, edits=edits, agent=undo.SYNC), wait=False)
    references.point(repo, _SEEN, workspace.head or head)
    return tuple(sorted(found))


def _find_records(workspace: Workspace, parents: tuple[Oid, ...]) -> list[Conflict]:
    """Return the records that a merge of ours would have written, of lines that stand in both versions now."""
    trees = TreeMerge(workspace.repo, lambda path: merge_rules.rule(path) != "lines")
    version = trees.merge(parents)
    text = (trees.read(version, file_roles.CONFLICTS) or b"").decode("utf-8", "replace")
    records = [record for record in conflict.conflicts(text) if record.id in version.records]
    stand = (record for record in records if _stands(workspace, record))
    return [Conflict(record.id, record.found, record.a, record.b, BOTH, record.rule) for record in stand]


def _stands(workspace: Workspace, record: Conflict) -> bool:
    lines = {read_words(line) for line in (workspace.read(record.a.path) or "").split("\n")}
    return {record.a.text, record.b.text} <= lines
