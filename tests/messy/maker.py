"""What shapes are made with, and how they are chosen."""

import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

CYCLE = 40
"""Any so many seeds in a row have every shape."""

Stage = Literal["content", "ground", "history", "local", "settings", "files", "dirt", "late"]
STAGES: tuple[Stage, ...] = ("ground", "content", "history", "local", "settings", "files", "dirt", "late")
_START = 1_767_225_600  # 2026-01-01
_QUIET = (
    "commit.gpgsign=false",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.safecrlf=false",
    "core.ignoreCase=false",
    "gc.autoDetach=false",
    "maintenance.autoDetach=false",
    "protocol.file.allow=always",
)
_IGNORANT = tuple(word for setting in (*_QUIET, "advice.addEmbeddedRepo=false") for word in ("-c", setting))
_AUTHORS = (
    ("Ada", "ada@example.org"),
    ("Zoë Ødegård", "zoe@example.org"),
    ("root", "root@host"),
    ("山田", "y@example.jp"),
)


@dataclass(frozen=True)
class Shape:
    """One thing that can be the matter with a workspace. Of shapes with the same `group` exactly one is taken."""

    name: str
    stage: Stage
    act: Callable[["Maker"], None]
    odds: float
    group: str
    git: bool
    place: int


@dataclass(frozen=True)
class Messy:
    """A workspace, and what is known of it; nothing can be written in a forbidden one until a state of git ends."""

    root: Path
    shapes: tuple[str, ...]
    forbidden: bool
    secrets: tuple[str, ...]
    ordinary: frozenset[str]

    def has(self, *shapes: str) -> bool:
        return not {*shapes}.isdisjoint(self.shapes)


SHAPES: list[Shape] = []


def shape(
    stage: Stage, odds: float = 0.3, *, group: str = "", git: bool = True
) -> Callable[[Callable[["Maker"], None]], Callable[["Maker"], None]]:
    """Offer a shape. `git`: it needs a repository; `odds` is its weight where it is one of a group."""

    def offer(act: Callable[["Maker"], None]) -> Callable[["Maker"], None]:
        SHAPES.append(Shape(act.__name__, stage, act, odds, group, git, len(SHAPES)))
        return act

    return offer


@dataclass
class Maker:
    """A workspace in the making. `at` is where its history is written, `beside` what lies outside of it."""

    root: Path
    seed: int
    at: Path = field(init=False)
    beside: Path = field(init=False)
    has_git: bool = True
    branch: str = "main"
    hashes: str = "sha1"
    settle: Callable[[], None] = lambda: None
    shapes: list[str] = field(default_factory=list)
    forbidden: bool = False
    secrets: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    ordinary: set[str] = field(default_factory=set)
    _clock: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.at, self.beside = self.root, self.root.with_name(f"{self.root.name}-beside")
        self.root.mkdir()
        self.beside.mkdir()

    def choose(self, stage: Stage) -> Iterator[Shape]:
        groups: dict[str, list[Shape]] = {}
        for found in (found for found in SHAPES if found.stage == stage):
            groups.setdefault(found.group or found.name, []).append(found)
        for offered in groups.values():
            dice = random.Random(f"{self.seed} {offered[0].name}")
            picked = self._pick(offered, dice)
            if picked and (self.has_git or not picked.git):
                yield picked

    def _pick(self, offered: list[Shape], dice: random.Random) -> Shape | None:
        turns = (0,) if offered[0].group else (0, 17)  # once it may meet a folder in which it is not possible
        for turn in turns:
            for found in offered:
                if (self.seed - found.place) % CYCLE == turn:
                    return found
        if offered[0].group:
            return dice.choices(offered, [found.odds for found in offered])[0]
        return offered[0] if dice.random() < offered[0].odds else None

    def begin(self, chosen: Shape) -> None:
        """Name the shape that is made now; its dice are its own, so that leaving out another changes nothing here."""
        self.chance = random.Random(f"{chosen.name} {self.seed}")
        self.shapes.append(chosen.name)

    def done(self) -> Messy:
        """Return what was made; git's states began an hour ago, so that none is taken for a passing one."""
        for folder in {self.inside("", shared=shared) for shared in (True, False)} if self.has_git else ():
            for place in folder.iterdir():
                os.utime(place, (time.time() - 3600,) * 2, follow_symlinks=False)
        return Messy(self.root, tuple(self.shapes), self.forbidden, tuple(self.secrets), frozenset(self.ordinary))

    def git(self, *words: str, cwd: Path | None = None, stdin: bytes = b"", check: bool = True) -> str:
        """Run git in a sealed environment; an hour passes with every call."""
        self._clock += 3600
        name, address = self.chance.choice(_AUTHORS)
        when = f"{_START + self._clock} +0100"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.beside),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_EDITOR": "true",
            "LC_ALL": "C.UTF-8",
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": address,
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": address,
            "GIT_COMMITTER_DATE": when,
        }
        command = ["git", *_IGNORANT, *words]
        done = subprocess.run(
            command, cwd=cwd or self.at, input=stdin, env=environment, capture_output=True, check=False
        )
        if check and done.returncode:
            raise RuntimeError(
                f"seed {self.seed}, {self.shapes[-1:]}: git {words}: {done.stderr.decode(errors='replace')}"
            )
        return done.stdout.decode("utf-8", "surrogateescape")

    def commit(self, message: str = "Update memory", *options: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *options)

    def place(self, path: str) -> Path:
        """Return where `path` lies, with its folder made."""
        found = self.at / path
        found.parent.mkdir(parents=True, exist_ok=True)
        return found

    def inside(self, name: str, *, shared: bool = True) -> Path:
        """Return where git keeps `name`: for all working trees, or for this one."""
        which = "--git-common-dir" if shared else "--git-dir"
        return self.at / self.git("rev-parse", which).strip() / name

    def free(self, path: str) -> bool:
        """Tell whether nothing stands in the way of a file at `path`; a link above it does."""
        above = [self.at / path, *(self.at / path).parents]
        inner = above[1 : above.index(self.at)]
        return not os.path.lexists(above[0]) and all(
            not os.path.lexists(folder) or (folder.is_dir() and not folder.is_symlink()) for folder in inner
        )

    def write(self, path: str, data: bytes | str, mode: int | None = None) -> None:
        """Write a file; one that is a link or no file is left alone."""
        place = self.at / path
        if (os.path.lexists(place) and not (place.is_file() and not place.is_symlink())) or not (
            self.free(path) or place.is_file()
        ):
            return
        self.place(path).write_bytes(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)
        if mode is not None:
            place.chmod(mode)

    def keep(self, path: str, data: bytes | str, mode: int | None = None) -> None:
        """Write a new file; every other one will be committed."""
        if not self.free(path):
            return
        self.write(path, data, mode)
        if self.chance.random() < 0.5:
            self.kept.append(path)

    def commit_kept(self) -> None:
        """Commit the files that are to be tracked, past every ignore rule."""
        if not (self.has_git and self.kept):
            return
        listed = b"\0".join(os.fsencode(path) for path in self.kept)
        self.git("add", "-f", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=listed)
        if not self.unborn:
            self.git("commit", "-q", "--allow-empty", "-m", "Update memory")

    @property
    def unborn(self) -> bool:
        return bool(self.has_git) and not self.git("rev-parse", "-q", "--verify", "HEAD", check=False)
