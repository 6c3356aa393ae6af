"""Reads openclaw.json and other files that belong to OpenClaw."""

import errno
import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from clawgit.git import regular_file
from clawgit.git.paths import inside
from clawgit.workspace.openclaw_limits import RETIRED, Limits

LARGEST = regular_file.LARGEST


def read(place: Path, limit: int = LARGEST) -> str:
    """Return the text of a regular file, without its BOM; bytes that are no UTF-8 are replaced.

    Follows links, waits for nothing. Raises OSError, also for what is no file or has more than `limit` bytes.
    """
    return regular_file.read(place, limit).decode("utf-8-sig", "replace")


def head(place: Path, count: int) -> bytes:
    """Return the first `count` bytes of a regular file, however large. Raises OSError."""
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(place))
        return file.read(count)


def why(exc: OSError) -> str:
    """Return what is wrong with a file, as the second half of a sentence."""
    return f"cannot be read: {exc.strerror}"


def there(place: Path) -> bool:
    """Return whether something stands at `place`; what nobody may look at does not."""
    try:
        return place.exists()
    except (OSError, ValueError):
        return False


_PLACE = re.compile(r"^<string>:(\d+) (.*?)(?: at column \d+)?$", re.DOTALL)
MAX_JSON5_CHARS = 128 << 10
"""Larger files are read as plain JSON only: the package reads 100,000 characters a second."""


class JsonError(Exception):
    """Text that cannot be read, and the line where that shows; it counts from 1."""

    def __init__(self, words: str, line: int) -> None:
        super().__init__(words)
        self.words = " ".join(words.split())
        self.line = line


def parse(text: str) -> Any:
    """Return the value of JSON5 text. Raises JsonError."""
    try:
        return json.loads(text)
    except RecursionError as exc:
        raise JsonError("it is nested too deep", 1) from exc
    except json.JSONDecodeError as exc:
        if len(text) > MAX_JSON5_CHARS:
            raise JsonError(exc.msg, exc.lineno) from exc
    except ValueError as exc:  # a number that is too long
        raise JsonError(str(exc).partition(";")[0], 1) from exc
    import json5  # noqa: PLC0415 - 10 ms, and what OpenClaw writes itself is plain JSON

    try:
        return json5.loads(text)
    except RecursionError as exc:
        raise JsonError("it is nested too deep", 1) from exc
    except ValueError as exc:
        said = _PLACE.match(str(exc))
        raise JsonError(said[2] if said else str(exc), int(said[1]) if said else 1) from exc


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
    if not named and not there(path):
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
        self.read += 1
        try:
            value = parse(read(place))
        except OSError as exc:
            self.problems.append(f"{place} {why(exc)}")
        except JsonError as exc:
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


Number = tuple[int, int, int]

_SQLITE: Number = (2026, 7, 2)
_USER_CAP: Number = (2026, 8, 0)
_NUMBER = re.compile(r"\bv?(20\d\d)\.(\d{1,2})\.(\d{1,3})\b")


class Version(Struct, frozen=True):
    """A version of OpenClaw; `found` says where it was read."""

    text: str
    number: Number
    found: str


def version(text: Any, found: str) -> Version | None:
    """Return the version that `text` names, None for anything else."""
    match = _NUMBER.search(text) if isinstance(text, str) else None
    return Version(text.strip(), (int(match[1]), int(match[2]), int(match[3])), found) if match else None


def limits(config: HostConfig, own: Mapping[str, Any], known: Version | None) -> Limits:
    """Return how much of its files an agent is shown, by the configuration or by the version."""
    usual = Limits()
    said_file, said_total = (_said(config, own, name) for name in ("bootstrapMaxChars", "bootstrapTotalMaxChars"))
    return Limits(
        said_file or usual.file,
        said_total or usual.total,
        usual.own if known is None or known.number >= _USER_CAP else {},
        RETIRED if known is None or known.number >= _SQLITE else (),
    )


def _said(config: HostConfig, own: Mapping[str, Any], name: str) -> int | None:
    values = (own.get(name), config.at("agents", "defaults", name))
    fit = (value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 1)
    found = next(fit, None)
    return int(found) if found is not None and found < float("inf") else None


class Places(Struct, frozen=True):
    """OpenClaw's folders for one person: `moved` when a variable names the state folder, `named` the configuration."""

    home: Path
    state: Path
    config: Path
    profile: str = ""
    moved: bool = False
    named: bool = False


def places(environ: Mapping[str, str], home: Path) -> Places:
    """Return where things are, or would be, by variables and the profile."""
    home = expanded(environ.get("OPENCLAW_HOME", ""), home) or home
    profile = variable(environ, "PROFILE")
    profile = "" if profile.lower() == "default" else profile
    moved = expanded(variable(environ, "STATE_DIR"), home)
    own = home / f".openclaw-{profile}"
    state = moved or (own if profile and there(own) else home / ".openclaw")
    named = expanded(variable(environ, "CONFIG_PATH"), home)
    return Places(home, state, named or state / "openclaw.json", profile, moved is not None, named is not None)


def variable(environ: Mapping[str, str], name: str) -> str:
    """Return what a variable of OpenClaw holds."""
    return environ.get(f"OPENCLAW_{name}", "").strip()


def expanded(name: str, home: Path) -> Path | None:
    """Return a path as somebody wrote it: `~` is the home, and so is what a relative one starts from; None for none."""
    name = name.replace("\0", "").strip()
    if not name:
        return None
    below = name[1:].lstrip("/") if name == "~" or name.startswith("~/") else name
    return Path(os.path.normpath(home / below))
