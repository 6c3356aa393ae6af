"""Brings an older workspace to the present format."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from msgspec.structs import replace

from clawgit.errors import Command, file_uncommitted
from clawgit.git import history, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.history import Commit
from clawgit.git.repository import Repository
from clawgit.git.transaction import Plan, Planner, Snapshot, Written
from clawgit.workspace import commit_message, entries, file_roles

SUBJECT = "workspace: now in format {}"


def births(repo: Repository) -> Iterator[Commit]:
    """Yield the commits that made this a workspace, newest first; not those that only brought the format back."""
    path = file_roles.FORMAT
    for commit in history.log(repo, path, named=False):
        parent = next(iter(commit.parents), None)
        if repository.blob_id(repo, commit.id, path) and not repository.blob_id(repo, parent, path):
            before = next(history.log(repo, path, start=parent, limit=1, named=False), None) if parent else None
            if before is None or before.subject == file_roles.EJECTED:
                yield commit


@dataclass
class Migration:
    """A step to format `version` on its way to a commit, whenever something else is written; `paths` take part in it.

    Rows keep their bytes, so that a clone that does the same step makes the same files. Where somebody has changed the
    sidecar its first line waits for the next row that is written.
    """

    version: int
    when: datetime
    done: bool = field(default=False, init=False)

    paths = (file_roles.FORMAT, entries.PATH)

    def before(self, decide: Planner) -> Planner:
        """Return the plan `decide`, led by the step if there is anything to write."""

        def plan(snapshot: Snapshot) -> Plan:
            decided = decide(snapshot)
            self.done = self._due(snapshot, decided)
            return replace(decided, commits=(self._commit(snapshot), *decided.commits)) if self.done else decided

        return plan

    def told(self, written: Written) -> Written:
        """Return what was written without the step, which is told as a note."""
        if not self.done or not written.commits:
            return written
        first, *commits = written.commits
        words = f"the workspace is now in format {self.version} ({first[:10]})"
        return Written(tuple(commits), (*written.notes, words))

    def _due(self, snapshot: Snapshot, decided: Plan) -> bool:
        was = snapshot.committed[file_roles.FORMAT]
        if not decided.commits or any(file_roles.FORMAT in commit.files for commit in decided.commits):
            return False
        if was is not None and (not was.strip().isdigit() or int(was) >= self.version):  # somebody else was faster
            return False
        file = snapshot.disk[file_roles.FORMAT]
        if file is not None and file.data not in (was, self._format):
            raise file_uncommitted(f"{file_roles.FORMAT} changed", fix=Command(f"git checkout -- {file_roles.FORMAT}"))
        return True

    @property
    def _format(self) -> bytes:
        return f"{self.version}\n".encode()

    def _commit(self, snapshot: Snapshot) -> NewCommit:
        files: dict[str, bytes | None] = {file_roles.FORMAT: self._format}
        file, was = snapshot.disk[entries.PATH], snapshot.committed[entries.PATH]
        if file is not None and file.data == was:
            files[entries.PATH] = entries.migrated(was)
        why = "Each row of the sidecar that is written from now on names its write."
        why = why if snapshot.committed[file_roles.FORMAT] else f"{file_roles.FORMAT} was deleted, and not by eject."
        words = commit_message.Message(SUBJECT.format(self.version), why, (("Origin", "operator"),))
        return NewCommit(commit_message.render(words), repository.COMMITTER, self.when, files)
