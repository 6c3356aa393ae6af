"""Words that complete an argument: files, ids, keys, agents."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice

import click
from click.shell_completion import CompletionItem

from clawgit.agents.agents import AGENTS
from clawgit.cli.place import choose
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import inbox_list, memory_lines, records
from clawgit.workspace.workspace import Workspace, open_workspace

Value = tuple[str, str]
"""A word, and what the shell may show beside it."""
_RECENT = 200
_WIDTH = 60


def changes(workspace: Workspace) -> Iterator[Value]:
    """Yield the newest changes with their subjects; a commit that is no change of clawgit by its id."""
    for one in records.log(workspace, limit=_RECENT):
        yield one.change or one.commit[:10], one.subject


def files(workspace: Workspace) -> Iterator[Value]:
    """Yield the files that are committed, and the folders they lie in."""
    paths = repository.files(workspace.repo, workspace.head) if workspace.head else []
    shown = [path for path in paths if not path.startswith(".")]
    folders = {f"{path.rpartition('/')[0]}/" for path in shown if "/" in path}
    yield from ((path, "") for path in sorted({*shown, *folders}))


def gone_or_there(workspace: Workspace) -> Iterator[Value]:
    """Yield the files that are committed, then those that recent changes took away, then the ids of memories."""
    there = dict(files(workspace))
    yield from there.items()
    recent = (path for one in records.log(workspace, limit=_RECENT) for path in one.files)
    yield from ((path, "deleted") for path in dict.fromkeys(recent) if path not in there and path[0] != ".")
    yield from entries(workspace)


def entries(workspace: Workspace) -> Iterator[Value]:
    """Yield the ids of the memories with their words."""
    return ((one.id, one.text) for one in memory_lines.list_bullets(workspace))


def agents(_: Workspace) -> Iterator[Value]:
    """Yield the agents that clawgit runs."""
    return iter(AGENTS.items())


def keys(workspace: Workspace) -> Iterator[Value]:
    """Yield the keys of CONFIG.md with their values."""
    return ((one.key.name, str(one.value)) for one in workspace.config.every())


def items(workspace: Workspace) -> Iterator[Value]:
    """Yield the items of the inbox."""
    return ((item.id, item.title) for item in inbox_list.list_items(workspace))


VALUES: Mapping[str, Callable[[Workspace], Iterable[Value]]] = {
    **dict.fromkeys(("log path", "why place", "memory get path"), files),
    **dict.fromkeys(("log agent", "run name"), agents),
    **dict.fromkeys(("undo change", "restore name", "soul revert change", "soul show name"), changes),
    **dict.fromkeys(("soul diff first", "soul diff second"), changes),
    "config key": keys,
    "correct about": entries,
    **dict.fromkeys(("accept names", "reject names"), items),
    "show name": lambda workspace: chain(items(workspace), entries(workspace)),
    "restore wanted": gone_or_there,
}
"""What completes which argument: the words of the command after `clawgit`, and the parameter's name."""


def offered(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the values that begin with `begun`; none where the workspace cannot be read, for a shell asks."""
    command = ctx.command_path.partition(" ")[2]
    found = VALUES.get(f"{command} {param.name}")
    if found is None:
        return []
    given = ctx.find_root().params
    try:
        workspace = open_workspace(choose(given.get("folder"), os.environ, given.get("agent") or "").path)
        values = list(islice((one for one in found(workspace) if one[0].startswith(begun)), _RECENT))
    except (ClawgitError, OSError, UnicodeError):
        return []
    lines = ((word, " ".join(words.split())) for word, words in values)
    return [
        CompletionItem(word, help=f"{line[: _WIDTH - 1]}…" if len(line) > _WIDTH else line or None)
        for word, line in lines
    ]
