"""Commits a workspace day by day."""

import datetime as dt
import subprocess
from collections import defaultdict
from pathlib import Path

from . import longterm
from .maker import Made

WHO = "Jonas Weber <jonas@example.org>"
BRANCH = "refs/heads/main"


def commits(folder: Path, folder_made: Made) -> int:
    """Commit what `made` tells of, each file on its day, MEMORY.md as it grew; return the number of commits.

    A day on which nothing was written has no commit. Nothing is left uncommitted.
    """
    stream, count = bytearray(), 0
    files: defaultdict[dt.date, list[str]] = defaultdict(list)
    for path, day in folder_made.days.items():
        files[day].append(path)
    days_of_entries = {entry.day for entry in folder_made.entries}
    for day in sorted(days_of_entries | set(files)):
        changes = [_file(folder, path) for path in files[day] if path != "MEMORY.md"]
        if day in days_of_entries or day == folder_made.until:
            text = "\n".join(longterm.render(folder_made.entries, day)) + "\n"
            changes.append(b"M 100644 inline MEMORY.md\n" + _data(text.encode()))
        stream += _commit(day) + b"".join(changes)
        count += 1
    for words in (("init", "-q", "-b", "main"), ("fast-import", "--quiet"), ("reset", "-q")):
        subprocess.run(["git", *words], cwd=folder, check=True, input=stream if words[0] == "fast-import" else b"")
    return count


def _commit(day: dt.date) -> bytes:
    seconds = int(dt.datetime.combine(day, dt.time(21), dt.UTC).timestamp())
    return f"commit {BRANCH}\nauthor {WHO} {seconds} +0000\ncommitter {WHO} {seconds} +0000\n".encode() + _data(
        f"{day}".encode()
    )


def _file(folder: Path, path: str) -> bytes:
    place = folder / path
    mode, data = ("120000", str(place.readlink()).encode()) if place.is_symlink() else ("100644", place.read_bytes())
    return f"M {mode} inline {path}\n".encode() + _data(data)


def _data(data: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(data), data)
