"""Keeps what a benchmark approves apart from what the operator approved."""

import atexit
import os
import shutil
import tempfile


def apart() -> None:
    """Have clawgit keep its approvals in a folder that goes when this process ends."""
    folder = tempfile.mkdtemp(prefix="clawgit-state-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["XDG_STATE_HOME"] = folder
