"""Programs of repository settings, which git may not run.

A workspace may come from anywhere. Its `.git/config` and `.gitattributes` can make git run a filter, a monitor, a hook
or a remote helper at the most harmless question. None of them runs, unless the operator's own configuration (global,
system) names it as well: that is the operator's choice.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from clawgit.errors import Command
from clawgit.git import regular_file

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
_DIFFING = ("diff", "log", "show", "diff-tree", "diff-index", "diff-files")
_SAFE_OPTIONS = {
    **dict.fromkeys(_DIFFING, ("--no-ext-diff", "--no-textconv")),
    **dict.fromkeys(("blame", "grep"), ("--no-textconv",)),
}


class _Named(NamedTuple):
    """The values of configurations by key: the repository's own, and the operator's."""

    local: Mapping[str, str] = MappingProxyType({})
    own: Mapping[str, str] = MappingProxyType({})


def list_own_filters(root: Path) -> dict[str, str]:
    """Return the commands of the filters that this repository's own configuration names, by key."""
    return {key: value for key, value in sorted(list_own_programs(root).items()) if key.startswith("filter.") and value}


def filters_off(root: Path) -> frozenset[str]:
    """Return the names of the disabled filters: those with a command that the operator's configuration lacks.

    A filter that runs a file of this repository is disabled in any case: others can change that file.
    """
    own, names = _list_configured_programs(root).own, set[str]()
    for key, value in list_own_filters(root).items():
        try:
            words = shlex.split(value)
        except ValueError:
            words = value.split()
        if own.get(key) != value or any(_find_file_below(root, word) for word in words):
            names.add(key.rpartition(".")[0].removeprefix("filter."))
    return frozenset(names)


def accept_filter(root: Path, name: str) -> Command:
    """Return the command with which the operator has a filter run: git's own, for his own configuration."""
    commands = [(key, value) for key, value in list_own_filters(root).items() if key.startswith(f"filter.{name}.")]
    words = " && ".join(["git config --global {} {}"] * len(commands))
    return Command(words, *chain.from_iterable(commands), note="only if you know these commands")


def list_own_programs(root: Path) -> dict[str, str]:
    """Return the programs that only the configuration of this repository makes git run, by key."""
    config = _list_configured_programs(root).local
    return {key: value for key, value in config.items() if _RUNS.fullmatch(key) or _is_remote_program(key, value)}


def find_other_worktree(root: Path, gitdir: Path) -> Path | None:
    """Return the folder that git would take as the working tree of `root`, None if it is `root` itself."""
    if not any(b"worktree" in data.lower() for _, data in _configurations(root)):
        return None
    worktree = _ask_git(root).local.get("core.worktree")
    place = (gitdir / worktree).resolve() if worktree else root
    return None if place == root.resolve() else place


def leads_out(root: Path) -> bool:
    """Return whether fetching a missing object could run any of it."""
    return any(
        _LEADS_OUT.fullmatch(key) or _is_remote_program(key, value) for key, value in list_own_programs(root).items()
    )


def make_safe_environment(root: Path, variables: Mapping[str, str], *, hooks: bool = False) -> dict[str, str]:
    """Return the variables that keep git from running these programs, added to those in `variables`.

    With `hooks` git can still find the hooks.
    """
    settings = dict(_ALWAYS) | ({} if hooks else _HOOKS)
    # A repository may set core.ignoreCase so that git overlooks a file beside its twin in capitals.
    if (root / ".git").exists() and not (root / ".GIT").exists():  # capitals make another name on this disk
        settings["core.ignoreCase"] = "false"
    filters = filters_off(root)
    for key in list_own_filters(root) if filters else ():
        name, _, _ = key.rpartition(".")
        if name.removeprefix("filter.") in filters:
            settings[key] = ""
            settings[f"{name}.required"] = "false"
    first = int(variables.get("GIT_CONFIG_COUNT") or 0) if (variables.get("GIT_CONFIG_COUNT") or "0").isdecimal() else 0
    result = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (key, value) in enumerate(settings.items(), first):
        result[f"GIT_CONFIG_KEY_{number}"] = key
        result[f"GIT_CONFIG_VALUE_{number}"] = value
    return result


def disable_programs(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments of a git command with options that keep it from running programs on its output."""
    words = enumerate(arguments)
    for index, word in words:
        if word in ("-c", "-C"):  # options of git itself, with a value
            next(words, None)
        elif not word.startswith("-"):
            return (*arguments[: index + 1], *_SAFE_OPTIONS.get(word, ()), *arguments[index + 1 :])
    return arguments


def hash_command_files(root: Path, words: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file below `root` that a command names, "unreadable" for one that cannot be read.

    Files loaded by those are not included. A link below `root` counts by the content of its target, wherever that is.
    """
    import hashlib  # noqa: PLC0415 - 3 ms, and few repositories name a program

    digests: dict[str, str] = {}
    for word in words:
        if place := _find_file_below(root, word):
            try:
                digests[word] = hashlib.sha256(regular_file.read_regular_file(place, _LARGEST)).hexdigest()
            except OSError:
                digests[word] = UNREADABLE
    return digests


def _find_file_below(root: Path, word: str) -> Path | None:
    """Return the file below `root` that a word of a command names, None if it names none."""
    try:
        home, place = root.resolve(), (root / word).resolve()
        lexical_path = Path(os.path.normpath(root / word))
        within = any(path.is_relative_to(home) for path in (place, lexical_path)) or lexical_path.is_relative_to(root)
        return place if within and place.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _is_remote_program(key: str, value: str) -> bool:
    remote = key.startswith("remote.") and key.endswith(("url", ".vcs"))
    update = key.startswith("submodule.") and key.endswith(".update") and value.startswith("!")
    return update or (remote and "::" in value)


def _list_configured_programs(root: Path) -> _Named:
    places = tuple(_configurations(root))
    # An included file, or the operator's own configuration, may change while the process runs.
    if any(re.search(b"include|filter", data, re.IGNORECASE) for _, data in places):
        return _ask_git(root)
    return _read_cached_programs(root, places)


@lru_cache(maxsize=8)
def _read_cached_programs(root: Path, places: tuple[tuple[Path, bytes], ...]) -> _Named:  # noqa: ARG001 - they are the key
    return _ask_git(root)


def _ask_git(root: Path) -> _Named:
    """Ask git, which runs nothing to answer this; of a repeated key the last value counts."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or "CONFIG" in key}
    try:
        process = subprocess.run(
            ["git", "--no-pager", "config", "--show-scope", "-z", "--list", "--includes"],
            cwd=root,
            env=variables | {"GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return _Named()
    fields = process.stdout.decode("utf-8", "surrogateescape").split("\0")
    local, own = dict[str, str](), dict[str, str]()
    for scope, pair in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = pair.partition("\n")
        (local if scope in ("local", "worktree") else own)[key] = value
    return _Named(local, own)


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
