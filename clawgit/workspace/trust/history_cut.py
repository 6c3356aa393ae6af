"""History that ends too soon.

A file of git's, `.git/shallow`, sets the end of history, and so hides earlier commits; a branch that begins anew has
none of them. A clone that was shallow at the first look stays so, and a rebase is no cut.
"""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, history_rewritten
from clawgit.git import commit_graph, history, references, repository
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.trust.approvals import TrustStore

FILE = "history.json"
MIRROR, REWRITTEN = "refs/clawgit/remotes/", "refs/clawgit/rewritten/"
"""Below these stand the heads of other places, and those that did not go on from the commit in their names."""
_DIGITS = 10


class Seen(Struct, frozen=True):
    """The commits at which history ends, and its newest; a note that cannot be read knows of no end."""

    ends: frozenset[Oid] = frozenset()
    tip: Oid | None = None


class Cut(Struct, frozen=True):
    """The report of a cut and the way back, if there is one."""

    words: str
    fix: Command
    now: Seen


def find(repo: Repository, notes: TrustStore, tip: Oid | None) -> Cut | None:
    """Return the cut of the history of `tip` since the record; None for no cut, or no record."""
    last_look = notes.read_note(FILE, Seen, Seen())
    if last_look is None:
        return None
    now, was = Seen(history.cut_off(repo), tip), last_look.tip
    new = now.ends - last_look.ends
    was_extended = bool(last_look.ends) and all(repository.reaches(repo, tip, oid) for oid in last_look.ends)
    if new and not was_extended:
        path = ".git/shallow" if repo.commondir == repo.root / ".git" else str(repo.commondir / "shallow")
        words = f"{path} cuts history off at {min(new)[:_DIGITS]}: older commits are"
        if all(history.has_parents(repo, oid) for oid in now.ends):
            return Cut(f"{words} here, and no command sees them", Command("rm {}", path), now)
        return Cut(f"{words} not here", Command("git fetch --unshallow"), now)
    is_here = was is not None and repository.resolve(repo, was) is not None
    if was in (None, tip) or (tip and is_here and commit_graph.common(repo, tip, was)):
        return None
    words = f"history no longer holds commit {was[:_DIGITS]}, where it stood at the last look"
    if is_here:
        return Cut(words, Command("git branch before-the-cut {}", was[:_DIGITS]), now)
    return Cut(f"{words}, and the repository neither", Command("clawgit trust"), now)


def find_rewritten(repo: Repository, prefix: str = "") -> Iterator[ClawgitError]:
    """Yield the heads, `below` a name, that a sync met with a history written anew, until the operator takes them."""
    for name in references.ours(repo):
        if name.startswith(REWRITTEN + prefix):
            head, _, was = name.removeprefix(REWRITTEN).rpartition("/")
            words = f"{head} does not go on from {was[:_DIGITS]}, where it was: its history was written anew"
            forget = "git update-ref -d {} && git update-ref -d {}"
            fix = Command(forget, name, f"{MIRROR}{head}", note=f"first: git log {was}...{name}")
            yield history_rewritten(f"{words} (a forced push); it is left out", fix=fix)


def follow(repo: Repository, notes: TrustStore, tip: Oid | None) -> None:
    """Record how far history reaches, unless it was cut: that stays to be reported. Best effort."""
    last_look = notes.read_note(FILE, Seen, Seen())
    now = Seen(history.cut_off(repo), tip)
    if last_look is None or (last_look != now and find(repo, notes, tip) is None):
        notes.keep_note(FILE, now)


def answer(notes: TrustStore, seen: Cut) -> None:
    """Note that the operator has seen a cut and wants it so."""
    notes.keep_note(FILE, seen.now)
