"""Keeps the table of entries up to HEAD."""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import count

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.file_changes import compare_commits, follow_parents, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.safety.redaction import redacted
from clawgit.store.births import (
    GLOBS,
    UNKNOWN,
    Classify,
    Commits,
    Files,
    FileVersion,
    History,
    Link,
    Replay,
    read_history,
    read_text,
)
from clawgit.store.index_file import writing
from clawgit.text.entry import entry_id
from clawgit.text.entry_versions import EntryReader, PlacedStatement, Statement

MAX_STEPS = 50
"""Updates that can be stepped back."""
_MAX_PAST_ROWS = 20_000

TABLES = """
CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE step (step INTEGER PRIMARY KEY, head TEXT NOT NULL);
CREATE TABLE moment (n INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE, date TEXT NOT NULL, author TEXT NOT NULL);
CREATE TABLE origin (n INTEGER PRIMARY KEY, id TEXT NOT NULL, birth INTEGER NOT NULL, step INTEGER NOT NULL);
CREATE UNIQUE INDEX origin_id ON origin (id);
CREATE TABLE file (path BLOB NOT NULL, blob TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER);
CREATE TABLE entry (
  path BLOB NOT NULL, place INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, kind TEXT NOT NULL,
  text TEXT NOT NULL, key TEXT NOT NULL, form TEXT NOT NULL, tag TEXT, section TEXT NOT NULL, role TEXT NOT NULL,
  origin INTEGER NOT NULL, changed INTEGER NOT NULL, similarity REAL NOT NULL, since INTEGER NOT NULL, until INTEGER
);
CREATE INDEX entry_path ON entry (path, place) WHERE until IS NULL;
CREATE INDEX entry_key ON entry (key) WHERE until IS NULL;
CREATE INDEX entry_origin ON entry (origin) WHERE until IS NULL;
CREATE INDEX entry_past ON entry (until) WHERE until IS NOT NULL;
CREATE TABLE removed (
  origin INTEGER NOT NULL, step INTEGER NOT NULL, path BLOB NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL,
  key TEXT NOT NULL, section TEXT NOT NULL, role TEXT NOT NULL, by INTEGER NOT NULL, holder INTEGER NOT NULL,
  PRIMARY KEY (origin, step)
) WITHOUT ROWID;
CREATE INDEX removed_key ON removed (key)
"""


@lru_cache(4096)
def join_section(section: tuple[str, ...]) -> str:
    """Return the path of headings as the table has it: without secrets."""
    return redacted("\n".join(section))


def split_section(section: str) -> tuple[str, ...]:
    """Return the path of headings that the table has."""
    return tuple(section.split("\n")) if section else ()


class Updater(Struct, frozen=True):
    """Brings the tables of a database up to HEAD.

    Each update is a step. Rows of earlier steps are kept for a while with the step that ended them (`until`), so that
    after a reset, an amended commit or a merge of an older branch the table goes on from the last common state. A
    secret in a text is named instead of kept.
    """

    repo: Repository
    classify: Classify
    connection: sqlite3.Connection
    version: str = ""

    def update(self) -> None:
        """Add the commits since the last step; begin anew if they continue none."""
        state = repository.head(self.repo) or "", " ".join((self.version, *sorted(cut_off(self.repo))))
        if self._read_state() == state:
            return
        with writing(self.connection):
            noted = self._read_state()
            if noted == state:  # by another process meanwhile
                return
            head, basis = state
            if not (noted[1] == basis and head and self._continue(head)):
                for table in ("step", "moment", "origin", "file", "entry", "removed"):
                    self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
                self._save(read_history(self.repo, head, self.classify) if head else History(), {}, 1)
                self.connection.execute("INSERT INTO step VALUES (1, ?)", (head,))
            notes = zip(("head", "basis"), state, strict=True)
            self.connection.executemany("INSERT OR REPLACE INTO note VALUES (?, ?)", notes)

    def _read_state(self) -> tuple[str | None, str | None]:
        """Return the commit of the last step, and the basis of the table: version, and ends of a shallow clone."""
        notes = dict(self.connection.execute("SELECT name, value FROM note"))
        return notes.get("head"), notes.get("basis")

    def _continue(self, head: Oid) -> bool:
        """Go on from the newest step from which all missing commits come; False without one."""
        steps = self.connection.execute("SELECT step, head FROM step ORDER BY step DESC").fetchall()
        for number, base in steps:
            commits = follow_parents(self.repo, head, base)
            if commits is None and base and repository.reaches(self.repo, head, base):
                commits = list_commits(self.repo, head, f"^{base}")
            if commits is None:
                continue
            if any(parent not in commits and parent != base for parents in commits.values() for parent in parents):
                continue  # a branch comes from further back
            if number != steps[0][0]:
                self._step_back(number)
            return not commits or self._add_commits(commits, base, number + 1)
        return False

    def _step_back(self, number: int) -> None:
        """Undo the updates after step `number`."""
        for table in ("file", "entry"):
            self.connection.execute(f"DELETE FROM {table} WHERE since > ?", (number,))  # noqa: S608 - names of ours
            self.connection.execute(f"UPDATE {table} SET until = NULL WHERE until > ?", (number,))  # noqa: S608
        for table in ("origin", "removed", "step"):
            self.connection.execute(f"DELETE FROM {table} WHERE step > ?", (number,))  # noqa: S608

    def _add_commits(self, commits: Commits, base: Oid, step: int) -> bool:
        """Add the changes of commits since `base`; False if objects of theirs are missing."""
        comparisons = list(compare_commits(self.repo, commits, GLOBS))
        if any(side.changes is None for side in comparisons):
            return False
        paths = {change.path for side in comparisons for change in side.changes or () if self.classify(change.path)}
        merges = any(len(parents) > 1 for parents in commits.values())
        files = self._load_files(None if merges else paths)
        reader = EntryReader()
        for path in paths & files.keys():
            with suppress(ClawgitError):
                reader.learn(read_text(self.repo, files[path].blob), files[path].rows)
        last = self.connection.execute("SELECT ifnull(max(n), 0) FROM origin").fetchone()[0]
        replay = Replay(self.repo, self.classify, reader, {base: dict(files)}, last + 1)
        replay.run(commits, comparisons)
        self._save(replay.finish(), files, step)
        self.connection.execute("INSERT INTO step VALUES (?, ?)", (step, [*commits][-1]))
        self._prune(step)
        return True

    def _prune(self, step: int) -> None:
        """Forget old steps: only the last one can be undone once they are large."""
        rows = self.connection.execute("SELECT count(*) FROM entry WHERE until IS NOT NULL").fetchone()[0]
        oldest = step - (1 if rows > _MAX_PAST_ROWS else MAX_STEPS)
        self.connection.execute("DELETE FROM step WHERE step < ?", (oldest,))
        for table in ("file", "entry"):
            self.connection.execute(f"DELETE FROM {table} WHERE until <= ?", (oldest,))  # noqa: S608 - names of ours

    def _load_files(self, paths: Collection[str] | None) -> Files:
        """Return the files of the last step, those of `paths` alone if given."""
        statements: dict[tuple[str, str, str | None], Statement] = {}
        files: Files = {}
        for name, blob in self.connection.execute("SELECT path, blob FROM file WHERE until IS NULL").fetchall():
            path = os.fsdecode(name)
            if paths is not None and path not in paths:
                continue
            rows: list[PlacedStatement] = []
            links: list[Link] = []
            for kind, text, key, form, tag, first, last, section, *link in self.connection.execute(_LOADED, (name,)):
                statement = statements.setdefault((kind, text, tag), Statement(kind, text, key, form, tag))
                rows.append(PlacedStatement(statement, first, last, split_section(section)))
                links.append(Link(*link))
            files[path] = FileVersion(blob, rows, links)
        return files

    def _save(self, history: History, before: Files, step: int) -> None:
        """Let the tables hold a history, given the files `before` of the last step that may have changed."""
        moments = self._save_moments(history)
        insert = "INSERT OR IGNORE INTO origin VALUES (?, ?, ?, ?)"
        orders: defaultdict[tuple[str, str], Iterator[int]] = defaultdict(lambda: count(1))
        for number, origin in history.origins.items():
            moment = moments[origin.address.commit if origin.known else UNKNOWN]
            path, text = origin.address.path, origin.address.text
            names = (entry_id(path, text, order) for order in orders[path, text])  # no commit: a purge changes its id
            next(name for name in names if self.connection.execute(insert, (number, name, moment, step)).rowcount)
        for path in {**before, **history.files}:
            old, new = before.get(path), history.files.get(path)
            if old is not new:
                self._save_file(path, old, new, moments, step)
        self.connection.executemany(
            "INSERT OR REPLACE INTO removed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    *(number, step, os.fsencode(removal.path), removal.row.start),
                    redacted(removal.row.statement.text),
                    *(removal.row.statement.key, join_section(removal.row.section), self.classify(removal.path) or ""),
                    *(moments[removal.commit], moments[removal.holder]),
                )
                for number, removal in history.removals.items()
            ),
        )

    def _save_file(
        self, path: str, old: FileVersion | None, new: FileVersion | None, moments: Mapping[Oid, int], step: int
    ) -> None:
        """Save the rows of a file that are not as they were, and end those that were other ones."""
        name, role = os.fsencode(path), self.classify(path)
        before = list(zip(old.rows, old.links, strict=True)) if old else []
        after = list(zip(new.rows, new.links, strict=True)) if new else []
        places = [place for place, row in enumerate(after) if place >= len(before) or row != before[place]]
        ended = (*(place for place in places if place < len(before)), *range(len(after), len(before)))
        self.connection.executemany(
            "UPDATE entry SET until = ? WHERE path = ? AND place = ? AND until IS NULL",
            ((step, name, place) for place in ended),
        )
        self.connection.executemany(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                (
                    *(name, place, row.start, row.end, row.statement.kind),
                    *(redacted(row.statement.text), row.statement.key),
                    *(row.statement.form, row.statement.tag, join_section(row.section), role),
                    *(link.origin, moments[link.changed], link.similarity, step),
                )
                for place in places
                for row, link in (after[place],)
            ),
        )
        self.connection.execute("UPDATE file SET until = ? WHERE path = ? AND until IS NULL", (step, name))
        if new:
            self.connection.execute("INSERT INTO file VALUES (?, ?, ?, NULL)", (name, new.blob, step))

    def _save_moments(self, history: History) -> dict[Oid, int]:
        """Return the number of every commit that the history names."""
        oids = {UNKNOWN, *(removal.holder for removal in history.removals.values())}
        oids.update(link.changed for version in history.files.values() for link in version.links)
        stamps = dict.fromkeys(sorted(oids), ("", "")) | history.stamps
        self.connection.executemany(
            "INSERT INTO moment (oid, date, author) VALUES (?, ?, ?) ON CONFLICT (oid) DO UPDATE "
            "SET date = excluded.date, author = excluded.author WHERE excluded.date != ''",
            ((oid, *stamp) for oid, stamp in stamps.items()),
        )
        return dict(self.connection.execute("SELECT oid, n FROM moment"))


_LOADED = (
    "SELECT kind, text, key, form, tag, first, last, section, origin, m.oid, similarity FROM entry "
    "JOIN moment m ON m.n = changed WHERE path = ? AND until IS NULL ORDER BY place"
)
