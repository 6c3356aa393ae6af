"""Long answers at a terminal go through a pager; nothing else does."""

import os
import pty
import select
import subprocess
import sys
import termios
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("clawgit"))
SOUL = "# Soul\n\n" + "".join(f"- Rule {number}: be plain.\n" for number in range(60))


def print_on_terminal(space: Path, *arguments: str, rows: int = 24, columns: int = 80, **environ: str) -> str:
    """Return the output of a command on a terminal of this size, with that of the programs it calls."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (rows, columns))
    environment = os.environ | {"TERM": "xterm", "COLUMNS": str(columns), "LINES": str(rows)} | environ
    environment.pop("GIT_PAGER" if "GIT_PAGER" not in environ else "", None)
    running = subprocess.Popen(
        [COMMAND, *arguments], cwd=space, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    data_read = b""
    while True:
        select.select([ours], [], [], 30)
        try:
            data = os.read(ours, 1 << 16)
        except OSError:
            break
        if not data:
            break
        data_read += data
    os.close(ours)
    assert running.wait(30) == 0
    return data_read.decode().replace("\r\n", "\n")


def wrapper(folder: Path) -> str:
    """A pager that reports its call, and the value of LESS."""
    place = folder / "pager"
    place.write_text('#!/bin/sh\necho "PAGED $LESS"\ncat\n')
    place.chmod(0o755)
    return str(place)


def test_a_long_answer_goes_through_the_pager_where_one_is_wanted(shell, tmp_path: Path, space: Path) -> None:
    (space / "SOUL.md").write_text(SOUL)
    assert shell("capture").code == 0
    pager = wrapper(tmp_path)
    assert "PAGED FRX\n" in print_on_terminal(space, "soul", "blame", rows=4, PAGER=pager, LESS="FRX")
    for options, environ in ((("--no-pager",), {}), ((), {"TERM": "dumb"}), ((), {"GIT_PAGER": "no-such-pager"})):
        output = print_on_terminal(space, *options, "soul", "blame", **{"PAGER": pager, **environ})
        assert "PAGED" not in output
        assert output.count("be plain.") == 60
    assert "PAGED" not in print_on_terminal(space, "soul", "blame", "--json", PAGER=pager)
    piped = shell("soul", "blame", env=os.environ | {"PAGER": pager})
    assert (piped.code, "PAGED" in piped.out) == (0, False)
