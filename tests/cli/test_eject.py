"""`clawgit eject` removes every later call of clawgit."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

LINE = "0 5 * * * backup\n"


@pytest.fixture
def tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crontab that is a file, as the real program treats it, with a line of somebody's own."""
    place, program = tmp_path / "tab", tmp_path / "bin/crontab"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase "$1" in\n-l) test -e {place} && cat {place} || {{ echo "no crontab" >&2; exit 1; }};;\n'
        f"-r) rm {place};;\n-) cat > {place};;\nesac\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    place.write_text(LINE)
    return place


def test_units_of_systemd_go_too_also_where_systemd_does_not_run(
    call: Callable, space: Path, tab: Path, tmp_path: Path
) -> None:
    (tab.parent / "bin/systemctl").write_text("#!/bin/sh\nexit 0\n")
    (tab.parent / "bin/systemctl").chmod(0o755)
    assert call("schedule", "install", "--with", "systemd", "--apply").code == 0
    (tab.parent / "bin/systemctl").write_text("#!/bin/sh\necho no bus >&2\nexit 1\n")
    assert len(list((tmp_path / "config/systemd/user").iterdir())) == 2
    answer = call("eject", "--yes", "--json")
    assert (answer.code, answer.json["timers"]) == (0, ["systemd"])
    assert not (tmp_path / "config/systemd").exists()


def test_a_broken_config_and_timers_that_cannot_be_asked_keep_nobody_from_leaving(
    call: Callable, space: Path, tab: Path
) -> None:
    (space / "CONFIG.md").write_text("```yaml\npoll_minutes: [\n```\n")
    (tab.parent / "bin/crontab").write_text('#!/bin/sh\necho "you are not allowed to use this program" >&2\nexit 1\n')
    answer = call("eject", "--yes")
    assert answer.code == 0
    assert "whether cron calls clawgit here is unknown: crontab -l: you are not allowed" in answer.err
    assert (space / "CONFIG.md").exists()
    for command in ("status", "doctor", "search"):
        call(command, *(["tea"] if command == "search" else []))
    refusal = call("remember", "Tea at four.", "--json").json
    assert (refusal["key"], refusal["fix"]) == ("not-managed", f"clawgit adopt '{space}'")


def test_an_eject_that_was_interrupted_is_finished_by_the_next(
    call: Callable, space: Path, tab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("clawgit.workspace.eject._forget", interrupt)
        assert call("eject", "--yes").code == 130
    assert not (space / ".clawgit").exists()
    assert call("eject", "--yes").code == 0
    assert not (space / ".git/clawgit").exists()
    assert call("eject", "--yes", "--json").json["key"] == "not-managed"
