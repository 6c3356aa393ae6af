"""Which workspaces a fleet has."""

import glob
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, Command, quoted
from clawgit.git import regular_file
from clawgit.text import yaml_reader
from clawgit.text.spelling import nearest
from clawgit.workspace import agent_workspaces, file_roles
from clawgit.workspace.agent_workspaces import Home
from clawgit.workspace.host.host import Host

VARIABLE = "CLAWGIT_FLEET"
_MOST_MEMORY = 1024
_KINDS: Mapping[str, type] = {"workspaces": list, "openclaw": bool, "workers": int, "memory_mb": int}


class Fleet(Struct, frozen=True):
    """The workspaces that are run, how many jobs at once, and how much memory each of them may take.

    `file` may not be there: then the workspaces are those of OpenClaw's agents.
    """

    file: Path
    patterns: tuple[str, ...] = ()
    openclaw: bool = True
    workers: int = 0
    memory_mb: int = _MOST_MEMORY

    @property
    def jobs(self) -> int:
        """How many jobs run at once, as many as there are processors unless something else is said."""
        return self.workers or max(2, os.cpu_count() or 2)


def place(given: str | None, environ: Mapping[str, str]) -> Path:
    """Return the file that names the workspaces: the one given, else that of the operator's configuration."""
    named = given or environ.get(VARIABLE)
    home = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "~")).expanduser() / ".config")
    return Path(named).expanduser().absolute() if named else home / "clawgit/fleet.yaml"


def load(file: Path, *, named: bool = False) -> Fleet:
    """Return what a file says. Raises ClawgitError with file:line; also where the file that was `named` is missing."""
    try:
        text = regular_file.read(file, yaml_reader.MAX_CONFIG_BYTES).decode("utf-8")
    except FileNotFoundError as exc:
        if not named:
            return Fleet(file)
        words = "workspaces:\\n  - ~/agents/*\\n"
        raise errors.file_missing(f"{file} does not exist", fix=Advice(f"printf '{words}' > {quoted(file)}")) from exc
    except (OSError, ValueError) as exc:
        raise errors.file_unreadable(f"{file} cannot be read: {exc}", fix=Command("ls -l {}", file)) from exc
    return _fleet(file, _values(file, text))


def _values(file: Path, text: str) -> Mapping[str, Any]:
    fix = Advice(f"see docs/fleet.md, and correct it: {quoted(file)}")
    try:
        found = yaml_reader.read_yaml(text)
    except yaml_reader.BlockError as exc:
        raise errors.setting_invalid(f"{file}:{exc.line}: {exc}", fix=fix) from exc
    if found is None:
        raise errors.setting_invalid(f"{file} holds no keys", fix=fix)
    return found[0]


def _fleet(file: Path, values: Mapping[str, Any]) -> Fleet:
    for key, value in values.items():
        if key not in _KINDS:
            near = nearest(key, _KINDS, 1) or list(_KINDS)
            raise errors.setting_unknown(f"{file} has no key {key!r}", fix=Advice(f"did you mean {near[0]}?"))
        is_number = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if not (is_number if _KINDS[key] is int else isinstance(value, _KINDS[key])):
            words = {list: "a list of folders", bool: "true or false", int: "a whole number above 0"}[_KINDS[key]]
            raise errors.setting_invalid(f"{file}: {key} is {value!r}, not {words}", fix=Advice(f"see {quoted(file)}"))
    folders = values.get("workspaces", [])
    if odd := [folder for folder in folders if not isinstance(folder, str) or not folder.strip()]:
        raise errors.setting_invalid(f"{file}: workspaces has {odd[0]!r}, no folder", fix=Advice(f"see {quoted(file)}"))
    rest = {key: value for key, value in values.items() if key != "workspaces"}
    return Fleet(file, tuple(folders), **rest)


def homes(fleet: Fleet, environ: Mapping[str, str]) -> tuple[Home, ...]:
    """Return the workspaces, each folder once, by whatever path it is named: of OpenClaw's agents, then of the file.

    A pattern stands for the folders that are workspaces of clawgit; what is named in full is one, whether it is there
    or not. Names are those of agents, else of folders; of equal ones with the folder above.
    """
    known: dict[str, Home] = {}
    if fleet.openclaw:
        host = Host(environ)
        known = {os.path.realpath(one.root): one for one in agent_workspaces.grouped(host.agents) if _there(one.root)}
    plain = [folder for folder in _folders(fleet) if os.path.realpath(folder) not in known]
    every = list(dict.fromkeys(plain))
    names = [one.name for one in every]
    for folder in every:
        name = folder.name if names.count(folder.name) == 1 else f"{folder.parent.name}/{folder.name}"
        known.setdefault(os.path.realpath(folder), Home((name,), folder))
    return tuple(known.values())


def _there(root: Path) -> bool:
    return (root / file_roles.FORMAT).exists()


def _folders(fleet: Fleet) -> Iterator[Path]:
    for pattern in fleet.patterns:
        full = str(fleet.file.parent / Path(pattern).expanduser())
        if glob.has_magic(full):
            yield from (Path(one) for one in sorted(glob.iglob(full)) if _there(Path(one)))  # noqa: PTH207 - absolute
        else:
            yield Path(full)
