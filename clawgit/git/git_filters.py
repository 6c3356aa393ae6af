"""Refuses files that git would store other than they are."""

import os
from pathlib import PurePosixPath

import pygit2

from clawgit.errors import Advice, Command, Fix, git_filter, quote_shell
from clawgit.git import regular_file
from clawgit.git.git_command import git
from clawgit.git.repository import Repository, setting


def require_unfiltered(repo: Repository, path: str, data: bytes | None) -> None:
    """Raise ClawgitError if filters or line ending rules would make git store `path` other than as these bytes.

    libgit2 runs no external filter: it would store in clear the content that git-crypt should have hidden.
    """
    for folder in PurePosixPath(path).parents:
        rules = folder / ".gitattributes"
        regular_file.refuse_waiting(repo.root / rules, str(rules))
    for attribute in ("filter", "working-tree-encoding", "ident"):
        if value := _attribute(repo, path, attribute):
            label = attribute if value is True else f"{attribute}={value}"
            fix = _add_rule(f"{path} -{attribute}")
            raise git_filter(f"{path} has the attribute {label}: git stores it other than it is on disk", fix=fix)
    if data is not None:
        _refuse_line_endings(repo, path, data)


def _add_rule(rule: str) -> Advice:
    return Advice(f"echo {quote_shell(rule)} >> .gitattributes")


def _attribute(repo: Repository, path: str, name: str) -> bool | str | None:
    """Return an attribute as libgit2 reads it: set, unset, a value, or None; through git if the index is split."""
    try:
        return repo.raw.get_attr(os.fsencode(path), name)
    except pygit2.GitError:
        value = git(repo.root, "check-attr", "-z", name, "--", path).split(b"\0")[2].decode()
        return {"set": True, "unset": False, "unspecified": None}.get(value, value)


def _refuse_line_endings(repo: Repository, path: str, data: bytes) -> None:
    text, eol = (_attribute(repo, path, name) for name in ("text", "eol"))
    automatic = setting(repo, "core.autocrlf").lower() or "false"
    if text is False:
        return
    # With eol=crlf git would write other bytes at the next checkout.
    on_checkout = eol == "crlf" or (eol is None and automatic == "true")
    on_commit = (text is not None or eol is not None or automatic != "false") and b"\r\n" in data
    if on_checkout or on_commit:
        cause = f"core.autocrlf={automatic}" if automatic != "false" else "a text or eol attribute"
        fix: Fix = _add_rule(f"{path} -text")
        if automatic != "false":  # one command for all files
            fix = Command("git -C {} config core.autocrlf false", repo.root, note="in this repository alone")
        raise git_filter(f"{path}: {cause} converts its line endings", fix=fix)
