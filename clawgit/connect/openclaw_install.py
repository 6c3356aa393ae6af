"""Connects a workspace with OpenClaw and takes the connection away."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.connect import openclaw_target
from clawgit.connect.openclaw_config import (
    Edited,
    as_read,
    edit_configuration,
    find_obstacle,
    has_value,
    is_loaded,
    list_needed,
    says_same,
    set_command,
    tools_hidden,
)
from clawgit.connect.openclaw_target import Act, Files, Name, Part, Record, State, Target
from clawgit.connect.written_files import read_data
from clawgit.errors import Advice, ClawgitError, Command, file_unwritable, in_use, openclaw_version, program_failed
from clawgit.git import worktree_files
from clawgit.outside import subprocess_runner

NEEDED = ("plugin", "plugin setting")
"""The parts without which OpenClaw is not connected."""
_INSTALL = "clawgit connect"
_RESTART = "openclaw gateway restart"
_INSTALLS: Mapping[str, Act] = {"missing": "installed", "outdated": "renewed", "installed": "kept"}
_RENEWED = ("missing", "outdated")
_REMOVALS: Mapping[str, Act] = {"installed": "removed", "outdated": "removed", "missing": "kept", "unfit": "kept"}
_ACCESS = "allowConversationAccess lets it hear the operator, and look up what a turn is about; the command is /clawgit"
_BOUNDS = subprocess_runner.Bounds(seconds=300, passed=("OPENCLAW_*", "NODE_*"))


def require_version(target: Target) -> None:
    """Raise ClawgitError for an OpenClaw that is too old for the plugin; one of no version is not refused."""
    version = target.host.version
    if version and version.number < openclaw_target.SINCE:
        words = f"the plugin needs OpenClaw {'.'.join(map(str, openclaw_target.SINCE))}, and this is {version.text}"
        raise openclaw_version(words, fix=Command("openclaw update"))


class Connection(Struct, frozen=True):
    """Whether a workspace is connected: its `parts`, and as `state` that of the worst part that it needs.

    Of a plugin that is installed it is "connected" once its process reached clawgit, which it did last when it was
    `seen`; `fix` is the command to run next.
    """

    state: State | Act | Literal["connected"]
    seen: str
    fix: str
    parts: tuple[Part, ...]


def read_connection(target: Target) -> Connection:
    """Return the state of the connection; nothing is touched."""
    parts = tuple(
        replace(part, fix=_INSTALL) if not part.fix and part.state in ("missing", "outdated") else part
        for part in (openclaw_target.look_at_folder(target), _look_at_setting(target))
    )
    for missing in (part for part in parts if part.name in NEEDED and part.state != "installed"):
        return Connection(missing.state, "", missing.fix or _INSTALL, parts)
    contact = target.workspace.store.read_document(openclaw_target.CONTACT, str)
    return Connection("connected", contact, "", parts) if contact else Connection("installed", "", _RESTART, parts)


def _look_at_setting(target: Target) -> Part:
    """Return the state of the configuration: that of the worst of its values."""
    setting = Part("plugin setting", "installed", target.host.config.path)
    puts = list_needed(target)
    values = [target.host.config.at(*put.keys) for put in puts]
    for put, value in zip(puts, values, strict=True):
        name = ".".join(put.keys)
        if value is False or (isinstance(value, dict) and value.get("enabled") is False):
            return replace(setting, state="off", note=f"{name} switches it off", fix=set_command(put))
        if isinstance(value, dict) and not has_value(value, as_read(put.value)):
            return replace(setting, state="edited", note=f"{name} was changed by somebody", fix=set_command(put))
    if None not in values and is_loaded(target):
        note, fix = tools_hidden(target)
        return replace(setting, note=note, fix=fix)
    note, fix = find_obstacle(target)
    return replace(setting, state="unfit" if note else "missing", note=note, fix=fix)


class ConnectPlan(Struct, frozen=True):
    """A preview of the changes, part by part.

    `files` go from their content to another, the configuration as in `config`, `record` is its new record (None: none).
    `folders` are removed in the end if they are empty. `uninstall` and `install` are commands of OpenClaw: the first is
    run before anything else, the other last.
    """

    target: Target
    done: tuple[Part, ...]
    files: Files
    config: Edited
    record: Record | None
    folders: tuple[Path, ...] = ()
    uninstall: tuple[str, ...] = ()
    install: tuple[str, ...] = ()

    @property
    def outside(self) -> tuple[Path, ...]:
        """The files outside of the workspace that would be written or removed."""
        config = [self.config.place] if self.config.after != self.config.before else []
        return (*(place for place, (old, new) in self.files.items() if old != new), *config)

    @property
    def calls(self) -> tuple[str, ...]:
        """The command of OpenClaw that would be run."""
        return self.uninstall or self.install


def plan_install(target: Target) -> ConnectPlan:
    """Return what installing would do; touches nothing.

    The plugin of clawgit 0.2 goes. Raises ClawgitError where clawgit is not at home.
    """
    target.workspace.require_managed()
    record = openclaw_target.load_target(target.workspace)
    folder = openclaw_target.look_at_folder(target)
    ours = {put.keys for put in record.puts}  # what is there stays
    obstacle = find_obstacle(target)
    if folder.state == "foreign":
        obstacle = "the plugin that it is for is not clawgit's", folder.fix
    puts = list_needed(target)
    config = edit_configuration(
        target.host.config, record, [put for put in puts if put.keys in ours or not obstacle[0]]
    )
    files = {
        **(openclaw_target.list_files(target) if folder.state in _INSTALLS else {}),
        **openclaw_target.list_removals(target, target.old_folder),
    }
    new = (str(place) for place in _list_folders(target.folder) if not place.exists())
    folders = tuple(sorted({*record.folders, *new}, key=lambda place: (-place.count("/"), place)))
    return ConnectPlan(
        target,
        (_report_part(folder, _INSTALLS), _tell_setting(target, config, record, obstacle)),
        files,
        config,
        replace(config.record, folders=folders),
        tuple(map(Path, folders)),
        install=target.installer("install") if folder.state in _RENEWED or not is_loaded(target) else (),
    )


def _list_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders that are made for the plugin, the innermost first."""
    skills = folder / openclaw_target.SKILLS
    return skills / folder.name, skills, folder, folder.parent


def _report_part(part: Part, acts: Mapping[str, Act]) -> Part:
    """Return the outcome of a part that is installed, or removed, as a whole."""
    act = acts.get(part.state, "left")
    return replace(part, state=act) if acts is _INSTALLS or act == "left" else Part(part.name, act, part.place)


def _tell_setting(target: Target, config: Edited, old_record: Record, obstacle: tuple[str, str]) -> Part:
    """Return the outcome of the configuration, and the reason that OpenClaw would hide the plugin's tools."""
    name: Name = "plugin setting"
    for put in list_needed(target):
        if obstacle[0] and put.keys not in {item.keys for item in old_record.puts}:
            return Part(name, "left", config.place, *obstacle)
        if put.keys in config.left:
            return Part(name, "left", config.place, config.left[put.keys], set_command(put))
    old, new = ({put.keys: put.value for put in record.puts} for record in (old_record, config.record))
    act: Act = "kept" if new == old or config.after == config.before else "renewed" if old else "installed"
    note, fix = tools_hidden(target)
    return Part(name, act, config.place, note or _ACCESS, fix)


def plan_uninstall(target: Target) -> ConnectPlan:
    """Return a preview of an uninstallation; touches nothing."""
    record = openclaw_target.load_target(target.workspace)
    if not record.place:
        place = os.path.realpath(target.host.config.path)
        record = Record(place, list_needed(target), record.folders)  # nobody else would have put these there
    folder = openclaw_target.look_at_folder(target)
    config = edit_configuration(target.host.config, record)
    puts = tuple(put for put in record.puts if put.keys in config.kept)
    edited_keys = [".".join(put.keys) for put in puts]
    act: Act = "left" if edited_keys else "removed" if record.puts and config.after != config.before else "kept"
    note = f"{', '.join(edited_keys)} was changed since" if edited_keys else ""
    files = dict[Path, tuple[bytes | None, bytes | None]]()
    for directory in (target.folder, target.old_folder):
        files |= openclaw_target.list_removals(target, directory)
    return ConnectPlan(
        target,
        (_report_part(folder, _REMOVALS), Part("plugin setting", act, config.place, note)),
        files,
        config,
        replace(record, puts=puts, original="") if puts else None,
        tuple(map(Path, record.folders)) or _list_folders(target.folder)[:-1],
        uninstall=target.installer("uninstall") if is_loaded(target) else (),
    )


def _swap_file(undo: ExitStack, place: Path, old: bytes | None, new: bytes | None, *, private: bool = False) -> None:
    """Write `new` to `place` (None: no file), which had `old`; a file that stays keeps its mode and owner.

    `undo` restores it, unless somebody has written it in between. Raises BusyError if its content differs by now.
    """
    if old == new:
        return
    if read_data(place) != old:
        raise in_use(f"{place} was changed at this very moment", fix=Advice("try again"))
    missing = (
        [parent for parent in (place.parent, *place.parent.parents) if not parent.exists()] if new is not None else []
    )
    for folder in reversed(missing):
        # Each new folder goes again with an undo.
        folder.mkdir(mode=0o700 if private else 0o777)
        undo.callback(_remove_empty, [folder])
    # A replaced file would have a new mode, so the old one is passed on.
    mode = place.stat().st_mode & 0o7777 if place.exists() else None
    undo.callback(_restore_file, place, old, new, mode)
    worktree_files.replace_file(place, new, 0o600 if private and mode is None else mode)


def _restore_file(place: Path, old: bytes | None, new: bytes | None, mode: int | None) -> None:
    with suppress(OSError):
        if read_data(place) == new:
            place.parent.mkdir(parents=True, exist_ok=True)
            worktree_files.replace_file(place, old, mode)


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def carry_out(plan: ConnectPlan) -> ClawgitError | None:
    """Carry out a plan; return the failure of OpenClaw's uninstaller, if any.

    The record of the configuration is written before it, and removed after it: a kill in between loses nothing. Raises
    ClawgitError with every file as it was.
    """
    config, workspace = plan.config, plan.target.workspace
    before, failure = config.before, None
    if plan.uninstall:
        try:
            _call_openclaw(plan.target, plan.uninstall)
        except ClawgitError as exc:
            failure = exc
        before = None if config.after is None else read_data(config.place)  # the uninstaller wrote it anew
    record = openclaw_target.locate_connection_record(workspace)
    changes = [(place, old, new) for place, (old, new) in plan.files.items()]
    changes.append((config.place, before, config.after))
    number = len(changes) - 1 if plan.record else len(changes)
    changes.insert(
        number,
        (record, read_data(record), openclaw_target.render_connection_record(plan.record) if plan.record else None),
    )
    try:
        with ExitStack() as undo:
            for place, old, new in changes:
                _swap_file(undo, place, old, new, private=workspace.trusted.folder in place.parents)
            if plan.outside or plan.install:
                workspace.store.drop_document(openclaw_target.CONTACT)
            if plan.install:
                _call_openclaw(plan.target, plan.install)
                data = read_data(config.place)
                if config.after and data and says_same(data.decode(), config.after.decode()):
                    _swap_file(undo, config.place, data, config.after)  # with its comments
            # Without an error until here, nothing is undone.
            undo.pop_all()
    except OSError as exc:
        raise file_unwritable(f"cannot write {exc.filename}: {exc.strerror}", fix=Advice("see ls -ld and df")) from exc
    _remove_empty(plan.folders)
    return failure


def _call_openclaw(target: Target, words: Sequence[str]) -> None:
    """Run a command of OpenClaw that has to succeed. Raises ClawgitError with its own words."""
    ran = subprocess_runner.run_program(words, "", _BOUNDS, target.host.environ, target.host.home)
    if ran.code:
        text = " ".join((ran.said or ran.output).split())
        raise program_failed(f"openclaw {' '.join(words[1:3])}: {text}", fix=Command("openclaw plugins doctor"))
