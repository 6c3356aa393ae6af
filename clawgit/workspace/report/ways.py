"""The commands that bring lost lines back, tried without writing."""

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.repository import Oid
from clawgit.safety import secrets
from clawgit.safety.paths import check
from clawgit.text import entry, outline
from clawgit.text.identity import entry_id, normalise
from clawgit.text.saying import saying
from clawgit.workspace import restore, scope, undo
from clawgit.workspace.change import Edit
from clawgit.workspace.lineage import Version
from clawgit.workspace.pieces import Piece
from clawgit.workspace.report.losses import Loss, Taken
from clawgit.workspace.workspace import Workspace

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
        gives = {said for one in edits for said in _sayings(one.text or "")}
        return wanted <= gives and all(_only_adds(one.base or "", one.text or "") for one in edits)

    def _buried(self, one: Taken) -> bool:
        """Tell whether something happened later to a file that is gone: its last version is what comes back."""
        return one.path not in self.texts and not (one.deleted and one.last)

    def _restored(self, one: Taken) -> list[str]:
        """Return the commands that restore what one file lost: all of it, sections, entries."""
        check(one.path)
        now = self.texts.get(one.path)
        if now is None:
            return [] if self._buried(one) else [f"clawgit restore {shlex.quote(one.path)}"]
        if one.path in self._whole:
            return []
        before = repository.blob(self.workspace.repo, one.before).decode("utf-8")
        few = sum(scope.journal_day(path) is not None for path in self.texts) < _MANY_JOURNALS
        sections = _sections(before, one) if one.path not in self._added else {}
        for steps in (sections, _entries(before, one) if few else {}):
            if 0 < len(steps) <= _MOST and _all_back(steps.values(), now, set(one.sayings.values())):
                (self._whole if steps is sections else self._added).add(one.path)
                return [f"clawgit restore {shlex.quote(name)} --as-of {one.parent[:10]}" for name in steps]
        return []


def _sections(before: str, one: Taken) -> dict[str, Step]:
    """Return the sections that the lines stood in, as `restore` names them; none when a line was in none."""
    titles = outline.section_titles(before)
    names = dict.fromkeys(titles[number - 1] for number in one.sayings)
    return {} if "" in names else {f"{one.path}#{title}": _section(before, one, title) for title in names}


def _section(before: str, one: Taken, title: str) -> Step:
    found = outline.find(before, title)
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
    return wanted <= _sayings(text)


def _only_adds(before: str, after: str) -> bool:
    """Tell whether no line goes, and no secret comes."""
    return not (_rows(before) - _rows(after) or _secrets(after) - _secrets(before))


def _sayings(text: str) -> set[str]:
    return {saying(row) for row in text.split("\n")}


def _rows(text: str) -> Counter[str]:
    return Counter(row.strip() for row in text.split("\n") if row.strip())


def _secrets(text: str) -> set[str]:
    return {found.fingerprint for found in secrets.scan(text)}
