"""Connects a workspace with OpenClaw and takes the connection away."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import Advice, ClawgitError, Command, file_unwritable, in_use, program_failed
from clawgit.git import worktree_files
from clawgit.integrations.openclaw import openclaw_connection, openclaw_target, shipped_files
from clawgit.integrations.openclaw.openclaw_config import (
    Edited,
    Wish,
    edit,
    is_loaded,
    is_there,
    part,
    says_same,
    tools_hidden,
    value_at,
    wishes,
)
from clawgit.integrations.openclaw.openclaw_target import Act, Done, Files, Name, Part, Put, Record, Target
from clawgit.outside import subprocess_runner
from clawgit.workspace.change import Applied, Change

_INSTALLED: Mapping[str, Act] = {"missing": "installed", "outdated": "renewed", "installed": "kept"}
_REMOVED: Mapping[str, Act] = {"installed": "removed", "outdated": "removed", "missing": "kept", "unfit": "kept"}
_TWICE = "the {} that somebody changed would give each turn the same context once more"
_ACCESS = "allowConversationAccess lets it hear the operator, and look up what a turn is about; the command is /clawgit"
_BOUNDS = subprocess_runner.Bounds(seconds=300, passed=("OPENCLAW_*", "NODE_*"))


class Plan(Struct, frozen=True):
    """What would be done, part by part.

    `files` go from what they hold to something else, the configuration as `config` says, `record` is what is kept of it
    then (None: nothing), `skill` the change of the workspace. `folders` are removed in the end if they are empty.
    `uninstall` and `install` are commands of OpenClaw: the first is run before anything else, the other last.
    """

    target: Target
    done: tuple[Done, ...]
    files: Files
    config: Edited
    record: Record | None
    skill: Change | None
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


def installing(target: Target) -> Plan:
    """Return what installing would do; touches nothing.

    What is there of another way goes. Raises ClawgitError where clawgit is not at home.
    """
    target.workspace.require_managed()
    known, host = openclaw_target.load(target.workspace), target.host
    beside = [(other, openclaw_connection.look(other)) for other in target.others]
    folder, skill = openclaw_connection.look(target), shipped_files.look_at_skill(target)
    for other in (one for _, one in beside if one.state == "edited"):
        folder = Part(folder.name, "unfit", folder.place, _TWICE.format(other.name), other.fix)
    needed = _list_wishes(target, known, folder)
    config = edit(host.config, known, [wish for wish in needed if not wish.unfit])
    gone = [other for other, one in beside if one.state in ("installed", "outdated")]
    teaches = skill.state in ("missing", "outdated")
    files = {
        **(shipped_files.list_files(target, wanted=True) if folder.state in _INSTALLED else {}),
        **{place: data for other in gone for place, data in shipped_files.list_files(other, wanted=False).items()},
        **(shipped_files.list_skill_files(target, wanted=True) if teaches else {}),
    }
    done = (
        _tell(folder, _INSTALLED),
        _tell_setting(target, needed, config, known),
        *(_tell(one, _REMOVED) for _, one in beside if one.state not in ("missing", "foreign")),
        *(
            Done(name, "removed" if config.after is not None else "left", config.place)
            for name in openclaw_connection.FORMER
            if any(part(put.keys) == name and put not in config.record.puts for put in known.puts)
        ),
        _tell(skill, _INSTALLED),
    )
    places = (target.folder, target.folder.parent, *shipped_files.list_skill_folders(target))
    new = (str(place) for place in places if not place.exists())
    folders = tuple(sorted({*known.folders, *new}, key=lambda place: (-place.count("/"), place)))
    return Plan(
        *(target, done, files, config, replace(config.record, folders=folders)),
        shipped_files.skill_change(target, wanted=True) if teaches else None,
        tuple(map(Path, folders)),
        uninstall=_find_uninstaller(gone),
        install=target.installer("install") if folder.state in ("missing", "outdated") else (),
    )


def _list_wishes(target: Target, known: Record, folder: Part) -> list[Wish]:
    """Return the wishes, with the reason of those whose plugin is somebody else's; what is there stays."""
    reason = "the plugin that it is for is not clawgit's" if folder.state == "foreign" else folder.note
    ours = {put.keys for put in known.puts}
    found = []
    for wish in wishes(target):
        if wish.keys in ours:
            found.append(replace(wish, unfit=""))
        elif folder.state in ("foreign", "unfit"):
            found.append(replace(wish, unfit=reason, fix=folder.fix))
        else:
            found.append(wish)
    return found


def _find_uninstaller(targets: Iterable[Target]) -> tuple[str, ...]:
    """Return OpenClaw's command for the plugin that is linked, () where none of these is."""
    return next(filter(None, (target.installer("uninstall") for target in targets)), ())


def _tell(one: Part, acts: Mapping[str, Act]) -> Done:
    """Return what becomes of a part that is put in place, or taken away, whole."""
    act = acts.get(one.state, "left")
    done = Done(one.name, act, one.place)
    return replace(done, note=one.note, fix=one.fix) if acts is _INSTALLED or act == "left" else done


def _tell_setting(target: Target, needed: Sequence[Wish], config: Edited, known: Record) -> Done:
    """Return what becomes of the configuration, and why OpenClaw would hide the plugin's tools."""
    name: Name = "plugin setting"
    for wish in needed:
        if wish.unfit:
            return Done(name, "left", config.place, wish.unfit, wish.fix)
        if wish.keys in config.left:
            return Done(name, "left", config.place, config.left[wish.keys], wish.command)
    old, new = (
        {put.keys: put.value for put in record.puts if part(put.keys) == name} for record in (known, config.record)
    )
    act: Act = "kept" if new == old or config.after == config.before else "renewed" if old else "installed"
    why, fix = tools_hidden(target)
    return Done(name, act, config.place, why or _ACCESS, fix)


def removing(target: Target) -> Plan:
    """Return what uninstalling would do; touches nothing."""
    known = openclaw_target.load(target.workspace)
    if not known.place:
        puts = tuple(Put(wish.keys, wish.value) for wish in wishes(target))  # nobody else would have put these there
        known = Record(os.path.realpath(target.host.config.path), puts=puts, folders=known.folders)
    every = (target, *target.others)
    folders = [(other, openclaw_connection.look(other)) for other in every]
    skill, config = shipped_files.look_at_skill(target), edit(target.host.config, known)
    goes = skill.state in ("installed", "outdated")
    files = dict(shipped_files.list_skill_files(target, wanted=False)) if goes else {}
    for other, folder in folders:
        files |= {} if folder.state == "foreign" else shipped_files.list_files(other, wanted=False)
    done = (
        _tell(folders[0][1], _REMOVED),
        *_tell_removed_settings(target, config, known),
        *(_tell(folder, _REMOVED) for _, folder in folders[1:] if folder.state != "missing"),
        _tell(skill, _REMOVED),
    )
    puts = tuple(put for put in known.puts if put.keys in config.kept)
    made = tuple(map(Path, known.folders)) or (
        *{other.folder for other in every},
        shipped_files.list_skill_folders(target)[0],
    )
    return Plan(
        *(target, done, files, config, replace(known, puts=puts, original="") if puts else None),
        shipped_files.skill_change(target, wanted=False) if goes and target.workspace.managed else None,
        made,
        uninstall=_find_uninstaller(filter(is_loaded, every)),
    )


def _tell_removed_settings(target: Target, config: Edited, known: Record) -> Iterator[Done]:
    """Yield what becomes of each part of the configuration."""
    values = target.host.config.values
    there = [part(put.keys) for put in known.puts if is_there(value_at(values, put.keys))]
    names: Iterable[Name] = dict.fromkeys(("plugin setting", *there))
    for name in names:
        puts = [put.keys for put in known.puts if part(put.keys) == name]
        kept = [".".join(keys) for keys in puts if keys in config.kept]
        act: Act = "left" if kept else "removed" if puts and config.after != config.before else "kept"
        yield Done(name, act, config.place, f"{', '.join(kept)} was changed since, or is needed by others" * bool(kept))


class _Pen(Struct):
    """What was written so far: `before` holds the old bytes of each file, `made` the folders that are new."""

    before: list[tuple[Path, bytes | None, bytes | None, int | None]] = field(default_factory=list)
    made: list[Path] = field(default_factory=list)

    def write(self, place: Path, old: bytes | None, new: bytes | None, *, private: bool = False) -> None:
        """Have `place` hold `new` (None: no file) where it held `old`; a file that stays keeps its mode and owner.

        Raises BusyError if it holds something else by now.
        """
        if old == new:
            return
        if _read(place) != old:
            raise in_use(f"{place} was changed at this very moment", fix=Advice("try again"))
        missing = [one for one in (place.parent, *place.parent.parents) if not one.exists()] if new is not None else []
        for folder in reversed(missing):
            folder.mkdir(mode=0o700 if private else 0o777)
            self.made.append(folder)
        mode = place.stat().st_mode & 0o7777 if place.exists() else None
        self.before.append((place, old, new, mode))
        worktree_files.replace_file(place, new, 0o600 if private and mode is None else mode)

    def undo(self) -> None:
        """Put everything back, what somebody has written in between excepted."""
        for place, old, new, mode in reversed(self.before):
            with contextlib.suppress(OSError):
                if _read(place) == new:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    worktree_files.replace_file(place, old, mode)
        _remove_empty(reversed(self.made))


def _read(place: Path) -> bytes | None:
    try:
        return place.read_bytes()
    except FileNotFoundError:
        return None


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


@contextmanager
def _writing() -> Iterator[_Pen]:
    """Yield a pen; what it wrote is taken back if the block fails."""
    pen = _Pen()
    try:
        yield pen
    except OSError as exc:
        pen.undo()
        raise file_unwritable(f"cannot write {exc.filename}: {exc.strerror}", fix=Advice("see ls -ld and df")) from exc
    except BaseException:
        pen.undo()
        raise


def carry_out(plan: Plan) -> tuple[Applied | None, ClawgitError | None]:
    """Do what was planned; return what became of the change of the skill, and why OpenClaw's uninstaller failed.

    What tells of the configuration is written before it, and goes after: a kill in between loses nothing. Raises
    ClawgitError with every file as it was.
    """
    config, workspace = plan.config, plan.target.workspace
    before, failure = config.before, None
    if plan.uninstall:
        try:
            _call_openclaw(plan.target, plan.uninstall)
        except ClawgitError as exc:
            failure = exc
        before = None if config.after is None else _read(config.place)  # the uninstaller wrote it anew
    place = openclaw_target.file(workspace)
    with _writing() as pen:
        for path, (old, new) in plan.files.items():
            pen.write(path, old, new, private=workspace.trusted.folder in path.parents)
        record = _read(place)
        if plan.record:
            pen.write(place, record, openclaw_target.dumped(plan.record), private=True)
        pen.write(config.place, before, config.after)
        if not plan.record:
            pen.write(place, record, None)
        if plan.outside or plan.install:
            openclaw_target.forget_contact(workspace.store)
        applied = workspace.apply(plan.skill) if plan.skill else None
        if plan.install:
            _call_openclaw(plan.target, plan.install)
            written = _read(config.place)
            if config.after and written and says_same(written.decode(), config.after.decode()):
                pen.write(config.place, written, config.after)  # with its comments
    _remove_empty(plan.folders)
    return applied, failure


def _call_openclaw(target: Target, words: Sequence[str]) -> None:
    """Run a command of OpenClaw that has to succeed. Raises ClawgitError with its own words."""
    ran = subprocess_runner.run(words, "", _BOUNDS, target.host.environ, target.host.home)
    if ran.code:
        said = " ".join((ran.said or ran.output).split())
        raise program_failed(f"openclaw {' '.join(words[1:3])}: {said}", fix=Command("openclaw plugins doctor"))
