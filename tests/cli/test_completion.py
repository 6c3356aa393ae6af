"""`clawgit completion`: the scripts, and what they do in real shells."""

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
def test_bash_completes() -> None:
    assert [completed("so"), completed("-C", "/tmp", "memory", "add", "--ta")] == [["soul"], ["--tag"]]


def test_each_shell_has_its_script(call: Callable) -> None:
    for shell in ("bash", "zsh", "fish"):
        answer = call("completion", shell)
        assert (answer.code, "_CLAWGIT_COMPLETE" in answer.out) == (0, True)
        if found := shutil.which(shell):
            subprocess.run([found, "-n", "/dev/stdin"], input=answer.out, text=True, check=True)


# --- what stands in the workspace


def offers(words: tuple[str, ...], space: Path, shell: str = "bash") -> list[str]:
    """The words that clawgit gives the script of a shell after `words`, the last of them begun."""
    environment = os.environ | {
        "_CLAWGIT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": " ".join(["clawgit", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [BIN / "clawgit"], cwd=space, env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return [row.partition(",")[2] for row in done.stdout.splitlines()]


def test_changes_files_entries_keys_and_agents_complete_and_no_secret(space: Path, call: Callable) -> None:
    made = call("memory", "add", "Bakes bread.", "--tag", "skill", "--json").json
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/2026-01-20.md").write_text("- Went sailing.\n")
    assert call("capture").code == 0
    assert offers(("log", "memory"), space)[0] == "memory/"
    (space / "memory/2026-01-20.md").unlink()
    assert call("capture").code == 0
    assert made["change"] in offers(("undo", made["change"][:4]), space)
    assert offers(("show", made["id"][:5]), space) == [made["id"]]
    assert offers(("restore", "memory/2026"), space) == ["memory/2026-01-20.md"]
    assert offers(("config", "soul_max_t"), space) == ["soul_max_tokens"]
    assert offers(("run", "memory-m"), space) == ["memory-miner"]
    (space / "notes.md").write_text("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXAMPLEKEY\n")
    call("capture")
    assert "wJalrXUtnFEMI" not in "".join(offers(("undo", ""), space, "zsh"))
    assert offers(("undo", ""), space.parent) == []
