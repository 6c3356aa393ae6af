"""What is read without a parser is what a parser reads."""

from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from clawgit.resources import resource
from clawgit.text import yaml_reader
from clawgit.text.markdown_settings import blocks

VALUES = st.one_of(
    st.integers(-10, 10**18).map(str),
    st.floats(0, 1000, allow_nan=False).map(repr),
    st.from_regex(r"\A[0-2]?\d:[0-5]\d\Z"),
    st.sampled_from(
        ["[]", "''", '""', "true", "No", "null", "~", "0x1f", "010", "1e3", "1_000", ".5", "5.", "on", "- a"]
    ),
    st.text("abcYN01 #:'\"\\[]{}&*!|>%@`,-_./?\t\u00e9", max_size=12),
    st.text("ab #:", max_size=8).map(lambda text: f'"{text}"'),
    st.text('ab #:"', max_size=8).map(lambda text: f"'{text}'"),
)
LINES = st.one_of(
    st.tuples(
        st.sampled_from(["a", "b_c", "d1", "branch", "A", "a b", ""]), VALUES, st.sampled_from(["", " # x", "#x", "  "])
    ).map(lambda parts: f"{parts[0]}: {parts[1]}{parts[2]}"),
    st.sampled_from(["", "# comment", "  # comment", "   ", "---", "a:", "  a: 1", "- x"]),
)


@given(st.lists(LINES, max_size=6).map("\n".join))
@example("a: 'x'#y")
@example('a: "x" #y')
@example("a: b #c\na: 1")
@example("a: x\n  y")
def test_a_parser_reads_the_same(block):
    found = yaml_reader.parse_simple(block)
    if found is None:
        return
    loaded = YAML(typ="safe", pure=True).load(block) or {}
    assert found[0] == loaded
    assert {key: type(value) for key, value in found[0].items()} == {key: type(value) for key, value in loaded.items()}
    assert [block.split("\n")[line - 1].partition(":")[0] for line in found[1].values()] == list(found[0])


def test_the_template_needs_no_parser():
    text = (resource("templates") / "workspace" / "CONFIG.md").read_text("utf-8")
    found = yaml_reader.parse_simple(blocks(text)[0].text)
    assert found is not None
    assert found[0]["cron_soul_keeper"] == "02:30"
    assert found[0]["heartbeat_custom_patterns"] == []
