"""A timer is set up as it was shown, and taken away without a trace."""

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.integrations import timers
from clawgit.integrations.timers import Called, build_call, choose_timer, with_block, without_block
from clawgit.schedule.runner_state import Place

ODD = '/home/ana/it\'s 100% $HOME \\ "mine" `x`'
CALLED = Called(("/bin/true", "-C", ODD, "schedule", "once"), {"PATH": "/usr/bin:/bin"}, ODD, "clawgit-0123")


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
    words = (str(tmp_path / "program"), "-C", ODD, "schedule", "once")
    command = line_of(timers.block(Called(words, {"PATH": "/bin:/usr/bin:/100%"}, ODD, "clawgit-0123")))
    subprocess.run(["sh", "-c", command.split(" ", 5)[5].replace("\\%", "%")], check=True)
    assert heard.read_text().splitlines() == ["-C", ODD, "schedule", "once", "/bin:/usr/bin:/100%"]


lines = st.text(
    st.characters(exclude_characters="\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", exclude_categories=["Cs"]), max_size=40
)


@given(st.lists(lines).map(lambda some: "".join(f"{one}\n" for one in some).encode()), st.booleans())
def test_a_crontab_comes_back_to_the_byte(text, others):
    if others:
        text = with_block(text, Called(("x",), {}, "/other", "clawgit-ffff"))
    more = with_block(text, CALLED)
    assert with_block(more, CALLED) == more
    assert without_block(more, CALLED) == text
    assert without_block(text, CALLED) == text


@given(st.lists(lines).map(lambda some: "".join(f"{one}\n" for one in some).encode()))
def test_what_is_added_behind_the_block_stays(text):
    more = with_block(b"MAILTO=ana\n", CALLED) + text
    assert without_block(more, CALLED) == b"MAILTO=ana\n" + text


def test_a_block_without_an_end_is_not_touched():
    broken = with_block(b"", CALLED).rpartition(b"# clawgit")[0]
    with pytest.raises(ClawgitError, match="has no end"):
        without_block(broken, CALLED)


@pytest.mark.parametrize("before", [None, b"MAILTO=ana\n0 5 * * * backup \\%d\n"])
def test_cron_is_set_up_once_and_taken_away_whole(tab, here, before):
    if before is not None:
        tab.write_bytes(before)
    timer = choose_timer("cron", here, Path("/bin/true"), os.environ)
    assert timer.plan()
    assert (tab.read_bytes() if tab.exists() else None) == before
    assert [one.act for one in timer.install()] == ["write"]
    assert timer.install() == ()
    assert b"'/bin/true' '-C'" in tab.read_bytes()
    assert timer.uninstall()
    assert (tab.read_bytes() if tab.exists() else None) == before
    assert timer.uninstall() == ()


def test_a_crontab_that_fails_is_told_in_its_own_words(bin_, here):
    tool(bin_, "crontab", 'echo "you are not allowed to use this program" >&2; exit 1')
    with pytest.raises(ClawgitError, match="you are not allowed"):
        choose_timer("cron", here, Path("/bin/true"), os.environ).install()


@pytest.fixture
def user(bin_, tmp_path):
    """A systemctl that notes what it is asked, and a folder for units."""
    heard = tmp_path / "heard"
    tool(bin_, "systemctl", f'echo "$@" >> {heard}; test ! -e {tmp_path}/refuse || {{ echo "no bus" >&2; exit 1; }}')
    return {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}


def test_systemd_is_set_up_once_and_taken_away_whole(user, here, tmp_path):
    (tmp_path / "config").mkdir()
    timer = choose_timer("systemd", here, Path("/bin/true"), user)
    timer.plan()
    assert list((tmp_path / "config").iterdir()) == []
    assert [one.act for one in timer.install()] == ["write", "write", "run", "run"]
    assert timer.install() == ()
    names = {one.name for one in (tmp_path / "config/systemd/user").iterdir()}
    assert names == {"clawgit-0123456789ab.service", "clawgit-0123456789ab.timer"}
    assert [one.act for one in timer.uninstall()] == ["run", "remove", "remove", "run"]
    assert timer.uninstall() == ()
    assert list((tmp_path / "config").iterdir()) == []
    assert (tmp_path / "heard").read_text().splitlines() == [
        "--user daemon-reload",
        "--user enable --now clawgit-0123456789ab.timer",
        "--user disable --now clawgit-0123456789ab.timer",
        "--user daemon-reload",
    ]


def test_where_systemd_refuses_nothing_stays_behind(user, here, tmp_path):
    (tmp_path / "refuse").touch()
    (tmp_path / "config").mkdir()
    with pytest.raises(ClawgitError, match="no bus"):
        choose_timer("systemd", here, Path("/bin/true"), user).install()
    assert list((tmp_path / "config").iterdir()) == []


def test_a_unit_that_is_somebody_elses_stays(user, here, tmp_path):
    timer = choose_timer("systemd", here, Path("/bin/true"), user)
    place = tmp_path / "config/systemd/user/clawgit-0123456789ab.timer"
    place.parent.mkdir(parents=True)
    place.write_text("[Timer]\nOnCalendar=daily\n")
    with pytest.raises(ClawgitError, match="is somebody else's"):
        timer.install()
    assert timer.uninstall() == ()
    assert place.read_text() == "[Timer]\nOnCalendar=daily\n"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze; get it: apt-get install systemd")
def test_systemd_itself_understands_the_units(tmp_path):
    timer = timers.Systemd(CALLED, {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)})
    places = []
    for one in timer.plan():
        if one.act == "write":
            places.append(tmp_path / Path(one.path).name)
            places[-1].write_text(one.what)
    run = tmp_path / "run"
    run.mkdir(mode=0o700)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", *places],
        env={**os.environ, "XDG_RUNTIME_DIR": str(run), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if CALLED.name in line]
    assert (done.returncode, ours) == (0, [])


def test_a_password_in_a_variable_goes_nowhere(here):
    environ = {"PATH": "/bin", "CLAWGIT_LLM_KEY": "hidden", "OPENCLAW_GATEWAY_TOKEN": "hidden", "XDG_STATE_HOME": "/s"}
    found = build_call(here, Path("/bin/true"), environ, 60)
    assert dict(found.variables) == {"PATH": "/bin", "XDG_STATE_HOME": "/s"}
    assert found.minutes == 5


def test_a_path_that_no_timer_can_hold_is_refused(here, tmp_path):
    odd = Place(tmp_path / "two\nlines", here.home, here.git, here.state, 0)
    with pytest.raises(ClawgitError, match="no timer can name"):
        build_call(odd, Path("/bin/true"), {}, 5)


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
    assert timer.plan()[0].what.startswith("openclaw cron add --name clawgit-0123456789ab --every 5m --command-argv ")
    timer.install()
    assert timer.install() == ()
    (added,) = [one for one in map(json.loads, heard.read_text().splitlines()) if one[0] == "add"]
    argv = json.loads(added[added.index("--command-argv") + 1])
    assert argv[-5:] == ["/bin/true", "-C", str(here.root), "schedule", "once"]
    assert "--no-deliver" in added
    assert "--agent" not in added
    assert [one.what for one in timer.uninstall()] == ["openclaw cron rm j1"]
    assert json.loads(kept.read_text()) == json.loads(before)


def test_the_job_is_that_of_the_agent_of_the_workspace(jobs, here, tmp_path):
    """Where OpenClaw has several agents it takes no job that names none."""
    entries = {"cook": {"workspace": str(tmp_path)}, "scribe": {"workspace": str(here.root)}}
    (tmp_path / "openclaw.json").write_text(json.dumps({"agents": {"entries": entries}}))
    timer = choose_timer("openclaw", here, Path("/bin/true"), {"PATH": "/bin", "OPENCLAW_STATE_DIR": str(tmp_path)})
    assert timer.plan()[0].what.endswith(" --no-deliver --agent scribe")


def test_an_openclaw_that_cannot_run_commands_is_not_asked(jobs, here, tmp_path):
    (tmp_path / "openclaw.json").write_text('{"meta": {"lastTouchedVersion": "2026.4.1"}}')
    timer = choose_timer("openclaw", here, Path("/bin/true"), {"PATH": "/bin", "OPENCLAW_STATE_DIR": str(tmp_path)})
    with pytest.raises(ClawgitError, match=r"OpenClaw 2026\.4\.1 cannot run commands"):
        timer.install()


@pytest.mark.parametrize("said", ["", "no gateway", "[1, 2]", '{"other": 1}'])
def test_an_openclaw_that_answers_nonsense_is_no_mistake_of_ours(bin_, here, said):
    tool(bin_, "openclaw", f"echo '{said}'")
    timer = choose_timer("openclaw", here, Path("/bin/true"), {"PATH": "/bin", "HOME": "/nowhere"})
    if said.startswith(("[", "{")):
        assert timer.farewell() == ()
        return
    with pytest.raises(ClawgitError, match="does not answer in JSON"):
        timer.farewell()


def test_a_machine_with_neither_is_told_what_remains(here, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(timers, "BOOTED", tmp_path / "nowhere")
    with pytest.raises(ClawgitError, match="neither systemd nor cron") as told:
        choose_timer(None, here, Path("/bin/true"), os.environ)
    assert str(told.value.fix).startswith("clawgit schedule run")
