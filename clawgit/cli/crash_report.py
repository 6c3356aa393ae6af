"""Writes down a mistake of ours, ready to be reported."""

import contextlib
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from clawgit import __version__
from clawgit.cli import usage_errors
from clawgit.errors import Advice, ClawgitError, Exit
from clawgit.git import regular_file


class BugError(ClawgitError):
    """clawgit is wrong, not the caller."""

    code = Exit.BUG


def report(exc: Exception, arguments: Sequence[str]) -> BugError:
    """Write what is needed to find the mistake to a file, and return the sentence that says so."""
    words = f"this is a mistake in clawgit: {type(exc).__name__}"
    text = "".join(_report(exc, arguments))
    with contextlib.suppress(Exception):  # that secrets cannot be looked for may be the very mistake
        from clawgit.safety.redaction import named  # noqa: PLC0415 - the rarest way

        text = named(text)
    for folder in (_folder(), Path(tempfile.gettempdir())):
        try:
            place = _write(folder, text)
        except OSError:
            continue
        return BugError(
            "bug", f"{words}, written down in {place}", fix=Advice("read that file, then report it; --debug shows more")
        )
    return BugError("bug", words, fix=Advice("run it again with --debug, and report what it shows"))


def _folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "clawgit" / "bugs"


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    place = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.md"
    regular_file.create(place, text.encode("utf-8", "backslashreplace"))
    return place


def _report(exc: Exception, arguments: Sequence[str]) -> Iterator[str]:
    from clawgit.cli.lazy_commands import cli  # noqa: PLC0415 - main imports this room

    ours: set[str] = set()
    with contextlib.suppress(Exception):  # a command that cannot be imported may be the very mistake
        ours.update(word for path in usage_errors.leaves(cli) for word in path.split())
    yield f"# {type(exc).__name__} in clawgit {__version__}\n\n"
    yield "Please read this before you post it: the last line of the traceback may quote your files.\n\n"
    yield f"- clawgit {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    yield f"- pygit2 {getattr(sys.modules.get('pygit2'), '__version__', 'not loaded')}\n"
    words = (word if word in ours else word.partition("=")[0] if word[:2] == "--" else "…" for word in arguments)
    yield f"- command: `{' '.join(['clawgit', *words])}` (what is not ours is left out)\n\n"
    yield "What I did, and what I expected:\n\n\n"
    yield f"```\n{''.join(traceback.format_exception(exc))}```\n"
