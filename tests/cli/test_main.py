"""The command as a whole: help, usage, streams, exit codes."""

import json
import os
import re
from collections.abc import Callable

import click
import pytest

from clawgit.cli import help_command
from clawgit.cli.lazy_commands import COMMANDS, RENAMED, SHORTER, TWINS, DocumentedCommand, cli

LEAVES = list(help_command.leaves(cli))


def command(path: str) -> click.Command:
    group: click.Command = cli
    for word in path.removeprefix("clawgit ").split():
        assert isinstance(group, click.Group)
        child = group.get_command(click.Context(group), word)
        assert child is not None
        group = child
    return group


def test_help_opens_with_an_imperative_line_ends_in_examples_and_explains_each_option(call: Callable) -> None:
    rows = call("--help").out.splitlines()
    assert (len(rows) <= 50, max(map(len, rows)) <= 80) == (True, True)
    for path in LEAVES:
        answer = call(*path.split()[1:], "-h")
        assert answer.code == 0
        assert re.search(r"^Usage: .*\n\n  [A-Z][a-z]+ .*\.$", answer.out, re.MULTILINE)
        assert f"\nExamples:\n  {path}" in answer.out
        documented = command(path)
        assert isinstance(documented, DocumentedCommand)
        names = {path, f"clawgit {TWINS.get(path.split()[-1], path)}"}
        examples = [example for example in documented.examples if not example.startswith("    ")]
        assert all(any(name in example for name in names) for example in examples)
        options = [param for param in documented.params if isinstance(param, click.Option)]
        assert [option.name for option in options if not option.help and not option.hidden] == []


def test_the_help_lists_what_the_commands_say_of_themselves() -> None:
    """The lines of the top level are written down apart, so that help imports no command."""
    assert {name: each.help for name, each in COMMANDS.items()} == {
        name: (command(name).help or "").partition("\n")[0] for name in COMMANDS
    }


def test_every_old_name_leads_to_a_command(call: Callable) -> None:
    for name in (*RENAMED, *SHORTER):
        answer = call("help", *name.partition(" --")[0].split())
        assert (answer.code, answer.out[:15]) == (0, "Usage: clawgit "), name


MISTYPED = {
    "soul shwo": "clawgit soul show",
    "add x": "clawgit memory add",
    "help solu": "clawgit soul",
    "help soul dif": "clawgit soul diff",
    "qqqq": "clawgit --help",
    "rject x": "clawgit reject",
    "untrust": "clawgit --help",
    "version": "clawgit --version",
    "schedule list": "clawgit schedule",
    "memory add x --tga skill": "clawgit memory add --tag",
    "memory add": "clawgit memory add --help",
    "soul log --since garbage": "clawgit log --since 'last week'",
    "soul edit --add --remove x --why y": "clawgit soul edit --help",
}


def test_what_is_mistyped_is_answered_with_the_nearest_that_exists(call: Callable) -> None:
    for typed, fix in MISTYPED.items():
        answer = call(*typed.split())
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("error: ")
        assert answer.err.endswith(f"\n  fix: {fix}\n")
    assert call("memory", "add", "- Likes tea.").err.endswith("-- '- text'\n")


@pytest.mark.parametrize(("arguments", "words"), [([], "clawgit help --all"), (["soul"], "Commands:")])
def test_no_command_is_answered_with_help_on_stderr(arguments: list[str], words: str, call: Callable) -> None:
    answer = call(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_a_mistake_of_ours_is_told_without_the_words_of_the_user(
    call: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.workspace.memory_lines.make_addition", lambda *_, **__: 1 // 0)
    answer = call("memory", "add", "my private words", "--tag=skill")
    assert answer.code == 70
    assert answer.err == (
        "error: this is a mistake in clawgit: ZeroDivisionError\n"
        "  fix: run it again with --debug, and report what it shows\n"
    )


def test_colour_needs_a_terminal_that_wants_it(call: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in call("soul", "log").out
    monkeypatch.setattr("clawgit.cli.output._terminal", lambda _: True)
    assert "\x1b[33m" in call("soul", "log").out
    assert "\x1b" not in call("--color", "never", "soul", "log").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in call("soul", "log").out
    assert "\x1b[33m" in call("--color", "always", "soul", "log").out


def test_json_is_plain_where_the_terminal_knows_no_unicode(shell: Callable) -> None:
    shell("memory", "add", "日本語")
    answer = shell("memory", "list", "--json", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert answer.out.isascii()
    assert json.loads(answer.out)[0]["text"] == "日本語"


def test_help_all_as_options_names_the_command_that_lists_all(call):
    answer = call("--help", "--all")
    assert (answer.code, "clawgit help --all" in answer.err) == (2, True)
