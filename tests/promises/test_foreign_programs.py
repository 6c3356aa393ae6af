"""No program that somebody else named in the repository runs because of clawgit."""

from pathlib import Path

import pytest

from tests.promises.desk import Desk

MUTATION = ("git/foreign_programs.py", '    "core.fsmonitor": "false",', '    "core.fsmonitorx": "false",')

SETTINGS = {
    "fsmonitor": ("core.fsmonitor", "{}"),
    "editor": ("core.editor", "{}"),
    "pager": ("core.pager", "{}"),
    "external diff": ("diff.external", "{}"),
    "ssh": ("core.sshCommand", "{}"),
    "hooks": ("core.hooksPath", "{folder}"),
    "credential helper": ("credential.helper", "!{}"),
    "gpg": ("gpg.program", "{}"),
}
COMMANDS = (
    ("status",),
    ("remember", "The lamps are rated at 400 watts."),
    ("capture",),
    ("log",),
    ("why", "MEMORY.md:5"),
    ("doctor",),
    ("undo",),
    ("search", "pump"),
)


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """Return a program that leaves a trace in its folder."""
    place = tmp_path / "trap/post-commit"
    place.parent.mkdir()
    place.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\ncat 2>/dev/null\n")
    place.chmod(0o755)
    for name in ("pre-commit", "reference-transaction", "post-index-change", "pre-push"):
        (place.parent / name).write_bytes(place.read_bytes())
        (place.parent / name).chmod(0o755)
    return place


@pytest.mark.parametrize(("name", "value"), SETTINGS.values(), ids=SETTINGS)
def test_a_setting_that_names_a_program(desk: Desk, trap: Path, tmp_path: Path, name: str, value: str) -> None:
    desk.append("memory/garden.md", "- The hose is blue.\n")
    with (desk.root / ".git/config").open("a") as config:
        section, _, key = name.partition(".")
        config.write(f"[{section}]\n\t{key} = {value.format(trap, folder=trap.parent)}\n")
    for command in COMMANDS:
        desk.call(*command)
    assert not (tmp_path / "ran").exists()


def test_a_filter_or_a_text_conversion_that_nobody_accepted(desk: Desk, trap: Path, tmp_path: Path) -> None:
    desk.write(".gitattributes", "*.md filter=trap diff=trap merge=trap\n")
    desk.commit()
    with (desk.root / ".git/config").open("a") as config:
        config.write(f'[filter "trap"]\n\tclean = {trap}\n\tsmudge = {trap}\n[diff "trap"]\n\ttextconv = {trap}\n')
        config.write(f'[merge "trap"]\n\tdriver = {trap}\n')
    desk.append("memory/garden.md", "- The hose is blue.\n")
    for command in COMMANDS:
        desk.call(*command)
    assert not (tmp_path / "ran").exists()


def test_where_git_would_store_other_line_endings_nothing_is_written(desk: Desk) -> None:
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("\n", "\r\n"))
    desk.commit()
    desk.run("capture")
    desk.write(".gitattributes", "*.md text\n")
    desk.commit()
    before = desk.files(), desk.head()
    answer = desk.call("remember", "The lamps are rated at 400 watts.")
    assert (answer.code, answer.key) == (1, "git-filter")
    assert (desk.files(), desk.head()) == before
    desk.shell(answer.fix)
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert "\r\n" in desk.git("show", "HEAD:MEMORY.md")
