"""Merges commits of several machines, file by file.

After criss-cross merges there are several merge bases; their own merge is the base then. With any single one of them,
deleted lines come back.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial, reduce

from msgspec import Struct, field

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, sync_conflict
from clawgit.git import commit_graph, history, repository
from clawgit.git.git_command import git, merge_file
from clawgit.git.repository import Oid, Repository
from clawgit.safety.hidden_text import join_sides
from clawgit.text import conflict
from clawgit.text.conflict import LEFT_OUT, TWO_MACHINES, Conflict, Side
from clawgit.text.edit import append_block
from clawgit.text.entry import entry_id, hash_entry, make_name, merge_table, remove_comments, split_tags
from clawgit.text.entry_versions import EntryReader
from clawgit.text.merge import Name, merge
from clawgit.workspace import entries, merge_rules
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import text_of

_MAX_LEVELS = 6
"""So many merges of machines, each a part of the next, are made anew; older ones are taken as they are."""
_MIN_EQUAL_SHARE = 0.5
"""From this share of equal lines on, a new file is a missing one under another name."""

Triple = tuple[bytes | None, bytes | None, bytes | None]
"""A file in the base and in two versions, None where there is none."""
LineRank = Callable[[str], tuple[bool, float, str]]

_NEWER = "two machines changed this line before they had heard of each other: the newer one stands"
_BOTH = "two machines changed this line before they had heard of each other: both stand"
_DELETED = "one machine took this line out while another one reworded it: it stands"
_UNRECORDED = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)
"""Settings and records have the newer value; nobody is asked."""
_MARKER = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)?(?:\[[ xX]\][ \t]+)?")


class MergedTree(Struct, frozen=True):
    """The files of `heads` merged: those of the first one, with `files` instead (None: no file). No heads: no files."""

    heads: tuple[Oid, ...]
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    records: tuple[Conflict, ...] = ()

    @property
    def head(self) -> Oid | None:
        """The commit of all other files."""
        return self.heads[0] if self.heads else None


class _File(Struct, frozen=True):
    """A file to be merged: its bytes in the base and on both `sides`, and its paths there."""

    path: str
    data: Triple
    sides: tuple[MergedTree, MergedTree]
    sources: tuple[str, str]


class TreeMerge:
    """Merges of commits of one repository; files that `skip` names stay as they are in the first version."""

    def __init__(self, repo: Repository, skip: Callable[[str], bool]) -> None:
        self._repo, self._skip = repo, skip
        self._split = cache(self._split_merge)
        self._merged = cache(
            lambda heads: reduce(self._join, (MergedTree((head,)) for head in heads[1:]), MergedTree(heads[:1]))
        )
        self._depth = self._level = 0
        self._withdrawn = frozenset[str]()  # the rows of corrections that a side of this merge took back

    def merge(self, heads: Sequence[Oid]) -> MergedTree:
        """Return the merge of commits, in any order. Merges of machines among them are made anew, from their parts.

        So the result does not depend on the order of merges. Raises ClawgitError for a file without entries that
        two of them changed at one place.
        """
        parts = {part for head in heads for part in self._split(head)}
        independent = commit_graph.list_independent(self._repo, parts) if parts != set(heads) else []
        # A head that has all others is the result as it is: after an eject it lacks files that any merge keeps.
        # Parts in a fixed order: the result must not depend on the machine that merges.
        return self._merged(tuple(independent if len(independent) > 1 else sorted(heads)))

    def _split_merge(self, head: Oid) -> tuple[Oid, ...]:
        """Return the parts of a merge of machines if it has nothing else, and itself of any other commit."""
        commit = commit_graph.read_node(self._repo, head)
        if len(commit.parents) < 2 or not commit.ours or self._level >= _MAX_LEVELS:  # noqa: PLR2004 - a merge
            return (head,)
        has_content = partial(commit_graph.has_content, self._repo)  # that another one lacks, and that is no merge
        others = {parent: set(commit.parents) - {parent} for parent in commit.parents}
        news = [parent for parent in others if all(has_content(other, parent) for other in others[parent])]
        self._level += 1
        new_parts = (part for parent in news or commit.parents[-1:] for part in self._split(parent))
        parts = tuple(commit_graph.list_independent(self._repo, new_parts))
        self._level -= 1
        version = self._merged(parts)
        differing = commit_graph.difference(self._repo, parts[0], head)
        paths = [path for path in {*version.files, *differing} if not self._skip(path)]
        is_whole = all(self.read(version, path) == repository.read(self._repo, head, path) for path in paths)
        return parts if is_whole else (head,)

    def read(self, version: MergedTree, path: str) -> bytes | None:
        """Return a file of a version, None if there is none."""
        if path in version.files:
            return version.files[path]
        return repository.read(self._repo, version.head, path) if version.head else None

    def _base(self, ours: MergedTree, theirs: MergedTree) -> MergedTree:
        arguments = ("merge-base", "--all", *theirs.heads, *ours.heads)
        try:
            # All merge bases: with libgit2's single one, deleted lines came back in 714 of 10,000 random worlds.
            bases = git(self._repo.root, *arguments).decode().split()
        except ClawgitError:  # no common begin: exit code 1
            bases = []
        self._depth += 1
        try:
            return self.merge(bases) if bases else MergedTree(())
        finally:
            self._depth -= 1

    def _join(self, ours: MergedTree, theirs: MergedTree) -> MergedTree:
        base, head = self._base(ours, theirs), theirs.head
        differing = commit_graph.difference(self._repo, ours.head, head) if head else {}
        paths = sorted(path for path in {*differing, *ours.files, *theirs.files} if not self._skip(path))
        versions = {path: (self.read(base, path), self.read(ours, path), self.read(theirs, path)) for path in paths}
        triples: dict[str, Triple] = {path: triple for path, triple in versions.items() if triple[1] != triple[2]}
        records = list[Conflict]()
        row_ids = [_list_corrected(data).keys() for data in triples.get(entries.PATH, ())]
        self._withdrawn = frozenset(row_ids[0] - (row_ids[1] & row_ids[2]) if row_ids else ())
        renames = _find_renames(triples)
        files: dict[str, bytes | None] = dict.fromkeys(old for old, *_ in renames.values())
        for path in [path for path in triples if path not in files and path != entries.PATH]:
            base_path, our_path, their_path = renames.get(path, (path, path, path))
            data = triples[base_path][0], triples[our_path][1], triples[their_path][2]
            file = _File(path, data, (ours, theirs), (our_path, their_path))
            files[path], conflicts = self._merge_file(file)
            records += conflicts
        files = {path: data for path, data in files.items() if data != triples[path][1]}
        version = MergedTree((*ours.heads, *theirs.heads), {**ours.files, **files}, (*ours.records, *theirs.records))
        return self._settle(version, triples, records)

    def _settle(self, version: MergedTree, triples: Mapping[str, Triple], conflicts: Sequence[Conflict]) -> MergedTree:
        """Return a merge with its records of conflicts, and with rows that have their texts."""
        files, records = dict(version.files), version.records
        if conflicts:
            text = text_of(self.read(version, file_roles.CONFLICTS)) or ""
            ids = {record.id for record in conflict.conflicts(text)}
            new_records = {record.id: record for record in conflicts if record.id not in ids}
            for _, record in sorted(new_records.items()):
                text = append_block(text or conflict.EMPTY_CONFLICTS, conflict.rendered(record))
                records = (*records, record)
            files[file_roles.CONFLICTS] = text.encode()
        if entries.PATH in triples:
            result = MergedTree(version.heads, files)

            @cache
            def read_hashes(path: str) -> frozenset[str]:
                rows = EntryReader().read(text_of(self.read(result, path)) or "")
                return frozenset(row.statement.key for row in rows)

            def stands(row: Row) -> bool:
                return row.file not in triples or row.hash in read_hashes(row.file)

            was, our_text, their_text = map(_read_joined_text, triples[entries.PATH])
            settle = partial(entries.settle_rows, stands=stands)
            files[entries.PATH] = merge_table(entries.TABLE, was, our_text, their_text, settle).encode()
        return MergedTree(version.heads, files, records)

    def _merge_file(self, file: _File) -> tuple[bytes | None, list[Conflict]]:
        # Conflict markers of a merge by hand are resolved to both sides before our merge sees them.
        was, our_text, their_text = texts = [_read_joined_text(version) for version in file.data]
        readable = all(version is None or text is not None for version, text in zip(file.data, texts, strict=True))
        rule = merge_rules.find_rule(file.path) if readable else "whole"
        # Machines may have different versions of clawgit: the newer format counts.
        if file.path == file_roles.FORMAT:
            numbers = filter(None, file.data[1:])
            return max(numbers, key=lambda data: (data.strip().isdigit(), len(data.strip()), data)), []
        if rule == "rows":
            our_text, their_text = (
                "" if text is None and self.read(side, entries.PATH) is not None else text  # its last row went
                for side, text in zip(file.sides, (our_text, their_text), strict=True)
            )
            table = merge_table(merge_rules.TABLES[file.path], was, our_text, their_text)
            return (None if None in file.data[1:] and "\t" not in table else table.encode()), []
        if rule == "lines":
            return self._merge_lines(file)
        return self._merge_whole(file), []

    def _merge_lines(self, file: _File) -> tuple[bytes | None, list[Conflict]]:
        """Return the merge of two versions of a text; every lost line has a record."""
        rank_ours, rank_theirs = map(self._rank, file.sides, file.sources)
        ranks: dict[Name, LineRank] = {"ours": rank_ours, "theirs": rank_theirs}
        was, our_text, their_text = (_read_joined_text(version) or "" for version in file.data)
        result = merge(was, our_text, their_text, lambda name, line: ranks[name](line))
        if None in file.data[1:] and not result.text.strip():
            return None, []
        records = list[Conflict]()
        for clash in result.conflicts if file.path not in _UNRECORDED else ():
            versions = (rank_ours, clash.ours), (rank_theirs, clash.theirs)
            times = (max(rank(line)[1] for line in text.split("\n")) for rank, text in versions)
            days = (datetime.fromtimestamp(time, UTC).date().isoformat() for time in times)
            sides = [(read_words(text), day) for (_, text), day in zip(versions, days, strict=True)]
            records.append(_make_record(file.path, clash.kept, sides))
        return result.text.encode(), records

    def _rank(self, side: MergedTree, path: str) -> LineRank:
        """Return the ranks of a side's lines: a correction, then the time of its commit, then that commit."""

        @cache
        def list_hashes() -> frozenset[str]:
            rows = _list_corrected(self.read(side, entries.PATH))
            return frozenset(rows[name].hash for name in rows.keys() - self._withdrawn if rows[name].file == path)

        @cache
        def read_times() -> dict[str, tuple[float, Oid]]:
            """Return the time of each line, and its commit: the last time if it is repeated."""
            times = dict[str, tuple[float, Oid]]()
            # git blame knows the time of each line: the newer of two rewordings wins.
            for head in (head for head in side.heads if repository.blob_id(self._repo, head, path)):
                for line in history.blame(self._repo, path, head):
                    oid = line.commit or head
                    time = repository.committed_at(self._repo, oid), oid
                    words = line.text.removesuffix("\r")
                    times[words] = max(time, times.get(words, time))
            return times

        def rank(line: str) -> tuple[bool, float, str]:
            is_corrected = hash_entry(read_words(line)) in list_hashes()
            return (is_corrected, *read_times().get(line, (0.0, "")))

        return rank

    def _merge_whole(self, file: _File) -> bytes | None:
        """Return git's merge of two versions. Raises ClawgitError if both changed the same lines."""
        path, (base, ours, theirs) = file.path, file.data
        if None in (ours, theirs):
            heads = [side.head or "" for side in file.sides]
            our_head, their_head = heads if ours is None else heads[::-1]
            if not commit_graph.find_commits(self._repo, their_head, our_head, (path,)):  # a merge of ours left it out
                return theirs if ours is None else ours
        if base in (ours, theirs):
            return ours if theirs == base else theirs
        if ours is not None and theirs is not None:
            try:
                return merge_file(base or b"", ours, theirs)
            except ClawgitError:
                pass
        # In a merge base nobody can be asked, so a fixed choice is made.
        if self._depth:
            return max(filter(None, (ours, theirs)))
        raise sync_conflict(
            f"{path} was changed here and on another machine, and is no memory that clawgit can merge; "
            "nothing was touched",
            fix=Command("git log --all -- {}", path, note="make them one by hand, commit, and sync again"),
        )


def _find_renames(triples: Mapping[str, Triple]) -> dict[str, tuple[str, str, str]]:
    """Return for each new path of a file that one side renamed its paths in the base and on both sides."""
    renames = dict[str, tuple[str, str, str]]()
    for side, other in ((1, 2), (2, 1)):
        new_paths = [path for path, triple in triples.items() if triple[side] and not (triple[0] or triple[other])]
        for path, triple in triples.items():
            # Journals of different days may be alike, and are no renames.
            if not triple[0] or not triple[other] or triple[side] or file_roles.journal_day(path):
                continue
            alike = (new for new in new_paths if new not in renames and _are_alike(triple[0], triples[new][side]))
            if path.endswith(".md") and (new := next(alike, "")):
                renames[new] = (path, new, path) if side == 1 else (path, path, new)
    return renames


def _are_alike(ours: bytes, theirs: bytes | None) -> bool:
    our_lines, their_lines = (Counter(filter(bytes.strip, (data or b"").split(b"\n"))) for data in (ours, theirs))
    return (our_lines & their_lines).total() >= _MIN_EQUAL_SHARE * max(our_lines.total(), their_lines.total(), 1)


def _list_corrected(data: bytes | None) -> dict[str, Row]:
    return {name: row for name, row in entries.parse(text_of(data) or "").items() if row.is_corrected}


def read_words(line: str) -> str:
    """Return the words of a line of one or several rows, on one line: no marker, no tags."""
    rows = (split_tags(remove_comments(row[_MARKER.match(row).end() :]))[0] for row in line.split("\n"))  # type: ignore[union-attr]
    return fold_spaces(" ".join(rows))


def _make_record(path: str, choice: str, sides: list[tuple[str, str]]) -> Conflict:
    """Return a record of the two sides' words and days in UTC; A is in the file, and B only if its text has it."""
    first, second = sorted(sides) if choice == "both" else sides if choice == "ours" else sides[::-1]
    name = make_name("\0".join((TWO_MACHINES, path, *sorted(words for words, _ in sides))))
    side_a, b = (
        Side(words, path, entry_id(path, words), day, "unknown") if words else Side(LEFT_OUT)
        for words, day in (first, second)
    )
    reason = _DELETED if b.nothing else _BOTH if choice == "both" else _NEWER
    return Conflict(name, max(day for _, day in sides), side_a, b, reason, TWO_MACHINES)


def _read_joined_text(data: bytes | None) -> str | None:
    """Return bytes as text, without conflict markers: their author committed both sides."""
    text = text_of(data)
    return None if text is None else join_sides(text)
