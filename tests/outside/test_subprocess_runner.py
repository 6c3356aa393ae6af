"""A program gets its words, its text and its bounds, and leaves nobody behind."""

import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.outside.subprocess_runner import Bounds, BrokenError, Ran, run_program
from tests.amounts import amount

HERE = Path("/")


def python(script: str, text: str = "", **bounds: float) -> Ran:
    return run_program((sys.executable, "-c", script), text, Bounds(**{"seconds": 20, **bounds}), os.environ, HERE)  # type: ignore[arg-type]


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


@settings(max_examples=amount(25, 10))
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=12), max_size=4))
def test_no_word_is_read_by_a_shell(words):
    ran = run_program(("/usr/bin/printf", "%s\\n", "-", *words), "", Bounds(20), {"LC_ALL": "C.UTF-8"}, HERE)
    assert ran.output == "".join(f"{word}\n" for word in ("-", *words))


def test_the_whole_group_ends_with_its_time():
    script = (
        "import os, subprocess, sys, time; from pathlib import Path\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "Path(sys.stdin.read()).write_text(f'{os.getpid()} {child.pid}'); time.sleep(60)"
    )
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        with pytest.raises(BrokenError, match="took longer than 2 s"):
            python(script, f"{folder}/pids", seconds=2)
        pids = (Path(folder) / "pids").read_text().split()
    assert [gone(int(pid)) for pid in pids] == [True, True]
