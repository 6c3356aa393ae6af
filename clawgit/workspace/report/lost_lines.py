"""Lines of memories that stand nowhere any more."""

import contextlib
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, repository
from clawgit.git.churn import Touch
from clawgit.git.paths import check
from clawgit.git.repository import Oid, Repository
from clawgit.text.entry import flat, saying
from clawgit.workspace import dumped_text, file_contents
from clawgit.workspace.report.report_files import masked, remembers, shown
from clawgit.workspace.report.report_history import MERGED

_ALIKE = 75.0  # per cent of equal letters: from here on a line that came is a line that went, reworded
_MOST_PAIRS = 20_000

Sayings = Mapping[int, str]


class LostFile(Struct, frozen=True):
    """What a commit took from one file: `lines` of it stand nowhere now, the first of them is `words`.

    `deleted` tells that the whole file went and never came back; `dump` that it was a raw conversation. `shows` is a
    command that prints the file as it was before. `brings_back` is the command for a managed workspace that brings the
    file back as it was; none where that would take a line which stands now.
    """

    path: str
    lines: int
    words: str
    shows: str
    deleted: bool = False
    dump: bool = False
    brings_back: tuple[str, ...] = ()


class Loss(Struct, frozen=True):
    """What one commit took."""

    commit: Oid
    date: str
    files: tuple[LostFile, ...]

    @property
    def lines(self) -> int:
        """How many lines went."""
        return sum(file.lines for file in self.files)

    @property
    def brings_back(self) -> tuple[str, ...]:
        """The commands that bring it back, as far as there are some."""
        return tuple(dict.fromkeys(command for file in self.files for command in file.brings_back))

    @property
    def dump(self) -> bool:
        """Whether nothing went but raw conversations."""
        return all(file.dump for file in self.files)


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
    last; one that was reworded in the same commit did not go.
    """

    repo: Repository
    head: Collection[Oid]
    standing: Collection[str]
    _gone: set[str] = field(default_factory=set)
    _touched: set[str] = field(default_factory=set)
    _taken: list[Taken] = field(default_factory=list)
    _merges: list[Taken] = field(default_factory=list)

    def see(self, touch: Touch) -> None:
        """Take in what a commit did."""
        if touch.commit not in self.head or not remembers(touch.path):
            return
        merge = len(touch.parents) >= MERGED
        last = not merge and touch.path not in self._touched
        stay = (self.standing, self._gone)
        fresh = {number: said for number, said in _sayings(touch) if not any(said in known for known in stay)}
        if fresh and touch.before:
            same = (one for one in touch.parents if repository.blob_id(self.repo, one, touch.path) == touch.before)
            parent = next(same, touch.parents[0]) if merge else touch.parents[0]
            lost = _not_reworded(fresh, touch)
            where = (touch.commit, touch.date, touch.path, touch.before, parent)
            (self._merges if merge else self._taken).append(Taken(*where, lost, touch.after is None, last))
        if not merge:
            self._gone.update(fresh.values())
            self._touched.add(touch.path)

    def taken(self) -> Iterator[Taken]:
        """Yield what went, newest first; what only a merge took comes last."""
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


def losses(repo: Repository, taken: Iterable[Taken], texts: Mapping[str, str]) -> Iterator[Loss]:
    """Yield what each commit took; `texts` are the files that stand now."""
    for (commit, date), group in groupby(taken, key=lambda one: (one.commit, one.date)):
        some = list(group)
        files = [file for one in some if (file := _file(repo, one, texts))]
        back = {file.path for file in files if file.deleted and file.brings_back}
        if len(back) > 1 and back == set(commit_chain.changed(repo, some[0].parent, commit)):  # it did nothing else
            files = [replace(file, brings_back=(f"clawgit undo {commit[:10]}",)) for file in files]
        if files:
            yield Loss(commit, date, tuple(files))


def _file(repo: Repository, one: Taken, texts: Mapping[str, str]) -> LostFile | None:
    """Return what went from a file, None when nothing did.

    Lines with a secret are left out, for somebody took them out for that; so are those that only break otherwise now.
    """
    try:
        data = repository.blob(repo, one.before)
    except ClawgitError:  # a damaged or partial clone
        return None
    before, now = data.decode("utf-8", "replace"), texts.get(one.path)
    rows, clean, flat_now = before.split("\n"), masked(before).split("\n"), flat(now or "")
    lost = [
        number for number, said in one.sayings.items() if rows[number - 1] == clean[number - 1] and said not in flat_now
    ]
    if not lost:
        return None
    shows, restores = _commands(one, data)
    adds = one.last and rows == clean and {*(now or "").split("\n")} <= {*rows, ""}
    return LostFile(
        one.path,
        len(lost),
        shown(clean[min(lost) - 1]),
        shows,
        one.deleted and now is None,
        dumped_text.has_turns(before),
        (restores,) if restores and adds else (),
    )


def _commands(one: Taken, data: bytes) -> tuple[str, str]:
    """Return the commands that print a file as it was, and bring it back; "" where clawgit does not write such a file.

    One whose name no shell should see is printed by its blob.
    """
    shows, restores = f"git show {one.before[:10]}", ""
    with contextlib.suppress(ClawgitError):
        path = check(one.path)
        shows = f"git show {shlex.quote(f'{one.parent[:10]}:{path}')}"
        file_contents.decoded(path, data)
        restores = f"clawgit restore {shlex.quote(path)} --as-of {one.parent[:10]}"
    return shows, restores
