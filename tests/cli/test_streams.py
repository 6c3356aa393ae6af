"""A command with streams that are closed, full, or read by nobody."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("clawgit")


def run(line: str, space: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Have a shell run `line`, in which `clawgit` is the installed command."""
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; clawgit() {{ {shlex.quote(str(COMMAND))} "$@"; }}; {line}'],
        cwd=space,
        stdin=subprocess.DEVNULL,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_neither_stream_needs_to_take_anything(space: Path) -> None:
    result = run("clawgit stauts --json >/dev/full 2>/dev/full", space)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", "")


@pytest.mark.parametrize(
    ("command", "redirection"),
    [
        ("memory add 'Bakes bread.'", ">&-"),
        ("memory add 'Bakes bread.'", "<&- >&- 2>&-"),
        ("mcp", "<&- >&- 2>&-"),  # it starts slowly, and reads and writes first thing
    ],
)
def test_a_stream_that_is_closed_leads_nowhere(command: str, redirection: str, space: Path) -> None:
    result = run(f"clawgit {command} {redirection}", space)
    assert result.returncode == 0
    assert "error" not in result.stderr


@pytest.mark.parametrize("redirection", [">/dev/full", "| true"])
def test_what_a_command_does_it_does_whole_whoever_reads(redirection: str, tmp_path: Path) -> None:
    """Adopting prints its report before it begins; that nobody takes the report does not stop it."""
    (tmp_path / "MEMORY.md").write_text("- Bakes bread.\n")
    script = "git init -q -b main . && git config user.name Ada && git config user.email ada@example.org"
    result = run(f"{script} && clawgit adopt . {redirection}", tmp_path)
    assert result.returncode == (1 if "full" in redirection else 0)
    assert run("git status --porcelain && git cat-file -e HEAD:.clawgit/format", tmp_path).returncode == 0


def test_a_run_is_undone_whole_whoever_reads(space: Path, call: Callable) -> None:
    (space / "memory").mkdir(exist_ok=True)
    journals = {space / f"memory/2024-0{month}-02.md": f"# 2024\n\n- Moved to {month}:30.\n" for month in (3, 4, 5)}
    for place, text in journals.items():
        place.write_text(text)
    assert call("config", "compaction", "chronicle").code == 0
    assert len(call("run", "memory-compactor", "--apply", "--json").json["committed"]) > 1
    assert run("clawgit undo --run | true", space).returncode == 0
    assert {place: place.read_text() for place in journals} == journals


def test_a_reader_that_leaves_is_met_with_silence(space: Path) -> None:
    """`clawgit soul log | head -1` prints one line and no complaint, however long the log is."""
    (space / "long.md").write_text("".join(f"{number:09}\n" for number in range(100_000)))
    result = run("clawgit memory get long.md | head -1", space)
    assert (result.returncode, result.stdout, result.stderr) == (0, "000000000\n", "")


def test_a_reader_that_takes_nothing_cannot_hold_up_an_interrupt(space: Path) -> None:
    (space / "long.md").write_text("".join(f"{number:09}\n" for number in range(100_000)))
    process = subprocess.Popen(
        [COMMAND, "memory", "get", "long.md"], cwd=space, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(1)  # it prints by now, and waits
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    assert process.stderr.read() == b"interrupted\n"
    process.stdout.close()
    process.stderr.close()


def test_a_pipe_that_does_not_wait_gets_all_of_it(space: Path) -> None:
    """Programs that never block hand such pipes on to their children."""
    text = "".join(f"{number:09}\n" for number in range(100_000))
    (space / "long.md").write_text(text)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    process = subprocess.Popen([COMMAND, "memory", "get", "long.md"], cwd=space, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() == text
    output, err = process.communicate()
    assert (process.returncode, output, err) == (0, None, b"")


@pytest.mark.parametrize(("redirection", "code"), [("| true", 0), (">/dev/full", 1)])
def test_a_server_whose_client_is_gone_ends_in_words(redirection: str, code: int, space: Path) -> None:
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",'
        '"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
    )
    result = run(f"{{ echo '{hello}'; sleep 3; }} | clawgit mcp {redirection}", space)
    assert result.returncode == code
    assert ("error: the connection to the client broke" in result.stderr) == bool(code)
    assert "mistake" not in result.stderr
    assert "Traceback" not in result.stderr
