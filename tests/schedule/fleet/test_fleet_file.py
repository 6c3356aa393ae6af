"""Which workspaces a fleet has."""

from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.schedule.fleet import fleet_file
from tests import moulds


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fleet.yaml"


def test_a_pattern_stands_for_workspaces_alone_and_a_folder_for_itself(mould, environ, file, tmp_path):
    (tmp_path / "agents").mkdir()
    for name in ("b", "a"):
        moulds.copied(mould, tmp_path / "agents" / name)
    (tmp_path / "agents/notes").mkdir()
    (tmp_path / "agents/link").symlink_to(tmp_path / "agents/a")
    file.write_text("workspaces:\n- agents/*\n- gone\n- other/a\nopenclaw: false\n")
    found = fleet_file.homes(fleet_file.load(file), environ)
    assert [one.name for one in found] == ["agents/a", "b", "gone", "other/a"]
    assert [one.root for one in found][2] == tmp_path / "gone"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("workspaces: [\n", r"fleet\.yaml:2: "),
        ("- a\n", "holds no keys"),
        ("workers: many\n", "workers is 'many', not a whole number above 0"),
        ("workers: true\n", "workers is True, not a whole number above 0"),
        ("workers: 0\n", "not a whole number above 0"),
        ("workspaces: a\n", "not a list of folders"),
        ("workspaces: [{}]\n", "workspaces has {}"),
        ("workspace: [a]\n", "'workspace'"),
        ("a: &x [*x]\n", "."),
        ("\x00", "."),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_place(file, text, told):
    file.write_text(text)
    with pytest.raises(ClawgitError, match=told):
        fleet_file.load(file)
