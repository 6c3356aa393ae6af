"""What a repository's settings name, and git may not do.

A workspace may come from anywhere. Its `.git/config` and `.gitattributes` can have git run a filter, a monitor, a hook
or a remote helper at the most harmless question. None of them runs, but what the operator's own configuration (global,
system) names as well: that is his, and stays.
"""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from clawgit.errors import Command
from clawgit.git import regular_file

_SIGNS = re.compile(
    rb"filter|textconv|command|driver|fsmonitor|hookspath|program|helper|pack|vcs|include|proxy|askpass|editor|pager"
    rb"|alias|protocol|cmd|(?<!allref)update|showsignature|::",
    re.IGNORECASE,
)
"""A configuration that holds none of these words (`logAllRefUpdates` stands in every one) names no program; to ask git
would cost each command 3 ms."""

_NAMED_RUNS = (
    r"diff\.external|core\.(?:fsmonitor|pager|editor|askpass|sshcommand|gitproxy|hookspath|alternaterefscommand)",
    r"sequence\.editor|gpg\.program|gpg\.ssh\.defaultkeycommand|credential\.helper|pager\..*|alias\..*",
    r"interactive\.difffilter|uploadpack\.packobjectshook|protocol\..*\.allow",
)
_OWNED_RUNS = (
    r"filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver|gpg\..*\.program",
    r"credential\..*\.helper|remote\..*\.(?:uploadpack|receivepack|vcs)|trailer\..*\.(?:cmd|command)",
    r"(?:difftool|mergetool|browser|man)\..*\.cmd",
)
_RUNS = re.compile("|".join((*_NAMED_RUNS, *_OWNED_RUNS)))
_LEADS_OUT = re.compile(
    r"core\.(?:sshcommand|gitproxy|askpass)|credential\..*helper|remote\..*\.(?:uploadpack|vcs)|protocol\..*"
)
UNREADABLE = "unreadable"
_LARGEST = 64 << 20
_ALWAYS = {
    "core.fsmonitor": "false",  # a monitor is a program of the repository's choice
    "log.showSignature": "false",  # would ask gpg
    "diff.ignoreSubmodules": "all",  # each has a configuration of its own
    "submodule.recurse": "false",
    "core.trustctime": "true",  # whoever edits a file can set back its time, but not that of the change itself
    "core.checkStat": "default",
}
_HOOKS = {"core.hooksPath": os.devnull}
_WITHOUT = {
    "diff": ("--no-ext-diff", "--no-textconv"),
    "log": ("--no-ext-diff", "--no-textconv"),
    "show": ("--no-ext-diff", "--no-textconv"),
    "diff-tree": ("--no-ext-diff", "--no-textconv"),
    "diff-index": ("--no-ext-diff", "--no-textconv"),
    "diff-files": ("--no-ext-diff", "--no-textconv"),
    "blame": ("--no-textconv",),
    "grep": ("--no-textconv",),
}


class _Named(NamedTuple):
    """What configurations say, by key: the repository's own, and the operator's."""

    local: Mapping[str, str] = MappingProxyType({})
    own: Mapping[str, str] = MappingProxyType({})


def named_filters(root: Path) -> dict[str, str]:
    """Return the commands of the filters that this repository's own configuration names, by key."""
    return {key: value for key, value in sorted(named(root).items()) if key.startswith("filter.") and value}


def filters_off(root: Path) -> frozenset[str]:
    """Return the names of the filters that do not run: those with a command that the operator's configuration lacks.

    One that runs a file of this repository is off, whoever names it: others can change that file.
    """
    own = _listed(root).own
    off = (key for key, value in named_filters(root).items() if own.get(key) != value or _names_file(root, value))
    return frozenset(key.rpartition(".")[0].removeprefix("filter.") for key in off)


def accept_filter(root: Path, name: str) -> Command:
    """Return the command with which the operator has a filter run: git's own, for his own configuration."""
    commands = [(key, value) for key, value in named_filters(root).items() if key.startswith(f"filter.{name}.")]
    words = " && ".join(["git config --global {} {}"] * len(commands))
    return Command(words, *chain.from_iterable(commands), note="only if you know these commands")


def named(root: Path) -> dict[str, str]:
    """Return what the configuration of this repository alone has git run, by key."""
    listed = _listed(root).local
    return {key: value for key, value in listed.items() if _RUNS.fullmatch(key) or _is_remote_program(key, value)}


def other_worktree(root: Path, gitdir: Path) -> Path | None:
    """Return the folder whose files git would take for those of `root`, None where it is `root` itself."""
    if not any(b"worktree" in data.lower() for _, data in _configurations(root)):
        return None
    named_ = _asked(root).local.get("core.worktree")
    place = (gitdir / named_).resolve() if named_ else root
    return None if place == root.resolve() else place


def leads_out(root: Path) -> bool:
    """Return whether fetching a missing object could run any of it."""
    return any(_LEADS_OUT.fullmatch(key) or _is_remote_program(key, value) for key, value in named(root).items())


def environment(root: Path, given: Mapping[str, str], *, hooks: bool = False) -> dict[str, str]:
    """Return the variables that keep git from running any of it, after what `given` sets in the same way.

    With `hooks` those stay findable.
    """
    wanted = dict(_ALWAYS) | ({} if hooks else _HOOKS)
    if (root / ".git").exists() and not (root / ".GIT").exists():  # capitals make another name on this disk
        wanted["core.ignoreCase"] = "false"
    off = filters_off(root)
    for key in named_filters(root) if off else ():
        name, _, _ = key.rpartition(".")
        if name.removeprefix("filter.") in off:
            wanted[key] = ""
            wanted[f"{name}.required"] = "false"
    first = int(given.get("GIT_CONFIG_COUNT") or 0) if (given.get("GIT_CONFIG_COUNT") or "0").isdecimal() else 0
    found = {"GIT_CONFIG_COUNT": str(first + len(wanted))}
    for number, (key, value) in enumerate(wanted.items(), first):
        found[f"GIT_CONFIG_KEY_{number}"] = key
        found[f"GIT_CONFIG_VALUE_{number}"] = value
    return found


def without(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments of a git command with those that keep it from running programs on what it shows."""
    at = _place(arguments)
    if at is None:
        return arguments
    return (*arguments[: at + 1], *_WITHOUT.get(arguments[at], ()), *arguments[at + 1 :])


def contents(root: Path, words: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file below `root` that words of a command name, "unreadable" where one is.

    What those load in turn is not in it. A link below `root` counts by what it leads to, wherever that is.
    """
    import hashlib  # noqa: PLC0415 - 3 ms, and few repositories name a program

    found: dict[str, str] = {}
    for word in words:
        if place := _inside(root, word):
            try:
                found[word] = hashlib.sha256(regular_file.read(place, _LARGEST)).hexdigest()
            except OSError:
                found[word] = UNREADABLE
    return found


def _names_file(root: Path, value: str) -> bool:
    """Return whether a command names a file below `root`."""
    import shlex  # noqa: PLC0415 - as above

    try:
        words = shlex.split(value)
    except ValueError:
        words = value.split()
    return any(_inside(root, word) for word in words)


def _inside(root: Path, word: str) -> Path | None:
    """Return the file below `root` that a word of a command names, None where that is none."""
    try:
        home, place = root.resolve(), (root / word).resolve()
        spelled = Path(os.path.normpath(root / word))
        within = any(one.is_relative_to(home) for one in (place, spelled)) or spelled.is_relative_to(root)
        return place if within and place.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _place(arguments: tuple[str, ...]) -> int | None:
    """Return where the subcommand stands, after options of git's own."""
    at = 0
    while at < len(arguments):
        if arguments[at] in ("-c", "-C"):
            at += 2
        elif arguments[at].startswith("-"):
            at += 1
        else:
            return at
    return None


def _is_remote_program(key: str, value: str) -> bool:
    remote = key.startswith("remote.") and key.endswith(("url", ".vcs"))
    update = key.startswith("submodule.") and key.endswith(".update") and value.startswith("!")
    return update or (remote and "::" in value)


def _listed(root: Path) -> _Named:
    places = tuple(_configurations(root))
    if not any(_SIGNS.search(data) for _, data in places):
        return _Named()
    if any(b"include" in data.lower() or b"filter" in data.lower() for _, data in places):
        return _asked(root)  # other files count, too
    return _remembered(root, places)


@lru_cache(maxsize=8)
def _remembered(root: Path, places: tuple[tuple[Path, bytes], ...]) -> _Named:  # noqa: ARG001 - they are the key
    return _asked(root)


def _asked(root: Path) -> _Named:
    """Ask git, which runs nothing to answer this; of a key that stands several times the last counts."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or "CONFIG" in key}
    try:
        done = subprocess.run(
            ["git", "--no-pager", "config", "--show-scope", "-z", "--list", "--includes"],
            cwd=root,
            env=kept | {"GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return _Named()
    fields = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    local, own = dict[str, str](), dict[str, str]()
    for scope, pair in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = pair.partition("\n")
        (local if scope in ("local", "worktree") else own)[_lowered(key)] = value
    return _Named(local, own)


def _lowered(key: str) -> str:
    """Return a key as it is compared: its subsection keeps its case."""
    section, dot, rest = key.partition(".")
    middle, _, last = rest.rpartition(".")
    return f"{section.lower()}{dot}{middle}{'.' if middle else ''}{last.lower()}"


def _configurations(root: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the configuration files of the repository at, or in, `root`, as far as they can be read."""
    dot = root / ".git"
    folders = [root] if (root / "HEAD").is_file() and (root / "objects").is_dir() else [dot]
    try:
        if dot.is_file():
            gitdir = root / dot.read_text("utf-8", "surrogateescape").partition("gitdir:")[2].strip()
            common = gitdir / "commondir"
            folders = [gitdir, gitdir / common.read_text("utf-8").strip()] if common.is_file() else [gitdir]
    except OSError:
        return
    for folder in folders:
        for name in ("config", "config.worktree"):
            try:
                yield folder / name, (folder / name).read_bytes()
            except OSError:
                continue
