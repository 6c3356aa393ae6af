"""What the repository itself hides, or leaves out."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import filters, health, survey
from clawgit.git.repository import Repository
from clawgit.workspace.report.files import Oddity


class Tracked(Struct, frozen=True):
    """The paths that git knows, and those of them that are repositories of their own."""

    paths: frozenset[str] = frozenset()
    links: tuple[str, ...] = ()


class Sides(Struct, frozen=True):
    """Branches with commits that HEAD does not have, other working trees, remotes that keep objects back."""

    branches: tuple[str, ...] = ()
    worktrees: tuple[str, ...] = ()
    promisors: tuple[str, ...] = ()


def tracked(repo: Repository) -> Tracked:
    """Return what git's index holds."""
    found = survey.index(repo)
    return Tracked(frozenset(found), tuple(path for path, mode in found.items() if mode == survey.LINK))


def sides(repo: Repository) -> Sides:
    """Return what exists beside the branch at hand."""
    return Sides(survey.unmerged(repo), survey.worktrees(repo), health.promisors(repo))


def submodules(repo: Repository, links: Iterable[str]) -> Iterator[Oddity]:
    """Yield the repositories that git knows as such, but not where they come from."""
    declared = (repo.root / ".gitmodules").is_file()
    for path in links:
        why = (
            "git knows it as a submodule" if declared else "git knows a repository here, but no .gitmodules says which"
        )
        yield Oddity("submodule", path, why)


def hidden(repo: Repository, paths: Collection[str]) -> Iterator[Oddity]:
    """Yield those of `paths` that an ignore rule keeps from git, each with its rule."""
    ignored = survey.ignored(repo, ("memory", "Archive", "agents"))
    for path, rule in health.hiding_rules(repo, [path for path in _named(paths) if path in ignored]).items():
        yield Oddity("ignored", path, rule)


def converted(repo: Repository, texts: Mapping[str, str]) -> Iterator[Oddity]:
    """Yield the files that git would store other than they are: a filter, a line-end rule."""
    for path in survey.attributed(repo, _named(texts)):
        try:
            filters.refuse(repo, path, texts[path].encode("utf-8", "replace"))
        except ClawgitError as exc:
            yield Oddity("converted", path, exc.message.removeprefix(path).strip(": "))


def _named(paths: Iterable[str]) -> list[str]:
    """Return the paths that are UTF-8; the others are trouble already, and libgit2 takes none."""
    return [path for path in paths if path.isascii() or path.encode("utf-8", "ignore").decode() == path]
