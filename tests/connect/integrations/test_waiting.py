"""A capture in the background waits while somebody writes a commit message."""

import os
import subprocess
import threading
import time

from clawgit.workspace.watch import COMMITTING_SECONDS, Watch
from tests.connect.openclaw.conftest import until

from .conftest import script


def test_a_commit_with_its_editor_open_is_waited_for(place, tmp_path):
    """Without the wait git would fail at its end: HEAD has moved."""
    place.install()
    place.git("config", "core.editor", f"'{script(tmp_path / 'editor', EDITOR)}'")
    place.write("work.txt", "x\n")
    place.git("add", "work.txt")
    environment = {key: value for key, value in os.environ.items() if key != "GIT_EDITOR"}
    with subprocess.Popen(["git", "commit", "--quiet"], cwd=place.root, env=environment | place.environment) as theirs:
        try:
            until((tmp_path / "opened").exists)
            before = place.head
            place.write("MEMORY.md", "- new\n")
            outcomes = []
            watch, stop = Watch(place.root), threading.Event()
            assert watch.look(0.0, outcomes.append) == COMMITTING_SECONDS
            assert (outcomes, place.head) == ([], before)
        finally:
            (tmp_path / "close").touch()
        assert theirs.wait(20) == 0
    os.utime(place.root / "MEMORY.md", (time.time() - 60,) * 2)
    watch.look(120.0, outcomes.append)
    stop.set()
    watch.run(outcomes.append, stop)
    assert [path for outcome in outcomes for capture in outcome.captured for path in capture.files] == ["MEMORY.md"]


EDITOR = """#!/bin/sh
folder=$(dirname "$0")
touch "$folder/opened"
while [ ! -e "$folder/close" ]; do sleep 0.02; done
echo theirs >"$1"
"""
