"""CONFIG.md: values by key, errors by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.workspace.config import Config, load


def written(folder, text):
    (folder / "CONFIG.md").write_bytes(text.encode() if isinstance(text, str) else text)
    return load(folder)


def block(yaml):
    return f"# Config\n\nWords.\n\n```yaml\n{yaml}\n```\n\nMore words.\n"


def test_without_file_or_block_everything_has_its_default(tmp_path):
    assert load(tmp_path) == Config()
    assert written(tmp_path, "# Config\n\nbranch: not here\n") == Config()
    assert (Config().branch, Config().zone, Config().soul_max_tokens) == ("", None, 800)


def test_values_are_read(tmp_path):
    found = written(tmp_path, block("timezone: Asia/Tokyo\nbranch: agent # ours\nsoul_max_tokens: 1200"))
    assert (str(found.zone), found.branch, found.soul_max_tokens) == ("Asia/Tokyo", "agent", 1200)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + block("branch: agent"),
        "\ufeff```yaml\nbranch: agent\n```\n",
        block("branch: agent").replace("\n", "\r\n"),
        "```yml  \nbranch: agent\n```",
        "```yaml\nbranch: agent\n",
        "```yaml\nbranch: agent",
        block("branch: agent") + "```yaml\nbranch: second\n```\n",
        block("defaults: &d\n  branch: agent\n<<: *d"),
        block("branch: agent").encode() + b"\xff\xfe broken afterwards\n",
    ],
)
def test_the_block_is_found_however_the_file_was_saved(tmp_path, text):
    assert written(tmp_path, text).branch == "agent"


@pytest.mark.parametrize(
    ("yaml", "line", "words"),
    [
        ("soul_max_tokens: 800\ntimezone: Mars/Base", 7, "'Mars/Base'"),
        ("timezone: ../../etc/passwd", 6, "no time zone"),
        ("timezone: 2", 6, "is not text"),
    ],
)
def test_a_zone_that_is_none_is_named_with_its_line(tmp_path, yaml, line, words):
    with pytest.raises(ClawgitError) as caught:
        _ = written(tmp_path, block(yaml)).zone
    assert str(caught.value).startswith(f"CONFIG.md:{line}: timezone: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("value", ["lots", "0", "-3", "1.5", "true", "[1]", '"800"'])
def test_a_size_that_is_none_is_named_with_its_line(tmp_path, value):
    with pytest.raises(ClawgitError, match="^CONFIG.md:7: soul_max_tokens: "):
        _ = written(tmp_path, block(f"branch: x\nsoul_max_tokens: {value}")).soul_max_tokens


def test_a_branch_that_yaml_takes_for_a_number_is_refused_with_the_way_to_quote_it(tmp_path):
    with pytest.raises(ClawgitError) as caught:
        _ = written(tmp_path, block("branch: 2026")).branch
    assert (str(caught.value), caught.value.fix) == ("CONFIG.md:6: branch: 2026 is not text", 'branch: "2026"')


@pytest.mark.parametrize(
    ("yaml", "line"),
    [
        ("branch: a\nbranch: b", 7),
        ("branch: a\n\tindent: b", 7),
        ("branch: [a", 7),
        ("branch: 'a", 7),
        ("branch: a: b", 6),
        ("branch: a\n---\nbranch: b", 7),
        ("branch: \x07", 6),
        ("branch: 2026-13-45", 6),
        ("branch: !!int", 6),
        ("branch: !!set", 6),
    ],
)
def test_a_broken_block_is_named_with_its_line(tmp_path, yaml, line):
    for ending in ("\n", "\r\n"):
        with pytest.raises(ClawgitError) as caught:
            _ = written(tmp_path, block(yaml).replace("\n", ending)).branch
        assert int(str(caught.value).split(":")[1]) in (line, line + 1)
        assert caught.value.fix


def test_a_broken_block_does_not_matter_to_who_asks_for_what_it_does_not_name(tmp_path):
    assert written(tmp_path, block("timezone: [")).branch == ""


@given(st.text("branch:-[]{}&*!|>'\"#%@`, \n\t?0a", max_size=40))
def test_any_block_is_a_value_or_a_sentence(tmp_path_factory, yaml):
    found = Config(f"branch: {yaml}\ntimezone: {yaml}", 3)
    for read in (lambda: found.branch, lambda: found.zone, lambda: found.soul_max_tokens):
        try:
            read()
        except ClawgitError as exc:
            assert str(exc).startswith("CONFIG.md:")
