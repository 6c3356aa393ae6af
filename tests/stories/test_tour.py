"""The tour is the real output of the commands."""

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
    """Return the commands of the transcripts, each with its output."""
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    matches = re.findall(r"^\$ (.+(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)
    return [(command.replace("\\\n    ", ""), output) for command, output in matches]


def play(folder: Path, command: str) -> str:
    """Run one command of the tour and return all that it prints, as a terminal would show it."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    result = subprocess.run(
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
    return result.stdout


def shape(text: str) -> str:
    """Return a text without the parts that differ from one time to the next."""
    for pattern, instead in FLEETING:
        text = pattern.sub(instead, text)
    return text


def test_every_command_of_the_tour_prints_what_stands_there(tmp_path: Path) -> None:
    """Ids of one day take the place of those of another: the tour and the test use the ids that were shown."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    ids: dict[str, str] = {}
    tour_steps = steps(TOUR.read_text("utf-8"))
    assert len(tour_steps) >= 10
    for command, output in tour_steps:
        answer = play(folder, ID.sub(lambda match: ids.get(match[0], match[0]), command))
        assert shape(answer).rstrip() == shape(output).rstrip(), command
        ids.update(zip(ID.findall(output), ID.findall(answer), strict=True))
