"""What a report looks for, part by part."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import ParamSpec, TypeVar

from msgspec import Struct, field

from clawgit.errors import ClawgitError, explained
from clawgit.git import git_filters, repository_health
from clawgit.git.repository import Repository
from clawgit.text import document
from clawgit.workspace import dumped_text, openclaw_limits
from clawgit.workspace.file_roles import CONFLICTS, CORRECTIONS
from clawgit.workspace.openclaw_limits import Cut, Limits
from clawgit.workspace.report.report_files import Files, Oddity, masked, shown

P = ParamSpec("P")
T = TypeVar("T")


class Failure(Struct, frozen=True):
    """A part that could not be looked at."""

    part: str
    why: str


class Parts(Struct):
    """Looks at parts, and keeps why one could not be looked at."""

    failures: list[Failure] = field(default_factory=list)

    def look(self, part: str, default: T, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what `function` finds, `default` when it fails: that is noted, and the report goes on."""
        try:
            return function(*arguments, **named)
        except Exception as exc:  # noqa: BLE001 - whatever is broken in this workspace, the other parts can be seen
            self.failed(part, exc)
            return default

    def failed(self, part: str, exc: Exception) -> None:
        """Note that a part could not be looked at."""
        self.failures.append(Failure(part, explained(exc).message))


Spot = tuple[str, int]

_MOST = 20
_PLACES = 10
_SHORTEST = 12  # letters; what is shorter is said often by chance


class Repeat(Struct, frozen=True):
    """A line that stands `count` times; `places` are the first of them as PATH:LINE, all in `files` files."""

    words: str
    count: int
    files: int
    places: tuple[str, ...]


class Repeats(Struct, frozen=True):
    """How many of the lines that say something were said before, and the most repeated."""

    lines: int = 0
    of: int = 0
    most: tuple[Repeat, ...] = ()

    @property
    def share(self) -> float:
        """Their part of all lines, 0 to 1."""
        return self.lines / self.of if self.of else 0.0


_RECORDS = (CORRECTIONS, CONFLICTS)


def repeats(files: Files, passed_over: Collection[str] = ()) -> Repeats:
    """Return what the memory files repeat, but for those `passed_over`.

    Headings, labels, rules, times, very short lines and our records do not count; nor do case, marks and spaces.
    """
    paths = [path for path in files.memory if path not in passed_over and path not in _RECORDS]
    total = Counter(said for path in paths for said in files.said[path])
    often = {said for said, count in total.items() if count > 1 and len(said) >= _SHORTEST}
    places: dict[str, list[Spot]] = {said: [] for said in often}
    for path in paths:
        if not often.isdisjoint(files.said[path]):
            for number, said in _counting(files, path, often):
                places[said].append((path, number))
    again = sorted((spots for spots in places.values() if len(spots) > 1), key=lambda spots: -len(spots))
    most = tuple(_repeat(files, spots) for spots in again[:_MOST])
    return Repeats(sum(len(spots) - 1 for spots in again), total.total() - total[""], most)


def _counting(files: Files, path: str, often: Collection[str]) -> Iterator[tuple[int, str]]:
    rows = files.texts[path].split("\n")
    for number, (row, said) in enumerate(zip(rows, files.said[path], strict=True), 1):
        if said in often and not row.startswith("#") and not row.rstrip("*_ \t\r").endswith(":"):
            yield number, said


def _repeat(files: Files, places: Sequence[Spot]) -> Repeat:
    path, number = places[0]
    row = masked(files.texts[path]).split("\n")[number - 1]
    named = tuple(f"{path}:{number}" for path, number in places[:_PLACES])
    return Repeat(shown(row), len(places), len({path for path, _ in places}), named)


class Dumps(Struct, frozen=True):
    """The files that hold a conversation as it was said, and how many of the memories' characters they are."""

    paths: tuple[str, ...] = ()
    characters: int = 0
    of: int = 0

    @property
    def share(self) -> float:
        """Their part of all memory text, 0 to 1."""
        return self.characters / self.of if self.of else 0.0


def dumps(texts: Mapping[str, str], memory: Iterable[str]) -> Dumps:
    """Return the dumps among the `memory` paths."""
    sizes = {path: len(texts[path]) for path in memory}
    found = tuple(path for path in sizes if dumped_text.has_turns(texts[path]))
    return Dumps(found, sum(sizes[path] for path in found), sum(sizes.values()))


class Unseen(Struct, frozen=True):
    """A file of which the agent never sees `hidden` of `size` characters: those on lines `first` to `last`.

    `headings` are those that fall into the gap, or that it begins under. `room` is what the file may have, `cap` what
    the files before it leave.
    """

    path: str
    size: int
    hidden: int
    first: int
    last: int
    headings: tuple[str, ...]
    cap: int
    room: int


def unseen(texts: Mapping[str, str], limits: Limits | None = None) -> tuple[Unseen, ...]:
    """Return the files that are not shown whole, the largest gap first."""
    rooms = limits or Limits()
    found = (_unseen(texts[cut.path], cut, rooms.of(cut.path)) for cut in openclaw_limits.cuts(texts, limits))
    return tuple(sorted(found, key=lambda one: -one.hidden))


def _unseen(text: str, cut: Cut, room: int) -> Unseen:
    start, end = _at(text, cut.head), _at(text, cut.size - (cut.shown - cut.head))
    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, max(end - 1, start)) + 1
    headings = tuple(dict.fromkeys(_headings(text, first, last)))
    return Unseen(cut.path, cut.size, cut.size - cut.shown, first, last, headings, cut.cap, room)


def _at(text: str, units: int) -> int:
    """Return where in `text` so many characters end, as JavaScript counts them."""
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def _headings(text: str, first: int, last: int) -> Iterator[str]:
    """Yield the section that the gap begins in, and those that begin in it."""
    begun = ""
    for section in document.sections(masked(text)):
        if section.line < first <= section.end:
            begun = section.title
        elif first <= section.line <= last:
            if begun:
                yield shown(begun)
                begun = ""
            yield shown(section.title)
    if begun:
        yield shown(begun)


class Sides(Struct, frozen=True):
    """Branches with commits that HEAD does not have, other working trees, remotes that keep objects back."""

    branches: tuple[str, ...] = ()
    worktrees: tuple[str, ...] = ()
    promisors: tuple[str, ...] = ()


def sides(repo: Repository) -> Sides:
    """Return what exists beside the branch at hand."""
    return Sides(repository_health.unmerged(repo), repository_health.worktrees(repo), repository_health.promisors(repo))


def submodules(repo: Repository, index: Mapping[str, str]) -> list[Oddity]:
    """Return the repositories that git knows as such in its `index`, but not where they come from."""
    declared = (repo.root / ".gitmodules").is_file()
    why = "git knows it as a submodule" if declared else "git knows a repository here, but no .gitmodules says which"
    return [Oddity("submodule", path, why) for path, mode in index.items() if mode == repository_health.LINK]


def hidden(repo: Repository, paths: Collection[str]) -> list[Oddity]:
    """Return those of `paths` that an ignore rule keeps from git, each with its rule."""
    ignored = repository_health.ignored(repo, ("memory", "Archive", "agents"))
    rules = repository_health.hiding_rules(repo, [path for path in _named(paths) if path in ignored])
    return [Oddity("ignored", path, rule) for path, rule in rules.items()]


def converted(repo: Repository, texts: Mapping[str, str]) -> list[Oddity]:
    """Return the files that git would store other than they are: a filter, a line-end rule."""
    found = []
    for path in repository_health.attributed(repo, _named(texts)):
        try:
            git_filters.refuse(repo, path, texts[path].encode("utf-8", "replace"))
        except ClawgitError as exc:
            found.append(Oddity("converted", path, exc.message.removeprefix(path).strip(": ")))
    return found


def _named(paths: Iterable[str]) -> list[str]:
    """Return the paths that are UTF-8; the others are trouble already, and libgit2 takes none."""
    return [path for path in paths if path.isascii() or path.encode("utf-8", "ignore").decode() == path]
