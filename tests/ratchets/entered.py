"""Which functions of clawgit no test enters.

    python tests/ratchets/entered.py -m "not browser"       runs all tests, half an hour, and writes not_entered.txt

A function that nothing enters gets a promise, or goes. Loaded as a plugin of pytest, this module notes each function
that is entered in a process; the command that a promise starts notes its own. Processes that clawgit itself starts
(its worker, hooks, Chroma) and tests that lack their program note nothing.
"""

import ast
import atexit
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = f"{ROOT}/clawgit/"
LIST = Path(__file__).with_name("not_entered.txt")
SUITES = ("tests",)
FOLDER = "CLAWGIT_TEST_ENTERED"
"""The variable with the folder in which each process leaves its notes."""


entered: set[Any] = set()
"""The code of each function that was entered in this process."""


def begin(folder: str) -> None:
    """Note from here on what is entered, in this process and its threads, until the process ends."""
    add = entered.add

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            add(frame.f_code)

    atexit.register(leave, folder)
    threading.setprofile(note)
    sys.setprofile(note)


def leave(folder: str) -> None:
    """Write down what this process has entered."""
    names = {
        f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname.replace('.<locals>', '')}"
        for code in tuple(entered)
        if code.co_filename.startswith(PACKAGE)
    }
    Path(folder, str(os.getpid())).write_text("\n".join(sorted(names)))


def pytest_configure() -> None:
    """Begin with the process of pytest."""
    begin(os.environ[FOLDER])


def pytest_sessionfinish() -> None:
    """Leave the notes of a process of pytest-xdist, which runs nothing at its exit."""
    leave(os.environ[FOLDER])


def list_functions() -> set[str]:
    """Return the functions of clawgit, as `package/module.py:Class.name`; those that only declare are none."""
    found = set()
    for path in (ROOT / "clawgit").rglob("*.py"):
        module = path.relative_to(ROOT / "clawgit").as_posix()
        pending: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text("utf-8")))]
        while pending:
            around, node = pending.pop()
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    continue
                name = around
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    name = f"{around}.{child.name}".lstrip(".")
                    if not isinstance(child, ast.ClassDef) and not _declares(child):
                        found.add(f"{module}:{name}")
                pending.append((name, child))
    return found


def _declares(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function has no body but its docstring and an ellipsis: a method of a protocol."""
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in function.body)


def main() -> int:
    """Run the suites, and write down what nothing entered."""
    with tempfile.TemporaryDirectory() as folder:
        notes, command = Path(folder, "notes"), Path(folder, "bin/clawgit")
        notes.mkdir()
        command.parent.mkdir()
        start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.ratchets import entered; "
        start += f"entered.begin({str(notes)!r}); from clawgit.cli.main import main; sys.exit(main())"
        command.write_text(f"#!{sys.executable}\n{start}\n")
        command.chmod(0o755)
        environ = {**os.environ, FOLDER: str(notes), "CLAWGIT_TEST_COMMAND": str(command)}
        options = ("-q", "-p", "tests.ratchets.entered", "-p", "no:cacheprovider", *sys.argv[1:])
        done = subprocess.run([sys.executable, "-m", "pytest", *options, *SUITES], cwd=ROOT, env=environ, check=False)
        names = {name for place in notes.iterdir() for name in place.read_text().splitlines()}
    LIST.write_text("".join(f"{name}\n" for name in sorted(list_functions() - names)), "utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
