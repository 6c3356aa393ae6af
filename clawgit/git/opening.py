"""Opens a repository with libgit2."""

from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, Option, RepositoryOpenFlag

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git.git_command import git

pygit2.option(Option.ENABLE_FSYNC_GITDIR, True)  # noqa: FBT003 - libgit2's own calling convention

# A folder of more than about ninety journals is a tree that libgit2 would read anew for each of them.
pygit2.settings.cache_object_limit(ObjectType.TREE, 4 << 20)

_WHOLE_FIX = Command("git init", note="makes what is missing of .git anew, and touches no file")


def opened(root: Path, gitdir: Path, commondir: Path, *, bare: bool = False) -> pygit2.Repository:
    """Return libgit2's view of a working tree. Raises ClawgitError when it cannot read the repository's format."""
    # By the root: of a git folder that lies elsewhere libgit2 would take the parent for the working tree.
    try:
        raw = pygit2.Repository(str(root), RepositoryOpenFlag.NO_SEARCH)
    except pygit2.GitError as exc:
        raise _translated(gitdir, commondir, str(exc)) from exc
    if raw.is_bare and not bare:
        raise errors.repository_kind(f"{root} has core.bare set", fix=Command("git config core.bare false"))
    return raw


def _translated(gitdir: Path, commondir: Path, words: str) -> ClawgitError:
    settings = _extensions(commondir)
    if settings.get("objectformat", "sha1") != "sha1":
        return errors.repository_format(
            f"{gitdir} stores {settings['objectformat']} objects; libgit2 reads only sha1",
            fix=Advice("git init --object-format=sha1 in a new folder, and copy the files"),
        )
    if settings.get("refstorage", "files") != "files":
        return errors.repository_format(
            f"{gitdir} keeps its references as {settings['refstorage']}; libgit2 reads only files",
            fix=Command("git refs migrate --ref-format=files"),
        )
    if "owned" in words or "owner" in words:
        return errors.repository_owner(
            f"{gitdir.parent} belongs to another user",
            fix=Command("git config --global --add safe.directory {}", gitdir.parent),
        )
    listed = Command("git config --list --show-origin", note="names the file")
    fix = listed if "config" in words else _WHOLE_FIX
    return errors.repository_damaged(f"{gitdir} cannot be opened: {words}", fix=fix)


def _extensions(commondir: Path) -> dict[str, str]:
    config = str(commondir / "config")
    try:
        listed = git(commondir, "config", "--file", config, "-z", "--get-regexp", r"^extensions\.").decode()
    except ClawgitError:
        return {}
    pairs = (record.split("\n", 1) for record in listed.split("\0") if "\n" in record)
    return {key.removeprefix("extensions.").lower(): value for key, value in pairs}
