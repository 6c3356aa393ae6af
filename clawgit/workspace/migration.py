"""Brings an older workspace to the present format."""

from collections.abc import Iterator
from datetime import datetime

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, file_uncommitted
from clawgit.git import history, repository, transaction
from clawgit.git.commit_chain import NewCommit
from clawgit.git.history import Commit
from clawgit.git.repository import Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.workspace import commit_message
from clawgit.workspace.merge_rules import merge_forward

FORMAT_SUBJECT = "workspace: now in format {}"


def list_format_commits(repo: Repository) -> Iterator[Commit]:
    """Yield the commits that made this a workspace, newest first; not those that only brought the format back."""
    path = file_roles.FORMAT
    for commit in history.walk_log(repo, path, named=False):
        parent = next(iter(commit.parents), None)
        if repository.blob_id(repo, commit.id, path) and not repository.blob_id(repo, parent, path):
            before = next(history.walk_log(repo, path, start=parent, limit=1, named=False), None) if parent else None
            if before is None or before.subject == file_roles.EJECTED:
                yield commit


def migrate(repo: Repository, branch: str, version: int, time: datetime) -> str:
    """Commit format `version`, behind another write; return a sentence for the user."""
    data = f"{version}\n".encode()

    def plan(snapshot: Snapshot) -> Plan:
        file, was = snapshot.disk[file_roles.FORMAT], snapshot.committed[file_roles.FORMAT]
        if file is not None and file.data not in (was, data):
            raise file_uncommitted(f"{file_roles.FORMAT} changed", fix=Command(f"git checkout -- {file_roles.FORMAT}"))
        reason = "" if was else f"{file_roles.FORMAT} was deleted, and not by eject."
        words = commit_message.Message(FORMAT_SUBJECT.format(version), reason, (("Origin", "operator"),))
        return Plan((NewCommit(commit_message.render(words), repository.COMMITTER, time, {file_roles.FORMAT: data}),))

    try:
        result = transaction.write(repo, branch, (file_roles.FORMAT,), plan, merge_forward)
    except ClawgitError as exc:
        return f"the workspace stays in its format: {exc.message}"
    return f"the workspace is now in format {version} ({result.commits[-1][:10]})"
