"""Which workspaces a fleet has."""

import json
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.schedule.fleet import fleet_file
from tests import moulds


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fleet.yaml"


def test_without_a_file_it_has_those_of_openclaws_agents(here, environ, file, tmp_path):
    (tmp_path / "oc").mkdir()
    agents = [{"id": "main", "workspace": str(here.root)}, {"id": "gone", "workspace": str(tmp_path / "gone")}]
    (tmp_path / "oc/openclaw.json").write_text(json.dumps({"agents": {"list": agents}}))
    assert [one.agents for one in fleet_file.homes(fleet_file.load(file), environ)] == [("main",)]


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


def test_a_file_that_was_named_and_is_not_there_is_told(file):
    with pytest.raises(ClawgitError, match="does not exist"):
        fleet_file.load(file, named=True)


def test_the_file_is_the_named_one_else_that_of_the_configuration(environ, tmp_path):
    assert fleet_file.place(None, {**environ, "XDG_CONFIG_HOME": "/etc/x"}) == Path("/etc/x/clawgit/fleet.yaml")
    assert fleet_file.place(None, {**environ, "CLAWGIT_FLEET": "/a/f.yaml"}) == Path("/a/f.yaml")
    assert fleet_file.place("/b/f.yaml", {**environ, "CLAWGIT_FLEET": "/a/f.yaml"}) == Path("/b/f.yaml")
