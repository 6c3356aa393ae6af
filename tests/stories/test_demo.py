"""The demonstration keeps its word, and README describes it."""

import html
import os
import pty
import re
import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import click
import pytest

from clawgit.cli import help_command
from clawgit.cli.lazy_commands import cli
from clawgit.workspace import identity_edits, memory_lines
from clawgit.workspace.bootstrap import init

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "docs/demo/demo.py"
README = (ROOT / "README.md").read_text("utf-8")
PROMISES = 10
LETTER = 12.2
"""How wide a letter of the picture is."""

FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def demo(folder: Path, *arguments: str | Path, python: Path = Path(sys.executable)) -> subprocess.CompletedProcess[str]:
    """Run the demonstration with an empty home and an empty place for temporary files, both in `folder`."""
    home, scratch = folder / "home", folder / "tmp"
    home.mkdir()
    scratch.mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(scratch), "LANG": "C.UTF-8"}
    result = subprocess.run(
        [python, DEMO, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert [*home.iterdir(), *scratch.iterdir()] == []
    return result


def commands(output: str) -> list[str]:
    """The command lines in an output, each on one line."""
    text = output.replace(" \\\n    ", " ")
    return re.findall(r"^\$ (.+)$", text, re.MULTILINE)


def timeless(text: str) -> str:
    """Text without the parts that differ from one time to the next: ids, dates, times."""
    for pattern, instead in (
        (r"\b[0-9a-f]{7}(?:[0-9a-f]{3}|[0-9a-f]{33})?\b", "COMMIT"),
        (r"\b[k-z]{10}\b", "CHANGE"),
        (r"\d{4}-\d\d-\d\d", "DATE"),
        (r"\b\d\d:\d\d\b", "TIME"),
    ):
        text = re.sub(pattern, instead, text)
    return text


def checksum(folder: Path) -> str:
    """A hash of every name, mode, moment of change and byte below a folder."""
    sums = sha256()
    for place in sorted(folder.rglob("*")):
        about = place.lstat()
        data = b"" if place.is_dir() else place.read_bytes()
        sums.update(repr((place.relative_to(folder).as_posix(), about.st_mode, about.st_mtime_ns, data)).encode())
    return sums.hexdigest()


# --- the story


def test_the_story_keeps_its_promises_plainly_and_as_readme_shows_it(tmp_path: Path) -> None:
    result = demo(tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    played = result.stdout
    assert played.count("\n✓ ") == PROMISES
    assert "\x1b" not in played
    rows = [row for row in played.splitlines() if "/clawgit-demo-" not in row]
    assert [row for row in rows if len(row) > 80 or row != row.rstrip()] == []
    typed_commands = commands(played)
    beginnings = ("init", "journal add", "remember", "soul edit", "log", "soul diff", "soul revert", "undo")
    positions = [
        next(i for i, row in enumerate(typed_commands) if row.startswith(f"clawgit {words}")) for words in beginnings
    ]
    assert positions == sorted(positions)
    assert typed_commands[-3:] == ["clawgit memory list", "git log --oneline", "clawgit status"]
    edits = [shlex.split(row) for row in typed_commands if row.startswith("clawgit soul edit ")]
    assert [words.count("--evidence") for words in edits] == [1, 2, 1]
    assert all("--why" in words for words in edits)
    assert "[-Humour-] is welcome" in played
    assert "flattery {+and exclamation marks are+} not." in played
    (excerpt,) = [block for kind, block in FENCE.findall(README) if kind == "text"]
    blocks = re.split(r"^…\n", excerpt, flags=re.MULTILINE)
    assert len(excerpt.splitlines()) > 20
    assert [block for block in blocks if timeless(block.strip("\n")) not in timeless(played)] == []


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the output of the demonstration on a terminal."""
    folder = tmp_path_factory.mktemp("screen")
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "TERM": "xterm"}
    with subprocess.Popen([sys.executable, DEMO], env=environment, stdout=theirs, stderr=theirs, cwd=folder) as running:
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as screen:
            read = bytearray()
            try:
                while piece := screen.read(1 << 16):
                    read += piece
            except OSError:  # Linux says so when the other end is closed
                pass
        assert running.wait() == 0
    return read.decode("utf-8")


def usual() -> Path:
    return Path(sys.executable).with_name("clawgit")


# --- somebody's workspace


def test_a_workspace_is_read_and_its_copy_edited(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    with init(folder).workspace as workspace:
        workspace.apply(
            identity_edits.edit_identity(workspace, "add", "Ask first.", section="Vibe", why="It went wrong once.")
        )
        workspace.apply(memory_lines.make_addition(workspace, "The key is under the mat.").change)
    (folder / "memory/2026-01-20.md").write_text("- said, and not committed\n")
    (folder / ".git/HEAD.lock").touch()
    before = checksum(folder)
    result = demo(tmp_path, folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert [row.partition(" --")[0] for row in commands(result.stdout)][2:8] == [
        "clawgit log",
        "clawgit soul diff",
        "clawgit memory list",
        "clawgit status",
        "clawgit soul edit",
        "clawgit soul diff HEAD~1",
    ]
    assert "The key is under the mat." in result.stdout
    assert re.search(r"uncommitted +memory/2026-01-20.md", result.stdout)
    assert "✓ SOUL.md is what it was, byte for byte" in result.stdout
    assert checksum(folder) == before


def test_an_unmanaged_workspace_is_only_read(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "SOUL.md").write_text("# Soul\n\n## Vibe\n\n- Calm.\n")
    (folder / "MEMORY.md").write_text("- The key is under the mat.\n")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    before = checksum(folder)
    result = demo(tmp_path, folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert "The key is under the mat." in result.stdout
    assert "clawgit does not manage this workspace, so it only reads." in result.stdout
    assert "clawgit soul edit" not in result.stdout
    assert checksum(folder) == before


# --- README


def test_the_picture_shows_what_the_demonstration_prints(screen: str) -> None:
    """Row for row, but for ids and times."""
    picture = (ROOT / "docs/demo/screen.svg").read_text("utf-8")
    pieces = re.findall(r'<text class="terminal-\d+-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', picture)
    rows: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in pieces:
        rows.setdefault(float(y), []).append((float(x), html.unescape(text).replace("\xa0", " ")))
    picture_rows = [timeless(join_pieces(row)) for _, row in sorted(rows.items())]
    plain_screen = re.sub(r"\x1b\[[0-9;]*m", "", screen)
    printed_rows = {timeless(row.strip()) for row in plain_screen.splitlines()}
    assert len(picture_rows) > 40
    assert [row for row in picture_rows if row not in printed_rows] == []


def join_pieces(pieces: list[tuple[float, str]]) -> str:
    """A row of the picture: a blank between two styles is no piece, and follows from the place of the next one."""
    row = ""
    for x, text in sorted(pieces):
        row = row.ljust(round(x / LETTER)) + text
    return row.strip()


def find_command(words: list[str]) -> click.Command:
    """The command that these words call."""
    command: click.Command = cli
    context = click.Context(cli, info_name="clawgit")
    for word in words:
        if not isinstance(command, click.Group) or word.startswith("-"):
            break
        subcommand = command.get_command(context, word)
        assert subcommand is not None, words
        command = subcommand
    return command


def test_the_overview_of_the_reference_names_each_command() -> None:
    overview = (ROOT / "docs/cli.md").read_text("utf-8").partition("\n## clawgit\n")[0]
    assert set(help_command.leaves(cli)) <= set(re.findall(r"`([^`]+)`", overview))


PAGES = (ROOT / "README.md", *sorted((ROOT / "docs/howto").glob("*.md")))


def typed(text: str) -> list[str]:
    """Return the commands of a page, in its blocks and in its sentences."""
    rows = [row for _, block in FENCE.findall(text) for row in block.replace(" \\\n", " ").splitlines()]
    return [row.strip().removeprefix("$ ") for row in (*rows, *re.findall(r"`([^`]+)`", FENCE.sub("", text)))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_exists(page: Path) -> None:
    lines = [row for row in typed(page.read_text("utf-8")) if row.startswith("clawgit ")]
    assert lines
    for row in lines:
        words = shlex.split(row, comments=True)[1:]
        while words and words[0].startswith("-"):
            words = words[2:]
        options = {name for param in find_command(words).params for name in param.opts}
        assert {word for word in words if word.startswith("--")} <= options | {"--help"}, row


def test_every_target_that_readme_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+): .*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    targets_in_readme = {row.split()[1] for row in typed(README) if row.startswith("make ")}
    assert {"demo", "test"} <= targets_in_readme <= targets


def test_what_readme_has_typed_first_works(tmp_path: Path) -> None:
    (block,) = [block for kind, block in FENCE.findall(README) if kind == "sh" and "clawgit adopt" in block]
    lived = tmp_path / ".openclaw/workspace"
    lived.mkdir(parents=True)
    (lived / "SOUL.md").write_text("# Soul\n")
    script = "\n".join(row for row in block.splitlines() if row.startswith("clawgit "))
    environment = {"PATH": f"{usual().parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    result = subprocess.run(
        ["sh", "-ec", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert f"workspace   {tmp_path}/.openclaw/workspace\n" in result.stdout
    assert re.search(r"uncommitted +none\n", result.stdout)


def test_an_id_that_readme_has_typed_was_printed_before() -> None:
    (excerpt,) = [block for kind, block in FENCE.findall(README) if kind == "text"]
    for typed in re.finditer(r"^\$ .*?\b([k-z]{10}|[0-9a-f]{10})$", excerpt, re.MULTILINE):
        assert typed[1] in excerpt[: typed.start()], typed[0]
    assert re.search(r"^\$ clawgit accept [k-z]{10}$", excerpt, re.MULTILINE)
