"""Writes down a mistake of ours, ready to be reported."""

import contextlib
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
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
    text = _describe(exc, arguments)
    with contextlib.suppress(Exception):  # that secrets cannot be looked for may be the very mistake
        from clawgit.safety.redaction import named  # noqa: PLC0415 - the rarest way

        text = named(text)
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    for folder in (state / "clawgit/bugs", Path(tempfile.gettempdir())):
        place = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.md"
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            regular_file.create(place, text.encode("utf-8", "backslashreplace"))
            fix = Advice("read that file, then report it; --debug shows more")
            return BugError("bug", f"{words}, written down in {place}", fix=fix)
    return BugError("bug", words, fix=Advice("run it again with --debug, and report what it shows"))


def _describe(exc: Exception, arguments: Sequence[str]) -> str:
    from clawgit.cli.lazy_commands import cli  # noqa: PLC0415 - main imports this room

    ours: set[str] = set()
    with contextlib.suppress(Exception):  # a command that cannot be imported may be the very mistake
        ours.update(word for path in usage_errors.leaves(cli) for word in path.split())
    words = (word if word in ours else word.partition("=")[0] if word[:2] == "--" else "…" for word in arguments)
    return (
        f"# {type(exc).__name__} in clawgit {__version__}\n\n"
        "Please read this before you post it: the last line of the traceback may quote your files.\n\n"
        f"- clawgit {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"- pygit2 {getattr(sys.modules.get('pygit2'), '__version__', 'not loaded')}\n"
        f"- command: `{' '.join(['clawgit', *words])}` (what is not ours is left out)\n\n"
        f"What I did, and what I expected:\n\n\n```\n{''.join(traceback.format_exception(exc))}```\n"
    )
