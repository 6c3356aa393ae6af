"""Reads OpenClaw's configuration and databases."""

import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import DecodeError, Struct, field

from clawgit.git import regular_file
from clawgit.git.paths import is_inside

if TYPE_CHECKING:
    from sqlite3 import Connection

Answer = TypeVar("Answer")


def read_text_file(place: Path, limit: int = regular_file.LARGEST) -> str:
    """Return the text of a regular file, without its BOM; invalid UTF-8 is replaced.

    Follows links, waits for nothing. Raises OSError, also for other kinds of files or more than `limit` bytes.
    """
    return regular_file.read_regular_file(place, limit).decode("utf-8-sig", "replace")


def read_head(place: Path, count: int) -> bytes:
    """Return the first `count` bytes of a regular file, however large. Raises OSError."""
    # Without O_NONBLOCK the opening of a named pipe waits for a writer.
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(place))
        return file.read(count)


def explain_error(exc: OSError) -> str:
    """Return the problem of a file, as the second half of a sentence."""
    return f"cannot be read: {exc.strerror}"


def is_there(place: Path) -> bool:
    """Return whether there is something at `place` that we may look at."""
    try:
        return place.exists()
    except (OSError, ValueError):
        return False


_PLACE = re.compile(r"^<string>:(\d+) (.*?)(?: at column \d+)?$", re.DOTALL)
MAX_JSON5_CHARS = 128 << 10
"""Larger files are read as plain JSON only: the package reads 100,000 characters a second."""


class JsonError(Exception):
    """Text that cannot be read, and the line of the error; it counts from 1."""

    def __init__(self, words: str, line: int) -> None:
        super().__init__(words)
        self.words = " ".join(words.split())
        self.line = line


def parse_json5(text: str) -> Any:
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
        match = _PLACE.match(str(exc))
        raise JsonError(match[2] if match else str(exc), int(match[1]) if match else 1) from exc


_INCLUDE = "$include"
_DEEPEST = 10
_MAX_FILES = 64
_VARIABLE = re.compile(r"\$(\$?)\{([A-Z_][A-Z0-9_]*)\}")


class HostConfig(Struct, frozen=True):
    """OpenClaw's configuration, as far as it is readable; `problems` are sentences about the rest."""

    path: Path
    values: Any = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def at(self, *keys: str) -> Any:
        """Return the value below these keys, None if there is none."""
        value = self.values
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def table(self, *keys: str) -> Mapping[str, Any]:
        """Return the object below these keys, an empty one if there is none."""
        value = self.at(*keys)
        return value if isinstance(value, Mapping) else {}


def load_openclaw_config(path: Path, environ: Mapping[str, str], *, named: bool) -> HostConfig:
    """Return the configuration at `path`, with its includes and the variables that are set; never raises.

    A missing file is a problem only if somebody `named` it.
    """
    if not named and not is_there(path):
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
    """One reading; it collects `problems`."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self.root = root
        self.environ = environ
        self.problems: list[str] = []
        self.read = 0

    def load(self, place: Path, chain: tuple[Path, ...]) -> Any:
        """Return the value of a file with its includes, None for one that cannot be read."""
        self.read += 1
        try:
            value = parse_json5(read_text_file(place))
        except OSError as exc:
            self.problems.append(f"{place} {explain_error(exc)}")
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
                return [self._resolved(item, chain) for item in value]
            case dict():
                own = {key: self._resolved(item, chain) for key, item in value.items() if key != _INCLUDE}
                return self._included(value[_INCLUDE], own, chain) if _INCLUDE in value else own
        return value

    def _variable(self, match: re.Match[str]) -> str:
        """Return the value of a variable; an unset one stays as it is written."""
        if match[1]:
            return match[0][1:]
        return self.environ.get(match[2]) or match[0]

    def _included(self, inclusion: Any, own: dict[str, Any], chain: tuple[Path, ...]) -> Any:
        """Return the included values of an object, with its own keys on top."""
        names = inclusion if isinstance(inclusion, list) else [inclusion]
        result: Any = {}
        for name in names:
            if isinstance(name, str):
                value = self._one(name, chain)
                # A single include may be any value, also a list.
                result = value if len(names) == 1 and not own else merge_values(result, value)
            else:
                self.problems.append(f"{chain[-1]}: {_INCLUDE} takes names of files, not {name!r}")
        return merge_values(result, own) if own else result

    def _one(self, name: str, chain: tuple[Path, ...]) -> Any:
        place = Path(os.path.normpath(chain[-1].parent / name))
        if (wrong := self._refused(name, place, chain)) is None:
            value = self.load(place, chain)
            return {} if value is None else value
        self.problems.append(f"{chain[-1]}: {_INCLUDE} {name!r} {wrong}")
        return {}

    def _refused(self, name: str, place: Path, chain: tuple[Path, ...]) -> str | None:
        if "\0" in name:
            return "is no name of a file"
        root, real = os.path.realpath(self.root), os.path.realpath(place)
        if not Path(name).is_absolute() and not (is_inside(str(self.root), str(place)) and is_inside(root, real)):
            return f"leads out of {self.root}"
        if real in map(os.path.realpath, chain):
            return "includes itself"
        if len(chain) > _DEEPEST or self.read > _MAX_FILES:
            return "is one file too many"
        return None


def merge_values(lower: Any, upper: Any) -> Any:
    """Return two values as OpenClaw joins them: objects by key, lists one after the other, else the upper one."""
    if isinstance(lower, dict) and isinstance(upper, dict):
        shared = {key: merge_values(lower[key], upper[key]) for key in lower.keys() & upper.keys()}
        return {**lower, **upper, **shared}
    if isinstance(lower, list) and isinstance(upper, list):
        return [*lower, *upper]
    return upper


Number = tuple[int, int, int]

_NUMBER = re.compile(r"\bv?(20\d\d)\.(\d{1,2})\.(\d{1,3})\b")


class Version(Struct, frozen=True):
    """A version of OpenClaw; `found` is its source."""

    text: str
    number: Number
    found: str


def version(text: Any, origin: str) -> Version | None:
    """Return the version that `text` names, None for anything else."""
    match = _NUMBER.search(text) if isinstance(text, str) else None
    return Version(text.strip(), (int(match[1]), int(match[2]), int(match[3])), origin) if match else None


def read_number(config: HostConfig, own: Mapping[str, Any], name: str) -> int | None:
    """Return a positive number of an agent, else of all agents; None for none."""
    values = (own.get(name), config.at("agents", "defaults", name))
    fit = (value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 1)
    limit = next(fit, None)
    return int(limit) if limit is not None and limit < float("inf") else None


class Places(Struct, frozen=True):
    """OpenClaw's folders for one person: `moved` when a variable names the state folder, `named` the configuration."""

    home: Path
    state: Path
    config: Path
    profile: str = ""
    moved: bool = False
    named: bool = False


def list_state_places(environ: Mapping[str, str], home: Path) -> Places:
    """Return the present or future places of files, by variables and the profile."""
    home = expand_path(environ.get("OPENCLAW_HOME", ""), home) or home
    profile = variable(environ, "PROFILE")
    profile = "" if profile.lower() == "default" else profile
    state_folder = expand_path(variable(environ, "STATE_DIR"), home)
    own = home / f".openclaw-{profile}"
    state = state_folder or (own if profile and is_there(own) else home / ".openclaw")
    config_path = expand_path(variable(environ, "CONFIG_PATH"), home)
    return Places(
        home, state, config_path or state / "openclaw.json", profile, state_folder is not None, config_path is not None
    )


def variable(environ: Mapping[str, str], name: str) -> str:
    """Return the value of a variable of OpenClaw."""
    return environ.get(f"OPENCLAW_{name}", "").strip()


def expand_path(name: str, home: Path) -> Path | None:
    """Return a path as somebody wrote it: `~` is the home, and a relative path begins there; None for none."""
    name = name.replace("\0", "").strip()
    if not name:
        return None
    tail = name[1:].lstrip("/") if name == "~" or name.startswith("~/") else name
    return Path(os.path.normpath(home / tail))


_MAGIC = b"SQLite format 3\0"
_WAL = 2
_PATIENCE = 0.2
_TRIES = 4


class UnreadableError(Exception):
    """Why a database cannot be asked, as the second half of a sentence."""


def ask_database(database: Path, question: "Callable[[Connection], Answer]") -> Answer:
    """Return the answer of a database; nothing is written, and no file comes to lie beside it.

    Raises UnreadableError for one that is locked, broken, encrypted, or no file.
    """
    import sqlite3  # noqa: PLC0415 - 4 ms

    for _ in range(_TRIES):  # whoever comes or goes meanwhile makes another way of reading the right one
        quiet = _is_unopened(database)
        # SQLite takes no lock on an immutable database, which is right only while no other process has it open.
        address = f"file:{quote(str(database))}?{'immutable=1' if quiet else 'mode=ro&readonly_shm=1'}"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE)) as connection:
                # One invalid byte must not hide all rows.
                connection.text_factory = lambda data: data.decode("utf-8", "replace")
                answer = question(connection)
        except sqlite3.Error as exc:
            if _is_unopened(database) is quiet:
                raise UnreadableError("is locked" if "locked" in str(exc) else f"cannot be read: {exc}") from exc
        else:
            if not quiet or _is_unopened(database):
                return answer
    raise UnreadableError("is opened and closed all the time")


def _is_unopened(database: Path) -> bool:
    """Return whether nobody has the database open, so that a reader needs no lock; in WAL mode a lock leaves files."""
    try:
        header = read_head(database, 100)
        if not header.startswith(_MAGIC):
            raise UnreadableError("is encrypted, or no database" if header else "is empty")
        # Bytes 18 and 19 of SQLite's header are 2 in WAL mode.
        if _WAL not in header[18:20]:
            return False
        return os.stat(f"{database}-wal").st_size == 0 and not os.path.exists(f"{database}-shm")  # noqa: PTH110, PTH116
    except FileNotFoundError as exc:
        if exc.filename == str(database):
            raise UnreadableError(explain_error(exc)) from exc
        return True
    except OSError as exc:
        raise UnreadableError(explain_error(exc)) from exc


_FORGOTTEN = "memory_session_tombstones"


def list_forgotten_sessions(place: Path, agent: str) -> frozenset[str]:
    """Return the forgotten sessions of an agent; none if there is no database. Raises UnreadableError."""

    def ask(connection: "Connection") -> frozenset[str]:
        if _FORGOTTEN not in _tables(connection):
            return frozenset()
        rows = connection.execute(f"SELECT session_id FROM {_FORGOTTEN} WHERE agent_id = ?", (agent,))  # noqa: S608 - a constant
        return frozenset(str(name) for (name,) in rows)

    return ask_database(place, ask) if is_there(place) else frozenset()


def _tables(connection: "Connection") -> frozenset[str]:
    return frozenset(name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))


Writer = Literal["agent", "untrusted"]

_OWNER, _NAMESPACE = "core:memory-artifact-provenance", "workspace-files"
_ENTRIES = "plugin_state_entries"
_OWN_RUN = ":internal-session-effects:"


class WriterRecord(Struct, frozen=True):
    """OpenClaw's record of a file: its writer, and the SHA-256 of the last write.

    `session` is the key of the session that wrote it, None if unknown.
    """

    path: str = field(name="relativePath")
    writer: Writer = field(name="originClass")
    hash: str = field(name="fileHash")
    session: str | None = field(name="sessionKey", default=None)

    @property
    def flushed(self) -> bool:
        """Whether a run of OpenClaw's own wrote it, beside a conversation: before a compaction it has notes taken."""
        return _OWN_RUN in (self.session or "")


class Ledger(Struct, frozen=True):
    """The records of one workspace, by path; `unknown` is the reason that there may be more."""

    records: tuple[WriterRecord, ...] = ()
    unknown: str = ""


def ledger(databases: Iterable[Path], workspace: Path) -> Ledger:
    """Return the records of a workspace in these databases. A missing one has none; never raises."""
    records: dict[str, WriterRecord] = {}
    unknown = []
    for database in databases:
        if not os.path.lexists(database):
            continue
        try:
            database_rows = ask_database(database, lambda connection: list(_list_file_records(connection, workspace)))
            records |= {record.path: record for record in database_rows}
        except UnreadableError as exc:
            unknown.append(f"{database} {exc}")
    return Ledger(tuple(sorted(records.values(), key=lambda record: record.path)), "; ".join(unknown))


def _list_file_records(connection: "Connection", workspace: Path) -> Iterator[WriterRecord]:
    tables = _tables(connection)
    if not tables & {_ENTRIES, "schema_meta"}:
        raise UnreadableError("is not OpenClaw's, or of an unknown version")
    if _ENTRIES in tables:
        key = workspace_key(workspace)
        of_workspace = "plugin_id = ? AND namespace = ? AND entry_key >= ? AND entry_key < ?"
        question = f"SELECT value_json FROM {_ENTRIES} WHERE {of_workspace}"  # noqa: S608 - constants
        # `;` follows `:` in ASCII, so the range has all keys that begin with `KEY:`.
        rows = connection.execute(question, (_OWNER, _NAMESPACE, f"{key}:", f"{key};"))
        for (value,) in rows:
            with suppress(DecodeError, RecursionError):  # a record of another kind
                yield msgspec.json.decode(str(value), type=WriterRecord)


def workspace_key(workspace: Path) -> str:
    """Return the name under which OpenClaw files a workspace: a hash of its real path."""
    real = os.path.realpath(workspace).replace("\\", "/")
    return sha256(real.encode("utf-8", "surrogateescape")).hexdigest()


def app_version(database: Path) -> str | None:
    """Return the version of the OpenClaw that last prepared its database, None if unknown."""
    if not os.path.lexists(database):
        return None
    query = "SELECT app_version FROM schema_meta WHERE app_version IS NOT NULL ORDER BY updated_at DESC LIMIT 1"
    try:
        rows = ask_database(database, lambda connection: connection.execute(query).fetchall())
    except UnreadableError:
        return None
    return str(rows[0][0]) if rows else None
