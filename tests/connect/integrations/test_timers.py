"""A timer is set up as it was shown, and taken away without a trace."""

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

from clawgit.connect import timers
from clawgit.connect.timers import Called
from tests.messy.calls import call

ODD = '/home/ana/it\'s 100% $HOME \\ "mine" `x`'


def tool(folder: Path, name: str, script: str) -> None:
    place = folder / name
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)


def line_of(text: bytes) -> str:
    return next(line for line in text.decode().splitlines() if line.startswith("*/"))


def test_what_cron_runs_is_the_command(tmp_path):
    """cron takes `\\%` for a percent sign, and hands the rest to sh."""
    log = tmp_path / "heard"
    tool(tmp_path, "program", f'printf "%s\\n" "$@" "$PATH" > {log}')
    words = (str(tmp_path / "program"), "-C", ODD, "schedule", "run", "--once")
    command = line_of(timers.block(Called(words, {"PATH": "/bin:/usr/bin:/100%"}, ODD, "clawgit-0123")))
    assert not re.search(r"(?<!\\)%", command)
    subprocess.run(["sh", "-c", command.split(" ", 5)[5].replace("\\%", "%")], check=True)
    assert log.read_text().splitlines() == ["-C", ODD, "schedule", "run", "--once", "/bin:/usr/bin:/100%"]


OPENCLAW = """import json, sys
from pathlib import Path
args, place = sys.argv[2:], Path({jobs!r})
known = json.loads(place.read_text())
if args[0] == "list": print(json.dumps(known))
if args[0] == "add": known["jobs"].append({{"id": "j1", "name": args[args.index("--name") + 1]}})
if args[0] == "rm": known["jobs"] = [one for one in known["jobs"] if one["id"] != args[1]]
place.write_text(json.dumps(known))
"""


MEANS = {
    "systemd": ("systemd", None, ("--user daemon-reload", "--user enable --now", "--user disable --now")),
    "cron": ("cron", b"MAILTO=ana\n0 5 * * * backup \\%d\n", ()),
    "cron without a crontab": ("cron", None, ()),
    "openclaw": ("openclaw", None, ("--every 5m --command-argv", "--no-deliver", "cron rm j1")),
}


@pytest.mark.parametrize("name", MEANS)
def test_it_is_shown_set_up_once_and_taken_away_whole(place, tmp_path, name, monkeypatch):
    """A password in a variable goes nowhere."""
    programs, states = tmp_path / "bin", tmp_path / "kept"
    programs.mkdir()
    states.mkdir()
    (states / "jobs.json").write_text('{"jobs": [{"id": "j0", "name": "other"}]}')
    (tmp_path / "openclaw.py").write_text(OPENCLAW.format(jobs=str(states / "jobs.json")))
    note, tab = f'echo "$@" >>{tmp_path}/heard', states / "tab"
    tool(programs, "systemctl", note)
    tool(programs, "openclaw", f'{note}\nexec python3 {tmp_path}/openclaw.py "$@"')
    tool(
        programs,
        "crontab",
        f'case "$1" in\n-l) test -e {tab} && cat {tab} || {{ echo "no crontab for ana" >&2; exit 1; }};;\n'
        f"-r) rm {tab};;\n-) cat > {tab};;\nesac",
    )
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(states))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("CLAWGIT_LLM_KEY", "hidden")
    means, crontab, expected = MEANS[name]
    if crontab is not None:
        (states / "tab").write_bytes(crontab)

    def steps(verb, *options):
        result = call(place.root, "schedule", verb, "--with", means, "--json", *options, debug=False)
        assert result.code == 0, result.err
        return result.document["steps"]

    def picture():
        return {place.relative_to(states): place.is_file() and place.read_bytes() for place in states.rglob("*")}

    before = picture()
    assert steps("install")
    assert picture() == before
    assert steps("install", "--apply")
    after = picture()
    assert b"schedule" in b"".join(filter(None, after.values())) or means == "openclaw"
    assert after != before
    assert b"hidden" not in b"".join(filter(None, after.values()))
    assert steps("install", "--apply") == []
    assert picture() == after
    assert steps("uninstall", "--apply")
    assert steps("uninstall", "--apply") == []
    assert picture() == before
    log = tmp_path / "heard"
    text = log.read_text() if log.exists() else ""
    assert all(words in text for words in expected)
    assert "hidden" not in text
