"""Identity files: edits with evidence, and versions."""

import re
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from clawgit import errors, file_roles
from clawgit.errors import Advice, Command
from clawgit.git import history, repository
from clawgit.text import tokens
from clawgit.text.diff import Hunk, hunks
from clawgit.text.document import sections
from clawgit.text.edit import append_under, bullet, has_line, remove_once, replace_once
from clawgit.workspace import commit_message, file_contents, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.workspace import Workspace

Act = Literal["add", "replace", "remove"]
_MARK = re.compile(r"^\s*[-*+] ")


class Difference(Struct, frozen=True):
    """The changes of one file between two commits; `start` None is before the first, `end` "" the file on disk."""

    start: str | None
    end: str
    hunks: tuple[Hunk, ...]


def edit_identity(
    workspace: Workspace,
    act: Act,
    text: str,
    *,
    old: str = "",
    section: str | None = None,
    path: str = file_roles.SOUL,
    why: str,
    evidence: tuple[str, ...] = (),
    origin: Origin = "operator",
    agent: str | None = None,
) -> Change:
    """Return the change that adds `text` at the end of `section`, puts it in place of `old`, or removes it.

    A file with no heading but its title is one section. Raises ClawgitError when the place is not found exactly once,
    UsageError when the file is no identity file.
    """
    if not file_roles.is_identity(path):
        raise errors.path_role(f"{path} is no identity file", fix=Advice(f"use {', '.join(file_roles.IDENTITY)}"))
    before = workspace.read(path)
    if before is None:
        raise errors.file_missing(f"{path} not found", fix=Advice(f"write a first {path}, or --file another one"))
    if not text.strip():
        fix = Advice('clawgit soul edit --add "a principle" --section "Core Truths" --why …')
        raise errors.text_missing("there is no text", fix=fix)
    if not why.strip():
        raise errors.reason_missing("there is no reason", fix=Advice('--why "what asked for it"'))
    match act:
        case "add":
            line = bullet(text.strip().removeprefix("- "))
            title = _find_only_section(before) if section is None else section
            after = append_under(before, title, line)
            if has_line(before, title, line):
                raise errors.already_set(f"{path} has this line already", fix=Command("clawgit soul show"))
        case "replace":
            after = replace_once(before, old, text, section)
        case "remove":
            after = remove_once(before, text, section)
    verb = "drop: " if act == "remove" else ""
    words = commit_message.fold_spaces(_MARK.sub("", text))
    subject = f"{file_roles.name_area(path)}: {verb}{commit_message.shorten(words, 60)}"
    return Change(subject, why, (Edit(path, before, after),), evidence, origin, agent)


def _find_only_section(text: str) -> str | None:
    """Return the title of a text with this only heading, None without any; raise UsageError for more."""
    heads = sections(text)
    if heads[1:]:
        title = next((head.title for head in heads if head.level > 1), heads[0].title)
        raise errors.option_missing("--add needs to know where", fix=Advice(f'--section "{title}"'))
    return heads[0].title if heads else None


def show(workspace: Workspace, name: str | None = None) -> tuple[str, str]:
    """Return the commit that `name` means (None: HEAD), and SOUL.md as it is there.

    Raises ClawgitError when that commit has no such file.
    """
    commit = records.find_commit(workspace, name or "HEAD")
    text = file_contents.decode_file(file_roles.SOUL, repository.read(workspace.repo, commit, file_roles.SOUL))
    if text is None:
        fix = Command("git log --oneline -- {}", file_roles.SOUL)
        raise errors.history_missing(f"{file_roles.SOUL} is not in {commit[:10]}", fix=fix)
    return commit, text


def diff(workspace: Workspace, path: str, first: str | None = None, second: str | None = None) -> Difference:
    """Return the changes of `path` from one change, revision or date to another (None: HEAD).

    Without `first`, those of the file on disk that are not committed yet, else those of the last change of `path`.
    """
    if first:
        return _diff_commits(
            workspace, records.find_commit(workspace, first), records.find_commit(workspace, second or "HEAD"), path
        )
    if workspace.head is None:
        raise errors.head_unborn("there is no commit yet", fix=Command("clawgit status"))
    current = workspace.read(path)
    committed = file_contents.decode_file(path, repository.read(workspace.repo, workspace.head, path))
    if current != committed:
        return Difference(workspace.head, "", hunks(committed or "", current or ""))
    commit = next(history.walk_log(workspace.repo, path, limit=1), None)
    if commit is None:
        raise errors.history_missing(f"{path} has no history here", fix=Command("git log -- {}", path))
    return diff_change(workspace, commit.id, path)


def diff_change(workspace: Workspace, name: str, path: str) -> Difference:
    """Return what one change, or the commit of a revision, did to `path`; a merge is held against its first parent."""
    commit = records.find_commit(workspace, name)
    return _diff_commits(workspace, next(iter(history.commit(workspace.repo, commit).parents), None), commit, path)


def _diff_commits(workspace: Workspace, start: str | None, end: str, path: str) -> Difference:
    contents = [repository.read(workspace.repo, commit, path) if commit else None for commit in (start, end)]
    if contents == [None, None]:
        raise errors.history_missing(f"{path} is in neither of the two", fix=Command("clawgit log {}", path))
    before, after = (file_contents.decode_file(path, data) or "" for data in contents)
    return Difference(start, end, hunks(before, after))


class Revision(Struct, frozen=True):
    """A version of a file: when it came, with which commit, how many tokens it takes (estimated)."""

    date: datetime
    commit: str
    tokens: int


def versions(
    workspace: Workspace, path: str = file_roles.SOUL, *, everything: bool = False
) -> tuple[tuple[Revision, ...], int]:
    """Return the versions of a file, newest first, and how many the retention rule leaves out, none for `everything`.

    Every version of the last `soul_history_retention_days`, before that the last of each month (spec §5.5). Nothing is
    ever pruned: the commits stay.
    """
    repo, now = workspace.repo, workspace.now()
    commits = [
        commit for commit in history.walk_log(repo, path, named=False) if repository.blob_id(repo, commit.id, path)
    ]
    limit = now - timedelta(days=min(workspace.config.value("soul_history_retention_days"), now.toordinal() - 1))
    months: set[tuple[int, int]] = set()
    revisions: list[Revision] = []
    for commit in commits:
        local = commit.date.astimezone(limit.tzinfo)
        month = (local.year, local.month)
        if everything or commit.date >= limit or month not in months:
            text = file_contents.to_text(repository.read(repo, commit.id, path))
            revisions.append(Revision(commit.date, commit.id, tokens.count(text)))
        months.add(month)
    return tuple(revisions), len(commits) - len(revisions)
