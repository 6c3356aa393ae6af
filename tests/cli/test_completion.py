"""`clawgit completion`: the scripts, and what they do in real shells."""

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from clawgit.cli.completion_values import VALUES
from clawgit.cli.lazy_commands import cli

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
        (("memory", "add", "--ta"), ["--tag"]),
        (("-C", "/tmp", "statu"), ["status"]),
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


def test_the_help_has_the_line_to_install_it(call: Callable) -> None:
    said = call("completion", "-h").out
    for line in ('eval "$(clawgit completion bash)"', 'eval "$(clawgit completion zsh)"', "completion fish | source"):
        assert line in said


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


def test_changes_files_entries_keys_and_agents_complete(space: Path, call: Callable) -> None:
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


def test_another_workspace_completes_from_anywhere(space: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert offers(("-C", str(space), "log", "SOU"), elsewhere) == ["SOUL.md"]


@pytest.mark.parametrize("words", [("undo", ""), ("show", "k")])
def test_where_there_is_no_workspace_nothing_is_offered(words: tuple[str, ...], tmp_path: Path) -> None:
    assert offers(words, tmp_path) == []


def test_no_secret_is_offered(space: Path, call: Callable) -> None:
    (space / "notes.md").write_text("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXAMPLEKEY\n")
    call("capture")
    assert "wJalrXUtnFEMI" not in "".join(offers(("undo", ""), space, "zsh"))


def test_every_argument_that_completes_exists() -> None:
    """A name in the table that no command has would complete nothing."""
    for place in VALUES:
        path, _, name = place.rpartition(" ")
        found: click.Command = cli
        for word in path.split():
            assert isinstance(found, click.Group)
            below = found.get_command(click.Context(found), word)
            assert below is not None, path
            found = below
        assert name in {param.name for param in found.params}, (path, name)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish; get it: apt-get install fish")
def test_fish_completes_what_stands_in_the_workspace(space: Path, tmp_path: Path) -> None:
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    script = "clawgit completion fish | source; complete -C 'clawgit {}'"
    for typed, offered in (("log SOU", "SOUL.md"), ("so", "soul")):
        done = subprocess.run(
            ["fish", "--no-config", "-c", script.format(typed)],
            cwd=space,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stdout.split("\t")[0].strip() == offered


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh; get it: apt-get install zsh")
@pytest.mark.parametrize(("typed", "offered"), [("log SOU", "SOUL.md"), ("so", "soul")])
def test_zsh_completes_what_stands_in_the_workspace(typed: str, offered: str, space: Path, tmp_path: Path) -> None:
    """A zsh on a terminal of its own, in which somebody presses the tabulator."""
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(tmp_path), "TERM": "dumb"}
    ours, theirs = os.openpty()
    running = subprocess.Popen(
        ["zsh", "-f", "-i"], cwd=space, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        setup = 'PS1=; autoload -Uz compinit; compinit -u; eval "$(clawgit completion zsh)"; print READY-$((1+1))\n'
        os.write(ours, setup.encode())
        told_until(ours, "READY-2")
        os.write(ours, f"clawgit {typed}\t".encode())
        told_until(ours, offered)
    finally:
        running.kill()
        running.wait()
        os.close(ours)


def told_until(handle: int, wanted: str, seconds: float = 60) -> None:
    """Read until `wanted` was printed."""
    told, end = "", time.monotonic() + seconds
    while wanted not in told:
        ready, _, _ = select.select([handle], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"{wanted!r} never came, but {told!r}"
        told += os.read(handle, 1 << 12).decode("utf-8", "replace")
