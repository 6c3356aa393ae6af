"""Finds links of memories that lead nowhere."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from msgspec import Struct

from clawgit.errors import Advice, Fix
from clawgit.workspace import file_roles
from clawgit.workspace.workspace import Workspace

_LINK = re.compile(r"\]\((?![a-z]+:|[#/])([^)\s#\0]+\.md)(?:#[^)]*)?\)")


class BrokenLink(Struct, frozen=True):
    """The links to one file that is not there."""

    message: str
    fix: Fix


def find_broken_links(workspace: Workspace, texts: Mapping[str, str]) -> Iterator[BrokenLink]:
    """Yield the broken links to Markdown files: from the root, or from where the file lies. Each target is one."""
    root = workspace.root
    missing: dict[str, list[tuple[str, str]]] = {}
    for place, target, near in _links(workspace, texts):
        if not ((root / target).is_file() or (root / near).is_file()):
            missing.setdefault(near, []).append((place, target))
    for near, links in missing.items():
        place, target = links[0]
        more = f"; links to it in all: {len(links):,}" if links[1:] else ""
        yield BrokenLink(
            f"{place} leads to {target}, which is not there{more}", Advice(f"correct {place}, or write {near}")
        )


def _links(workspace: Workspace, texts: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield for each link where it stands, and the two files that it may mean: from the root, and from there."""
    for path in dict.fromkeys((*workspace.memory_files, file_roles.INDEX)):
        for number, row in enumerate(texts.get(path, "").splitlines(), 1):
            for target in dict.fromkeys(map(unquote, _LINK.findall(row))):
                yield f"{path}:{number}", target, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
