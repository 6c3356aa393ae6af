"""Reads a transcript, from the end of the last reading."""

import errno
import io
import json
import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import Command, package_missing

Role = Literal["user", "assistant", "tool", ""]

LONGEST_CALL, LONGEST_WRITE = 2_000, 20_000
"""Characters of a call's arguments that are kept, of one that writes a file the second."""
_WRITING = ("write", "edit", "apply_patch")
LONGEST_NAME = 128
LONGEST_RESULT = 8_000
"""Characters of a tool's answer that are kept: its beginning and its end tell what happened."""

_ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "tool": "tool",
    "bashExecution": "tool",
}
_PATH_KEYS = ("path", "file_path", "filePath")
_REPLACEMENTS = ("newText", "new_string", "newString", "new_str")
_OLD_TEXTS = ("oldText", "old_string", "oldString", "old_str")
_PATCH_HEAD = re.compile(
    r"\*\*\* (?P<kind>Add File|Update File|Delete File|Move to|Begin Patch|End Patch)(?:: (?P<path>.+))?"
)
COMMANDS = ("exec", "process", "bash")
"""Tools that run commands, or go on with one."""
_SECONDS = 1e11  # a smaller number counts seconds, a larger one milliseconds
_LATEST = 32_503_680_000.0  # the year 3000: whatever lies beyond is no time


class Call(Struct, frozen=True):
    """A tool that the agent called; `arguments` are JSON."""

    name: str
    arguments: str


class FileUse(Struct, frozen=True):
    """A call that reads a file, writes or edits it, or runs a command.

    `path` is as the agent names it, "" of a command. `text` is the written text, the lines of an edit, or the command;
    `pieces` are the ends of an edit's texts, which may be parts of lines. A `whole` read names no part.
    """

    call: str
    tool: str
    kind: Literal["read", "write", "edit", "command"]
    path: str = ""
    text: str = ""
    pieces: tuple[str, ...] = ()
    whole: bool = True


class TranscriptEntry(Struct, frozen=True):
    """One line of a transcript.

    `parent` is None for a root, and "" if the line has none; `role` is "" for other lines than messages. `time` counts
    seconds since 1970. `by` is the recorded sender of a user's turn, and `source` the part of OpenClaw that made one;
    `owner` is whether OpenClaw took the sender for its owner, None if unknown. `mirror` marks a copy of a reply that
    was delivered. `files` are the files that calls read or write; `answers` is the id of the call that a result belongs
    to, and `result` its text, uncut. `raw` is the line as JSON has it.
    """

    id: str = ""
    parent: str | None = ""
    type: str = ""
    role: Role = ""
    text: str = ""
    time: float | None = None
    by: str = ""
    source: str = ""
    owner: bool | None = None
    sender: str = ""
    mirror: bool = False
    tool: str = ""
    failed: bool = False
    calls: tuple[Call, ...] = ()
    files: tuple[FileUse, ...] = ()
    answers: str = ""
    result: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict)


class UnfitError(ValueError):
    """Why a line is no event, in words."""


def parse_entry(line: bytes | str) -> TranscriptEntry:
    """Return the entry of a line. Raises UnfitError for one that is no JSON object.

    An unknown type makes an entry without a role, so that its children are still found.
    """
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise UnfitError("it is no JSON") from exc
    if not isinstance(value, dict):
        raise UnfitError("it is no JSON object")
    kind, message = read_text_value(value.get("type")), value.get("message")
    name, parent, time = _read_id(value.get("id")), _parent(value), read_seconds(value.get("timestamp"))
    if kind in ("", "message") and isinstance(message, Mapping):
        return replace(_parse_message(message, name, parent, time), raw=value)
    return TranscriptEntry(name, parent, kind or "unknown", time=time, raw=value)


def parse_all(lines: Iterable[bytes | str]) -> Iterator[TranscriptEntry]:
    """Yield the entries of lines, without those that are no events."""
    for line in lines:
        with suppress(UnfitError):
            yield parse_entry(line)


def _parse_message(
    message: Mapping[str, Any], name: str, parent: str | None, fallback_time: float | None
) -> TranscriptEntry:
    role_name = read_text_value(message.get("role"))
    role, parts = _ROLES.get(role_name, ""), message.get("content")
    text = "\n".join(_texts(parts))
    time = read_seconds(message.get("timestamp"))
    common = (name, parent, "message", role)
    fallback_time = fallback_time if time is None else time
    if role_name == "bashExecution":
        return _bash(message, common, fallback_time)
    if role == "tool":
        tool, failed = read_text_value(message.get("toolName")), message.get("isError") is True
        answers = read_text_value(message.get("toolCallId"))
        return TranscriptEntry(
            *common, _clip_result(text), fallback_time, tool=tool, failed=failed, answers=answers, result=text
        )
    calls, files = _read_calls(parts)
    source, meta = read_object(message.get("provenance")), read_object(message.get("__openclaw"))
    # OpenClaw 2026.9 names its owner with each message that came over a client, and says nothing of others.
    owner = meta.get("senderIsOwner", False if "transport" in meta else None)
    # OpenClaw writes a copy of a delivered reply into the transcript under these names.
    model = (message.get("provider"), message.get("model"))
    mirror = model in (("openclaw", "delivery-mirror"), ("openclaw", "gateway-injected"))
    return TranscriptEntry(
        *common,
        text,
        fallback_time,
        by=read_text_value(source.get("kind")),
        source=read_text_value(source.get("sourceTool")),
        owner=owner if isinstance(owner, bool) else None,
        sender=read_text_value(meta.get("senderId")),
        mirror=mirror,
        calls=calls,
        files=files,
    )


def _bash(message: Mapping[str, Any], common: tuple[str, str | None, str, Role], time: float | None) -> TranscriptEntry:
    """Return a command that the operator ran in the terminal."""
    call = Call("bash", clean(str(message.get("command") or ""))[:LONGEST_CALL])
    code = message.get("exitCode")
    failed = isinstance(code, int) and code != 0
    return TranscriptEntry(
        *common, _clip_result(clean(str(message.get("output") or ""))), time, tool="bash", failed=failed, calls=(call,)
    )


def _texts(parts: Any) -> Iterator[str]:
    if isinstance(parts, str):
        yield clean(parts)
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, str):
            yield clean(part)
        elif isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str):
            yield clean(part["text"])


def _read_calls(parts: Any) -> tuple[tuple[Call, ...], tuple[FileUse, ...]]:
    """Return the calls among the parts of a message, and the files that they use."""
    calls, files = list[Call](), list[FileUse]()
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, Mapping) and part.get("type") in ("toolCall", "tool_use", "toolUse"):
            name, arguments = read_text_value(part.get("name")), part.get("arguments", part.get("input", {}))
            longest = LONGEST_WRITE if name.lower() in _WRITING else LONGEST_CALL
            calls.append(Call(name, clean(json.dumps(arguments, ensure_ascii=False))[:longest]))
            files += read_call(read_text_value(part.get("id")), name, read_object(arguments))
    return tuple(calls), tuple(files)


def read_call(call: str, tool: str, arguments: Mapping[str, Any]) -> Iterator[FileUse]:
    """Yield the uses of files by a call of one of OpenClaw's own tools, from its arguments."""
    name = tool.lower()
    path = next((arguments[key] for key in _PATH_KEYS if isinstance(arguments.get(key), str)), "")
    content, command = arguments.get("content"), arguments.get("command")
    if name == "read" and path:
        yield FileUse(call, name, "read", path, whole=not (arguments.get("offset") or arguments.get("limit")))
    elif name == "write" and path and isinstance(content, str):
        yield FileUse(call, name, "write", path, content)
    elif name == "edit" and path:
        old_lines = {line for text in _list_texts(arguments, _OLD_TEXTS) for line in text.split("\n")}
        texts = [text.split("\n") for text in _list_texts(arguments, _REPLACEMENTS)]
        # An edit repeats lines around the change, and those were there before.
        lines = [line for text in texts for line in text if line not in old_lines]
        ends = {end for text in texts for end in (text[0], text[-1])} - old_lines
        yield FileUse(call, name, "edit", path, "\n".join(lines), tuple(sorted(ends)))
    elif name == "apply_patch" and isinstance(patch := arguments.get("input", arguments.get("patch")), str):
        for changed, lines in _list_patched(patch):
            yield FileUse(call, name, "edit", changed, "\n".join(lines))
    elif name in COMMANDS:
        yield FileUse(call, name, "command", text=command if isinstance(command, str) else "")


def _list_texts(value: Any, names: Collection[str]) -> Iterator[str]:
    """Yield the texts with these names in the arguments of an edit."""
    if isinstance(value, Mapping):
        yield from (text for key, text in value.items() if key in names and isinstance(text, str) and text)
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from _list_texts(inner, names) if isinstance(inner, Mapping | list) else ()


def _list_patched(patch: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the files that a patch in the form of `apply_patch` adds lines to, with these lines."""
    path, lines = "", list[str]()
    # This last row closes the last file of a patch that was cut.
    for row in [*patch.split("\n"), "*** End Patch"]:
        head = _PATCH_HEAD.fullmatch(row.rstrip("\r"))
        if head is None:
            lines += [row[1:]] if row.startswith("+") else []
        elif head["kind"] == "Move to":
            path = head["path"] or ""
        else:
            if path and lines:
                yield path, lines
            path, lines = (head["path"] or "").strip(), []


def _clip_result(text: str) -> str:
    half = LONGEST_RESULT // 2
    return text if len(text) <= LONGEST_RESULT else f"{text[:half]}\n…\n{text[-half:]}"


def clean(text: str) -> str:
    """Return `text` as any store takes it: valid UTF-8, and no character that ends a string."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def read_text_value(value: Any) -> str:
    """Return a value that is text as `clean` does, "" for any other."""
    return clean(value) if isinstance(value, str) else ""


def read_object(value: Any) -> Mapping[str, Any]:
    """Return a value that is an object of JSON, {} for any other."""
    return value if isinstance(value, Mapping) else {}


def read_table(text: Any) -> Mapping[str, Any]:
    """Return the JSON object in a text, {} for any other value."""
    try:
        return read_object(json.loads(text) if isinstance(text, str | bytes) else None)
    except (ValueError, RecursionError):
        return {}


def _parent(value: Mapping[str, Any]) -> str | None:
    if "parentId" not in value:
        return ""
    parent = value["parentId"]
    return None if parent is None else _read_id(parent)


def _read_id(value: Any) -> str:
    """Return an id; no store takes one that is too long for an index."""
    name = read_text_value(value)
    return name if len(name) <= LONGEST_NAME else blake2b(name.encode(), digest_size=16).hexdigest()


def read_seconds(value: Any) -> float | None:
    """Return a time as seconds since 1970: of seconds, of milliseconds, of ISO 8601; None for anything else."""
    if isinstance(value, str):
        return _parse_moment(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        return None
    seconds = value if value < _SECONDS else value / 1000
    return round(seconds, 3) if seconds < _LATEST else None


def _parse_moment(text: str) -> float | None:
    try:
        return read_seconds(float(text))
    except ValueError:
        pass
    try:
        date = datetime.fromisoformat(text)
        return read_seconds((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError, OSError):
        return None


LONGEST = 32 << 20
"""Bytes of a line that are read: pictures stand in them, but nothing that anybody said is larger."""
_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"


class Mark(Struct, frozen=True):
    """The position in a file.

    `digest` is of all bytes before `offset`, `stamp` that of the file when it was read to its end.
    """

    offset: int = 0
    lines: int = 0
    digest: str = ""
    stamp: tuple[int, ...] = ()


class TranscriptLine(Struct, frozen=True):
    """A line with its number, from 1, and its offset; `data` is None for one that is too long."""

    number: int
    start: int
    data: bytes | None


class RewrittenError(Exception):
    """The part read before has changed."""


def read_file_stamp(place: Path) -> tuple[int, ...]:
    """Return a stamp that changes whenever the file does."""
    status = place.stat()
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Reader:
    """Reads the whole lines behind a mark; `mark` is its position.

    A line that is only half written is left for later, unless it is JSON already; of a `final` file, which nobody
    writes any more, it is read as well. Needs memory for one line. Raises RewrittenError when the part before the mark
    has changed.
    """

    def __init__(self, file: IO[bytes], mark: Mark, file_stamp: tuple[int, ...], *, final: bool) -> None:
        self._file = file
        self._final = final
        self._seen = file_stamp
        self._ended = False
        self._offset, self._lines = mark.offset, mark.lines
        self._hashed = _hashed(file, mark)

    @property
    def mark(self) -> Mark:
        """How far it has read."""
        return Mark(self._offset, self._lines, self._hashed.hexdigest(), self._seen if self._ended else ())

    def __iter__(self) -> Iterator[TranscriptLine]:
        """Yield the lines."""
        while piece := self._file.readline(LONGEST):
            if not piece.endswith(b"\n") and len(piece) < LONGEST and not (self._final or read_table(piece)):
                break
            start, data = self._offset, piece
            self._take(piece)
            while not piece.endswith(b"\n") and (piece := self._file.readline(_CHUNK)):
                data = b""
                self._take(piece)
            self._lines += piece.endswith(b"\n")
            number = self._lines + (not piece.endswith(b"\n"))
            yield TranscriptLine(number, start, data.removeprefix(_BOM).strip() if data else None)
        self._ended = True

    def _take(self, piece: bytes) -> None:
        self._hashed.update(piece)
        self._offset += len(piece)


def _hashed(file: IO[bytes], mark: Mark) -> blake2b:
    """Return the running hash of all bytes before the mark, with the file behind them."""
    hashed, left = blake2b(digest_size=16), mark.offset
    while left > 0 and (piece := file.read(min(left, _CHUNK))):
        hashed.update(piece)
        left -= len(piece)
    if left or (mark.offset and hashed.hexdigest() != mark.digest):
        raise RewrittenError
    return hashed


@contextmanager
def open_transcript(place: Path) -> Iterator[IO[bytes]]:
    """Open a transcript, also a compressed one. Raises ClawgitError if the decompressor is not installed."""
    # A pipe in the place of a transcript must not stop the import.
    handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb", buffering=_CHUNK) as file:
        if place.suffix != ".zst":
            yield file
            return
        with _unpacked(file) as unpacked:
            yield unpacked


@contextmanager
def _unpacked(file: IO[bytes]) -> Iterator[IO[bytes]]:
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as exc:
        raise package_missing("compressed files need zstandard", fix=Command("pip install clawgit[openclaw]")) from exc
    try:
        # An archive may have several frames, and by default the reader ends after the first.
        reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        with io.BufferedReader(reader, _CHUNK) as unpacked:
            yield unpacked
    except zstandard.ZstdError as exc:
        raise OSError(errno.EINVAL, f"is no whole archive: {exc}", file.name) from exc
