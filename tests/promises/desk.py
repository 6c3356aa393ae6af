"""A workspace, and everything that a test may do to it from outside.

The command runs in this process, as `clawgit --json -C WORKSPACE …` would in one of its own; a fix runs as it is
printed, in a shell. Nothing here imports a module of clawgit but its entry point.
"""

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.promises import fixes
from tests.promises.commands import TODAY

FILES = {
    "SOUL.md": "# SOUL.md\n\n## Core\n\n- Be brief when it hurries.\n- Ask before sending anything outside.\n",
    "USER.md": "# USER.md\n\n- Name: Ines\n- Timezone: Europe/Lisbon\n",
    "AGENTS.md": "# AGENTS.md\n\n- Read MEMORY.md before you answer.\n",
    "MEMORY.md": (
        "# MEMORY.md\n\n## Decisions\n\n- The greenhouse project uses PostgreSQL 16. #decision\n"
        "- Deploys happen on Tuesday evening. #decision\n\n## People\n\n- Marek looks after the irrigation pumps.\n"
    ),
    "memory/garden.md": "# Garden\n\n- The permanent rose stands by the gate.\n- The hose is green.\n",
    "memory/2026-01-20.md": "# 2026-01-20\n\n## 09:10 - pumps\n\n- Marek replaced the pump on bed four.\n",
}
"""What an agent had before its owner adopted it: five files of its own and a journal."""
IDENTITY = "[user]\n\tname = Ines\n\temail = ines@example.org\n"
COMMAND = Path(os.environ.get("CLAWGIT_TEST_COMMAND") or Path(sys.executable).with_name("clawgit"))
"""The command as a process; whoever tries mutants names another one."""


@dataclass(frozen=True)
class Answer:
    """The result of a call: its exit code, and its output."""

    arguments: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)

    @property
    def key(self) -> str:
        """The key of the error, empty without one."""
        return str(self.document.get("key", "")) if self.code and self.out else ""

    @property
    def fix(self) -> str:
        """The fix as it is printed below the error, empty without one."""
        return str(self.document.get("fix", "")) if self.out else ""


class Desk:
    """A workspace and its owner."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def raw(cls, root: Path, files: dict[str, str] | None = None) -> "Desk":
        """Make a repository with these files, committed by the agent, that nobody has adopted."""
        desk = cls(root)
        root.mkdir(parents=True)
        desk.git("init", "--quiet", "-b", "main", "--template=")
        with (root / ".git/config").open("a") as config:
            config.write(IDENTITY)
        for path, text in (FILES if files is None else files).items():
            desk.write(path, text)
        desk.commit("first")
        return desk

    @classmethod
    def adopt(cls, root: Path, files: dict[str, str] | None = None) -> "Desk":
        """Make such a repository, and adopt it."""
        desk = cls.raw(root, files)
        desk.run("adopt", str(root))
        return desk

    # files
    def write(self, path: str, text: str | bytes) -> None:
        """Write a file as an editor does: in place."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def read(self, path: str) -> str:
        """Return a file as it is on the disk."""
        return (self.root / path).read_bytes().decode()

    def append(self, path: str, text: str) -> None:
        """Add to the end of a file."""
        self.write(path, self.read(path) + text)

    def files(self) -> dict[str, bytes]:
        """Return the bytes of every file of the owner's: outside `.git` and `.clawgit`."""
        contents = {}
        for place in sorted(self.root.rglob("*")):
            path = place.relative_to(self.root)
            if path.parts[0] not in (".git", ".clawgit") and (place.is_file() or place.is_symlink()):
                contents[path.as_posix()] = str(place.readlink()).encode() if place.is_symlink() else place.read_bytes()
        return contents

    # git
    def git(self, *arguments: str, stdin: str = "", code: int = 0) -> str:
        """Run git in the workspace, and return its stdout; bytes that are no text, as `\\xff`."""
        result = subprocess.run(
            ["git", *arguments], cwd=self.root, input=stdin.encode(), capture_output=True, check=False
        )
        assert result.returncode == code, f"git {shlex.join(arguments)}: {result.stderr.decode()}"
        return result.stdout.decode(errors="backslashreplace")

    def commit(self, message: str = "by hand") -> str:
        """Commit everything as the agent or an editor would: `git add -A`, `git commit`."""
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", message)
        return self.head()

    def forge(self, trailer: str, *parents: str) -> None:
        """Commit everything in clawgit's name, by commands of git that leave no word in the log of HEAD."""
        self.git("add", "-A")
        name = ("-c", "user.name=clawgit", "-c", "user.email=clawgit@localhost")
        options = [word for parent in ("HEAD", *parents) for word in ("-p", parent)]
        message = f"memory: tidy\n\nClawgit-Agent: memory-miner\nClawgit-Change: kkkkllllmm\n{trailer}"
        commit = self.git(*name, "commit-tree", self.git("write-tree").strip(), *options, "-m", message)
        self.git("update-ref", "refs/heads/main", commit.strip())

    def head(self) -> str:
        """Return the id of the last commit."""
        return self.git("rev-parse", "HEAD").strip()

    def commits(self, since: str) -> list[str]:
        """Return the commits after one, newest first."""
        return self.git("rev-list", f"{since}..HEAD").split()

    def at(self, revision: str, path: str) -> str:
        """Return a file as it was then."""
        return self.git("show", f"{revision}:{path}")

    # the command
    def call(self, *arguments: str, stdin: str = "", terminal: str | None = None) -> Answer:
        """Run a command by its promised name; `terminal` is the owner's input there."""
        words = [*_as_today(arguments), "--json"]
        code, output, err = run_command(["-C", str(self.root), *words], stdin, terminal)
        return Answer(tuple(words), code, output, err)

    def run(self, *arguments: str, stdin: str = "", terminal: str | None = None, code: int = 0) -> Any:
        """Run a command that must end with this exit code, and return its document."""
        answer = self.call(*arguments, stdin=stdin, terminal=terminal)
        assert answer.code == code, f"{shlex.join(arguments)}: exit {answer.code}: {answer.out}{answer.err}"
        return answer.document if answer.out else None

    def refuse(self, *arguments: str, key: str, code: int = 1, stdin: str = "", terminal: str | None = None) -> Answer:
        """Run a command that must fail with this key and exit code, and must change nothing that can be seen."""
        before = self.files(), self.git("for-each-ref"), self.git("status", "--porcelain")
        answer = self.call(*arguments, stdin=stdin, terminal=terminal)
        assert (answer.code, answer.key) == (code, key), f"{shlex.join(arguments)}: {answer.out}{answer.err}"
        assert (self.files(), self.git("for-each-ref"), self.git("status", "--porcelain")) == before
        return answer

    def shell(self, line: str, *, code: int = 0) -> str:
        """Run a line as it is printed, in a shell inside the workspace; return its output."""
        path = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
        result = subprocess.run(
            ["bash", "-c", line],
            cwd=self.root,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )
        assert result.returncode == code, f"{line}: exit {result.returncode}: {result.stdout}{result.stderr}"
        fixes.note(line)
        return result.stdout + result.stderr

    def process(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run the command as a process of its own; `more` goes to subprocess.run."""
        words = [COMMAND, "-C", self.root, *_as_today(arguments), "--json"]
        return subprocess.run(words, capture_output=True, encoding="utf-8", check=False, timeout=120, **options)


def _as_today(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments with the name of the command as it is today."""
    for length in (2, 1):
        if today := TODAY.get(" ".join(arguments[:length])):
            return (*today.split(), *arguments[length:])
    return arguments


def run_command(arguments: list[str], stdin: str, terminal: str | None = None) -> tuple[int, str, str]:
    """Call the entry point with streams of its own; at a terminal, stdin is a real one."""
    from clawgit.cli.main import main  # noqa: PLC0415 - what is only collected does not load it

    output, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.ExitStack() as stack:
        source: Any = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        if terminal is not None:
            ours, theirs = os.openpty()
            stack.callback(os.close, ours)
            source = stack.enter_context(os.fdopen(theirs, encoding="utf-8"))
            os.write(ours, terminal.encode())
        before, sys.stdin = sys.stdin, source
        stack.callback(setattr, sys, "stdin", before)
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(err):
            code = main(arguments)
    return code, _text(output), _text(err)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "replace")
