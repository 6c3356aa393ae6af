"""`clawgit completion`: the scripts, and in bash what they do."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


def completed(*words: str) -> list[str]:
    """What a bash that has the script offers after these words."""
    script = f"""
        eval "$(clawgit completion bash)"
        COMP_WORDS=(clawgit {" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words)}
        complete -p clawgit >&2
        _clawgit_completion clawgit
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc", "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == "complete -o nosort -F _clawgit_completion clawgit\n"
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash; get it: apt-get install bash")
@pytest.mark.parametrize(
    ("words", "offers"),
    [
        (("so",), ["soul"]),
        (("memory", "a"), ["add"]),
        (("soul", "di"), ["diff"]),
        (("memory", "add", "--t"), ["--tag", "--to"]),
        (("memory", "add", "--tag", "d"), ["decision"]),
        (("completion", "f"), ["fish"]),
        (("-C", "/tmp", "stat"), ["status"]),
    ],
)
def test_bash_completes(words: tuple[str, ...], offers: list[str]) -> None:
    assert completed(*words) == offers


@pytest.mark.parametrize(
    ("shell", "words"),
    [("bash", "complete -o nosort"), ("zsh", "#compdef clawgit"), ("fish", "complete --no-files --command clawgit")],
)
def test_each_shell_has_its_script(call: Callable, shell: str, words: str) -> None:
    answer = call("completion", shell)
    assert (answer.code, answer.err) == (0, "")
    assert words in answer.out
    assert "_CLAWGIT_COMPLETE" in answer.out
    found = shutil.which(shell)
    if found:
        subprocess.run([found, "-n", "/dev/stdin"], input=answer.out, text=True, check=True)


def test_another_shell_is_refused_with_those_there_are(call: Callable) -> None:
    answer = call("completion", "tcsh")
    assert (answer.code, "'bash', 'zsh', 'fish'" in answer.err) == (2, True)


def test_no_workspace_is_needed(shell: Callable, tmp_path: Path) -> None:
    assert shell("completion", "bash", cwd=tmp_path).code == 0


def test_the_help_has_the_line_to_install_it(call: Callable) -> None:
    said = call("completion", "-h").out
    for line in ('eval "$(clawgit completion bash)"', 'eval "$(clawgit completion zsh)"', "completion fish | source"):
        assert line in said
