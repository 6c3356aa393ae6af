"""Words that complete an argument: files, ids, keys, agents."""

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, islice

import click
from click.shell_completion import CompletionItem

from clawgit.agents.agents import AGENTS
from clawgit.cli.place import choose
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import inbox, memory_lines, records
from clawgit.workspace.workspace import Workspace, open_workspace

Value = tuple[str, str]
"""A word, and what the shell may show beside it."""
_RECENT = 200
_MAX_HELP_CHARS = 60


def list_changes(workspace: Workspace) -> Iterable[Value]:
    """Return the newest changes with their subjects; a commit that is no change of clawgit by its id."""
    return ((record.change or record.commit[:10], record.subject) for record in records.log(workspace, limit=_RECENT))


def list_files(workspace: Workspace) -> Iterable[Value]:
    """Return the files that are committed, and their folders."""
    paths = repository.files(workspace.repo, workspace.head) if workspace.head else []
    visible = [path for path in paths if not path.startswith(".")]
    folders = {f"{path.rpartition('/')[0]}/" for path in visible if "/" in path}
    return ((path, "") for path in sorted({*visible, *folders}))


def list_restorable(workspace: Workspace) -> Iterable[Value]:
    """Return the files that are committed, and those that recent changes deleted."""
    recent = (path for record in records.log(workspace, limit=_RECENT) for path in record.files if path[0] != ".")
    return {**dict.fromkeys(recent, "deleted"), **dict(list_files(workspace))}.items()


def list_memories(workspace: Workspace) -> Iterable[Value]:
    """Return the ids of the memories with their words."""
    return ((memory_line.id, memory_line.text) for memory_line in memory_lines.list_bullets(workspace))


def list_items(workspace: Workspace) -> Iterable[Value]:
    """Return the items of the inbox."""
    return ((item.id, item.title) for item in inbox.list_items(workspace))


VALUES: Mapping[str, Callable[[Workspace], Iterable[Value]]] = {
    **dict.fromkeys(("log path", "why place", "memory get path"), list_files),
    **dict.fromkeys(("log agent", "run name"), lambda _: AGENTS.items()),
    **dict.fromkeys(("undo change", "restore name", "soul revert change", "soul show name"), list_changes),
    "soul diff names": list_changes,
    "config key": lambda workspace: ((setting.key.name, str(setting.value)) for setting in workspace.config.every()),
    "correct about": list_memories,
    **dict.fromkeys(("accept names", "reject names"), list_items),
    "show name": lambda workspace: chain(list_items(workspace), list_memories(workspace)),
    "restore wanted": lambda workspace: chain(list_restorable(workspace), list_memories(workspace)),
}
"""What completes which argument: the words of the command after `clawgit`, and the parameter's name."""


def complete(ctx: click.Context, param: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Return the values that begin with `begun`; none if the workspace cannot be read, for a shell asks."""
    find_values = VALUES.get(f"{ctx.command_path.partition(' ')[2]} {param.name}")
    params = ctx.find_root().params
    if find_values is None:
        return []
    try:
        workspace = open_workspace(choose(params.get("folder"), os.environ, params.get("agent") or "").path)
        values = list(
            islice((value_pair for value_pair in find_values(workspace) if value_pair[0].startswith(prefix)), _RECENT)
        )
    except (ClawgitError, OSError, UnicodeError):
        return []
    return [CompletionItem(word, help=" ".join(text.split())[:_MAX_HELP_CHARS] or None) for word, text in values]
