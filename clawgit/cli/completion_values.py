"""Words that complete an argument: files, ids, keys, agents."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

import click
from click.shell_completion import CompletionItem

from clawgit.agents.agents import AGENTS
from clawgit.cli.call import choose_folder
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import inbox, memory_lines, records
from clawgit.workspace.workspace import Workspace, open_workspace

# A shell waits for the answer, so only recent changes are read.
_RECENT = 200
_MAX_HELP_CHARS = 60
Values = dict[str, str]
"""Words, and what the shell may show beside each."""


def list_changes(workspace: Workspace) -> Values:
    """Return the newest changes with their subjects; a commit that is no change of clawgit by its id."""
    return {record.change or record.commit[:10]: record.subject for record in records.log(workspace, limit=_RECENT)}


def list_files(workspace: Workspace) -> Values:
    """Return the files that are committed, and their folders."""
    paths = repository.files(workspace.repo, workspace.head) if workspace.head else ()
    visible = [path for path in paths if not path.startswith(".")]
    folders = {f"{path.rpartition('/')[0]}/" for path in visible if "/" in path}
    return dict.fromkeys(sorted({*visible, *folders}), "")


def list_restorable(workspace: Workspace) -> Values:
    """Return the files of recent changes, also deleted ones, and the memories."""
    recent = (path for record in records.log(workspace, limit=_RECENT) for path in record.files if path[0] != ".")
    return {**dict.fromkeys(recent, "deleted"), **list_files(workspace), **list_memories(workspace)}


def list_memories(workspace: Workspace) -> Values:
    """Return the ids of the memories with their words."""
    return {line.id: line.text for line in memory_lines.list_bullets(workspace)}


def list_items(workspace: Workspace) -> Values:
    """Return the items of the inbox."""
    return {item.id: item.title for item in inbox.list_items(workspace)}


VALUES: Mapping[str, Callable[[Workspace], Mapping[str, str]]] = {
    **dict.fromkeys(("log path", "why place", "read path"), list_files),
    **dict.fromkeys(("log agent", "run name"), lambda _: AGENTS),
    **dict.fromkeys(("undo change", "restore name", "soul revert change", "soul show name"), list_changes),
    "soul diff names": list_changes,
    "config key": lambda workspace: {setting.key.name: str(setting.value) for setting in workspace.config.every()},
    "correct about": list_memories,
    **dict.fromkeys(("accept names", "reject names"), list_items),
    "show name": lambda workspace: {**list_items(workspace), **list_memories(workspace)},
    "restore wanted": list_restorable,
}
"""What completes which argument: the words of the command after `clawgit`, and the parameter's name."""


def complete(ctx: click.Context, param: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Return the values that begin with `prefix`; none if the workspace cannot be read, for a shell asks."""
    find_values = VALUES.get(f"{ctx.command_path.partition(' ')[2]} {param.name}")
    if find_values is None:
        return []
    params = ctx.find_root().params
    try:
        workspace = open_workspace(choose_folder(params.get("folder"), params.get("agent") or "")[0])
        values: Iterable[tuple[str, str]] = find_values(workspace).items()
    except (ClawgitError, OSError, UnicodeError):
        return []
    matches = islice((pair for pair in values if pair[0].startswith(prefix)), _RECENT)
    return [CompletionItem(word, help=" ".join(text.split())[:_MAX_HELP_CHARS] or None) for word, text in matches]
