"""Lets git merge memory by our rules, for every user."""

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from clawgit import errors
from clawgit.errors import Command
from clawgit.findings.registry import Check, CheckInput, Finding
from clawgit.git import repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Repository
from clawgit.workspace.trust import arrived_programs
from clawgit.workspace.trust.approvals import TrustStore

KEY, TITLE = "merge.clawgit.driver", "merge.clawgit.name"
_DRIVER_TITLE = "clawgit, by entry and line"
_BEGIN, _END = "# clawgit: begin", "# clawgit: end"
_OURS = re.compile(f"{_BEGIN}\n.*?{_END}\n", re.DOTALL)
_RULES = ("*.md merge=clawgit", ".clawgit/*.tsv merge=clawgit")

State = Literal["installed", "outdated", "missing"]


def line(program: Path) -> str:
    """Return git's command for one file. Without the program, git merges as usual: it never takes ours silently.

    git puts the names of its temporary files in place of %O, %A and %B, the length of its markers and the path.
    """
    return f"{shlex.quote(str(program))} merge-driver %O %A %B %L %P || git merge-file --marker-size=%L %A %O %B"


def read_driver_state(repo: Repository, program: Path) -> State:
    """Return its state in this clone."""
    command, rules = repository.setting(repo, KEY), _OURS.search(_read_attributes(repo)) is not None
    if not command and not rules:
        return "missing"
    return "installed" if command == line(program) and rules else "outdated"


def install_driver(repo: Repository, program: Path) -> None:
    """Let git merge by our rules here.

    The settings are beside git, in this clone alone: no file of the workspace names a program, and a clone without
    clawgit merges as usual. Raises ClawgitError if they cannot be written.
    """
    if read_driver_state(repo, program) == "installed":
        return
    _write_attributes(repo, "\n".join((_BEGIN, *_RULES, _END, "")))
    git(repo.root, "config", "--local", TITLE, _DRIVER_TITLE)
    git(repo.root, "config", "--local", KEY, line(program))
    notes = TrustStore(repo.commondir, os.environ)
    arrived_programs.note_ours(repo, notes, [KEY])


def uninstall_driver(repo: Repository) -> None:
    """Remove it; other settings in the same files stay to the byte."""
    if _OURS.search(_read_attributes(repo)):
        _write_attributes(repo, "")
    # `git config --remove-section` fails for a missing section.
    if repository.setting(repo, KEY) or repository.setting(repo, TITLE):
        git(repo.root, "config", "--local", "--remove-section", "merge.clawgit")


def check_driver(program: Path) -> Check:
    """Return the check of the driver; to have none is a choice."""

    def look(ground: CheckInput) -> Iterator[Finding]:
        state = read_driver_state(ground.workspace.repo, program)
        if state == "missing":
            words = "none: git merges memory as it merges code, when somebody pulls"
            yield Finding("merge-driver-missing", words, level="notice")
        elif state == "outdated":
            yield Finding("merge-driver-outdated", "outdated or incomplete", Command("clawgit hooks install"))

    return Check("merge driver", look, "installed", "repository")


def _read_attributes(repo: Repository) -> str:
    """Return the attributes that git has for this clone alone, "" if there are none."""
    with suppress(FileNotFoundError):
        return (repo.commondir / "info/attributes").read_text("utf-8", "surrogateescape")  # also behind a link
    return ""


def _write_attributes(repo: Repository, block: str) -> None:
    """Put a block at the end instead of ours; a file that was ours alone goes with it."""
    place, text = repo.commondir / "info/attributes", _OURS.sub("", _read_attributes(repo))
    text += ("\n" if block and text and not text.endswith("\n") else "") + block
    try:
        worktree_files.replace_file(place, text.encode("utf-8", "surrogateescape") or None)
    except OSError as exc:
        raise errors.make_unwritable_error(place, exc) from exc
