"""Opens a repository; reads what it holds."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cached_property
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, Option, RepositoryOpenFlag

from clawgit.errors import ClawgitError
from clawgit.git.command import git

pygit2.option(Option.ENABLE_FSYNC_GITDIR, True)  # noqa: FBT003 - libgit2's own calling convention

Oid = str


@dataclass(frozen=True)
class Repository:
    """A working tree with its git folders; all paths are absolute and free of symlinks.

    `gitdir` belongs to this working tree, `commondir` to all that share the references.
    """

    root: Path
    gitdir: Path
    commondir: Path

    @cached_property
    def raw(self) -> pygit2.Repository:
        """libgit2's view of it."""
        return _open(self.root, self.gitdir)

    @property
    def room(self) -> Path:
        """Our folder beside this working tree's index."""
        return self.gitdir / "clawgit"

    @property
    def linked(self) -> bool:
        """Whether this is a linked working tree."""
        return self.gitdir != self.commondir


def find(path: Path) -> Repository:
    """Return the repository whose working tree encloses `path`.

    Raises ClawgitError when there is none, it is bare, or libgit2 cannot read its format.
    """
    here = path.resolve()
    for folder in (here, *here.parents):
        dot = folder / ".git"
        if dot.is_dir() and (dot / "HEAD").exists():
            return _checked(Repository(folder, dot, dot))
        if dot.is_file():
            gitdir = _linked_gitdir(dot)
            return _checked(Repository(folder, gitdir, _commondir(gitdir)))
    raise ClawgitError(f"no git repository at {path}", fix=f"clawgit init {path}")


def create(path: Path, branch: str) -> Repository:
    """Make a repository in `path`, its first branch named `branch`."""
    pygit2.init_repository(str(path), initial_head=branch)
    return find(path)


def _linked_gitdir(dot: Path) -> Path:
    text = dot.read_text("utf-8", "surrogateescape").strip()
    target = dot.parent / text.removeprefix("gitdir:").strip()
    if not text.startswith("gitdir:") or not target.is_dir():
        raise ClawgitError(f"{dot} points at no repository", fix="git worktree repair")
    return target.resolve()


def _commondir(gitdir: Path) -> Path:
    pointer = gitdir / "commondir"
    return (gitdir / pointer.read_text().strip()).resolve() if pointer.exists() else gitdir


def _checked(repo: Repository) -> Repository:
    if repo.raw.is_bare:
        raise ClawgitError(f"{repo.root} is a bare repository", fix=f"git clone {repo.root} WORKSPACE")
    return repo


def _open(root: Path, gitdir: Path) -> pygit2.Repository:
    # By the root: of a git folder that lies elsewhere libgit2 would take the parent for the working tree.
    try:
        return pygit2.Repository(str(root), RepositoryOpenFlag.NO_SEARCH)
    except pygit2.GitError as exc:
        raise _translated(gitdir, str(exc)) from exc


def _translated(gitdir: Path, words: str) -> ClawgitError:
    settings = _extensions(gitdir)
    if settings.get("objectformat", "sha1") != "sha1":
        return ClawgitError(
            f"{gitdir} stores {settings['objectformat']} objects; libgit2 reads only sha1",
            fix="git init --object-format=sha1 in a new folder, and copy the files",
        )
    if settings.get("refstorage", "files") != "files":
        return ClawgitError(
            f"{gitdir} keeps its references as {settings['refstorage']}; libgit2 reads only files",
            fix="git refs migrate --ref-format=files",
        )
    if "owned" in words or "owner" in words:
        return ClawgitError(
            f"{gitdir.parent} belongs to another user",
            fix=f"git config --global --add safe.directory {gitdir.parent}",
        )
    return ClawgitError(f"{gitdir} cannot be opened: {words}", fix="git fsck")


def _extensions(gitdir: Path) -> dict[str, str]:
    config = str(_commondir(gitdir) / "config")
    try:
        listed = git(gitdir, "config", "--file", config, "-z", "--get-regexp", r"^extensions\.").decode()
    except ClawgitError:
        return {}
    pairs = (record.split("\n", 1) for record in listed.split("\0") if "\n" in record)
    return {key.removeprefix("extensions.").lower(): value for key, value in pairs}


def head(repo: Repository) -> Oid | None:
    """Return the commit at HEAD; None before the first one."""
    return None if repo.raw.head_is_unborn else str(repo.raw.head.target)


def branch(repo: Repository) -> str | None:
    """Return the branch that HEAD names, also an unborn one; None when detached."""
    text = (repo.gitdir / "HEAD").read_text("utf-8", "surrogateescape").strip()
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else None


def resolve(repo: Repository, revision: str) -> Oid | None:
    """Return the commit that `revision` names, in git's own grammar; None when it names none."""
    try:
        return str(repo.raw.revparse_single(revision).peel(pygit2.Commit).id)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def blob_id(repo: Repository, commit: Oid | None, path: str) -> Oid | None:
    """Return the id of the file at `path` in `commit`; None where there is no file."""
    if commit is None:
        return None
    try:
        found = repo.raw[commit].peel(pygit2.Tree) / path
    except KeyError:
        return None
    return str(found.id) if found.type == ObjectType.BLOB else None


def read(repo: Repository, commit: Oid | None, path: str) -> bytes | None:
    """Return the bytes of `path` in `commit`; None where there is no file."""
    oid = blob_id(repo, commit, path)
    return None if oid is None else blob(repo, oid)


def blob(repo: Repository, oid: Oid) -> bytes:
    """Return the bytes of a blob. Raises ClawgitError when a partial clone lacks them."""
    try:
        found = repo.raw[oid]
    except KeyError as exc:
        raise ClawgitError(f"object {oid[:10]} is missing here", fix="git fetch --refetch origin") from exc
    assert isinstance(found, pygit2.Blob)
    return found.data


def hash_blob(data: bytes) -> Oid:
    """Return the id that git gives a file of these bytes."""
    return str(pygit2.hash(data))


def files(repo: Repository, commit: Oid | None, folder: str = "") -> list[str]:
    """Return the paths of all files in `commit` under `folder`, sorted; links and submodules are left out."""
    if commit is None:
        return []
    tree = repo.raw[commit].peel(pygit2.Tree)
    if folder:
        if folder not in tree or tree[folder].type != ObjectType.TREE:
            return []
        tree = repo.raw[tree[folder].id].peel(pygit2.Tree)
    return sorted(_walk(repo, tree, f"{folder}/" if folder else ""))


def _walk(repo: Repository, tree: pygit2.Tree, prefix: str) -> list[str]:
    found: list[str] = []
    for entry in tree:
        path = prefix + (entry.name or "")
        if entry.type == ObjectType.TREE:
            found += _walk(repo, repo.raw[entry.id].peel(pygit2.Tree), path + "/")
        elif entry.type == ObjectType.BLOB and entry.filemode != pygit2.enums.FileMode.LINK:
            found.append(path)
    return found


def identity(repo: Repository) -> tuple[str, str] | None:
    """Return the operator's configured name and address, if both are set."""
    name, email = setting(repo, "user.name"), setting(repo, "user.email")
    return (name, email) if name and email else None


def ignored(repo: Repository, path: str) -> bool:
    """Tell whether an ignore rule covers `path`."""
    return bool(repo.raw.path_is_ignored(path))


def setting(repo: Repository, key: str) -> str:
    """Return a value of git's configuration as text, "" where it is not set."""
    config = repo.raw.config
    return str(config[key]) if key in config else ""


def moment(seconds: int, offset_minutes: int) -> datetime:
    """Return git's time as an aware datetime."""
    return datetime.fromtimestamp(seconds, timezone(timedelta(minutes=offset_minutes)))
