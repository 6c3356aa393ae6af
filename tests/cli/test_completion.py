"""`clawgit completion`: the scripts, and their work in real shells."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


def completed(*words: str) -> list[str]:
    """Return the offers of a bash with the script after these words."""
    script = f"""
        eval "$(clawgit completion bash)"
        COMP_WORDS=(clawgit {" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words)}
        complete -p clawgit >&2
        _clawgit_completion clawgit
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}
    result = subprocess.run(
        ["bash", "--norc", "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stderr == "complete -o nosort -F _clawgit_completion clawgit\n"
    return result.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash; get it: apt-get install bash")
def test_bash_completes() -> None:
    assert [completed("so"), completed("-C", "/tmp", "memory", "add", "--ta")] == [["soul"], ["--tag"]]


def test_for_a_word_of_any_kind_files_are_offered() -> None:
    environ = os.environ | {"_CLAWGIT_COMPLETE": "bash_complete", "COMP_WORDS": "clawgit read no", "COMP_CWORD": "2"}
    result = subprocess.run([BIN / "clawgit"], env=environ, capture_output=True, text=True, check=False)
    assert result.stdout == "file,no\n"


def test_each_shell_has_its_script(call: Callable) -> None:
    for shell in ("bash", "zsh", "fish"):
        answer = call("completion", shell)
        assert (answer.code, "_CLAWGIT_COMPLETE" in answer.out) == (0, True)
        if program := shutil.which(shell):
            subprocess.run([program, "-n", "/dev/stdin"], input=answer.out, text=True, check=True)


@pytest.mark.parametrize("instruction", ["1", "bash_complete", "bash_x"])
def test_without_a_shell_that_asks_no_command_seems_done(space: Path, instruction: str) -> None:
    environ = os.environ | {"_CLAWGIT_COMPLETE": instruction}
    result = subprocess.run([BIN / "clawgit", "capture"], cwd=space, env=environ, capture_output=True, check=False)
    assert (result.returncode, b"unset _CLAWGIT_COMPLETE" in result.stderr) == (2, True)
