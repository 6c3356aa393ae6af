"""Says which files of a workspace merge, and how."""

from typing import Literal

from clawgit.workspace import file_roles, table_merge, text_merges

Rule = Literal["rows", "lines", "own", "control", "whole"]
"""By row; by entry; not at all, each machine has its own, or asks; as git does, or not at all."""


def rule(path: str) -> Rule:
    """Return the rule for a file."""
    if table_merge.is_table(path):
        return "rows"
    if file_roles.self_description(path):
        return "own"
    if file_roles.control(path):
        return "control"
    return "lines" if path.endswith(".md") else "whole"


def merged(path: str, base: str | None, ours: str, theirs: str) -> str | None:
    """Return what two versions of a file come to for git, None where its rule does not merge it.

    Nobody knows here which line is newer: of one that both changed both versions stand, one below the other.
    """
    return text_merges.merge_text(path, base, ours, theirs).text if rule(path) in ("rows", "lines") else None
