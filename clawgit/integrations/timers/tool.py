"""Runs the programs that keep timers."""

import subprocess
from collections.abc import Sequence

from clawgit.errors import ClawgitError

_SECONDS = 60


def run(words: Sequence[str], text: bytes | None = None) -> tuple[int, bytes, str]:
    """Run a program with `text` on stdin; return its exit code, its output and what it complained of.

    Raises ClawgitError when it cannot be run.
    """
    try:
        done = subprocess.run(
            [*words],
            input=text,
            stdin=None if text is not None else subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as exc:
        raise ClawgitError(f"there is no {words[0]} on this machine", fix="clawgit schedule install --help") from exc
    except subprocess.TimeoutExpired as exc:
        raise ClawgitError(f"{words[0]} took longer than {_SECONDS} seconds") from exc
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


def must(words: Sequence[str], text: bytes | None = None, *, fix: str = "") -> bytes:
    """Run a program that has to succeed, and return its output. Raises ClawgitError with its own words."""
    code, output, said = run(words, text)
    if code:
        raise ClawgitError(f"{' '.join(words[:3])}: {said or f'exit code {code}'}", fix=fix)
    return output
