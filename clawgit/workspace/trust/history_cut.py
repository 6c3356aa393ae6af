"""History that ends too soon, or lies elsewhere.

A file of git's, `.git/shallow`, says where history ends, and so hides what came before; a branch that begins anew holds
none of it. A clone that was shallow at the first look stays so, and a rebase is no cut. What `objects/info/alternates`
names holds objects that this repository does without: whoever has that folder can take history away.
"""

import contextlib
import json
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, history_rewritten
from clawgit.git import history, references, repository
from clawgit.git.repository import Oid, Repository
from clawgit.safety.redaction import redacted
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.trust.kept_notes import KeptNotes

FILE = "history.json"
MIRROR, REWRITTEN = "refs/clawgit/remotes/", "refs/clawgit/rewritten/"
"""Below these stand the heads of other places, and those that did not go on from the commit in their names."""
_DIGITS = 10


class Cut(Struct, frozen=True):
    """What is to be told and the way back, with what there is: the commits at which history ends, and its newest.

    `way` is the template of the command that leads back, `name` what is filled in. `lenders` are the folders outside
    from which objects come.
    """

    words: str
    way: str
    name: str
    ends: frozenset[Oid]
    tip: Oid | None
    lenders: frozenset[str] = frozenset()

    @property
    def fix(self) -> Command:
        """The way back."""
        return Command(self.way, self.name)


class _Seen(Struct, frozen=True):
    """What was noted; `lenders` is None in notes from before they were looked at."""

    ends: frozenset[Oid]
    tip: Oid | None
    lenders: frozenset[str] | None = None


def find(repo: Repository, notes: KeptNotes, tip: Oid | None) -> Cut | None:
    """Return how the history of `tip` was cut since it was noted; None where it was not, or nothing was noted."""
    known = _noted(notes)
    if known is None:
        return None
    found = _cut(repo, known, tip)
    if found:
        return found if known.lenders is None else replace(found, lenders=known.lenders)
    lenders = _lenders(repo)
    if known.lenders is None or not (new := sorted(lenders - known.lenders)):
        return None
    words = f"objects of this repository lie in {list_names(new)}, outside of it, and can be taken away there"
    way = "git repack -a -d && rm {}"
    return Cut(words, way, _shown(repo, "objects/info/alternates"), history.cut_off(repo), tip, lenders)


def find_rewritten(repo: Repository, below: str = "") -> Iterator[ClawgitError]:
    """Yield the heads, `below` a name, that a sync met with a history written anew, until the operator takes them."""
    for name in references.ours(repo):
        if name.startswith(REWRITTEN + below):
            head, _, was = name.removeprefix(REWRITTEN).rpartition("/")
            words = f"{head} does not go on from {was[:_DIGITS]}, where it was: its history was written anew"
            forget = "git update-ref -d {} && git update-ref -d {}"
            fix = Command(forget, name, f"{MIRROR}{head}", note=f"first: git log {was}...{name}")
            yield history_rewritten(f"{words} (a forced push); it is left out", fix=fix)


def _cut(repo: Repository, known: _Seen, tip: Oid | None) -> Cut | None:
    ends = history.cut_off(repo)
    new = ends - known.ends
    if new and not _longer(repo, tip, known.ends):
        path = _shown(repo, "shallow")
        here = all(history.has_parents(repo, one) for one in ends)
        at = f"{path} cuts history off at {min(new)[:_DIGITS]}"
        if here:
            return Cut(f"{at}: older commits are here, and no command sees them", "rm {}", path, ends, tip)
        return Cut(f"{at}: older commits are not here", "git fetch --unshallow", "", ends, tip)
    if known.tip and known.tip != tip and not history.related(repo, tip, known.tip):
        short = known.tip[:_DIGITS]
        words = f"history no longer holds commit {short}, where it stood at the last look"
        if repository.resolve(repo, known.tip) is None:
            return Cut(f"{words}, and the repository neither", "clawgit trust", "", ends, tip)
        return Cut(words, "git branch before-the-cut {}", short, ends, tip)
    return None


def _shown(repo: Repository, name: str) -> str:
    """Return the path of a file of git's as it is printed."""
    place = repo.commondir / name
    return f".git/{name}" if repo.commondir == repo.root / ".git" else str(place)


def _lenders(repo: Repository) -> frozenset[str]:
    """Return the folders from which git takes objects that are not here."""
    try:
        said = (repo.commondir / "objects/info/alternates").read_text("utf-8", "surrogateescape")
    except OSError:
        return frozenset()
    return frozenset(redacted(row) for row in said.splitlines() if row.strip() and not row.startswith("#"))


def follow(repo: Repository, notes: KeptNotes, tip: Oid | None) -> None:
    """Note how far history reaches, unless it was cut: that stays to be told. Best effort."""
    known = _noted(notes)
    now = _Seen(history.cut_off(repo), tip, _lenders(repo))
    if known is None or (known != now and find(repo, notes, tip) is None):
        with contextlib.suppress(ClawgitError):
            _note(notes, now)


def answer(notes: KeptNotes, seen: Cut) -> None:
    """Note that the operator has seen a cut and wants it so."""
    _note(notes, _Seen(seen.ends, seen.tip, seen.lenders))


def _longer(repo: Repository, tip: Oid | None, ends: frozenset[Oid]) -> bool:
    """Return whether history reaches past all the commits at which it ended: more of it was fetched."""
    return bool(ends) and all(repository.reaches(repo, tip, one) for one in ends)


def _note(notes: KeptNotes, seen: _Seen) -> None:
    found = {"ends": sorted(seen.ends), "tip": seen.tip, "lenders": sorted(seen.lenders or ())}
    notes.write(FILE, json.dumps(found).encode())


def _noted(notes: KeptNotes) -> _Seen | None:
    """Return what was noted, None where nothing was; what cannot be read knows of no end."""
    try:
        data = notes.known(FILE)
        if data is None:
            return None
        found = json.loads(data)
        lenders = frozenset(map(str, found["lenders"])) if "lenders" in found else None
        return _Seen(frozenset(map(str, found["ends"])), found["tip"] and str(found["tip"]), lenders)
    except (OSError, ValueError, KeyError, TypeError):
        return _Seen(frozenset(), None)
