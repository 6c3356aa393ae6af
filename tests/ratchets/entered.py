"""Which functions of clawgit no test enters.

    python tests/ratchets/entered.py -m "not browser"       runs all tests, an hour, and writes not_entered.txt

A function that nothing enters gets a promise, or goes. While the tests run, each process of this Python notes the
functions that it enters, also those that clawgit starts: its worker, hooks, servers, Chroma. Tests that lack their
program note nothing: the list wants the extra `enhanced`, CLAWGIT_TEST_ENHANCED, CLAWGIT_TEST_LIVE (see Makefile) and
CLAWGIT_TEST_BROWSER.
"""

import ast
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("not_entered.txt")
SUITES = ("tests",)
START = "import sys; sys.path.append({!r}); import profiling; profiling.begin({!r}); sys.path.pop()\n"
"""A line of a .pth file: every process of this Python runs it as it starts."""


def list_functions() -> set[str]:
    """Return the functions of clawgit, as `package/module.py:Class.name`; those that only declare are none."""
    names = set()
    for path in (ROOT / "clawgit").rglob("*.py"):
        module = path.relative_to(ROOT / "clawgit").as_posix()
        pending: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text("utf-8")))]
        while pending:
            outer, node = pending.pop()
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    continue
                name = outer
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    name = f"{outer}.{child.name}".lstrip(".")
                    if not isinstance(child, ast.ClassDef) and not _declares(child):
                        names.add(f"{module}:{name}")
                pending.append((name, child))
    return names


def _declares(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function has no body but its docstring, and an ellipsis or "not implemented"."""
    return all(
        (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node))
        for node in function.body
    )


def main() -> int:
    """Run the suites, and write down the functions that nothing entered."""
    starter = Path(sysconfig.get_path("purelib"), "clawgit_entered.pth")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        starter.write_text(START.format(str(LIST.parent), folder))
        try:
            options = ("-q", "-p", "no:cacheprovider", *sys.argv[1:])
            result = subprocess.run([sys.executable, "-m", "pytest", *options, *SUITES], cwd=ROOT, check=False)
        finally:
            starter.unlink()
        names = {name for place in Path(folder).iterdir() for name in place.read_text().splitlines()}
    LIST.write_text("".join(f"{name}\n" for name in sorted(list_functions() - names)), "utf-8")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
