"""Reads openclaw.json."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from clawgit.safety.paths import inside
from clawgit.workspace.host import files as host_files

_INCLUDE = "$include"
_DEEPEST = 10
_MOST = 64
_VARIABLE = re.compile(r"\$(\$?)\{([A-Z_][A-Z0-9_]*)\}")


class HostConfig(Struct, frozen=True):
    """What OpenClaw's configuration says, as far as it can be read; `problems` are sentences about the rest."""

    path: Path
    values: Any = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def at(self, *keys: str) -> Any:
        """Return the value below these keys, None where there is none."""
        found = self.values
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def table(self, *keys: str) -> Mapping[str, Any]:
        """Return the object below these keys, an empty one where there is none."""
        found = self.at(*keys)
        return found if isinstance(found, Mapping) else {}


def load(path: Path, environ: Mapping[str, str], *, named: bool) -> HostConfig:
    """Return the configuration at `path`, with what it includes and the variables that are set; never raises.

    That there is none is a problem only where somebody `named` it.
    """
    if not named and not host_files.there(path):
        return HostConfig(path)
    loader = _Loader(path.parent, environ)
    try:
        values = loader.load(path, ())
    except RecursionError:
        values = None
        loader.problems.append(f"{path}: it is nested too deep")
    if values is not None and not isinstance(values, dict):
        loader.problems.append(f"{path}: it holds no object")
    return HostConfig(path, values if isinstance(values, dict) else {}, tuple(dict.fromkeys(loader.problems)))


class _Loader:
    """One reading: what is wrong gathers in `problems`."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self.root = root
        self.environ = environ
        self.problems: list[str] = []
        self.read = 0

    def load(self, place: Path, chain: tuple[Path, ...]) -> Any:
        """Return the value of a file with its includes, None for one that cannot be read."""
        from clawgit.workspace.host import json as host_json  # noqa: PLC0415 - most commands never look into it

        self.read += 1
        try:
            value = host_json.parse(host_files.read(place))
        except OSError as exc:
            self.problems.append(f"{place} {host_files.why(exc)}")
        except host_json.JsonError as exc:
            self.problems.append(f"{place}:{exc.line}: {exc.words}")
        else:
            return self._resolved(value, (*chain, place))
        return None

    def _resolved(self, value: Any, chain: tuple[Path, ...]) -> Any:
        match value:
            case str():
                return _VARIABLE.sub(self._variable, value)
            case list():
                return [self._resolved(one, chain) for one in value]
            case dict():
                own = {key: self._resolved(one, chain) for key, one in value.items() if key != _INCLUDE}
                return self._included(value[_INCLUDE], own, chain) if _INCLUDE in value else own
        return value

    def _variable(self, found: re.Match[str]) -> str:
        """Return what a variable holds; one that is not set stays as it stands, for whoever needs it to tell."""
        if found[1]:
            return found[0][1:]
        return self.environ.get(found[2]) or found[0]

    def _included(self, wanted: Any, own: dict[str, Any], chain: tuple[Path, ...]) -> Any:
        """Return what an object includes, with its own keys on top."""
        names = wanted if isinstance(wanted, list) else [wanted]
        below: Any = {}
        for name in names:
            if isinstance(name, str):
                found = self._one(name, chain)
                below = found if len(names) == 1 and not own else merged(below, found)
            else:
                self.problems.append(f"{chain[-1]}: {_INCLUDE} takes names of files, not {name!r}")
        return merged(below, own) if own else below

    def _one(self, name: str, chain: tuple[Path, ...]) -> Any:
        place = Path(os.path.normpath(chain[-1].parent / name))
        if (wrong := self._refused(name, place, chain)) is None:
            found = self.load(place, chain)
            return {} if found is None else found
        self.problems.append(f"{chain[-1]}: {_INCLUDE} {name!r} {wrong}")
        return {}

    def _refused(self, name: str, place: Path, chain: tuple[Path, ...]) -> str | None:
        if "\0" in name:
            return "is no name of a file"
        root, real = os.path.realpath(self.root), os.path.realpath(place)
        if not Path(name).is_absolute() and not (inside(str(self.root), str(place)) and inside(root, real)):
            return f"leads out of {self.root}"
        if real in map(os.path.realpath, chain):
            return "includes itself"
        if len(chain) > _DEEPEST or self.read > _MOST:
            return "is one file too many"
        return None


def merged(below: Any, above: Any) -> Any:
    """Return two values as OpenClaw joins them: objects by key, lists one after the other, else the upper one."""
    if isinstance(below, dict) and isinstance(above, dict):
        both = {key: merged(below[key], above[key]) for key in below.keys() & above.keys()}
        return {**below, **above, **both}
    if isinstance(below, list) and isinstance(above, list):
        return [*below, *above]
    return above
