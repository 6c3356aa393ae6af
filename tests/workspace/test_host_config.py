"""openclaw.json as people write it, break it, and as somebody hostile would."""

import json
import os
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.workspace.host import openclaw_files as host_config
from clawgit.workspace.host import openclaw_files as host_json

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
        ("{a:1}//", {"a": 1}),
        ("{true: true, null: null}", {"true": True, "null": None}),
        ("[1,2,/*x*/]", [1, 2]),
        ('{"a": "b: c, }", d: ",]"}', {"a": "b: c, }", "d": ",]"}),
        ("{'\\x41': 1}", {"A": 1}),
    ],
)
def test_all_of_json5_is_understood(text, value):
    assert host_json.parse(text) == value


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from(["// x: [1,]\n", "/* '\"{ */", "\n", ""]))
@example({"a//b": "/* x */", "c,}": ",]"}, "// y\n")
def test_comments_and_commas_never_change_a_value(value, noise):
    """What json writes stays itself, however many comments and commas people add between its lines."""
    text = json.dumps(value, indent=1)
    lines = text.split("\n")
    loose = f"{noise}\n".join(
        line + "," if line.strip() in ("}", "]") and at < len(lines) - 1 else line for at, line in enumerate(lines)
    )
    assert host_json.parse(loose.replace(",,", ",") if ",," not in text else text) == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ('{\n "a": 1\n "b": 2\n}', 3),
        ("{\n a: 1,\n // x\n b b\n}", 4),
        ("{ /* never closed", 1),
        ('{"a": "x\ny"}', 1),
        ("{}}", 1),
        ("\0", 1),
        ("[" * 200_000, 1),
        ('{"a":' * 5_000, 1),
        ("9" * 10_000, 1),
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


def test_a_configuration_of_something_else_is_a_problem(tmp_path):
    place = configured(tmp_path, "[1]")
    assert loaded(tmp_path).problems == (f"{place}: it holds no object",)


@pytest.mark.parametrize(
    "text", ["{a:" + "/*" * 500_000, "{a: " + "'" * 1_000_000, "{" + "a " * 500_000, '{"' + "\\" * 1_000_000]
)
def test_no_text_takes_long(tmp_path, text):
    configured(tmp_path, text)
    start = time.process_time()
    assert len(loaded(tmp_path).problems) == 1
    assert time.process_time() - start < 15


def test_what_is_no_file_of_bearable_size_is_a_problem(tmp_path):
    place = configured(tmp_path, "")
    with place.open("r+b") as file:
        file.truncate(50 << 20)
    assert loaded(tmp_path).problems == (f"{place} has 52,428,800 bytes, where 2,097,152 are bearable",)
    place.unlink()
    place.mkdir()
    assert loaded(tmp_path).problems == (f"{place} is not a regular file",)
    place.rmdir()
    os.mkfifo(place)
    assert loaded(tmp_path).problems == (f"{place} is not a regular file",)
    place.unlink()
    place.symlink_to(place.name)
    assert "Too many levels of symbolic links" in loaded(tmp_path).problems[0]


def test_none_is_a_problem_only_where_it_was_named(tmp_path):
    assert host(tmp_path).problems == ()
    place = tmp_path / "mine.json5"
    named = host(tmp_path, OPENCLAW_CONFIG_PATH="~/mine.json5")
    assert named.problems == (f"{place} cannot be read: No such file or directory",)
    place.write_text("{agents: {defaults: {workspace: '~/w'}}}")
    assert host(tmp_path, OPENCLAW_CONFIG_PATH="~/mine.json5").agent().workspace == tmp_path / "w"


def test_bytes_that_are_no_text_and_a_bom_are_borne(tmp_path):
    configured(tmp_path, "").write_bytes(b'\xef\xbb\xbf{"a": "\xff"}')
    assert loaded(tmp_path).values == {"a": "\ufffd"}


def test_what_is_included_lies_below_the_own_keys(tmp_path):
    configured(
        tmp_path,
        {"$include": ["a.json5", "sub/b.json5"], "x": {"own": 1}, "list": [3], "agents": {"$include": "c.json"}},
    )
    configured(tmp_path, "{x: {own: 0, a: 1}, list: [1], one: 'a'}", ".openclaw/a.json5")
    configured(tmp_path, "{x: {b: 2}, list: [2], one: 'b', $include: './d.json'}", ".openclaw/sub/b.json5")
    configured(tmp_path, "{deep: '${V}'}", ".openclaw/sub/d.json")
    configured(tmp_path, {"list": [{"id": "main"}]}, ".openclaw/c.json")
    found = loaded(tmp_path, V="v")
    assert found.problems == ()
    assert found.values == {
        "x": {"own": 1, "a": 1, "b": 2},
        "list": [1, 2, 3],
        "one": "b",
        "deep": "v",
        "agents": {"list": [{"id": "main"}]},
    }


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


def test_includes_that_multiply_come_to_an_end(tmp_path):
    configured(tmp_path, {"$include": ["l0.json"] * 9})
    for level in range(12):
        configured(tmp_path, {"$include": [f"l{level + 1}.json"] * 9}, f".openclaw/l{level}.json")
    start = time.process_time()
    assert any("one file too many" in problem for problem in loaded(tmp_path).problems)
    assert time.process_time() - start < 10


def test_a_file_named_by_its_whole_path_may_lie_elsewhere(tmp_path):
    other = configured(tmp_path, {"a": 1}, "else/where.json")
    configured(tmp_path, {"$include": str(other)})
    assert (loaded(tmp_path).values, loaded(tmp_path).problems) == ({"a": 1}, ())
