"""Prints the answer to stdout, the talk to stderr."""

import contextlib
import errno
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TextIO, TypeVar

from clawgit.cli.render import Line, Span, draw_document, line, wrap
from clawgit.errors import ClawgitError, Fix
from clawgit.safety.redaction import Redactor

if TYPE_CHECKING:
    from clawgit.findings.registry import Finding
    from clawgit.workspace.waiting_batches import Waits

_PATIENCE_SECONDS = 1.0
"""Seconds after which progress is shown."""
_BEAT_SECONDS = 0.25
_CLEAR = "\r\x1b[K"
T = TypeVar("T")
Colour = Literal["auto", "always", "never"]
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36", "came": "32", "went": "31"}
_MARKS = {"came": ("{+", "+}"), "went": ("[-", "-]")}
"""What stands in for the colour of words that came and went."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Output:
    """The only printer. With `as_json` it prints documents, else lines for people.

    A secret is named, by its rule and fingerprint, instead of printed. Printing raises nothing: a command that has
    begun to change something carries on without a reader. `lost` is the reason that the answer could not be written;
    the rest of it is discarded.
    """

    def __init__(self, stdout: TextIO, stderr: TextIO) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.colour: Colour = "auto"
        self.as_json = False
        self.lost: OSError | None = None
        self.is_paged = False
        """Whether a pager shows the answer at a terminal."""
        self.busy: _ProgressLine | None = None
        self._redactor = Redactor()

    @property
    def unread(self) -> bool:
        """Whether the reader of the answer has gone, as that of `clawgit log | head -1` does."""
        return isinstance(self.lost, BrokenPipeError)

    @property
    def is_on_screen(self) -> bool:
        """Whether somebody reads the answer at a terminal."""
        return self.is_paged or _terminal(self.stdout)

    def document(self, value: object) -> None:
        """Print one JSON document."""
        self._print(self._encoder(2)(self._safe(value)) + "\n")

    def record(self, value: object) -> None:
        """Print one JSON document on a line of its own, for a reader that goes on while more come."""
        self._print(self._encoder(None)(self._safe(value)) + "\n")

    def answer(
        self,
        document: object,
        rows: Iterable[Line] | None = None,
        *,
        shown: str = "",
        none: str = "",
        text: str | None = None,
    ) -> None:
        """Print one answer: the document for programs; for people `rows`, else the fields of it in `shown`.

        `none` is noted for people if there is nothing to print. A `text` is printed for them as it is.
        """
        if self.as_json:
            self.documents(document) if isinstance(document, list | Iterator) else self.document(document)
            return
        if text is not None:
            self.verbatim(text)
            return
        if rows is None:
            rows = draw_document(document, shown)
        if not self.lines(rows) and none:
            self.note(none)

    def documents(self, values: Iterable[object]) -> None:
        """Print a JSON list while its items arrive, one on each line; nobody asks for more than can be printed."""
        separator, encoded = "[", self._encoder(None)
        for value in values:
            self._print(f"{separator}\n{encoded(self._safe(value))}")
            separator = ","
            if self.lost:
                return
        self._print("[]\n" if separator == "[" else "\n]\n")

    def lines(self, rows: Iterable[Line]) -> bool:
        """Print lines for people, as far as they can be printed, and return whether there were any.

        At a terminal they are broken between words.
        """
        is_coloured, is_any = self._is_coloured(self.stdout), False
        columns = 0
        if self.is_on_screen:
            import shutil  # noqa: PLC0415 - it loads every way of compressing files

            columns = shutil.get_terminal_size().columns
        for row in rows:
            is_any = True
            # Secrets are replaced before the row is broken into parts, which could split one.
            safe = self._redact_row(row)
            for part in wrap(safe, columns) if columns else (safe,):
                self._print(_paint(part, coloured=is_coloured) + "\n")
            if self.lost:
                break
        return is_any

    def verbatim(self, text: str) -> None:
        """Print `text` to the byte, but for secrets; on a terminal, control characters are made visible."""
        text = self._safe(text)
        self._print(_escape_controls(text) if _terminal(self.stdout) else text)

    def help(self, text: str) -> None:
        """Print words of our own, without secrets."""
        self._print(text)

    def talk(self, *parts: str | Span) -> None:
        """Print a line to stderr, after the answer; a closed stderr is no error."""
        self.still()
        self.flush()
        try:
            # A message on stderr may quote a secret, too.
            row = self._redact_row(line(*parts))
            self.stderr.write(_paint(row, coloured=self._is_coloured(self.stderr)) + "\n")
            self.stderr.flush()
        except (OSError, ValueError):
            _lead_nowhere(self.stderr)

    def note(self, *texts: str) -> None:
        """Print notes, a line each."""
        for text in texts:
            self.talk(Span("note: ", "dim"), text)

    def warn(self, text: str, fix: Fix | str = "") -> None:
        """Print a warning that needs an action, and the action."""
        self._report("warning", "yellow", text, fix)

    def warn_of(self, problems: "Iterable[ClawgitError | Finding | Waits]") -> None:
        """Print each problem, and its solution."""
        for problem in problems:
            self.warn(problem.message, problem.fix)

    def fail(self, text: str, fix: Fix | str = "") -> None:
        """Print the reason of a refusal, and the fix."""
        self._report("error", "red", text, fix)

    def _report(self, kind: str, style: str, text: str, fix: Fix | str) -> None:
        self.talk(Span(f"{kind}: ", style), text)
        if fix:
            self.talk(Span("  fix: ", "cyan"), str(fix))

    def still(self) -> None:
        """Remove the progress line before something else is printed."""
        busy, self.busy = self.busy, None
        if busy is not None:
            busy.stop()

    def flush(self) -> None:
        """Flush the answer."""
        try:
            self.stdout.flush()
        except OSError as exc:
            self._lose(exc)

    def _lose(self, error: OSError) -> None:
        """Note that the answer cannot be written, and report it at once; a reader that left is not reported."""
        self.abandon()
        if self.lost:
            return
        self.lost = error
        if not self.unread:
            fix = "df -h" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "ls -l /dev/stdout   # where it goes"
            self.fail(f"the answer could not be written: {error.strerror or error}", fix)

    def abandon(self) -> None:
        """Forget the unread part."""
        _lead_nowhere(self.stdout)

    def _redact_row(self, row: Line) -> Line:
        """Return a row without secrets; one that had any is without colours."""
        # A secret may begin in one span and end in another.
        text = "".join(span.text for span in row)
        safe = self._safe(text)
        return row if safe == text else (Span(safe),)

    def _safe(self, value: T) -> T:
        """Return a text or document without secrets."""
        result: T = self._redactor.document(value)
        return result

    def _print(self, text: str) -> None:
        if self.lost:
            return
        self.still()
        try:
            self.stdout.write(text)
        except OSError as exc:
            self._lose(exc)

    def _is_coloured(self, stream: TextIO) -> bool:
        if self.colour != "auto":
            return self.colour == "always"
        is_seen = self.is_on_screen if stream is self.stdout else _terminal(stream)
        return is_seen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def _encoder(self, indent: int | None) -> Callable[[object], str]:
        """Return a JSON encoder; made once for a list, for that takes longer than a record."""
        import json  # noqa: PLC0415

        # A stream in another encoding could not print every character.
        is_plain = not (self.stdout.encoding or "").lower().startswith("utf")
        return json.JSONEncoder(ensure_ascii=is_plain, indent=indent).encode


def _lead_nowhere(stream: TextIO) -> None:
    """Discard the buffer of `stream`, so that the end of the process does not try to write it again."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _paint(row: Line, *, coloured: bool) -> str:
    text = ""
    for style, spans in groupby(row, key=lambda span: span.style):
        part = _escape_controls("".join(span.text for span in spans))
        if coloured and style and part:
            text += f"\x1b[{_CODES[style]}m{part}\x1b[0m"
        else:
            before, after = ("", "") if coloured else _MARKS.get(style, ("", ""))
            text += f"{before}{part}{after}"
    return text


def _escape_controls(text: str) -> str:
    """Return `text` with the terminal's control characters made visible."""
    return text if text.isprintable() else _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


class _ProgressLine:
    """A line on a terminal that appears past a second, and is gone once something else is printed."""

    def __init__(self, stream: TextIO, title: str) -> None:
        self.stream = stream
        self.title = title
        self.count = ""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._draw, daemon=True)
        self._thread.start()

    def report(self, position: int, total: int) -> None:
        """Note the progress of the work."""
        self.count = f": {position:,} of {total:,}" if position < total else ""

    def stop(self) -> None:
        """Leave the terminal as it was."""
        self._end.set()
        self._thread.join()

    def _draw(self) -> None:
        start = time.monotonic()
        if self._end.wait(_PATIENCE_SECONDS):
            return
        with contextlib.suppress(OSError, ValueError):
            while not self._end.is_set():
                seconds = time.monotonic() - start
                self.stream.write(f"{_CLEAR}{self.title}{self.count} … {seconds:.0f} s")
                self.stream.flush()
                self._end.wait(_BEAT_SECONDS)
            self.stream.write(_CLEAR)
            self.stream.flush()


@contextmanager
def progress(output: Output, title: str = "working") -> Iterator[Callable[[int, int], None]]:
    """Yield a function for the number done and the total; past a second a terminal shows it on stderr.

    It disappears with the first word that `out` prints.
    """
    output.still()
    if not _terminal(output.stderr):
        yield lambda _count, _total: None
        return
    output.busy = _ProgressLine(output.stderr, title)
    try:
        yield output.busy.report
    finally:
        output.still()
