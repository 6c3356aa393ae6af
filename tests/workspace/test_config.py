"""CONFIG.md: values by key, errors by line."""

import contextlib
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.workspace import settings
from clawgit.workspace.config import Config, change, load, read


def written(folder, text):
    (folder / "CONFIG.md").write_bytes(text.encode() if isinstance(text, str) else text)
    return load(folder)


def block(yaml):
    return f"# Config\n\nWords.\n\n```yaml\n{yaml}\n```\n\nMore words.\n"


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + block("branch: agent"),
        block("branch: agent").replace("\n", "\r\n"),
        "```yaml\nbranch: agent",
        block("branch: agent").encode() + b"\xff\xfe broken afterwards\n",
    ],
)
def test_the_block_is_found_however_the_file_was_saved(tmp_path, text):
    assert written(tmp_path, text).value("branch") == "agent"


@pytest.mark.parametrize(
    ("yaml", "line"),
    [
        ("branch: a\nbranch: b", 7),
        ("branch: a\n\tindent: b", 7),
        ("branch: [a", 7),
        ("branch: a\n---\nbranch: b", 7),
        ("branch: !!set", 6),
    ],
)
def test_a_broken_block_is_named_with_its_line(tmp_path, yaml, line):
    for ending in ("\n", "\r\n"):
        with pytest.raises(ClawgitError) as caught:
            _ = written(tmp_path, block(yaml).replace("\n", ending)).value("branch")
        assert int(str(caught.value).split(":")[1]) in (line, line + 1)
        assert str(caught.value.fix)


@pytest.mark.parametrize("key", settings.KEYS.values(), ids=lambda key: key.name)
def test_the_repair_of_a_bad_value_is_a_good_one(key):
    for bad_value in ("-1", "no such\nvalue"):
        *_, value = shlex.split(str(settings.repair(key, bad_value)))
        assert key.kind.fits(settings.read(key, value))


@given(st.text("branch:-[]{}&*!|>'\"#%@`, \n\t?0a", max_size=40))
def test_any_block_is_a_value_or_a_sentence(tmp_path_factory, yaml):
    found = Config(f"branch: {yaml}\ntimezone: {yaml}", 3)
    for ask in (lambda: found.value("branch"), lambda: found.zone, lambda: found.value("soul_max_tokens")):
        with contextlib.suppress(ClawgitError):
            ask()


@pytest.mark.parametrize(
    ("yaml", "line", "words", "fix"),
    [
        ("soul_max_token: 5", 6, "soul_max_token is no key of clawgit", "call it soul_max_tokens"),
        ("zzz: 5", 6, "zzz is no key of clawgit", "clawgit config"),
        ("5: 5", 6, "5 is no key of clawgit", "clawgit config"),
        ("a\u0308: 5", 6, "is no key of clawgit", ""),
        ("crm_tokens: 5\ncrm_context_budget: 6", 7, "another name of crm_tokens", "delete one"),
        ("cron_soul_keeper: 2:30", 6, "'2:30' is not a time of day", "clawgit config cron_soul_keeper 02:30"),
        ('soul_max_tokens: "900"', 6, "'900' is not a whole number", "clawgit config soul_max_tokens 900"),
        ("heartbeat_custom_patterns: x", 6, "'x' is not a list", "clawgit config heartbeat_custom_patterns '[]'"),
        ("cron_compactor_weekly: 03:00", 6, "is not a day and time", "cron_compactor_weekly 'Sunday 03:00'"),
        ("branch: a..b", 6, "'a..b' is not the name of a branch", "clawgit config branch main"),
        ("confidence_floor: .nan", 6, "nan is not a number", "clawgit config confidence_floor 0.2"),
        ("correction_relevance_boost: .inf", 6, "inf is not a number", "correction_relevance_boost 1.5"),
        ("branch: a\nbranch: b", 7, "branch is set twice", "edit line 7"),
        ("branch: a\n\t- b", 7, "found a tab character", "edit line 7"),
    ],
)
def test_every_problem_has_its_line_and_a_way_out(yaml, line, words, fix):
    (found,) = read(block(yaml)).problems()
    assert found.message.startswith(f"CONFIG.md:{line}: ")
    assert words in found.message
    assert fix in str(found.fix)


def test_a_key_is_set_where_it_stands_whatever_it_is_called():
    key = settings.KEYS["crm_tokens"]
    made, after = change(block("crm_context_budget: 5"), key, 7)
    assert made.edits[0].text == block("crm_context_budget: 7")
    assert after.value("crm_tokens") == 7
    made, _ = change(block("crm_tokens:"), key, 7)
    assert made.edits[0].text == block("crm_tokens: 7")
