"""Makes shapes, and chooses them."""

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
    """A workspace, and facts about it; nothing can be written in a forbidden one until a state of git ends."""

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
    """Offer a shape. `git`: it needs a repository; `odds` is its weight in its group."""

    def offer(act: Callable[["Maker"], None]) -> Callable[["Maker"], None]:
        SHAPES.append(Shape(act.__name__, stage, act, odds, group, git, len(SHAPES)))
        return act

    return offer


@dataclass
class Maker:
    """A workspace in the making. `at` is the place of its history, `beside` is outside of it."""

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
        for shape in (shape for shape in SHAPES if shape.stage == stage):
            groups.setdefault(shape.group or shape.name, []).append(shape)
        for shapes in groups.values():
            dice = random.Random(f"{self.seed} {shapes[0].name}")
            picked = self._pick(shapes, dice)
            if picked and (self.has_git or not picked.git):
                yield picked

    def _pick(self, shapes: list[Shape], dice: random.Random) -> Shape | None:
        turns = (0,) if shapes[0].group else (0, 17)  # once it may meet a folder in which it is not possible
        for turn in turns:
            for shape in shapes:
                if (self.seed - shape.place) % CYCLE == turn:
                    return shape
        if shapes[0].group:
            return dice.choices(shapes, [shape.odds for shape in shapes])[0]
        return shapes[0] if dice.random() < shapes[0].odds else None

    def begin(self, shape: Shape) -> None:
        """Name the shape that is made now; its dice are its own, so that leaving out another changes nothing here."""
        self.chance = random.Random(f"{shape.name} {self.seed}")
        self.shapes.append(shape.name)

    def done(self) -> Messy:
        """Return the workspace; git's states began an hour ago, so that none is taken for a passing one."""
        for folder in {self.inside("", shared=shared) for shared in (True, False)} if self.has_git else ():
            for place in folder.iterdir():
                os.utime(place, (time.time() - 3600,) * 2, follow_symlinks=False)
        return Messy(self.root, tuple(self.shapes), self.forbidden, tuple(self.secrets), frozenset(self.ordinary))

    def git(self, *words: str, cwd: Path | None = None, stdin: bytes = b"", check: bool = True) -> str:
        """Run git in a sealed environment; an hour passes with every call."""
        self._clock += 3600
        name, address = self.chance.choice(_AUTHORS)
        moment = f"{_START + self._clock} +0100"
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
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": address,
            "GIT_COMMITTER_DATE": moment,
        }
        command = ["git", *_IGNORANT, *words]
        result = subprocess.run(
            command, cwd=cwd or self.at, input=stdin, env=environment, capture_output=True, check=False
        )
        if check and result.returncode:
            raise RuntimeError(
                f"seed {self.seed}, {self.shapes[-1:]}: git {words}: {result.stderr.decode(errors='replace')}"
            )
        return result.stdout.decode("utf-8", "surrogateescape")

    def commit(self, message: str = "Update memory", *options: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *options)

    def place(self, path: str) -> Path:
        """Return the place of `path`, with its folder made."""
        target = self.at / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def inside(self, name: str, *, shared: bool = True) -> Path:
        """Return git's place of `name`: for all working trees, or for this one."""
        option = "--git-common-dir" if shared else "--git-dir"
        return self.at / self.git("rev-parse", option).strip() / name

    def free(self, path: str) -> bool:
        """Tell whether nothing stands in the way of a file at `path`; a link above it does."""
        ancestors = [self.at / path, *(self.at / path).parents]
        inner = ancestors[1 : ancestors.index(self.at)]
        return not os.path.lexists(ancestors[0]) and all(
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
        paths = b"\0".join(os.fsencode(path) for path in self.kept)
        self.git("add", "-f", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=paths)
        if not self.unborn:
            self.git("commit", "-q", "--allow-empty", "-m", "Update memory")

    @property
    def unborn(self) -> bool:
        return bool(self.has_git) and not self.git("rev-parse", "-q", "--verify", "HEAD", check=False)
