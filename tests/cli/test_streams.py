"""What becomes of a command whose streams are closed, full, or read by nobody."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import to_builtins

from clawgit.cli import operator_input
from clawgit.cli.call import Call
from clawgit.cli.output import Output
from clawgit.schedule.job_order import Order

COMMAND = Path(sys.executable).with_name("clawgit")
FULL = "error: the answer could not be written: No space left on device\n  fix: df -h\n"


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


@pytest.mark.parametrize(
    ("command", "environ"),
    [
        *(
            (command, {})
            for command in (
                *("--version", "--help", "status", "status --json", "log --json", "soul show", "schedule once --json"),
                *("completion bash", "capture", "memory add --tag skill 'Bakes bread.'"),
            )
        ),
        # each way to print once more, where it is Python that holds nothing back
        *((command, {"PYTHONUNBUFFERED": "1"}) for command in ("--help", "status", "log --json", "completion bash")),
    ],
)
def test_a_full_disk_is_told_once_and_is_no_mistake_of_ours(command: str, environ: dict[str, str], space: Path) -> None:
    """The error and the way out are all that is told, also by the end of the process."""
    done = run(f"clawgit {command} >/dev/full", space, **environ)
    assert (done.returncode, done.stderr) == (1, FULL)


@pytest.mark.parametrize(
    ("command", "code"), [("--version", 0), ("memory list", 0), ("stauts", 2), ("soul", 2), ("memory show kkkk", 1)]
)
def test_that_nobody_hears_the_talk_changes_nothing(command: str, code: int, space: Path) -> None:
    told = run(f"clawgit {command}", space)
    unheard = run(f"clawgit {command} 2>/dev/full", space)
    assert (unheard.returncode, unheard.stdout) == (told.returncode, told.stdout)
    assert told.returncode == code


@pytest.mark.parametrize("command", ["status", "stauts --json", "doctor"])
def test_neither_stream_needs_to_take_anything(command: str, space: Path) -> None:
    done = run(f"clawgit {command} >/dev/full 2>/dev/full", space)
    assert (done.returncode, done.stdout, done.stderr) == (2 if "stauts" in command else 1, "", "")


@pytest.mark.parametrize(
    ("command", "closed"),
    [
        *(
            (command, closed)
            for command in ("status", "memory add 'Bakes bread.'", "hook run pre-push")
            for closed in (">&-", "2>&-", "<&-", "<&- >&- 2>&-")
        ),
        *(("mcp", closed) for closed in ("<&-", "<&- >&- 2>&-")),  # it starts slowly, and reads and writes first thing
    ],
)
def test_a_stream_that_is_closed_leads_nowhere(command: str, closed: str, space: Path) -> None:
    done = run(f"clawgit {command} {closed}", space)
    assert done.returncode == 0
    assert "error" not in done.stderr


def test_no_file_takes_the_place_of_a_closed_stream() -> None:
    """What a library prints would else be written into it."""
    script = (
        "import os, sys; from clawgit.cli.main import main; from clawgit.cli import main as m;"
        "m.guarded = lambda *_: os.open('/dev/zero', os.O_RDONLY); sys.argv = ['clawgit']; sys.exit(main())"
    )
    python = shlex.quote(sys.executable)
    done = subprocess.run(["sh", "-c", f'{python} -c "$0" <&- >&- 2>&-', script], check=False)
    assert done.returncode > 2


def test_stdin_that_cannot_be_read_is_told(space: Path) -> None:
    done = run("clawgit memory add - 0>/dev/null", space)
    assert done.returncode == 1
    assert "Bad file descriptor\n  fix: ls -l /dev/stdin" in done.stderr


def test_stdout_that_cannot_be_written_is_told(space: Path) -> None:
    done = run("clawgit status 1</dev/null", space)
    assert done.returncode == 1
    assert done.stderr.startswith("error: the answer could not be written: Bad file descriptor\n  fix: ls -l /dev/stdo")


@pytest.mark.parametrize("taken", [">/dev/full", "| true", ">&-"])
def test_what_a_command_does_it_does_whole_whoever_reads(taken: str, tmp_path: Path) -> None:
    """Adopting prints its report before it begins; that nobody takes the report does not stop it."""
    (tmp_path / "MEMORY.md").write_text("- Bakes bread.\n")
    script = "git init -q -b main . && git config user.name Ada && git config user.email ada@example.org"
    done = run(f"{script} && clawgit adopt . {taken}", tmp_path)
    assert done.returncode == (1 if "full" in taken else 0)
    assert run("git status --porcelain && git cat-file -e HEAD:.clawgit/format", tmp_path).returncode == 0


@pytest.mark.parametrize("command", ["undo --run", "undo --run --json"])
def test_a_run_is_undone_whole_whoever_reads(command: str, space: Path, call: Callable) -> None:
    (space / "memory").mkdir(exist_ok=True)
    journals = {space / f"memory/2024-0{month}-02.md": f"# 2024\n\n- Moved to {month}:30.\n" for month in (3, 4, 5)}
    for place, text in journals.items():
        place.write_text(text)
    assert call("config", "set", "compaction", "chronicle").code == 0
    assert len(call("run", "memory-compactor", "--apply", "--json").json["committed"]) > 1
    assert run(f"clawgit {command} | true", space).returncode == 0
    assert {place: place.read_text() for place in journals} == journals


def test_a_reader_that_leaves_is_met_with_silence(space: Path) -> None:
    """`clawgit soul log | head -1` prints one line and no complaint, however long the log is."""
    (space / "long.md").write_text("".join(f"{number:09}\n" for number in range(100_000)))
    done = run("clawgit memory get long.md | head -1", space)
    assert (done.returncode, done.stdout, done.stderr) == (0, "000000000\n", "")


def test_a_check_tells_by_its_exit_code_what_it_found_whoever_reads(space: Path) -> None:
    (space / "CHANGELOG.md").unlink(missing_ok=True)
    found = run("clawgit changelog --check", space).returncode
    assert found == 3
    assert run("clawgit changelog --check --json | true", space).returncode == found


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
    """Programs that never block hand such pipes on to what they start."""
    text = "".join(f"{number:09}\n" for number in range(100_000))
    (space / "long.md").write_text(text)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    process = subprocess.Popen([COMMAND, "memory", "get", "long.md"], cwd=space, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() == text
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, None, b"")


@pytest.mark.parametrize(
    ("environ", "code", "err"),
    [
        ({"COMP_WORDS": "clawgit mem", "COMP_CWORD": "1"}, 1, FULL),
        ({}, 2, "error: _CLAWGIT_COMPLETE is for the scripts of shells\n  fix: unset _CLAWGIT_COMPLETE\n"),
    ],
)
def test_completing_words_fails_in_words(environ: dict[str, str], code: int, err: str, space: Path) -> None:
    done = run("clawgit >/dev/full", space, _CLAWGIT_COMPLETE="bash_complete", **environ)
    assert (done.returncode, done.stderr) == (code, err)


@pytest.mark.parametrize(("taken", "code"), [("| true", 0), (">/dev/full", 1), ("1</dev/null", 1)])
def test_a_server_whose_client_is_gone_ends_in_words(taken: str, code: int, space: Path) -> None:
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",'
        '"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
    )
    done = run(f"{{ echo '{hello}'; sleep 3; }} | clawgit mcp {taken}", space)
    assert done.returncode == code
    assert ("error: the connection to the client broke" in done.stderr) == bool(code)
    assert "mistake" not in done.stderr
    assert "Traceback" not in done.stderr


def test_who_could_not_be_shown_what_it_is_about_is_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("/dev/full").open("w") as full:
        call = Call(Output(full, sys.stderr))
        call.out.verbatim("- Bakes bread.\n")
        call.out.flush()
        assert not operator_input.agreed(call.out, "Approve?")
    assert capsys.readouterr().err == FULL


def test_a_job_whose_answer_cannot_be_written_ends_in_words(space: Path) -> None:
    order = json.dumps(to_builtins(Order("none", "/nowhere", "2026-03-14T12:00:00+00:00", 0, 5, 1, 0)))
    worker = f"{shlex.quote(sys.executable)} -P -m clawgit.schedule.worker"
    done = run(f"{{ echo '{order}'; sleep 1; }} | {worker} >/dev/full", space)
    assert (done.returncode, done.stderr) == (1, "its answer could not be written: No space left on device\n")
