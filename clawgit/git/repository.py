"""Finds a repository; reads its objects."""

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from clawgit import errors
from clawgit.errors import FSCK, Advice, ClawgitError, Command, Fix, quote_shell
from clawgit.git import foreign_programs, regular_file
from clawgit.git.git_command import decode_lines, git

if TYPE_CHECKING:  # libgit2 takes 50 ms to load: only what needs it pays
    from datetime import datetime

    import pygit2

Oid = str
COMMITTER = ("clawgit", "clawgit@localhost")
_LINK, _SUBMODULE = 0o120000, 0o160000
_RULED = ("", "memory/", "agents/", "Archive/", ".clawgit/")
_RULES = (".gitignore", ".gitattributes", ".gitmodules")
_TRIES, _PAUSE = 5, 0.002
_HEAD = re.compile(rb"ref: *refs/[^\0\n]+|[0-9a-f]{40}|[0-9a-f]{64}")


class Repository(Struct, frozen=True, dict=True):
    """A working tree with its git folders; all paths are absolute and free of symlinks.

    `gitdir` belongs to this working tree, `commondir` to all that share the references. One that is `bare` has no
    working tree, and all three are one.
    """

    root: Path
    gitdir: Path
    commondir: Path
    bare: bool = False

    @cached_property
    def raw(self) -> "pygit2.Repository":
        """libgit2's view of it. Raises ClawgitError when libgit2 cannot read its format."""
        import pygit2  # noqa: PLC0415

        set_up_libgit2(pygit2)
        # By the root: of a git folder that lies elsewhere libgit2 would take the parent for the working tree.
        try:
            raw = pygit2.Repository(str(self.root), pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
        except pygit2.GitError as exc:
            raise _explain_refusal(self, str(exc)) from exc
        if raw.is_bare and not self.bare:
            raise errors.repository_kind(f"{self.root} has core.bare set", fix=Command("git config core.bare false"))
        return raw

    @property
    def room(self) -> Path:
        """Our folder beside this working tree's index."""
        return self.gitdir / "clawgit"

    @property
    def linked(self) -> bool:
        """Whether this is a linked working tree."""
        return self.gitdir != self.commondir


def find(path: Path) -> Repository:
    """Return the repository with the working tree around `path`.

    Raises ClawgitError when there is none, or it is bare.
    """
    try:
        location = path.resolve()
    except RuntimeError as exc:
        raise errors.link_loop(f"{path} is a link that leads round in a circle", fix=Command("rm {}", path)) from exc
    for folder in (location, *location.parents):
        dot = folder / ".git"
        # Git, too, looks further up past a `.git` folder without HEAD.
        if dot.is_dir() and os.path.lexists(dot / "HEAD"):
            return _require_readable_rules(Repository(folder, dot, dot))
        if dot.is_file():
            gitdir = commondir = _linked_gitdir(dot)
            if (pointer := gitdir / "commondir").exists():
                commondir = (gitdir / pointer.read_text("utf-8", "surrogateescape").strip()).resolve()
                if not commondir.is_dir():
                    fix = Command("git worktree repair")
                    raise errors.repository_damaged(f"{pointer} points at no repository", fix=fix)
            return _require_readable_rules(Repository(folder, gitdir, commondir))
        regular_file.refuse_waiting(dot, str(dot))
        if is_bare(folder):
            raise errors.repository_kind(f"{folder} is bare", fix=Advice(f"git clone {quote_shell(folder)} WORKSPACE"))
    raise errors.repository_missing(f"no git repository at {path}", fix=Command("clawgit init {}", path))


def is_bare(folder: Path) -> bool:
    """Return whether a folder is a git directory, but not the `.git` of a working tree."""
    return folder.name != ".git" and all((folder / name).exists() for name in ("HEAD", "objects", "refs"))


def find_bare(path: Path) -> Repository:
    """Return the bare repository at `path` or around it, the target of pushes. Raises ClawgitError without one."""
    location = path.resolve()
    if not location.is_dir():
        raise errors.folder_missing(f"{path} is no folder", fix=Command("git init --bare {}", path))
    for folder in (location, *location.parents):
        if (folder / ".git").exists():
            fix = Command("git clone --bare {} {}", folder, folder.with_suffix(".git"))
            raise errors.repository_kind(f"{folder} has a working tree: a server keeps the references alone", fix=fix)
        if is_bare(folder):
            return Repository(folder, folder, folder, bare=True)
    raise errors.repository_missing(f"no git repository at {path}", fix=Command("git init --bare {}", path))


def _require_readable_rules(repo: Repository) -> Repository:
    """Return a repository. Raises ClawgitError if git, or libgit2, would wait for ever to read its rules."""
    for folder in _RULED:
        for name in _RULES:
            regular_file.refuse_waiting(repo.root / folder / name, f"{folder}{name}")
    for name in ("info/exclude", "info/attributes", "config", "packed-refs", "HEAD", "index"):
        for home in {repo.gitdir, repo.commondir}:
            regular_file.refuse_waiting(home / name, str(home / name))
    if not repo.linked and (other := foreign_programs.find_other_worktree(repo.root, repo.gitdir)):
        raise errors.repository_elsewhere(
            f"git takes the files of {other} for those of {repo.root} (core.worktree)",
            fix=Command("git config --file {} --unset-all core.worktree", repo.gitdir / "config"),
        )
    regular_file.keep_owner(repo.commondir)
    return repo


def create(path: Path, branch: str) -> Repository:
    """Make a repository in `path`, its first branch named `branch`, in which git converts no line endings."""
    import pygit2  # noqa: PLC0415

    pygit2.init_repository(str(path), initial_head=branch).config["core.autocrlf"] = "false"
    regular_file.inherit(path / ".git")
    return find(path)


def _linked_gitdir(dot: Path) -> Path:
    text = dot.read_text("utf-8", "surrogateescape").strip()
    target = dot.parent / text.removeprefix("gitdir:").strip()
    if not text.startswith("gitdir:") or not (target / "HEAD").is_file():
        raise errors.repository_damaged(f"{dot} points at no repository", fix=Command("git worktree repair"))
    if owner := _find_other_owner(dot, target.resolve()):
        fix = Command("rm {} && clawgit init {}", dot, dot.parent, note="one of its own")
        raise errors.repository_damaged(f"{dot} leads to the repository of {owner}", fix=fix)
    return target.resolve()


def _find_other_owner(dot: Path, gitdir: Path) -> Path | None:
    """Return the folder that this git folder belongs to, if it is not that of `dot`."""
    back = gitdir / "gitdir"
    if back.is_file():  # of a linked working tree
        owner = gitdir / back.read_text("utf-8", "surrogateescape").strip()
        return owner.parent if owner.exists() and not owner.samefile(dot) else None
    config = gitdir / "config"
    # A submodule's git folder names its working tree in core.worktree.
    if gitdir.name != ".git" or not config.is_file() or b"worktree" in config.read_bytes().lower():
        return None
    return gitdir.parent if any(place != gitdir for place in gitdir.parent.iterdir()) else None


class Checkout(Struct, frozen=True):
    """A working tree of the repository: its folder, its commit, and the branch that it is on, "" for none."""

    root: Path
    head: Oid
    branch: str = ""


def list_references(root: Path, *prefixes: str) -> dict[str, Oid]:
    """Return the references with their objects, without those that only name another one, as a clone's `HEAD`."""
    output = git(root, "for-each-ref", "--format=%(objectname) %(refname) %(symref)", *prefixes)
    rows = (row.split(" ") for row in decode_lines(output))
    return {name: oid for oid, name, symbolic in rows if not symbolic}


def list_checkouts(repo: Repository) -> Iterator[Checkout]:
    """Yield the working trees of the repository that are there and have a commit."""
    output = git(repo.root, "worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    for block in output.split("\n\n"):
        values = dict(row.partition(" ")[::2] for row in block.split("\n") if row)
        # Git lists an unborn branch with a HEAD of zeros.
        if (head := values.get("HEAD", "")).strip("0") and "prunable" not in values and "bare" not in values:
            place = Path(values["worktree"])
            # Where `.git` is a file, git lists the git folder in place of the main working tree.
            is_own = place == repo.commondir and not repo.linked
            yield Checkout(repo.root if is_own else place, head, values.get("branch", ""))


def head(repo: Repository) -> Oid | None:
    """Return the commit at HEAD; None before the first one.

    Somebody's checkout replaces HEAD between the moment that libgit2 asks for its size and the one that it reads it.
    """
    import pygit2  # noqa: PLC0415

    for _ in range(_TRIES):
        try:
            return None if repo.raw.head_is_unborn else str(repo.raw.head.target)
        except pygit2.GitError as exc:
            error = exc
            time.sleep(_PAUSE)
    require_head(repo)
    name = branch(repo) or "main"
    place, log = (repo.commondir / folder / name for folder in ("refs/heads", "logs/refs/heads"))
    fix: Fix = Command("git symbolic-ref HEAD refs/heads/main", note="or the branch that you were on")
    if log.exists():
        fix = Advice(f"tail -n 1 {quote_shell(log)} | cut -d ' ' -f 2 > {quote_shell(place)}   # its last commit")
    raise errors.head_damaged(f"HEAD of {repo.root} leads to no commit: {error}", fix=fix) from error


def require_head(repo: Repository) -> None:
    """Raise ClawgitError if HEAD names neither a branch nor a commit: to git that is no repository."""
    place = repo.gitdir / "HEAD"
    try:
        words = place.read_bytes().strip()
    except OSError as exc:
        raise errors.file_unreadable(f"cannot read {place}: {exc.strerror}", fix=Command("ls -ld {}", place)) from exc
    if not _HEAD.fullmatch(words):
        names = (name for name in ("main", "master") if (repo.commondir / "refs/heads" / name).exists())
        fix = Advice(f"echo 'ref: refs/heads/{next(names, 'main')}' > {quote_shell(place)}")
        raise errors.head_damaged(f"{place} names neither a branch nor a commit", fix=fix)


def branch(repo: Repository) -> str | None:
    """Return the branch that HEAD names, also an unborn one; None when detached."""
    text = (repo.gitdir / "HEAD").read_text("utf-8", "surrogateescape").strip()
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else None


def unborn(repo: Repository) -> bool:
    """Return whether the branch at HEAD has no commit yet."""
    name = branch(repo)
    if name is None or (repo.commondir / "refs" / "heads" / name).exists():
        return False
    packed = repo.commondir / "packed-refs"
    return not packed.exists() or f" refs/heads/{name}\n".encode() not in packed.read_bytes()


def resolve(repo: Repository, revision: str) -> Oid | None:
    """Return the commit that `revision` names, in git's own grammar; None when it names none."""
    raw = repo.raw
    import pygit2  # noqa: PLC0415

    try:
        return str(raw.revparse_single(revision).peel(pygit2.Commit).id)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def reaches(repo: Repository, commit: Oid | None, earlier: Oid | None) -> bool:
    """Return whether `earlier` is `commit`, or one of those before it; before the first commit only nothing is."""
    if commit is None or earlier is None or commit == earlier:
        return commit == earlier
    if "pygit2" not in sys.modules:  # a process of git costs less than loading it
        try:
            git(repo.root, "merge-base", "--is-ancestor", earlier, commit)
        except ClawgitError:
            return False
        return True
    import pygit2  # noqa: PLC0415

    try:
        return repo.raw.descendant_of(pygit2.Oid(hex=commit), pygit2.Oid(hex=earlier))
    except (KeyError, ValueError, pygit2.GitError):
        return False


def blob_id(repo: Repository, commit: Oid | None, path: str) -> Oid | None:
    """Return the id of the file at `path` in `commit`; None if there is no file."""
    if commit is None:
        return None
    tree = _read_tree(repo, commit)
    try:
        item = tree / path
    except KeyError:
        return None
    return str(item.id) if item.type_str == "blob" else None


def _read_tree(repo: Repository, commit: Oid) -> "pygit2.Tree":
    item = repo.raw.get(commit)
    if item is None or item.type_str != "commit":
        words = "is not here" if item is None else f"is a {item.type_str}, and no commit"
        raise errors.commit_unreadable(f"{commit} {words}", fix=FSCK)
    return cast("pygit2.Commit", item).tree


def read(repo: Repository, commit: Oid | None, path: str) -> bytes | None:
    """Return the bytes of `path` in `commit`; None if there is no file."""
    oid = blob_id(repo, commit, path)
    return None if oid is None else blob(repo, oid)


def blob(repo: Repository, oid: Oid) -> bytes:
    """Return the bytes of a blob, fetched for a partial clone if missing. Raises ClawgitError when that fails."""
    try:
        item = repo.raw[oid]
    except KeyError:
        return git(repo.root, "cat-file", "blob", oid)  # libgit2 fetches nothing
    return cast("pygit2.Blob", item).data


def hash_blob(data: bytes) -> Oid:
    """Return the id that git gives a file of these bytes."""
    import hashlib  # noqa: PLC0415 - 3 ms that most commands need not pay

    digest = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def files(repo: Repository, commit: Oid) -> list[str]:
    """Return the paths of all files in `commit`, sorted; links and submodules are left out."""
    # A comparison with the empty tree lists all files in one call of libgit2.
    deltas = _read_tree(repo, commit).diff_to_tree(swap=True).deltas
    return sorted(
        os.fsdecode(delta.new_file.raw_path) for delta in deltas if delta.new_file.mode not in (_LINK, _SUBMODULE)
    )


def identity(repo: Repository) -> tuple[str, str] | None:
    """Return the operator's configured name and address, if both are set."""
    name, email = setting(repo, "user.name"), setting(repo, "user.email")
    return (name, email) if name and email else None


def ignored(repo: Repository, path: str) -> bool:
    """Return whether an ignore rule covers `path`; by libgit2 if that is loaded."""
    if "pygit2" in sys.modules:
        with contextlib.suppress(UnicodeEncodeError):  # libgit2 takes no name that is not UTF-8
            return bool(repo.raw.path_is_ignored(path))
    with contextlib.suppress(ClawgitError):  # git ends with 1 where no rule covers it
        return bool(git(repo.root, "check-ignore", "--no-index", "--", path))
    return False


def tracked(repo: Repository, path: str) -> bool:
    """Return whether git's index has a file at `path`, or below it; by libgit2 if that is loaded."""
    if "pygit2" in sys.modules and not (repo.root / path).is_dir():
        import pygit2  # noqa: PLC0415 - it is there already

        with contextlib.suppress(OSError, pygit2.GitError):  # a split index is read by git alone
            index = repo.raw.index
            index.read(False)  # noqa: FBT003 - positional in pygit2
            return path in index
    return bool(git(repo.root, "ls-files", "-z", "--", path))


def setting(repo: Repository, key: str) -> str:
    """Return a value of git's configuration as text, "" if it is not set."""
    config = repo.raw.config
    return str(config[key]) if key in config else ""


def committed_at(repo: Repository, commit: Oid) -> float:
    """Return when a commit was made, in seconds since 1970."""
    return float(cast("pygit2.Commit", repo.raw[commit]).commit_time)


def moment(seconds: int, offset_minutes: int) -> "datetime":
    """Return git's time as an aware datetime."""
    from datetime import datetime, timedelta, timezone  # noqa: PLC0415 - what reads no dates does without

    return datetime.fromtimestamp(seconds, timezone(timedelta(minutes=offset_minutes)))


@cache
def set_up_libgit2(pygit2: ModuleType) -> None:
    """Have libgit2 write to the disk before it goes on, and keep the trees of large folders."""
    pygit2.option(pygit2.enums.Option.ENABLE_FSYNC_GITDIR, True)  # noqa: FBT003 - libgit2's own calling convention
    # A folder of more than about ninety journals is a tree that libgit2 would read anew for each of them.
    pygit2.settings.cache_object_limit(pygit2.enums.ObjectType.TREE, 4 << 20)


def _explain_refusal(repo: Repository, words: str) -> ClawgitError:
    """Return why libgit2 does not open a repository."""
    gitdir, fix = repo.gitdir, Command("git init", note="makes what is missing of .git anew, and touches no file")
    if "object format" in words or "extension" in words:
        advice = Advice("git init in a new folder, and copy the files")
        return errors.repository_format(f"libgit2 does not read the format of {gitdir}: {words}", fix=advice)
    if "owned" in words or "owner" in words:
        trust = Command("git config --global --add safe.directory {}", gitdir.parent)
        return errors.repository_owner(f"{gitdir.parent} belongs to another user", fix=trust)
    if "config" in words:
        fix = Command("git config --list --show-origin", note="names the file")
    return errors.repository_damaged(f"{gitdir} cannot be opened: {words}", fix=fix)
