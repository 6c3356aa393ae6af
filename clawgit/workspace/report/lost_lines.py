"""Lines of memories that stand nowhere any more."""

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.churn import Touch
from clawgit.git.paths import check
from clawgit.git.repository import Oid, Repository
from clawgit.resources import resource
from clawgit.safety import secrets
from clawgit.text import document, entry
from clawgit.text.entry import entry_id, flat, normalise, saying
from clawgit.workspace import dumped_text, file_roles, restore, undo
from clawgit.workspace.change import Edit
from clawgit.workspace.entry_association import Version
from clawgit.workspace.older_pieces import Piece
from clawgit.workspace.report.report_files import masked, remembers, shown
from clawgit.workspace.report.report_history import MERGED
from clawgit.workspace.workspace import Workspace

_ALIKE = 75.0  # per cent of equal letters: from here on a line that came is a line that went, reworded
_MOST_PAIRS = 20_000

Sayings = Mapping[int, str]


class LostFile(Struct, frozen=True):
    """What a commit took from one file: `lines` of it stand nowhere now, the first of them is `words`.

    `deleted` tells that the whole file went and never came back; `dump` that it was a raw conversation. `shows` is a
    command that prints the file as it was before. `brings_back` are commands for a managed workspace, tried without
    writing, that take nothing which came later; there are none where none of ours does it, and None where none was
    tried.
    """

    path: str
    lines: int
    words: str
    shows: str
    deleted: bool = False
    dump: bool = False
    brings_back: tuple[str, ...] | None = None


class Loss(Struct, frozen=True):
    """What one commit took."""

    commit: Oid
    date: str
    files: tuple[LostFile, ...]

    @property
    def lines(self) -> int:
        """How many lines went."""
        return sum(one.lines for one in self.files)

    @property
    def brings_back(self) -> tuple[str, ...]:
        """The commands that bring it back, as far as there are some."""
        return tuple(dict.fromkeys(command for one in self.files for command in one.brings_back or ()))

    @property
    def tried(self) -> bool:
        """Whether a way back was looked for."""
        return all(one.brings_back is not None for one in self.files)

    @property
    def dump(self) -> bool:
        """Whether nothing went but raw conversations."""
        return all(one.dump for one in self.files)


class Taken(Struct, frozen=True):
    """The lines that a commit took from one file: number and saying, in `before` (a blob); `last` was its last touch.

    `parent` is the commit before, in which `before` stands.
    """

    commit: Oid
    date: str
    path: str
    before: Oid
    parent: Oid
    sayings: Sayings
    deleted: bool
    last: bool


class Losses(Struct):
    """Collects losses from a history that is told newest first.

    `head` are the commits that HEAD reaches, `standing` what the files on disk say. A line counts once, where it went
    last; one that was reworded in the same commit did not go. `gave` are commits that took lines, and gave others: to
    undo one of these would take them.
    """

    repo: Repository
    head: Collection[Oid]
    standing: Collection[str]
    gave: set[Oid] = field(default_factory=set)
    _recent: list[Touch] = field(default_factory=list)
    _gone: set[str] = field(default_factory=set)
    _touched: set[str] = field(default_factory=set)
    _taken: list[Taken] = field(default_factory=list)
    _merges: list[Taken] = field(default_factory=list)

    def see(self, touch: Touch) -> None:
        """Take in what a commit did."""
        if self._recent and self._recent[0].commit != touch.commit:
            self._close()
        self._recent.append(touch)
        if touch.commit not in self.head or not remembers(touch.path):
            return
        merge = len(touch.parents) >= MERGED
        last = touch.path not in self._touched
        fresh = {number: said for number, said in _sayings(touch) if self._went(said)}
        if fresh and touch.before:
            parent = self._parent(touch) if merge else touch.parents[0]
            lost = _not_reworded(fresh, touch)
            where = (touch.commit, touch.date, touch.path, touch.before, parent)
            (self._merges if merge else self._taken).append(Taken(*where, lost, touch.after is None, last))
        if not merge:
            self._gone.update(fresh.values())
            self._touched.add(touch.path)

    def _went(self, said: str) -> bool:
        return said not in self.standing and said not in self._gone

    def _close(self) -> None:
        """Note whether the commit that was read last also gave something, if it took anything."""
        commit = self._recent[0].commit
        if self._taken and self._taken[-1].commit == commit:
            rows = (row for touch in self._recent for hunk in touch.hunks for row in hunk.given)
            if any(row.strip() for row in rows):
                self.gave.add(commit)
        self._recent.clear()

    def _parent(self, touch: Touch) -> Oid:
        at = (one for one in touch.parents if repository.blob_id(self.repo, one, touch.path) == touch.before)
        return next(at, touch.parents[0])

    def taken(self) -> Iterator[Taken]:
        """Yield what went, newest first; what only a merge took comes last."""
        if self._recent:
            self._close()
        yield from (one for one in self._taken if one.sayings)
        for one in self._merges:
            left = {number: said for number, said in one.sayings.items() if said not in self._gone}
            self._gone.update(left.values())
            if left:
                yield replace(one, sayings=left)


def _sayings(touch: Touch) -> Iterator[tuple[int, str]]:
    for hunk in touch.hunks:
        for number, row in enumerate(hunk.taken, hunk.old):
            said = saying(row.decode("utf-8", "replace"))
            if said:
                yield number, said


def _not_reworded(fresh: Sayings, touch: Touch) -> Sayings:
    """Return the lines for which the same commit gave none that is much like it; each can stand for one."""
    given = {saying(row.decode("utf-8", "replace")) for hunk in touch.hunks for row in hunk.given} - {""}
    if not given or len(fresh) * len(given) > _MOST_PAIRS:
        return fresh
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - most commits only add

    lost = {}
    for number, said in fresh.items():
        near = process.extractOne(said, given, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        if near is None:
            lost[number] = said
        else:
            given.discard(near[0])
    return lost


def losses(repo: Repository, taken: Iterable[Taken], texts: Mapping[str, str]) -> Iterator[tuple[Loss, list[Taken]]]:
    """Yield what each commit took, with the lines themselves; `texts` are the files that stand now."""
    for commit, group in groupby(taken, key=lambda one: one.commit):
        found = [pair for one in group if (pair := _file(repo, one, texts))]
        if found:
            files, kept = zip(*found, strict=True)
            yield Loss(commit, kept[0].date, files), list(kept)


def _file(repo: Repository, one: Taken, texts: Mapping[str, str]) -> tuple[LostFile, Taken] | None:
    """Return what went from a file, None when nothing did.

    Lines with a secret are left out, for somebody took them out for that; so are those that only break otherwise now.
    """
    try:
        before = repository.blob(repo, one.before).decode("utf-8", "replace")
    except ClawgitError:  # a damaged or partial clone
        return None
    rows, clean, now = before.split("\n"), masked(before).split("\n"), flat(texts.get(one.path, ""))
    kept = {
        number: said
        for number, said in one.sayings.items()
        if rows[number - 1] == clean[number - 1] and said not in now
    }
    if not kept:
        return None
    words = shown(clean[min(kept) - 1])
    deleted = one.deleted and one.path not in texts
    return LostFile(one.path, len(kept), words, _shows(one), deleted, dumped_text.has_turns(before)), replace(
        one, sayings=kept
    )


def _shows(one: Taken) -> str:
    """Return the command that prints a file as it was; by its blob where the name is one that no shell should see."""
    try:
        return f"git show {shlex.quote(f'{one.parent[:10]}:{check(one.path)}')}"
    except ClawgitError:
        return f"git show {one.before[:10]}"


def curated(path: str) -> bool:
    """Tell whether a file is written over and over: the memory file and notes, where journals only grow."""
    return file_roles.journal_day(path) is None


_MOST = 12  # commands for one file; more is work for an editor
_TRIED = 20  # losses, the largest; trying takes up to a tenth of a second for each
_MANY_JOURNALS = 1000  # from here on it takes minutes to find an entry by its id

Step = Callable[[str], str | None]


class Ways(Struct):
    """Finds commands; `texts` are the files as they stand, `kept` no commits to undo.

    None takes a line, not even one that another of them brought: a section comes back whole, so nothing else is
    offered for its file. After one, another may be refused.
    """

    workspace: Workspace
    texts: Mapping[str, str]
    kept: Collection[Oid]
    _whole: set[str] = field(default_factory=set)
    _added: set[str] = field(default_factory=set)

    def of(self, found: Iterable[tuple[Loss, Sequence[Taken]]]) -> Iterator[Loss]:
        """Yield the losses with the commands that bring them back; for all but the first nothing is tried."""
        for number, (loss, taken) in enumerate(found):
            if number >= _TRIED:
                yield loss
                continue
            ways = self._ways(loss, taken)
            files = zip(loss.files, ways, strict=True)
            yield replace(loss, files=tuple(replace(file, brings_back=way) for file, way in files))

    def _ways(self, loss: Loss, taken: Sequence[Taken]) -> list[tuple[str, ...]]:
        if self._undone(loss, taken):
            self._added.update(one.path for one in taken)
            return [(f"clawgit undo {loss.commit[:10]}",)] * len(taken)
        return [self._way(one) for one in taken]

    def _way(self, one: Taken) -> tuple[str, ...]:
        try:
            return tuple(self._restored(one))
        except (ClawgitError, UnicodeError):
            return ()

    def _undone(self, loss: Loss, taken: Sequence[Taken]) -> bool:
        """Tell whether taking the commit back gives every line back, and takes none."""
        if loss.commit in self.kept or any(one.path in self._whole or self._buried(one) for one in taken):
            return False
        try:
            edits = [one for one in undo.undo(self.workspace, loss.commit).edits if isinstance(one, Edit)]
        except ClawgitError:
            return False
        wanted = {said for one in taken for said in one.sayings.values()}
        gives = {said for one in edits for said in _ways_said(one.text or "")}
        return wanted <= gives and all(_only_adds(one.base or "", one.text or "") for one in edits)

    def _buried(self, one: Taken) -> bool:
        """Tell whether something happened later to a file that is gone: its last version is what comes back."""
        return one.path not in self.texts and not (one.deleted and one.last)

    def _restored(self, one: Taken) -> list[str]:
        """Return the commands that restore what one file lost: all of it, sections, entries."""
        check(one.path)
        now = self.texts.get(one.path)
        if now is None:
            known = f" --as-of {one.parent[:10]}" if _made(one.path) else ""  # adopting makes it anew
            return [] if self._buried(one) else [f"clawgit restore {shlex.quote(one.path)}{known}"]
        if one.path in self._whole:
            return []
        before = repository.blob(self.workspace.repo, one.before).decode("utf-8")
        few = sum(file_roles.journal_day(path) is not None for path in self.texts) < _MANY_JOURNALS
        sections = _sections(before, one) if one.path not in self._added else {}
        for steps in (sections, _entries(before, one) if few else {}):
            if 0 < len(steps) <= _MOST and _all_back(steps.values(), now, set(one.sayings.values())):
                (self._whole if steps is sections else self._added).add(one.path)
                return [f"clawgit restore {shlex.quote(name)} --as-of {one.parent[:10]}" for name in steps]
        return []


def _made(path: str) -> bool:
    """Tell whether adopting makes a file of this name where there is none."""
    return (resource("templates") / "workspace" / path).is_file()


def _sections(before: str, one: Taken) -> dict[str, Step]:
    """Return the sections that the lines stood in, as `restore` names them; none when a line was in none."""
    titles = document.section_titles(before)
    names = dict.fromkeys(titles[number - 1] for number in one.sayings)
    return {} if "" in names else {f"{one.path}#{title}": _section(before, one, title) for title in names}


def _section(before: str, one: Taken, title: str) -> Step:
    found = document.find(before, title)
    piece = Piece(Version(one.parent, one.path, before), found.start, found.end, found.path)
    return lambda now: restore.with_section(piece, now)


def _entries(before: str, one: Taken) -> dict[str, Step]:
    """Return the entries that the lines stood in, by id, the first of equals; none when a line was in none."""
    steps: dict[str, Step] = {}
    said: set[str] = set()
    rows = before.split("\n")
    found = entry.entries(before)
    for number in one.sayings:
        at = next((this for this in found if this.start <= number <= this.end), None)
        if at is None and rows[number - 1].startswith("#"):
            continue  # a heading comes with its entries
        if at is None:
            return {}
        if normalise(at.text) not in said:
            steps[entry_id(one.path, at.text, at.ordinal)] = _entry(before, one, at)
        said.add(normalise(at.text))
    return steps


def _entry(before: str, one: Taken, at: entry.Entry) -> Step:
    piece = Piece(Version(one.parent, one.path, before), at.start, at.end, at.section, at.text)

    def back(now: str) -> str | None:
        stands = any(normalise(this.text) == normalise(at.text) for this in entry.entries(now))
        return None if stands else restore.with_entry(piece, now)

    return back


def _all_back(steps: Iterable[Step], now: str, wanted: set[str]) -> bool:
    """Tell whether the steps, one after the other, bring every wanted line, and none of them takes one."""
    text = now
    for step in steps:
        after = step(text)
        if after is None or not _only_adds(text, after):
            return False
        text = after
    return wanted <= _ways_said(text)


def _only_adds(before: str, after: str) -> bool:
    """Tell whether no line goes, and no secret comes."""
    return not (_rows(before) - _rows(after) or _secrets(after) - _secrets(before))


def _ways_said(text: str) -> set[str]:
    return {saying(row) for row in text.split("\n")}


def _rows(text: str) -> Counter[str]:
    return Counter(row.strip() for row in text.split("\n") if row.strip())


def _secrets(text: str) -> set[str]:
    return {found.fingerprint for found in secrets.scan(text)}
