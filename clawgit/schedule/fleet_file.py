"""Which workspaces a fleet has."""

import glob
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import Advice, Command, quote_shell
from clawgit.git import regular_file
from clawgit.openclaw.host import Host
from clawgit.text import yaml_reader
from clawgit.workspace import agent_workspaces
from clawgit.workspace.agent_workspaces import Home

VARIABLE = "CLAWGIT_FLEET"
_MOST_MEMORY = 1024


class Fleet(Struct, frozen=True, forbid_unknown_fields=True):
    """The workspaces that are run, how many jobs at once, and how much memory each of them may take.

    `file` may not be there: then the workspaces are those of OpenClaw's agents.
    """

    file: Path = Path()
    workspaces: tuple[Annotated[str, Meta(pattern=r"\S")], ...] = ()
    openclaw: bool = True
    workers: Annotated[int, Meta(ge=1)] | None = None
    memory_mb: Annotated[int, Meta(ge=1)] = _MOST_MEMORY

    @property
    def jobs(self) -> int:
        """The number of jobs that run at once, that of the processors by default."""
        return self.workers or max(2, os.cpu_count() or 2)


def locate_fleet_file(environ: Mapping[str, str]) -> Path:
    """Return the file that names the workspaces: the one of the variable, else of the operator's configuration."""
    value = environ.get(VARIABLE)
    home = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "~")).expanduser() / ".config")
    return Path(value).expanduser().absolute() if value else home / "clawgit/fleet.yaml"


def load_fleet(file: Path, *, named: bool = False) -> Fleet:
    """Return the settings of a file. Raises ClawgitError with file:line, also if a `named` file is missing."""
    try:
        text = regular_file.read_regular_file(file, yaml_reader.MAX_CONFIG_BYTES).decode("utf-8")
    except FileNotFoundError as exc:
        if not named:
            return Fleet(file)
        words = "workspaces:\\n  - ~/agents/*\\n"
        raise errors.file_missing(
            f"{file} does not exist", fix=Advice(f"printf '{words}' > {quote_shell(file)}")
        ) from exc
    except (OSError, ValueError) as exc:
        raise errors.file_unreadable(f"{file} cannot be read: {exc}", fix=Command("ls -l {}", file)) from exc
    fix = Advice(f"see docs/fleet.md, and correct it: {quote_shell(file)}")
    try:
        document = yaml_reader.read_yaml(text)
        if document is None:
            raise errors.setting_invalid(f"{file} holds no keys", fix=fix)
        return replace(convert(document[0], Fleet), file=file)
    except yaml_reader.BlockError as exc:
        raise errors.setting_invalid(f"{file}:{exc.line}: {exc}", fix=fix) from exc
    except ValidationError as exc:
        raise errors.setting_invalid(f"{file}: {exc}", fix=fix) from exc


def homes(fleet: Fleet, environ: Mapping[str, str]) -> tuple[Home, ...]:
    """Return the workspaces, each folder once, by any path: of OpenClaw's agents, then of the file.

    A pattern matches the folders that are workspaces of clawgit; a full name is one, whether it exists or not. Names
    are those of agents, else of folders; of equal ones with the folder above.
    """
    result: dict[str, Home] = {}
    if fleet.openclaw:
        host = Host(environ)
        result = {
            os.path.realpath(home.root): home
            for home in agent_workspaces.group_workspaces(host.agents)
            if _is_managed(home.root)
        }
    plain = [folder for folder in _folders(fleet) if os.path.realpath(folder) not in result]
    folders = list(dict.fromkeys(plain))
    names = [path.name for path in folders]
    for folder in folders:
        name = folder.name if names.count(folder.name) == 1 else f"{folder.parent.name}/{folder.name}"
        result.setdefault(os.path.realpath(folder), Home((name,), folder))
    return tuple(result.values())


def _is_managed(root: Path) -> bool:
    return (root / file_roles.FORMAT).exists()


def _folders(fleet: Fleet) -> Iterator[Path]:
    for pattern in fleet.workspaces:
        full = str(fleet.file.parent / Path(pattern).expanduser())
        if glob.has_magic(full):
            yield from (Path(path) for path in sorted(glob.iglob(full)) if _is_managed(Path(path)))  # noqa: PTH207 - absolute
        else:
            yield Path(full)
