"""A fix that is printed works: it is pasted into a shell, as it stands, in the workspace that it was printed for."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.promises import fixes

Prepare = Callable[[Path, Callable[..., str]], object]

ADD = ("memory", "add", "Ana likes tea.")
ODD = 'memory/it\'s -- $(touch pwned) "so".md'


@dataclass(frozen=True)
class Case:
    """How an error comes about, and the `fix` it offers, as the sources have it.

    `then` is how the same call ends once the fix was run, None where that is still a mistake of the caller's.
    """

    fix: str
    arguments: tuple[str, ...]
    prepare: Prepare = lambda space, git: None
    then: int | None = None


def write_file(name: str, data: bytes) -> Prepare:
    def prepare(space: Path, _: Callable[..., str]) -> None:
        (space / name).parent.mkdir(parents=True, exist_ok=True)
        (space / name).write_bytes(data)

    return prepare


def instead(name: str, make: Callable[[Path], object]) -> Prepare:
    """Put something else in the place of a file."""

    def prepare(space: Path, _: Callable[..., str]) -> None:
        shutil.rmtree(space / name) if (space / name).is_dir() else (space / name).unlink(missing_ok=True)
        (space / name).parent.mkdir(exist_ok=True)
        make(space / name)

    return prepare


def staged(space: Path, git: Callable[..., str]) -> None:
    (space / "MEMORY.md").write_text("# Memory\n\n- staged\n")
    git("add", "MEMORY.md")


def remove_away(space: Path, git: Callable[..., str]) -> None:
    git("worktree", "add", "-q", "--detach", "../away")
    shutil.rmtree(space.parent / "away")


def replace_commit(_: Path, git: Callable[..., str]) -> None:
    git("replace", "HEAD", "HEAD~1")


def linked(space: Path, _: Callable[..., str]) -> None:
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory").rename(space.parent / "outside")
    (space / "memory").symlink_to(space.parent / "outside")


def unmanaged(_: Path, git: Callable[..., str]) -> None:
    git("rm", "-rq", ".clawgit")
    git("commit", "-qm", "workspace: given back by clawgit")


def uncommitted(name: str) -> Prepare:
    return write_file(name, b"# day\n\n- Ana called.\n")


def committed_and_gone(name: str) -> Prepare:
    def prepare(space: Path, git: Callable[..., str]) -> None:
        uncommitted(name)(space, git)
        git("add", "--", name)
        git("commit", "-qm", "it came")
        git("rm", "-q", "--", name)
        git("commit", "-qm", "it went")

    return prepare


def attribute(space: Path, git: Callable[..., str]) -> None:
    write_file(".gitattributes", b"MEMORY.md filter=crypt\n")(space, git)


def remote(address: str, *options: str) -> Prepare:
    def prepare(_: Path, git: Callable[..., str]) -> None:
        git("remote", "add", "origin", address)
        if options:
            git("config", *options)

    return prepare


MOVED = "mv {} {}"


CASES = [
    Case("git -C {} remote -v", ("sync",), remote("/nowhere/at/all.git"), then=1),
    Case(
        "git -C {} config --local --list   # and move it to: git config --global",
        ("sync",),
        remote("ssh://nowhere.invalid/x.git", "core.sshCommand", "touch pwned"),
        then=1,
    ),
    Case("clawgit {} {}", ("restore", "SOLU.md")),
    Case("clawgit {} {}", ("restore", "memory/Reise.md"), committed_and_gone("memory/Reisen.md")),
    Case("clawgit log {}   # restore takes any of them: --as-of", ("restore", "SOUL.md#Vibe")),
    Case("git add {} && git commit -m 'by hand' {}", ("why", f"{ODD}:1"), uncommitted(ODD), then=0),
    Case("clawgit read {} --from {}", ("memory", "get", "SOUL.md", "--from", "999")),
    Case("git ls-tree -r --name-only {}", ("memory", "add", "x", "--evidence", "gone.md#L1")),
    Case("git replace -d $(git replace)", ("purge", "--path", "SOUL.md", "--apply"), replace_commit),
    Case("git worktree prune", ("purge", "--path", "SOUL.md", "--apply"), remove_away),
    Case("git -C {} reset   # they stay in the files", ("purge", "--path", "SOUL.md", "--apply"), staged),
    Case("clawgit init {}", ("adopt", "elsewhere-new"), then=0),
    Case("rm {}   # or name another file", ("ui", "--export", "page.html"), write_file("page.html", b"mine"), then=0),
    Case("clawgit run {}   # or: clawgit run --list", ("run", "memory-mner")),
    Case("{} checkout {}^ -- {} && {} commit -m 'clawgit stays here' -- {}", ADD, unmanaged, then=0),
    Case("git switch {}", ADD, lambda _, git: git("checkout", "-q", "--detach"), then=0),
    Case("git commit -m 'by hand' {}   # or: git restore --staged {}", ADD, staged, then=0),
    Case(
        "git check-ignore -v {}   # and drop that rule",
        ("journal", "add", "x"),
        write_file(".git/info/exclude", b"*.md\n"),
    ),
    Case("git reset   # touches no file", ADD, lambda s, _: (s / ".git/index").unlink(), then=0),
    Case("git config core.bare false", ADD, lambda _, git: git("config", "core.bare", "true"), then=0),
    Case(
        "iconv -f WINDOWS-1252 -t UTF-8 {} > fixed && mv fixed {}",
        ADD,
        write_file("MEMORY.md", b"# M\n\n- caf\xe9\n"),
        then=0,
    ),
    Case(MOVED, ADD, write_file("MEMORY.md", b"# M\n\0\n"), then=0),
    Case("echo {} >> .gitattributes", ADD, attribute, then=0),
    Case("rm {}   # it leads nowhere", ADD, instead("MEMORY.md", lambda path: path.symlink_to("/nowhere")), then=0),
    Case(
        "rm {}   # the link leads to nothing that can be read",
        ADD,
        instead("CONFIG.md", lambda path: path.symlink_to("/nowhere")),
        then=0,
    ),
    Case("rm {} && cp -R {} {}   # {} stays as it is", ("journal", "add", "x"), linked, then=0),
    *[
        Case(MOVED, ADD, instead(name, os.mkfifo), then=0)
        for name in ("MEMORY.md", "memory/.gitignore", ".clawgit/entries.tsv")
    ],
    Case(MOVED, ADD, instead("CONFIG.md", Path.mkdir), then=0),
    Case(
        "clawgit hooks install --force   # or add a line to each hook there: clawgit hook run pre-commit",
        ("hooks", "install"),
        lambda _, git: git("config", "core.hooksPath", "hk"),
    ),
]


def pattern(template: str) -> re.Pattern[str]:
    return re.compile(".+?".join(map(re.escape, template.split("{}"))), re.DOTALL)


PLAIN = re.compile(r"clawgit( [\w./:-]+)+")


def name_case(case: Case) -> str:
    return f"{' '.join(case.arguments)[:30]}-{case.fix[:30]}"


@pytest.mark.parametrize("case", CASES, ids=name_case)
def test_a_printed_fix_does_what_it_says(
    case: Case, space: Path, call: Callable, inside: Callable, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/clawgit").symlink_to(Path(sys.executable).with_name("clawgit"))
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    case.prepare(space, inside)
    arguments = tuple(str(space.parent / "new") if word == "elsewhere-new" else word for word in case.arguments)
    refusal = call(*arguments)
    assert refusal.code in (1, 2, 3), refusal
    fix = refusal.err.partition("  fix: ")[2].rstrip("\n")
    assert pattern(case.fix).fullmatch(fix), refusal.err
    if PLAIN.fullmatch(fix):  # no shell would read it otherwise: it is called here, which is faster
        assert call(*fix.split()[1:]).code == 0, fix
    else:
        environment = {**os.environ, "PATH": path}
        result = subprocess.run(
            ["sh", "-c", fix], cwd=space, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert (result.returncode, "Traceback" in result.stderr) == (0, False), (fix, result)
    assert not (space / "pwned").exists()
    fixes.note(fix)
    if case.then is not None:
        repeated = call(*arguments)
        assert (repeated.code, repeated.err.count("mistake in clawgit")) == (case.then, 0), (fix, repeated)


def test_a_name_is_written_so_that_every_shell_takes_it_for_one(tmp_path: Path) -> None:
    """Spaces, quotes, dashes, line ends, substitutions, bytes that are no letters: one word comes out, unchanged."""
    from clawgit.errors import quote_shell  # noqa: PLC0415

    names = ["a b", "it's", '"q"', "$(touch pwned)", "`x`", "new\nline.md", "-rf", "\\n%s", os.fsdecode(b"caf\xe9.md")]
    for name in names:
        for program in ("sh", "bash"):
            result = subprocess.run(
                [program, "-c", f"printf %s {quote_shell(name)}"], cwd=tmp_path, capture_output=True, check=True
            )
            assert result.stdout in (os.fsencode(name), os.fsencode(f"./{name}"))
    assert list(tmp_path.iterdir()) == []
