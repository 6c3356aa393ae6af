"""One runner for one workspace."""

import os
import subprocess
import sys

import pytest

from clawgit.errors import BusyError, ClawgitError
from clawgit.schedule import runner_state


def test_a_second_runner_is_told_who_the_first_is(tmp_path):
    with runner_state.held(tmp_path):
        assert runner_state.holder(tmp_path) == str(os.getpid())
        with pytest.raises(BusyError, match=f"process {os.getpid()}"), runner_state.held(tmp_path):
            pass
    assert runner_state.holder(tmp_path) is None
    with runner_state.held(tmp_path):
        pass


def test_who_inherits_the_lease_holds_it_on(tmp_path):
    with runner_state.held(tmp_path) as handle:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(handle,))
    with child:
        assert runner_state.holder(tmp_path) == str(os.getpid())
        with pytest.raises(BusyError), runner_state.held(tmp_path):
            pass
        child.communicate(b"\n")
    with runner_state.held(tmp_path):
        pass


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ClawgitError, match="cannot write"), runner_state.held(tmp_path / "file" / "clawgit"):
        pass
    assert runner_state.holder(tmp_path / "nowhere") is None
