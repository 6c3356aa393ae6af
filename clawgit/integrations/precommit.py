"""What a commit is about to bring in."""

from collections.abc import Container, Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.errors import quoted
from clawgit.git import churn, repository
from clawgit.git.churn import Touch
from clawgit.git.repository import Repository
from clawgit.integrations.additions import Additions, additions
from clawgit.safety.markers import conflict_markers
from clawgit.workspace import scope


class Problem(Struct, frozen=True):
    """Something that is better not committed, and a way out; what is `refused` stops the commit."""

    message: str
    fix: str
    refused: bool = False


def problems(repo: Repository, index: Path | None) -> Iterator[Problem]:
    """Yield what is wrong with the Markdown that `index` (None: git's own) adds to HEAD.

    A secret that history has already, or that is allowed, is none of it; any other stops the commit, since what
    history holds cannot be taken back without writing it anew. A change to the identity that soul_policy does not let
    stand is refused, unless git is in the middle of something: then it is taken back afterwards.
    """
    staged = tuple(churn.staged(repo, index, "*.md"))
    identity = [touch for touch in staged if scope.guarded(touch.path)]
    if identity:
        from clawgit.integrations import staged_identity  # noqa: PLC0415 - most commits touch none of it

        yield from staged_identity.problems(repo, identity)
    brought = [(added, tuple(added.secrets())) for added in map(additions, staged)]
    known = _known(repo) if any(leaks for _, leaks in brought) else ()
    for touch, (added, leaks) in zip(staged, brought, strict=True):
        unstage = f"git restore --staged {quoted(added.path)}   # then correct it, and: git add {quoted(added.path)}"
        for number, found in leaks:
            if not any(found.fingerprint in names for names in known):
                words = f"{added.path}:{number} holds a secret ({found.rule}, {found.fingerprint})"
                allow = (
                    f"clawgit hooks allow {found.fingerprint}   # if it is none; else take it out, and git add again"
                )
                yield Problem(words, allow, refused=True)
        if scope.guarded(added.path) or scope.memory(added.path):
            yield from (Problem(words, unstage) for words in _broken(repo, touch, added))


def _known(repo: Repository) -> tuple[Container[str], ...]:
    """Return the fingerprints of secrets that are no news: allowed, or in history already."""
    from clawgit.workspace import allowed  # noqa: PLC0415 - most commits bring no secret
    from clawgit.workspace.leaked import Leaked  # noqa: PLC0415

    return allowed.fingerprints(repo), Leaked(repo, repo.commondir / "clawgit" / "cache")


def _broken(repo: Repository, touch: Touch, added: Additions) -> Iterator[str]:
    """Yield what is wrong with added lines; markers are content where the whole file has them in a code block."""
    line = conflict_markers(added.text)
    whole = repository.blob(repo, touch.after) if line is not None and touch.after else b""
    if line is not None and conflict_markers(whole.decode("utf-8", "replace")) is not None:
        yield f"{added.path}:{added.number(line)} has conflict markers"
    try:
        added.data.decode("utf-8")
    except UnicodeDecodeError as exc:
        number = added.number(added.data.count(b"\n", 0, exc.start) + 1)
        yield f"{added.path}:{number} is not valid UTF-8 (byte 0x{added.data[exc.start]:02x})"
