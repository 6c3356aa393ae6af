"""The command as a whole: help, usage, streams, exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from clawgit.cli import help_command
from clawgit.cli.lazy_commands import COMMANDS, RENAMED, SHORTER, TWINS, DocumentedCommand, cli

LEAVES = list(help_command.leaves(cli))

SEARCH = {
    *("--query", "--max-results", "--top", "-n", "--min-score", "--tier", "--as-of", "--deleted", "--since", "--until"),
    *("--agent", "--all-agents", "--category", "--explain", "--smart", "--verbose", "--session", "--json"),
    *("--on", "--project"),
}

# The contract: every command with its options.
OPTIONS = {
    "init": {"--from", "--hooks", "--json"},
    "status": {"--check", "--agent", "--all-agents", "--json"},
    "inbox": {"--check", "--kind", "--json"},
    "show": {"--json"},
    "accept": {"--all", "--edit", "--hash", "--only", "--text", "--json"},
    "reject": {"--json"},
    "log": {
        "-n",
        "--since",
        "--about",
        "--agent",
        "--origin",
        "--session",
        "--file",
        "--identity",
        "--versions",
        "--sessions",
        "--seen",
        "--json",
    },
    "why": {"--last", "--json"},
    "purge": {"--text", "--fingerprint", "--path", "--apply", "--keep-backup", "--hash", "--json"},
    "forget": {"--json"},
    "taint": {"--since", "--apply", "--why", "--hash", "--json"},
    "undo": {"--run", "--redo", "--again", "--dry-run", "--to", "--json"},
    "restore": {"--approved", "--as-of", "--seen", "--json"},
    "soul show": {"--as-of", "--json"},
    "soul diff": {"--of", "--file", "--json"},
    "soul revert": {"--json"},
    "soul edit": {
        "--add",
        "--replace",
        "--remove",
        "--section",
        "--evidence",
        "--why",
        "--file",
        "--propose",
        "--json",
    },
    "trust": {"--hash", "--json"},
    "search": SEARCH,
    "context": {
        "--query",
        "--session",
        "--budget",
        "--session-kind",
        "--as-of",
        "--format",
        "--receipt",
        "--shown",
        "--json",
        "--turn",
    },
    "eval": {"--json"},
    "memory compact": {"--days", "--apply", "--remove", "--json"},
    "memory index": {"--force", "--json"},
    "memory status": {"--json"},
    "memory promote": {"--days", "--min-confidence", "--frequency", "--json", "--apply", "--target"},
    "triage": {"--session", "--origin", "--act", "--json"},
    "run": {"--apply", "--since", "--list", "--export", "--answer", "--take-back", "--json"},
    "schedule run": {"--once", "--json"},
    "schedule status": {"--log", "-n", "--json"},
    "schedule install": {"--with", "--apply", "--json"},
    "schedule uninstall": {"--with", "--apply", "--json"},
    "correct": {"--about", "--json"},
    "corrections": {"--json"},
    "session import": {"--agent", "--all", "--json"},
    "session plan": {"--json"},
    "session handoff": {"--dry-run", "--json"},
    "session flush": {"--left", "--direct", "--ended", "--json"},
    "memory add": {"--tag", "--to", "--journal", "--title", "--evidence", "--origin", "--json"},
    "memory list": {"--file", "--tag", "--status", "--json"},
    "ui": {"--port", "--no-open", "--read-only", "--export"},
    "mcp": {"--gateway", "--read-only", "--print-config"},
    "changelog": {"--check", "--json"},
    "doctor": {"--fix", "--clock-is-right", "--memory", "--json"},
    "state export": {"--json"},
    "state import": {"--dry-run", "--keep-local", "--without-approvals", "--json"},
    "digest": {"--since", "--send", "--agent", "--all-agents", "--json"},
    "model": {"--test", "--json"},
    "config": {"--json"},
    "help": {"--all"},
    "adopt": {"--minimal", "--dry-run", "--open", "--json"},
    "eject": {"--yes", "--json"},
    "capture": {"--watch", "--json"},
    "hooks install": {"--force", "--json"},
    "hooks uninstall": {"--json"},
    "hooks allow": {"--json"},
    "sync": {"--remote", "--every", "--json", "--folder", "--dry-run", "--watch"},
    "server install": {"--json", "--max-push"},
    "server uninstall": {"--json"},
    "server status": {"--json"},
    "server allow": {"--json"},
    "fleet run": {"--json"},
    "fleet status": {"--json"},
    "connect": {"--dry-run", "--json", "--yes"},
    "diff": {"--of", "--file", "--json"},
    "read": {"--as-of", "--lines", "--from", "--json"},
    "remember": {"--origin", "--json", "--tag", "--to", "--journal", "--title", "--evidence"},
    "disconnect": {"--dry-run", "--json"},
}


def command(path: str) -> click.Command:
    found: click.Command = cli
    for word in path.removeprefix("clawgit ").split():
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), word)
        assert below is not None
        found = below
    return found


def test_the_commands_and_their_options_are_those_of_the_contract() -> None:
    options = {
        path.removeprefix("clawgit "): {
            name
            for param in command(path).params
            if isinstance(param, click.Option) and not param.hidden
            for name in param.opts
        }
        for path in LEAVES
    }
    assert options == OPTIONS


def test_help_opens_with_an_imperative_line_ends_in_examples_and_explains_each_option(call: Callable) -> None:
    for path in LEAVES:
        answer = call(*path.split()[1:], "-h")
        assert answer.code == 0
        assert re.search(r"^Usage: .*\n\n  [A-Z][a-z]+ .*\.$", answer.out, re.MULTILINE)
        assert f"\nExamples:\n  {path}" in answer.out
        found = command(path)
        assert isinstance(found, DocumentedCommand)
        names = {path, f"clawgit {TWINS.get(path.split()[-1], path)}"}
        shown = [example for example in found.examples if not example.startswith("    ")]
        assert all(any(name in example for name in names) for example in shown)
        options = [param for param in found.params if isinstance(param, click.Option)]
        assert [option.name for option in options if not option.help and not option.hidden] == []


def test_the_help_lists_what_the_commands_say_of_themselves() -> None:
    """The lines of the top level are written down apart, so that help imports no command."""
    assert {name: one.help for name, one in COMMANDS.items()} == {
        name: (command(name).help or "").partition("\n")[0] for name in COMMANDS
    }


def test_every_old_name_leads_to_a_command(call: Callable) -> None:
    for name in (*RENAMED, *SHORTER):
        found = call("help", *name.partition(" --")[0].split())
        assert (found.code, found.out[:15]) == (0, "Usage: clawgit "), name


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    heavy = ("pygit2", "markdown_it", "ruamel", "rapidfuzz", "rich", "re2", "clawgit.workspace", "clawgit.git")
    script = (
        "import sys; from clawgit.cli.main import main; main(sys.argv[1:]);"
        f"sys.exit(str([name for name in {heavy!r} if name in sys.modules] or ''))"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) in ((0, ""), (1, ""))
    assert done.stdout


MISTYPED = {
    "stauts": "clawgit status",
    "soul shwo": "clawgit soul show",
    "add x": "clawgit memory add",
    "qqqq": "clawgit --help",
    "memory add x --tga skill": "clawgit memory add --tag",
    "status -C .": "clawgit -C … status",
    "memory add": "clawgit memory add --help",
    "read MEMORY.md --from 0": "clawgit read --help",
    "soul log --since garbage": "clawgit log --since 'last week'",
    "soul edit --add --remove x --why y": "clawgit soul edit --help",
}


def test_what_is_mistyped_is_answered_with_the_nearest_that_exists(call: Callable) -> None:
    for typed, fix in MISTYPED.items():
        answer = call(*typed.split())
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("error: ")
        assert answer.err.endswith(f"\n  fix: {fix}\n")


def test_a_text_that_begins_with_a_dash_is_explained(call: Callable) -> None:
    answer = call("memory", "add", "- Likes tea.")
    assert answer.code == 2
    assert "a text that begins with a dash is taken for an option" in answer.err
    assert answer.err.endswith("-- '- text'\n")


@pytest.mark.parametrize(("arguments", "shown"), [([], "clawgit help --all"), (["soul"], "Commands:")])
def test_no_command_is_answered_with_help_on_stderr(arguments: list[str], shown: str, call: Callable) -> None:
    answer = call(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert shown in answer.err


def test_a_failure_is_a_document_too(call: Callable) -> None:
    answer = call("show", "kkkk", "--json")
    assert answer.code == 1
    assert set(answer.json) == {"error", "key", "fix"}
    assert answer.err.startswith("error: ")


def test_a_mistake_of_ours_is_told_without_the_words_of_the_user(
    call: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.workspace.memory.add", lambda *_, **__: 1 // 0)
    answer = call("memory", "add", "my private words", "--tag=skill")
    assert answer.code == 70
    assert answer.err == (
        "error: this is a mistake in clawgit: ZeroDivisionError\n"
        "  fix: run it again with --debug, and report what it shows\n"
    )


def test_an_interrupt_is_130_without_a_traceback(space: Path) -> None:
    process = subprocess.Popen(
        [Path(sys.executable).with_name("clawgit"), "memory", "add", "-"],
        cwd=space,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"x" * 1_000_000)  # more than a pipe holds: it reads by now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"interrupted\n")


def test_answers_go_to_stdout_and_talk_to_stderr(call: Callable, space: Path) -> None:
    (space / "MEMORY.md").write_text((space / "MEMORY.md").read_text() + "\n- by hand\n")
    answer = call("memory", "add", "by command", "--json")
    assert set(answer.json) >= {"commit", "change", "files", "undo"}
    assert answer.err == f"note: captured first what others had written: {answer.json['captured'][:10]}\n"


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_colour_needs_a_terminal_that_wants_it(variable: str, call: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in call("soul", "log").out
    monkeypatch.setattr("clawgit.cli.output._terminal", lambda _: True)
    assert "\x1b[33m" in call("soul", "log").out
    assert "\x1b" not in call("--color", "never", "soul", "log").out
    monkeypatch.setenv(variable, {"NO_COLOR": "1", "TERM": "dumb"}[variable])
    assert "\x1b" not in call("soul", "log").out
    assert "\x1b[33m" in call("--color", "always", "soul", "log").out


def test_json_is_plain_where_the_terminal_knows_no_unicode(shell: Callable) -> None:
    shell("memory", "add", "日本語")
    answer = shell("memory", "list", "--json", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert answer.out.isascii()
    assert json.loads(answer.out)[0]["text"] == "日本語"
