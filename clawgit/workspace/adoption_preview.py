"""What adopting a folder would add, commit, and leave alone."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, file_foreign
from clawgit.git import difference, repository, worktree_files
from clawgit.git.repository import Repository
from clawgit.text.markdown_settings import with_rules
from clawgit.workspace import bootstrap, changelog, file_roles, identity_versions
from clawgit.workspace.held_back import held_back, list_scope_globs, refuse_content
from clawgit.workspace.uncommitted import NotKept, all_different, staying_out
from clawgit.workspace.workspace import Workspace

IGNORE = ".gitignore"
TITLE = "# added by clawgit"


class Prospect(Struct, frozen=True):
    """What adopting would do.

    `additions` are the bytes of what is added, by path; only .gitignore may be there already, and grows. `captured`
    is committed as it stands, `held` is not, with the error that says why; `kept` are somebody else's files that have
    the name of one of ours; `snapshots` are the files of SOUL_HISTORY/ to be imported; `left` counts what stays out.
    """

    additions: Mapping[str, bytes]
    captured: tuple[str, ...]
    held: Mapping[str, ClawgitError]
    kept: tuple[str, ...]
    snapshots: tuple[str, ...]
    warnings: tuple[str, ...]
    left: NotKept = NotKept()


NOTHING = Prospect({}, (), {}, (), (), ())


def of_repository(workspace: Workspace, *, minimal: bool) -> Prospect:
    """Return what adopting a folder under git would do; with `minimal` only `.clawgit/` is added."""
    _refuse_foreign(workspace.root)
    found, left = all_different(workspace.repo, list_scope_globs(workspace))
    held = {one.path: why for one, why in held_back(workspace, found)}
    files = _files(minimal=minimal)
    if file_roles.CONFIG in files:
        files[file_roles.CONFIG] = bootstrap.with_branch(workspace.repo, workspace.branch, files[file_roles.CONFIG])
    rules, warnings = (None, ()) if minimal else _rules(workspace.repo, workspace.head)
    fit = tuple(one.path for one in found if one.path not in held)
    return _prospect(workspace.root, files, rules, fit, held, warnings, left)


def of_folder(root: Path, *, minimal: bool) -> Prospect:
    """Return what adopting a folder without git would do. Nothing is made there, not even a repository."""
    _refuse_foreign(root)
    repo = Repository(root, root / ".git", root / ".git")  # files can be read by it, and no more
    found, left = staying_out(root)
    held = {path: why for path in found if (why := _unfit(repo, path))}
    rules = None if minimal or os.path.lexists(root / IGNORE) else _fitting(root)
    fit = tuple(path for path in found if path not in held)
    return _prospect(root, _files(minimal=minimal), rules, fit, held, (), left)


def _refuse_foreign(root: Path) -> None:
    """Raise ClawgitError where `.clawgit` is of another program, or of a clawgit to come."""
    folder = root / file_roles.OURS.rstrip("/")
    if not os.path.lexists(folder):
        return
    known = {root / path: text.encode().split(b"\n")[0] for path, text in bootstrap.bookkeeping().items()}
    if folder.is_symlink() or not folder.is_dir() or not all(_is_known(place, known) for place in folder.iterdir()):
        raise file_foreign(
            f"{folder.name} is there already, and not clawgit's",
            fix=Command("mv {} {}", folder, f"{folder}.old", note="then again"),
        )


def _is_known(place: Path, known: Mapping[Path, bytes]) -> bool:
    """Return whether a file is one of ours, which an ejection may have left: it begins as ours do."""
    if place not in known or place.is_symlink() or not place.is_file():
        return False
    with place.open("rb") as file:
        return file.readline().rstrip(b"\r\n") == known[place]


def _files(*, minimal: bool) -> dict[str, str]:
    return bootstrap.bookkeeping() if minimal else {**bootstrap.bookkeeping(), **bootstrap.records()}


def _unfit(repo: Repository, path: str) -> ClawgitError | None:
    try:
        refuse_content(repo, path, None)
    except ClawgitError as exc:
        return exc
    return None


def _prospect(
    root: Path,
    files: Mapping[str, str],
    rules: str | None,
    fit: tuple[str, ...],
    held: Mapping[str, ClawgitError],
    warnings: tuple[str, ...],
    left: NotKept,
) -> Prospect:
    additions = {path: text.encode() for path, text in files.items() if _is_free(root, path) and path not in held}
    kept = tuple(path for path in files if path not in additions and not path.startswith(file_roles.OURS))
    additions |= {} if rules is None else {IGNORE: rules.encode()}
    snapshots = tuple(snapshot.path for snapshot in identity_versions.snapshots(root))
    return Prospect(additions, fit, held, kept, snapshots, warnings, left)


def _is_free(root: Path, path: str) -> bool:
    """Return whether nothing stands at `path`, or an empty file, and a file put there would be ours alone.

    Not behind a link, and not in a repository of its own.
    """
    above = [root / folder for folder in Path(path).parents if folder != Path()]
    own = all(worktree_files.is_folder(folder) or not os.path.lexists(folder) for folder in above)
    nested = any(os.path.lexists(folder / ".git") for folder in above)
    return own and not nested and (not os.path.lexists(root / path) or changelog.ours(root / path))


def _rules(repo: Repository, head: str | None) -> tuple[str | None, tuple[str, ...]]:
    """Return what .gitignore becomes, None where it stays: rules are only added to one that is committed as it is."""
    if not os.path.lexists(repo.root / IGNORE) and repository.blob_id(repo, head, IGNORE) is None:
        return _fitting(repo.root), ()
    try:
        there = worktree_files.read(repo, IGNORE)
        text = there.data.decode() if there else ""
    except (ClawgitError, UnicodeDecodeError):
        return None, (f"{IGNORE} cannot be read: no rules are added to it",)
    staged = any(one.path == IGNORE for one in difference.tracked(repo))
    if there is None or staged or there.data != repository.read(repo, head, IGNORE):
        return None, (f"{IGNORE} is not committed as it stands: no rules are added to it",)
    after = with_rules(text, _fitting(repo.root), TITLE)
    return (None if after == text else after), ()


def _fitting(root: Path) -> str:
    """Return our rules without those that would hide a file of somebody else."""
    rules = bootstrap.ignore_rules().splitlines(keepends=True)
    foreign = {
        f"/{name}" for name in changelog.NAMES if os.path.lexists(root / name) and not changelog.ours(root / name)
    }
    return "".join(rule for rule in rules if rule.strip() not in foreign)


def described(prospect: Prospect) -> Iterator[tuple[str, str]]:
    """Yield each file that is added, with what it is for."""
    for path in sorted(prospect.additions):
        yield path, bootstrap.purpose(path)
