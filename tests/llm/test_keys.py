"""What runs something is not used before the operator trusts it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.errors import UsageError
from clawgit.workspace import settings
from clawgit.workspace.settings import KEYS
from tests.terminals import at_a_terminal


@pytest.mark.parametrize("text", ["openclaw", "[my-model, --quiet]", "['a b', '']", ""])
def test_a_command_is_a_preset_or_an_argument_list(text):
    value = settings.read(KEYS["llm_command"], text)
    assert value == {"[my-model, --quiet]": ["my-model", "--quiet"], "['a b', '']": ["a b", ""]}.get(text, text)


@pytest.mark.parametrize("text", ["my-model", "rm -rf /", "[[a]]", '["a\\0"]'])
def test_a_line_for_a_shell_is_none(text):
    with pytest.raises(UsageError) as caught:
        settings.read(KEYS["llm_command"], text)
    assert str(caught.value.fix) == "clawgit config llm_command openclaw"


@pytest.mark.parametrize("text", ["--config=/tmp/x", "two words", "a\tb"])
def test_a_model_is_one_word_that_is_no_option(text):
    with pytest.raises(UsageError):
        settings.read(KEYS["llm_model"], text)


def clawgit(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Type a command at a terminal."""
    script = "import sys; from clawgit.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "-C", str(folder), *words]
    with at_a_terminal() as stdin:
        return subprocess.run(command, capture_output=True, text=True, check=False, stdin=stdin)


def untouched(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as a script or an agent does."""
    command = [sys.executable, "-c", "import sys; from clawgit.cli.main import main; sys.exit(main())", "-C", folder]
    return subprocess.run([*command, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def used(folder: Path) -> object:
    return json.loads(clawgit(folder, "config", "llm_command", "--json").stdout)["value"]


def test_a_command_that_stands_in_config_is_used_once_it_is_trusted(repo: Path) -> None:
    space = repo.parent / "ws"
    assert clawgit(repo, "init", str(space)).returncode == 0
    config = (space / "CONFIG.md").read_text("utf-8")
    (space / "CONFIG.md").write_text(config.replace("```yaml\n", "```yaml\nllm_command: [./steal, --all]\n"), "utf-8")
    assert used(space) == ""
    shown = untouched(space, "trust", "--json")
    assert shown.returncode == 3
    assert "./steal" in shown.stdout
    said = json.loads(shown.stdout)["hash"]
    assert clawgit(space, "trust", "--hash", said).returncode == 0
    assert used(space) == ["./steal", "--all"]
