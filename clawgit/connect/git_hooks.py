"""Git hooks, the merge driver, and hooks of a server."""

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit import errors
from clawgit.connect import written_files
from clawgit.connect.written_files import read_data, stamp_template, tell_state
from clawgit.errors import Command, hooks_occupied, hooks_path, quote_shell
from clawgit.findings.registry import Check, CheckInput, Finding
from clawgit.git import repository, repository_health, worktree_files
from clawgit.git.git_command import decode_lines, git
from clawgit.git.repository import Repository
from clawgit.git.repository_health import Folder
from clawgit.resources import resource
from clawgit.store.database import StateStore
from clawgit.workspace import approvals
from clawgit.workspace.approvals import TrustStore

NAMES = ("pre-commit", "post-commit", "pre-push")


def shim(name: str, program: Path) -> bytes:
    """Return the script of hook `name`; if PATH has no clawgit, it calls `program`."""
    text = (resource("hooks") / name).read_bytes()
    return stamp_template(
        text.replace(b"@PROGRAM@", str(program).replace("'", "'\\''").encode("utf-8", "surrogateescape"))
    )


State = written_files.State | Literal["chained"]
Act = Literal["installed", "chained", "renewed", "kept", "removed", "restored", "left"]

_SUFFIX = ".clawgit-chained"
_NEW_FOLDER = "hooks folder"
"""The document that names the folder of hooks if clawgit made it."""


class Hook(Struct, frozen=True):
    """The state of one hook, or its outcome; `left`: it is somebody's, and was not touched.

    `installed`: ours, without a former one; `chained`: ours, and it runs the former hook, now at `before`; `outdated`:
    ours, from another version or with another path to clawgit; `edited`: ours, with changes by somebody; `foreign`:
    somebody's own; `missing`: none.
    """

    name: str
    state: State | Act
    place: Path
    before: Path | None = None


def read_hook_states(repo: Repository, program: Path) -> tuple[Hook, ...]:
    """Return the state of each hook; `program` is the path that would be written into it now."""
    folder = repository_health.folder(repo).place
    return tuple(read_hook_state(folder, name, program) for name in NAMES)


def install_hooks(repo: Repository, program: Path, *, force: bool = False) -> tuple[Hook, ...]:
    """Install our hooks in git's folder; former ones are kept beside them, and run as before.

    Git's configuration is not touched. Raises ClawgitError, before anything is touched, if the hooks belong to the
    project or to other repositories as well (unless `force`), and if they cannot be written.
    """
    folder = repository_health.folder(repo)
    if folder.place.exists() and not folder.place.is_dir():
        raise hooks_path(
            f"core.hooksPath is {folder.setting}, and that is no folder: git runs no hooks here",
            fix=Command("git config --unset core.hooksPath", note="unless that is meant"),
        )
    if not force:
        _refuse_shared(repo, folder)
    for hook in read_hook_states(repo, program):
        if hook.state == "foreign" and hook.before:
            raise hooks_occupied(
                f"{hook.place} was put there after clawgit had set {hook.before} aside: only one of them can be kept",
                fix=Command("rm {}", hook.before, note=f"or: mv {quote_shell(hook.before)} {quote_shell(hook.place)}"),
            )
    is_new = not folder.place.exists()
    try:
        for needed_folder in (repo.commondir / "clawgit/state", repo.room, folder.place):
            needed_folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            StateStore(repo.commondir / "clawgit").save_document(_NEW_FOLDER, str(folder.place))
        hooks = tuple(place_hook(hook, program) for hook in read_hook_states(repo, program))
    except OSError as exc:
        raise errors.make_unwritable_error(Path(exc.filename or folder.place), exc) from exc
    _note_own_hooks(repo, hooks)
    return hooks


def uninstall_hooks(repo: Repository) -> tuple[Hook, ...]:
    """Remove our hooks and restore the former ones, to the byte; hooks that are somebody's now are left alone.

    Raises ClawgitError if the folder cannot be written.
    """
    folder = repository_health.folder(repo)
    try:
        hooks = tuple(take_away(read_hook_state(folder.place, name)) for name in NAMES)
        is_ours = StateStore(repo.commondir / "clawgit").read_document(_NEW_FOLDER, str) == str(folder.place)
        if is_ours and folder.place.exists() and not any(folder.place.iterdir()):
            folder.place.rmdir()
    except OSError as exc:
        raise errors.make_unwritable_error(Path(exc.filename or folder.place), exc) from exc
    _note_own_hooks(repo, hooks)
    return hooks


def _note_own_hooks(repo: Repository, hooks: tuple[Hook, ...]) -> None:
    """Note the hooks that we ourselves wrote or put back: they did not come from others."""
    notes = TrustStore(repo.commondir, os.environ)
    approvals.note_ours(repo, notes, [f"hooks/{hook.name}" for hook in hooks])


def list_our_hooks(repo: Repository) -> Iterator[str]:
    """Yield the names of the hooks that are ours."""
    folder = repository_health.folder(repo).place
    yield from (name for name in NAMES if read_hook_state(folder, name).state not in ("foreign", "missing"))


def read_hook_state(folder: Path, name: str, program: Path | None = None) -> Hook:
    """Return the state of a hook; without `program` none is outdated."""
    place, before = folder / name, folder / f"{name}{_SUFFIX}"
    chained_hook, data = before if os.path.lexists(before) else None, read_data(place)
    current = program is None or (data == shim(name, program) and os.access(place, os.X_OK))
    state: State = tell_state([] if data is None else [data], current=current)
    return Hook(name, "chained" if chained_hook and state == "installed" else state, place, chained_hook)


def place_hook(hook: Hook, program: Path) -> Hook:
    """Put a hook of ours in its place; a former one is set aside, and an edited one of ours is left."""
    if hook.state in ("installed", "chained", "edited"):
        return Hook(hook.name, "left" if hook.state == "edited" else "kept", hook.place, hook.before)
    before = hook.before
    if hook.state == "foreign":
        before = hook.place.with_name(f"{hook.name}{_SUFFIX}")
        hook.place.rename(before)
    # The umask can only be read by a change of it.
    umask = os.umask(0o022)
    os.umask(umask)
    worktree_files.replace_file(hook.place, shim(hook.name, program), 0o777 & ~umask)
    act: Act = "renewed" if hook.state == "outdated" else "chained" if before else "installed"
    return Hook(hook.name, act, hook.place, before)


def take_away(hook: Hook) -> Hook:
    """Remove a hook of ours, and restore the former one."""
    if hook.state in ("foreign", "edited"):
        return Hook(hook.name, "left", hook.place, hook.before)
    if hook.before:
        hook.before.replace(hook.place)
        return Hook(hook.name, "restored", hook.place)
    if hook.state == "missing":
        return Hook(hook.name, "kept", hook.place)
    hook.place.unlink()
    return Hook(hook.name, "removed", hook.place)


def _refuse_shared(repo: Repository, folder: Folder) -> None:
    """Raise ClawgitError for a folder whose hooks are not this clone's alone."""
    place = folder.place.resolve()
    folders = {place, *place.parents}
    if folder.scope in ("global", "system"):
        raise hooks_path(
            f"core.hooksPath is {folder.setting} for every repository of this user, and so would be the hooks",
            fix=Command("clawgit hooks install --force", note="or, here alone: git config core.hooksPath .git/hooks"),
        )
    # Hooks in the working tree are committed, and run in every clone.
    if repo.root in folders and not {repo.gitdir, repo.commondir} & folders:
        raise hooks_path(
            f"core.hooksPath is {folder.setting}: the hooks are files of the workspace, and clones would get ours",
            fix=Command(
                "clawgit hooks install --force", note="or add a line to each hook there: clawgit hook run pre-commit"
            ),
        )


def check_hooks(program: Path) -> Check:
    """Return the check of the hooks; to have none is a choice, to have some is a gap."""

    def look_at_hooks(ground: CheckInput) -> Iterator[Finding]:
        hooks = read_hook_states(ground.workspace.repo, program)
        if not any(hook.state not in ("foreign", "missing") or hook.before for hook in hooks):
            words = "not installed: commits and pushes are not checked for secrets"
            yield Finding("hooks-missing", words, level="notice")
            return
        for hook in hooks:
            if hook.state == "edited":
                words = f"{hook.name} was edited, and is left alone"
                yield Finding("hooks-edited", words, Command("cat {}", hook.place))
            elif hook.state not in ("installed", "chained"):
                yield Finding("hooks-outdated", f"{hook.name} is {hook.state}", Command("clawgit hooks install"))

    return Check("git hooks", look_at_hooks, "installed", "repository")


NAME = "pre-receive"
LARGEST_PUSH = 64 << 20
"""Bytes that one push may have; git itself refuses more before it unpacks them."""
_OURS = "clawgit.set"
"""Under this key stands which settings are ours, to take them away again."""
_SETTINGS = {
    "receive.fsckObjects": "true",
    "receive.denyNonFastForwards": "true",
    "receive.denyDeletes": "true",
    "core.logAllRefUpdates": "true",
}


def read_server_hook_state(repo: Repository, program: Path | None = None) -> tuple[Hook, ...]:
    """Return the state of the hook; without `program` it is never outdated."""
    setting = repository.setting(repo, "core.hooksPath")
    folder = repo.root / "hooks"
    if setting and Path(repo.root, setting) != folder:  # a folder that all repositories share is not ours
        raise errors.hooks_path(
            f"core.hooksPath is {setting}: the hooks of this repository would not run",
            fix=errors.Command("git -C {} config core.hooksPath {}", repo.root, os.fspath(folder)),
        )
    return (read_hook_state(folder, NAME, program),)


def install_server_hook(repo: Repository, program: Path, *, largest: int = LARGEST_PUSH) -> tuple[Hook, ...]:
    """Install the hook, and let git check pushes: nothing is forced or deleted, and the size is limited.

    A former hook runs as before; a setting with another value is left alone. Raises ClawgitError if the folder cannot
    be written.
    """
    hooks = read_server_hook_state(repo, program)
    try:
        repo.room.mkdir(exist_ok=True)
        hooks[0].place.parent.mkdir(exist_ok=True)
        hooks = tuple(place_hook(hook, program) for hook in hooks)
    except OSError as exc:
        raise errors.make_unwritable_error(Path(exc.filename or hooks[0].place), exc) from exc
    ours = _list_values(repo, _OURS)
    for key, value in {**_SETTINGS, "receive.maxInputSize": str(largest)}.items():
        # A setting with a value that is not on our list is the owner's.
        if key in ours or not _list_values(repo, key):
            git(repo.root, "config", "--local", key, value)
            if key not in ours:
                git(repo.root, "config", "--local", "--add", _OURS, key)
    return hooks


def uninstall_server_hook(repo: Repository) -> tuple[Hook, ...]:
    """Remove the hook and our settings, and restore the former hook."""
    hooks = read_server_hook_state(repo)
    try:
        hooks = tuple(map(take_away, hooks))
    except OSError as exc:
        raise errors.make_unwritable_error(Path(exc.filename or hooks[0].place), exc) from exc
    # The list of our settings goes last: after a kill the next try still has it.
    for key in (*_list_values(repo, _OURS), _OURS):
        if _list_values(repo, key):
            git(repo.root, "config", "--local", "--unset-all", key)
    return hooks


def _list_values(repo: Repository, key: str) -> tuple[str, ...]:
    """Return the values of a setting of this repository."""
    try:
        output = git(repo.root, "config", "--local", "--get-all", key)
    except errors.ClawgitError:
        return ()
    return tuple(decode_lines(output))


DRIVER_KEY, DRIVER_TITLE = "merge.clawgit.driver", "merge.clawgit.name"
_DRIVER_TITLE = "clawgit, by entry and line"
_BEGIN, _END = "# clawgit: begin", "# clawgit: end"
_OUR_BLOCK = re.compile(f"{_BEGIN}\n.*?{_END}\n", re.DOTALL)
_RULES = ("*.md merge=clawgit", ".clawgit/*.tsv merge=clawgit")

DriverState = Literal["installed", "outdated", "missing"]


def line(program: Path) -> str:
    """Return git's command for one file. Without the program, git merges as usual: it never takes ours silently.

    git puts the names of its temporary files in place of %O, %A and %B, the length of its markers and the path.
    """
    return f"{shlex.quote(str(program))} merge-driver %O %A %B %L %P || git merge-file --marker-size=%L %A %O %B"


def read_driver_state(repo: Repository, program: Path) -> DriverState:
    """Return its state in this clone."""
    command, rules = repository.setting(repo, DRIVER_KEY), _OUR_BLOCK.search(_read_attributes(repo)) is not None
    if not command and not rules:
        return "missing"
    return "installed" if command == line(program) and rules else "outdated"


def install_driver(repo: Repository, program: Path) -> None:
    """Let git merge by our rules here.

    The settings are beside git, in this clone alone: no file of the workspace names a program, and a clone without
    clawgit merges as usual. Raises ClawgitError if they cannot be written.
    """
    if read_driver_state(repo, program) == "installed":
        return
    _write_attributes(repo, "\n".join((_BEGIN, *_RULES, _END, "")))
    git(repo.root, "config", "--local", DRIVER_TITLE, _DRIVER_TITLE)
    git(repo.root, "config", "--local", DRIVER_KEY, line(program))
    notes = TrustStore(repo.commondir, os.environ)
    approvals.note_ours(repo, notes, [DRIVER_KEY])


def uninstall_driver(repo: Repository) -> None:
    """Remove it; other settings in the same files stay to the byte."""
    if _OUR_BLOCK.search(_read_attributes(repo)):
        _write_attributes(repo, "")
    # `git config --remove-section` fails for a missing section.
    if repository.setting(repo, DRIVER_KEY) or repository.setting(repo, DRIVER_TITLE):
        git(repo.root, "config", "--local", "--remove-section", "merge.clawgit")


def check_driver(program: Path) -> Check:
    """Return the check of the driver; to have none is a choice."""

    def look(ground: CheckInput) -> Iterator[Finding]:
        state = read_driver_state(ground.workspace.repo, program)
        if state == "missing":
            words = "none: git merges memory as it merges code, when somebody pulls"
            yield Finding("merge-driver-missing", words, level="notice")
        elif state == "outdated":
            yield Finding("merge-driver-outdated", "outdated or incomplete", Command("clawgit hooks install"))

    return Check("merge driver", look, "installed", "repository")


def _read_attributes(repo: Repository) -> str:
    """Return the attributes that git has for this clone alone, "" if there are none."""
    with suppress(FileNotFoundError):
        return (repo.commondir / "info/attributes").read_text("utf-8", "surrogateescape")  # also behind a link
    return ""


def _write_attributes(repo: Repository, block: str) -> None:
    """Put a block at the end instead of ours; a file that was ours alone goes with it."""
    place, text = repo.commondir / "info/attributes", _OUR_BLOCK.sub("", _read_attributes(repo))
    text += ("\n" if block and text and not text.endswith("\n") else "") + block
    try:
        worktree_files.replace_file(place, text.encode("utf-8", "surrogateescape") or None)
    except OSError as exc:
        raise errors.make_unwritable_error(place, exc) from exc
