"""What the help shows, and in which order."""

from collections.abc import Callable

import pytest

from clawgit.cli.lazy_commands import COMMANDS, COMMANDS_BY_HEADING, EVERYDAY


def headings(text: str) -> dict[str, list[str]]:
    """The words below each heading of a help."""
    found: dict[str, list[str]] = {}
    title = ""
    for row in text.splitlines():
        if row.endswith(":") and not row.startswith(" "):
            title = row.removesuffix(":")
        elif row.startswith("  ") and row[2] != " ":
            found.setdefault(title, []).append(row.split()[0])
    return found


def test_the_short_help_fits_a_screen_and_has_a_dozen_words(call: Callable) -> None:
    shown = headings(call("--help").out)
    everyday = [name for title in EVERYDAY for name in shown[title]]
    assert everyday == [name for names in EVERYDAY.values() for name in names]
    assert 10 <= len(everyday) <= 13
    assert "clawgit help --all" in call("--help").out
    rows = call("--help").out.splitlines()
    assert len(rows) <= 50
    assert max(map(len, rows)) <= 80


def test_every_command_is_listed_once(call: Callable) -> None:
    shown = headings(call("help", "--all").out)
    named = [name for title in COMMANDS_BY_HEADING for name in shown.get(title, [])]
    assert sorted(named) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (("solu",), "clawgit soul"),
        (("soul", "dif"), "clawgit soul diff"),
        (("soul", "--all"), "clawgit help --help"),
    ],
)
def test_help_of_what_there_is_not_names_the_nearest(words: tuple[str, ...], fix: str, call: Callable) -> None:
    answer = call("help", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith(f"\n  fix: {fix}\n")


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        ("version", "clawgit --version"),
        ("schedule list", "clawgit schedule"),
        ("schedule show", "clawgit show   # or: clawgit schedule"),
        ("list", "clawgit memory list"),
    ],
)
def test_a_word_that_is_no_command_leads_to_what_was_meant(call: Callable, words: str, fix: str) -> None:
    answer = call(*words.split())
    assert (answer.code, answer.err) == (2, f"error: there is no command clawgit {words}\n  fix: {fix}\n")
