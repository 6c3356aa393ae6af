"""A stage for real commands: shown as they are typed, run far from the user's home, held to what is promised."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

COLUMNS = 80
LONGEST = 30
STYLES = {"title": "1;35", "look": "3", "command": "1;36", "kept": "32", "cut": "2"}
FOREIGN = ("GIT_", "XDG_", "CLAWGIT_", "OPENCLAW_", "EMAIL", "COLUMNS")

PAINT = re.compile(r"\x1b\[[0-9;]*m")
INDENT = re.compile(r"\s*(?:> \d+ {2}|[-+] |\w+ {2,})?")
BARE = re.compile(r"[\w@%+=:,./~^#-]+")


class WrongError(Exception):
    """Something went other than the demonstration says."""


class Stage:
    """A temporary folder with a home and an identity of its own; commands run in `place`."""

    def __init__(self, folder: Path, *, colour: bool) -> None:
        self.place = folder
        self.colour = colour
        self.commands = 0
        home = folder / "home"
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = Mira\n\temail = mira@example.org\n")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        self.environment = kept | {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONUTF8": "1"}

    def scene(self, title: str, look: str) -> None:
        """Open a scene: its title, and what to look at."""
        print(f"\n{self.paint('title', f'== {title}')}")
        self.say(look)

    def say(self, words: str) -> None:
        """Print a sentence of the narrator's."""
        for row in wrapped(words, hang=""):
            print(self.paint("look", row))

    def show(self, *words: str, source: Path | None = None) -> None:
        """Print a command as somebody would type it."""
        print()
        for row in typed(words, source):
            print(self.paint("command", row))

    def run(self, *words: str, source: Path | None = None) -> str:
        """Show a command, run it, show its answer and return that without colours. Raises WrongError if it fails."""
        self.show(*words, source=source)
        done = self.call(words, source.read_text("utf-8") if source else "")
        rows = [part for row in done.stdout.rstrip("\n").split("\n") for part in wrapped(row)]
        print("\n".join(rows[:LONGEST]))
        if len(rows) > LONGEST:
            print(self.paint("cut", f"… and {len(rows) - LONGEST} more lines"))
        if done.returncode:
            raise WrongError(f"`{' '.join(words[:3])}` ended with exit code {done.returncode}")
        return PAINT.sub("", done.stdout)

    def call(
        self, words: Sequence[str], stdin: str = "", talk: int = subprocess.STDOUT
    ) -> subprocess.CompletedProcess[str]:
        """Run a command without showing it; what it says beside its answer goes to `talk`."""
        when = "always" if self.colour else "never"
        program, *rest = words
        switch = ["-c", f"color.ui={when}"] if program == "git" else ["--color", when]
        command = [program if program == "git" else executable(), *switch, *rest]
        self.commands += 1
        return subprocess.run(
            command,
            cwd=self.place,
            env=self.environment,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=talk,
            encoding="utf-8",
            check=False,
        )

    def check(self, promise: str, *, holds: bool) -> None:
        """Print a promise that was kept. Raises WrongError for one that was not."""
        if not holds:
            raise WrongError(f"this did not hold: {promise}")
        for row in wrapped(f"✓ {promise}"):
            print(self.paint("kept", row))

    def paint(self, style: str, text: str) -> str:
        """Return `text` in a style, or plain."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colour else text


def change(answer: str) -> str:
    """Return the id of the change that a command made."""
    found = re.search(r"undo: clawgit undo ([k-z]{10})", answer)
    if not found:
        raise WrongError(f"no change was made: {answer.strip()}")
    return found[1]


def executable() -> str:
    """Return the clawgit of the environment that runs this script."""
    place = Path(sys.executable).with_name("clawgit")
    if not place.exists():
        raise WrongError(f"there is no clawgit beside {sys.executable}\n  fix: make demo")
    return str(place)


def typed(words: Sequence[str], source: Path | None) -> Iterator[str]:
    """Yield a command line, continued as in a shell; an option keeps its value beside it."""
    parts: list[str] = []
    for word in (*map(quoted, words), *([f"< {source.name}"] if source else [])):
        if parts and parts[-1].startswith("--") and " " not in parts[-1] and not word.startswith(("--", "<")):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    line = "$"
    for part in parts:
        if len(f"{line} {part}") > COLUMNS - 2:
            yield f"{line} \\"
            line = "   "
        line += f" {part}"
    yield line


def quoted(word: str) -> str:
    """Return `word` as a shell takes it."""
    if BARE.fullmatch(word):
        return word
    return shlex.quote(word) if re.search(r'["$`\\!]', word) else f'"{word}"'


def wrapped(row: str, hang: str | None = None) -> Iterator[str]:
    """Yield a line in as many as it takes, broken between words; colours take no room."""
    indent = INDENT.match(PAINT.sub("", row))
    hang = " " * (len(indent[0]) or 2 if indent else 2) if hang is None else hang
    line = ""
    for word in re.findall(r"\S+\s*|\s+", row):
        if line.strip() and len(PAINT.sub("", line + word).rstrip()) > COLUMNS:
            yield line.rstrip()
            line = hang
        line += word
    yield line.rstrip()
