"""openclaw.json as people write it, break it, and as somebody hostile would."""

import os

import pytest

from clawgit.openclaw import openclaw_files as host_config
from clawgit.openclaw import openclaw_files as host_json

from .homes import configured, host


def loaded(home, **environ):
    return host_config.load(home / ".openclaw/openclaw.json", environ, named=True)


HAND = """\
// my agent
{
  /* the models, dear ones:
     "opus", { */
  agents: {
    defaults: {
      workspace: '~/it\\'s "mine"', // not "~/.openclaw"
      bootstrapMaxChars: 15000,
      url: "https://example.org//x", /* , } */
    },
    "list": [ { id: "main", }, /* none */ ],
  },
}
"""


def test_a_configuration_written_by_hand_is_read(tmp_path):
    configured(tmp_path, HAND)
    found = loaded(tmp_path)
    assert found.problems == ()
    assert found.at("agents", "defaults") == {
        "workspace": '~/it\'s "mine"',
        "bootstrapMaxChars": 15000,
        "url": "https://example.org//x",
    }
    assert found.at("agents", "list") == [{"id": "main"}]
    assert found.at("agents", "list", "x") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "{a: 0x1F, b: .5, c: +3, d: 'x\\\ny', 'é': Infinity}",
            {"a": 31, "b": 0.5, "c": 3, "d": "xy", "é": float("inf")},
        ),
        ("{'a\"b': 'c\\'d'}", {'a"b': "c'd"}),
        ('{"a": "b: c, }", d: ",]"}', {"a": "b: c, }", "d": ",]"}),
    ],
)
def test_all_of_json5_is_understood(text, value):
    assert host_json.parse(text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ('{\n "a": 1\n "b": 2\n}', 3),
        ("{ /* never closed", 1),
        ("{}}", 1),
        ("[" * 200_000, 1),
        ('{"a":' * 5_000, 1),
    ],
)
def test_a_broken_configuration_is_a_problem_with_its_line(tmp_path, text, line):
    place = configured(tmp_path, text)
    found = loaded(tmp_path)
    assert found.values == {}
    (problem,) = found.problems
    assert problem.startswith((f"{place}:{line}: ", f"{place}: it holds no object"))
    assert "\n" not in problem
    assert host(tmp_path).agent().id == "main"


def test_what_is_no_file_of_bearable_size_is_a_problem(tmp_path):
    place = configured(tmp_path, "")
    with place.open("r+b") as file:
        file.truncate(50 << 20)
    assert loaded(tmp_path).problems == (f"{place} cannot be read: File too large",)
    place.unlink()
    place.mkdir()
    assert loaded(tmp_path).problems == (f"{place} cannot be read: Is a directory",)
    place.rmdir()
    os.mkfifo(place)
    assert loaded(tmp_path).problems == (f"{place} cannot be read: it is a named pipe",)
    place.unlink()
    place.symlink_to(place.name)
    assert "Too many levels of symbolic links" in loaded(tmp_path).problems[0]


@pytest.mark.parametrize(
    ("include", "words"),
    [
        ("openclaw.json", "'openclaw.json' includes itself"),
        ("loop.json", "'openclaw.json' includes itself"),
        ("../secret.json", "'../secret.json' leads out of "),
        ("link.json", "'link.json' leads out of "),
        ("gone.json", "gone.json cannot be read: No such file or directory"),
        (7, "$include takes names of files, not 7"),
        (["a\0b"], "is no name of a file"),
    ],
)
def test_an_include_that_cannot_be_is_a_problem_and_the_rest_holds(tmp_path, include, words):
    configured(tmp_path, {"$include": include, "agents": {"defaults": {"workspace": "~/ws"}}})
    configured(tmp_path, {"$include": "openclaw.json"}, ".openclaw/loop.json")
    configured(tmp_path, {"agents": {"defaults": {"workspace": "~/stolen"}}}, "secret.json")
    (tmp_path / ".openclaw/link.json").symlink_to("../secret.json")
    found = host(tmp_path)
    assert [words in problem for problem in found.problems] == [True]
    assert found.agent().workspace == tmp_path / "ws"
