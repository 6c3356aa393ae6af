"""One run of the page: commands and their answers."""

import hashlib
import json
import os
import secrets
import shlex
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import date
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from msgspec import Struct, field

_EXIT_FOUND = 3
COOKIE = "clawgit"
_BYTES = 32
"""Of a token and of a cookie: 256 bits."""


class Sessions:
    """The token of this start, and the browser that came by it.

    All pages lie below the random `prefix`, which the cookie is bound to: cookies are not separated by port, so that
    another server of this machine is sent one of ours only for a path that it does not know.
    """

    def __init__(self) -> None:
        self.prefix = secrets.token_urlsafe(16)
        self.token = secrets.token_urlsafe(_BYTES)
        self.form = secrets.token_urlsafe(_BYTES)
        """The token of its forms."""
        self.cookie = secrets.token_urlsafe(_BYTES)
        self._spent = False
        self._lock = Lock()

    @property
    def root(self) -> str:
        """The path below which all pages lie."""
        return f"/{self.prefix}/"

    def exchange(self, token: str) -> str | None:
        """Return the header with the cookie for the token, once; None for any other, and for the same again."""
        with self._lock:
            if self._spent or not is_equal(token, self.token):
                return None
            self._spent = True
            return f"{COOKIE}={self.cookie}; Path={self.root}; HttpOnly; SameSite=Strict"

    def knows(self, headers: Iterable[str]) -> bool:
        """Return whether our cookie is in these headers.

        Others may have set a cookie of the same name for a wider path; each is looked at.
        """
        parts = (part.strip().partition("=") for header in headers for part in header.split(";"))
        return any(is_equal(value, self.cookie) for name, _, value in parts if name == COOKIE)


def is_equal(text: str, secret: str) -> bool:
    """Return whether two words are the same, in a time independent of their first difference."""
    # `compare_digest` refuses text beyond ASCII, hence the bytes.
    return secrets.compare_digest(text.encode("utf-8", "replace"), secret.encode())


class Answer(Struct, frozen=True):
    """The result of a command: its exit code, the document of `--json`, its other output.

    `seconds` is the time since the request, if there is no answer yet: `code` and `document` are meaningless then.
    """

    words: tuple[str, ...]
    code: int
    document: Any
    notes: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def pending(self) -> bool:
        """Whether the answer is not there yet."""
        return self.seconds is not None

    @property
    def fine(self) -> bool:
        """Whether it did its work; a check with findings did."""
        return self.seconds is None and self.code in (0, _EXIT_FOUND)

    @property
    def error(self) -> str:
        """The error, "" for none."""
        return "" if self.fine or self.pending else str(self._said("error") or "the command failed")

    @property
    def fix(self) -> str:
        """The way out of that."""
        return "" if self.fine else str(self._said("fix") or "")

    @property
    def rows(self) -> list[Any]:
        """The list that it answered, [] for anything else."""
        return self.document if self.fine and isinstance(self.document, list) else []

    @property
    def record(self) -> dict[str, Any]:
        """The one document that it answered, {} for anything else."""
        return self.document if self.fine and isinstance(self.document, dict) else {}

    @property
    def command(self) -> str:
        """The command to type in a terminal for the same answer."""
        return spell_command(self.words)

    def _said(self, key: str) -> object:
        return self.document.get(key) if isinstance(self.document, dict) else None


Ask = Callable[..., Answer]
"""Returns what a command answers, by its words; `vouched` tells that the operator has shown that he is there."""


def command(name: str, *arguments: str, **options: object) -> tuple[str, ...]:
    """Return the words of a command: none of the `arguments` is ever taken for an option.

    An option is left out if it is None, False or "".
    """
    flags = []
    for key, value in options.items():
        word = key.strip("_").replace("_", "-")
        if value is True:
            flags.append(f"--{word}")
        elif value not in (None, False, ""):
            flags.append(f"--{word}={value}" if len(word) > 1 else f"-{word}{value}")
    # After `--` click takes every word as an argument, even one that begins with a dash.
    return (*name.split(), *flags, *(("--", *arguments) if arguments else ()))


def spell_command(words: Sequence[str]) -> str:
    """Return a command as it is typed."""
    after = list(words)
    # A person types `--` only before a word that begins with a dash.
    if "--" in after and not any(word.startswith("-") for word in after[after.index("--") + 1 :]):
        after.remove("--")
    return shlex.join(["clawgit", *after])


def hash_documents(*documents: object) -> str:
    """Return 16 hexadecimal digits for the shown documents."""
    text = json.dumps(documents, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


MAX_WAIT_SECONDS = 0.1
"""So many seconds a page waits for an answer before it says that it is being read."""
_MAX_ANSWERS = 64
_UNWATCHED = {".git": frozenset({"objects", "logs", "lfs", "hooks"}), "clawgit": frozenset({"cache"})}
"""Folders by the one they lie in: what is only named by others, and what can be made again."""

MAX_FIELD_CHARS = 4000
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "�")

State = Mapping[str, str]
"""What the address of a page asks for."""
Stamp = tuple[object, ...]
MAX_TRIES = 5
_MAX_TRIES_IN_ALL = 20
_CODE_SECONDS = 600.0
_RESULTS = 32
_MAX_DIGITS = 6


class _Code(Struct):
    act: str
    shown: str
    digits: str
    until: float
    left: int = MAX_TRIES


class Codes:
    """The code of the waiting action: bound to the action and to its shown text, good once, five tries.

    `tell` prints a line at the terminal; without one, if nobody is at a terminal, there are no codes. After twenty
    wrong tries in all there are none any more: somebody guesses.
    """

    def __init__(self, tell: Callable[[str], None] | None) -> None:
        self._tell = tell
        self._code: _Code | None = None
        self._wrong = 0
        self._lock = Lock()

    @property
    def possible(self) -> bool:
        """Whether a code can be shown, and would be taken."""
        return self._tell is not None and self._wrong < _MAX_TRIES_IN_ALL

    def issue(self, act: str, preview: str, words: str) -> bool:
        """Show a new code for an action at the terminal, with `words` on it; return whether that was possible."""
        if self._tell is None or self._wrong >= _MAX_TRIES_IN_ALL:
            return False
        digits = f"{secrets.randbelow(1_000_000):06}"
        self._code = _Code(act, preview, digits, time.monotonic() + _CODE_SECONDS)
        self._tell(f"code {digits[:3]} {digits[3:]}   {words} ({preview[:12]})")
        return True

    def tries(self, act: str, preview: str) -> int:
        """Return the number of tries left of the code for this, 0 if none is out."""
        code = self._find(act, preview)
        return code.left if code else 0

    def take(self, act: str, preview: str, text: str) -> Literal["right", "wrong", "spent"]:
        """Return whether these are the digits; a right code is spent by that, and so is one after five wrong tries."""
        with self._lock:
            code = self._find(act, preview)
            if code is None or self._wrong >= _MAX_TRIES_IN_ALL:
                return "spent"
            if is_equal("".join(text.split()), code.digits):
                self._code = None
                return "right"
            code.left -= 1
            self._wrong += 1
            return "wrong" if code.left else "spent"

    def _find(self, act: str, shown: str) -> _Code | None:
        code = self._code
        is_good = code and (code.act, code.shown) == (act, shown) and code.left and time.monotonic() < code.until
        return code if is_good else None


class _Asked(Struct):
    """A question, the state of the workspace that it was asked of, and when."""

    stamp: Stamp
    future: "Future[Answer]"
    began: float


def stamp_files(places: Sequence[Path]) -> Stamp:
    """Return a stamp of the files in these folders: names, sizes, times, of git's own only those that change.

    Objects are named by references; to look through all of them would take longer than many an answer.
    """
    values: list[object] = []
    for place in places:
        for folder, folders, names in os.walk(place):
            skip_names = _UNWATCHED.get(os.path.basename(folder), ())  # noqa: PTH119 - a Path for each takes longer
            folders[:] = [name for name in folders if name not in skip_names]
            for path in (f"{folder}/{name}" for name in names):
                try:
                    status = os.lstat(path)
                except OSError as exc:
                    # An unreadable file counts by its error, so that the stamp changes once it is readable.
                    values += (path, exc.errno)
                    continue
                # SQLite has these beside a database for its readers.
                if not (path.endswith("-shm") or (path.endswith("-wal") and not status.st_size)):
                    values += (path, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
    return (len(values), hash(tuple(values)))


class Site(Struct, dict=True):
    """The shared data of all requests.

    `places` are the folders that answers rest on, `authority` the `host:port` that is answered. `tell` prints at a
    terminal; None if nobody is at one. For `patience` seconds a page waits for a slow answer. With `read_only` the page
    has no actions.
    """

    ask: Ask
    root: Path
    places: Sequence[Path]
    authority: str
    tell: Callable[[str], None] | None
    today: Callable[[], date]
    patience: float = MAX_WAIT_SECONDS
    read_only: bool = False
    sessions: Sessions = field(default_factory=Sessions)
    results: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    first: str = "today"
    _asked: OrderedDict[tuple[str, ...], _Asked] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2, "clawgit-page"))

    @cached_property
    def codes(self) -> Codes:
        """The codes of the terminal."""
        return Codes(self.tell)

    def stamp(self) -> Stamp:
        """Return a stamp of the present workspace: a caller of several commands takes it once."""
        return (self.today(), *stamp_files(self.places))

    def ask_slow(self, words: tuple[str, ...], stamp: Stamp | None = None, *, patiently: bool = False) -> Answer:
        """Return the answer to a slow command, or that it is being read; `patiently` waits for it.

        It is kept as long as no file that it could rest on has changed; a change while the command runs makes it old.
        """
        stamp = stamp or self.stamp()
        with self._lock:
            entry = self._asked.get(words)
            if entry is None or entry.stamp != stamp:
                entry = _Asked(stamp, self._pool.submit(self.ask, words), time.monotonic())
                self._asked[words] = entry
            self._asked.move_to_end(words)
            while len(self._asked) > _MAX_ANSWERS:
                self._asked.popitem(last=False)
        # The lock is free by now, so that other pages are served meanwhile.
        wait([entry.future], None if patiently else self.patience)
        if not entry.future.done():
            return Answer(words, 0, None, seconds=time.monotonic() - entry.began)
        return entry.future.result()

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def address(self, page: str, state: State | None = None, /, **parameters: object) -> str:
        """Return the address of a page; a value that is None, False or "" is left out."""
        values = {**(state or {}), **parameters}
        fields = {key: str(value) for key, value in values.items() if value not in (None, False, "")}
        path = "/".join(quote(part, safe="", errors="replace") for part in page.split("/"))
        query = urlencode(fields, errors="replace")
        return f"{self.sessions.root}{path}{'?' if query else ''}{query}"

    def address_back(self, target: str, pages: Mapping[str, object]) -> str:
        """Return an address of ours that `target` means: the first page for anything that is none."""
        url = urlsplit(target)
        page = url.path.removeprefix(self.sessions.root)
        # An address of another site would lead the operator away (open redirect).
        if url.scheme or url.netloc or not url.path.startswith(self.sessions.root) or page not in pages:
            return self.address("today")
        return self.address(page, clean(dict(parse_qsl(url.query))))

    def keep(self, result: object) -> str:
        """Keep the outcome of an action, and return its name; some of the last are kept."""
        name = secrets.token_urlsafe(9)
        self.results[name] = result
        while len(self.results) > _RESULTS:
            self.results.popitem(last=False)
        return name


def clean(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of an address, without those that no command takes: control characters, endless values."""
    return {key: value.translate(_CONTROL)[:MAX_FIELD_CHARS] for key, value in parameters.items() if value}


def number(value: str) -> int:
    """Return a number of an address; 0 for an invalid one, and for one of a million and more."""
    text = value.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else 0


class Look(Struct, frozen=True, dict=True):
    """One look at a page: the parameters of its address, and its answers; `patient` waits for slow answers."""

    site: Site
    state: Mapping[str, str]
    patient: bool = False

    @cached_property
    def stamp(self) -> Stamp:
        """The stamp of the workspace at this look."""
        return self.site.stamp()

    def ask(self, name: str, *arguments: str, **options: object) -> Answer:
        """Return the answer of a quick command."""
        return self.site.ask(command(name, *arguments, **options))

    def slow(self, name: str, *arguments: str, **options: object) -> Answer:
        """Return the answer of a slow command, perhaps that it is not done yet."""
        return self.site.ask_slow(command(name, *arguments, **options), self.stamp, patiently=self.patient)

    def get(self, key: str, default: str = "") -> str:
        """Return the value of a key in the address."""
        return self.state.get(key, default)


class Shown(Struct, frozen=True):
    """The content of a page: the answers of commands by name, and the drawings of them."""

    title: str
    parts: Mapping[str, Answer]
    more: Mapping[str, Any] = {}

    @property
    def pending(self) -> bool:
        """Whether some of it is not there yet."""
        return any(part.pending for part in self.parts.values())

    @property
    def document(self) -> dict[str, Any]:
        """The same for programs: each answer as its command prints it, and the command."""
        return {
            "page": self.title,
            "commands": {name: answer.command for name, answer in self.parts.items()},
            "parts": {name: answer.document for name, answer in self.parts.items()},
            "unknown": [name for name, answer in self.parts.items() if not answer.fine],
        }
