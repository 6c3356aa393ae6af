"""Finds links of memories that lead nowhere."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote

from msgspec import Struct

from clawgit.errors import Advice, Command, Fix
from clawgit.git import history, repository_health
from clawgit.workspace import file_roles
from clawgit.workspace.workspace import Workspace

_LINK = re.compile(r"\]\((?![a-z]+:|[#/])([^)\s#\0]+\.md)(?:#[^)]*)?\)")
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)


class BrokenLink(Struct, frozen=True):
    """Links that lead nowhere for one cause; `known` tells that they lead into a repository that is not checked out."""

    message: str
    fix: Fix
    known: bool = False


def find_broken_links(workspace: Workspace, texts: Mapping[str, str]) -> Iterator[BrokenLink]:
    """Yield the broken links to Markdown files: from the root, or from where the file lies. Each cause is one."""
    root, repo = workspace.root, workspace.repo
    broken = [link for link in _links(workspace, texts) if not any((root / place).is_file() for place in link[1:])]
    modes = repository_health.index(repo) if broken else {}
    absent = [path for path in modes if modes[path] == repository_health.LINK and not (root / path / ".git").exists()]
    causes: dict[str, list[tuple[str, str, str]]] = {}
    for one in broken:
        outside = [path for path in absent if any(place.startswith(f"{path}/") for place in one[1:])]
        way = [*reversed(PurePosixPath(one[2]).parents), PurePosixPath(one[2])]
        missing = [str(place) for place in way if not (root / place).exists()]
        causes.setdefault((outside or missing or one[2:])[0], []).append(one)
    asked = [path for path in causes if not path.startswith("../")]
    past = {path for commit in history.log(repo, *asked, renames=False) for path in commit.paths} if asked else set()
    declared = _SUBMODULE.findall(workspace.read_loosely(".gitmodules"))
    for cause, some in causes.items():
        place, target, near = some[0]
        if cause in absent:
            words = f"{cause} is a repository that is not checked out; unknown links: {len(some)}"
            look = "git submodule update --init -- {}" if cause in declared else "git ls-files --stage -- {}"
            yield BrokenLink(words, Command(look, cause), known=True)
            continue
        was = any(f"{path}/".startswith(f"{cause}/") for path in past)
        fix = Command("clawgit log {}", cause) if was else Advice(f"correct {place}, or write {near}")
        words = f"{place} leads to {target}, which is not there"
        yield BrokenLink(f"{words}; links to {cause} in all: {len(some):,}" if some[1:] else words, fix)


def _links(workspace: Workspace, texts: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield for each link where it stands, and the two files that it may mean: from the root, and from there."""
    for path in dict.fromkeys((*workspace.memory_files, file_roles.INDEX)):
        for number, row in enumerate(texts.get(path, "").splitlines(), 1):
            for target in dict.fromkeys(map(unquote, _LINK.findall(row))):
                yield f"{path}:{number}", target, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
