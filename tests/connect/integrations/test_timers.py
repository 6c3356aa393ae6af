"""A timer is set up as it was shown, and taken away without a trace."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.connect import timers
from clawgit.connect.timers import Called, choose_timer, replace_block
from clawgit.schedule.runner_state import Place

ODD = '/home/ana/it\'s 100% $HOME \\ "mine" `x`'
CALLED = Called(("/bin/true", "-C", ODD, "schedule", "run", "--once"), {"PATH": "/usr/bin:/bin"}, ODD, "clawgit-0123")


def tool(folder: Path, name: str, script: str) -> None:
    place = folder / name
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def bin_(tmp_path, monkeypatch):
    """A folder in front of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.fixture
def tab(bin_, tmp_path):
    """A crontab that is a file, as the real program treats it."""
    place = tmp_path / "tab"
    tool(
        bin_,
        "crontab",
        f'case "$1" in\n-l) test -e {place} && cat {place} || {{ echo "no crontab for ana" >&2; exit 1; }};;\n'
        f"-r) rm {place};;\n-) cat > {place};;\nesac",
    )
    return place


@pytest.fixture
def here(tmp_path):
    root = tmp_path / "ws"
    root.mkdir()
    return Place(root, root / ".git/clawgit", root / ".git", tmp_path / "state/ws-0123456789ab", root.stat().st_ino)


def line_of(text: bytes) -> str:
    return next(line for line in text.decode().splitlines() if line.startswith("*/"))


def test_what_cron_runs_is_the_command(tmp_path):
    """cron takes `\\%` for a percent sign, and hands the rest to sh."""
    heard = tmp_path / "heard"
    tool(tmp_path, "program", f'printf "%s\\n" "$@" "$PATH" > {heard}')
    words = (str(tmp_path / "program"), "-C", ODD, "schedule", "run", "--once")
    command = line_of(timers.block(Called(words, {"PATH": "/bin:/usr/bin:/100%"}, ODD, "clawgit-0123")))
    subprocess.run(["sh", "-c", command.split(" ", 5)[5].replace("\\%", "%")], check=True)
    assert heard.read_text().splitlines() == ["-C", ODD, "schedule", "run", "--once", "/bin:/usr/bin:/100%"]


lines = st.text(
    st.characters(exclude_characters="\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", exclude_categories=["Cs"]), max_size=40
)


@given(st.lists(lines).map(lambda some: "".join(f"{one}\n" for one in some).encode()), st.booleans())
def test_a_crontab_comes_back_to_the_byte(text, others):
    if others:
        other = Called(("x",), {}, "/other", "clawgit-ffff")
        text = replace_block(text, other, timers.block(other))
    block = timers.block(CALLED)
    more = replace_block(text, CALLED, block)
    assert replace_block(more, CALLED, block) == more
    assert replace_block(more, CALLED, b"") == text
    assert replace_block(text, CALLED, b"") == text


@pytest.mark.parametrize("before", [None, b"MAILTO=ana\n0 5 * * * backup \\%d\n"])
def test_cron_is_set_up_once_and_taken_away_whole(tab, here, before):
    if before is not None:
        tab.write_bytes(before)
    timer = choose_timer("cron", here, Path("/bin/true"), os.environ)
    assert timer.steps(installing=True)
    assert (tab.read_bytes() if tab.exists() else None) == before
    assert [one.act for one in timer.apply(installing=True)] == ["write"]
    assert timer.apply(installing=True) == ()
    assert b"'/bin/true' '-C'" in tab.read_bytes()
    assert timer.apply(installing=False)
    assert (tab.read_bytes() if tab.exists() else None) == before
    assert timer.apply(installing=False) == ()


@pytest.fixture
def user(bin_, tmp_path):
    """A systemctl that notes what it is asked, and a folder for units."""
    heard = tmp_path / "heard"
    tool(bin_, "systemctl", f'echo "$@" >> {heard}; test ! -e {tmp_path}/refuse || {{ echo "no bus" >&2; exit 1; }}')
    return {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}


def test_systemd_is_set_up_once_and_taken_away_whole(user, here, tmp_path):
    """A password in a variable goes nowhere."""
    (tmp_path / "config").mkdir()
    timer = choose_timer("systemd", here, Path("/bin/true"), {**user, "CLAWGIT_LLM_KEY": "hidden"})
    assert "hidden" not in str(timer.steps(installing=True))
    assert list((tmp_path / "config").iterdir()) == []
    assert [one.act for one in timer.apply(installing=True)] == ["write", "write", "run", "run"]
    assert timer.apply(installing=True) == ()
    names = {one.name for one in (tmp_path / "config/systemd/user").iterdir()}
    assert names == {"clawgit-0123456789ab.service", "clawgit-0123456789ab.timer"}
    assert [one.act for one in timer.apply(installing=False)] == ["run", "remove", "remove", "run"]
    assert timer.apply(installing=False) == ()
    assert list((tmp_path / "config").iterdir()) == []
    assert (tmp_path / "heard").read_text().splitlines() == [
        "--user daemon-reload",
        "--user enable --now clawgit-0123456789ab.timer",
        "--user disable --now clawgit-0123456789ab.timer",
        "--user daemon-reload",
    ]


@pytest.fixture
def jobs(bin_, tmp_path):
    """An openclaw that keeps jobs in a file."""
    heard, kept = tmp_path / "heard", tmp_path / "jobs.json"
    kept.write_text('{"jobs": [{"id": "j0", "name": "other"}]}')
    program = (
        f"import json, sys\nargs = sys.argv[2:]\nopen({str(heard)!r}, 'a').write(json.dumps(args) + chr(10))\n"
        f"known = json.load(open({str(kept)!r}))\n"
        "if args[0] == 'list': print(json.dumps(known))\n"
        "if args[0] == 'add': known['jobs'].append({'id': 'j1', 'name': args[args.index('--name') + 1]})\n"
        "if args[0] == 'rm': known['jobs'] = [one for one in known['jobs'] if one['id'] != args[1]]\n"
        f"json.dump(known, open({str(kept)!r}, 'w'))\n"
    )
    (tmp_path / "openclaw.py").write_text(program)
    tool(bin_, "openclaw", f'exec python3 {tmp_path}/openclaw.py "$@"')
    return heard, kept


def test_openclaws_own_schedule_gets_one_job_and_gives_it_back(jobs, here, tmp_path):
    heard, kept = jobs
    before = kept.read_text()
    timer = choose_timer("openclaw", here, Path("/bin/true"), {"PATH": "/bin", "OPENCLAW_STATE_DIR": str(tmp_path)})
    assert timer.steps(installing=True)[0].what.startswith(
        "openclaw cron add --name clawgit-0123456789ab --every 5m --command-argv "
    )
    timer.apply(installing=True)
    assert timer.apply(installing=True) == ()
    (added,) = [one for one in map(json.loads, heard.read_text().splitlines()) if one[0] == "add"]
    argv = json.loads(added[added.index("--command-argv") + 1])
    assert argv[-6:] == ["/bin/true", "-C", str(here.root), "schedule", "run", "--once"]
    assert "--no-deliver" in added
    assert "--agent" not in added
    assert [one.what for one in timer.apply(installing=False)] == ["openclaw cron rm j1"]
    assert json.loads(kept.read_text()) == json.loads(before)
