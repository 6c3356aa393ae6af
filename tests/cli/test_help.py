"""What the help shows, and in which order."""

from collections.abc import Callable

import click
import pytest

from clawgit.cli import help_groups
from clawgit.cli.lazy_commands import COMMANDS, Listed, Top, cli


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
    everyday = [name for title in help_groups.EVERYDAY for name in shown[title]]
    assert everyday == [name for names in help_groups.EVERYDAY.values() for name in names]
    assert 10 <= len(everyday) <= 13
    assert "clawgit help --all" in call("--help").out
    rows = call("--help").out.splitlines()
    assert len(rows) <= 50
    assert max(map(len, rows)) <= 80


def test_the_exit_codes_come_with_every_command(call: Callable) -> None:
    assert "130 interrupted" in " ".join(call("help", "--all").out.split())
    assert "130 interrupted" not in call("--help").out


def test_help_alone_is_the_short_help(call: Callable) -> None:
    assert call("help").out == call("--help").out


def test_every_command_is_listed_once(call: Callable) -> None:
    shown = headings(call("help", "--all").out)
    named = [name for title in (*help_groups.EVERY, help_groups.OTHERS) for name in shown.get(title, [])]
    assert sorted(named) == sorted(COMMANDS)


def test_no_heading_lists_a_word_twice() -> None:
    words = [name for names in help_groups.EVERY.values() for name in names]
    assert len(words) == len(set(words))
    assert {name for names in help_groups.EVERYDAY.values() for name in names} <= set(words)


def test_each_command_has_a_heading() -> None:
    """A command of one's own that no heading lists is shown all the same; ours each have their place."""
    words = {name for names in help_groups.EVERY.values() for name in names}
    assert set(COMMANDS) <= words, f"give it a place in help_groups.py: {set(COMMANDS) - words}"


def test_a_command_that_no_heading_knows_is_shown_last() -> None:
    listed = {**COMMANDS, "weather": Listed("status_command:status", "Say what it is like outside.")}
    top = Top("clawgit", listed=listed)
    context = click.Context(top, info_name="clawgit")
    context.meta[help_groups.ALL] = True
    assert "More:\n  weather" in context.get_help()
    assert help_groups.arranged(["weather"], everything=True) == [("More", ["weather"])]
    assert help_groups.arranged(["weather"], everything=False) == []


@pytest.mark.parametrize("words", [("status",), ("soul", "diff"), ("memory",)])
def test_help_of_a_command_is_its_own(words: tuple[str, ...], call: Callable) -> None:
    assert call("help", *words).out == call(*words, "--help").out


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (("solu",), "clawgit soul"),
        (("soul", "dif"), "clawgit soul diff"),
        (("status", "now"), "clawgit status --help"),
        (("soul", "--all"), "clawgit help --all"),
    ],
)
def test_help_of_what_there_is_not_names_the_nearest(words: tuple[str, ...], fix: str, call: Callable) -> None:
    answer = call("help", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith(f"\n  fix: {fix}\n")


def test_help_says_that_there_is_more_and_how_much(call: Callable) -> None:
    context = click.Context(cli)
    more = len(cli.list_commands(context)) - sum(map(len, help_groups.EVERYDAY.values()))
    assert f"the other {more} commands" in call("--help").out
