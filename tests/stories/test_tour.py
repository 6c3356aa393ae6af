"""The tour is what the commands really print."""

import os
import re
import subprocess
import sys
from pathlib import Path

TOUR = Path(__file__).resolve().parents[2] / "docs/tour.md"

ID = re.compile(r"\b(?:[k-z]{10}|[0-9a-f]{10})\b")
FLEETING = (
    (ID, "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "DAY"),
    (re.compile(r"\d\d:\d\d"), "TIME"),
    (re.compile(r"[+-]\d{4}\b"), "ZONE"),
    (re.compile(r"/\S+/workspace"), "WORKSPACE"),
)


def steps(text: str) -> list[tuple[str, str]]:
    """Return the commands of the transcripts, each with what it printed."""
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^\$ (.+(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)
    return [(command.replace("\\\n    ", ""), said) for command, said in found]


def play(folder: Path, command: str) -> str:
    """Run one command of the tour and return all that it prints, as a terminal would show it."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            "HOME": str(folder.parent),
            "GIT_CONFIG_GLOBAL": f"{folder.parent}/.gitconfig",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def shape(text: str) -> str:
    """Return a text without what differs from one time to the next."""
    for pattern, instead in FLEETING:
        text = pattern.sub(instead, text)
    return text


def test_every_command_of_the_tour_prints_what_stands_there(tmp_path: Path) -> None:
    """Ids of one day stand for those of another: where the tour names one that it was shown, so does the test."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    known: dict[str, str] = {}
    found = steps(TOUR.read_text("utf-8"))
    assert len(found) >= 10
    for command, said in found:
        answer = play(folder, ID.sub(lambda match: known.get(match[0], match[0]), command))
        assert shape(answer).rstrip() == shape(said).rstrip(), command
        known.update(zip(ID.findall(said), ID.findall(answer), strict=True))
