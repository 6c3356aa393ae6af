"""What a client may read without a tool."""

from datetime import date

from mcp_types import Resource, ResourceTemplate

from clawgit.errors import ClawgitError, UsageError
from clawgit.integrations.mcp.mcp_tools import LARGEST
from clawgit.safety.redaction import redacted
from clawgit.workspace import changelog, file_roles, served
from clawgit.workspace.workspace import Workspace

SCHEME = "clawgit://"
MARKDOWN = "text/markdown"
_JOURNAL = "journal/"

LISTED = (
    Resource(uri=f"{SCHEME}soul", name="soul", description="SOUL.md: who the agent is.", mime_type=MARKDOWN),
    Resource(uri=f"{SCHEME}memory", name="memory", description="The long-term memory.", mime_type=MARKDOWN),
    Resource(
        uri=f"{SCHEME}changelog", name="changelog", description="What became of the identity.", mime_type=MARKDOWN
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template=f"{SCHEME}{_JOURNAL}{{date}}",
        name="journal",
        description="The journal of a day, such as 2026-01-20.",
        mime_type=MARKDOWN,
    ),
)


def read(workspace: Workspace, uri: str) -> str:
    """Return the text of a resource, with secrets named and cut where it is too long.

    Raises UsageError for a URI that names none, ClawgitError for a file that is not there or cannot be read.
    """
    text = redacted(_text(workspace, uri))
    if len(text) <= LARGEST:
        return text
    return f"{text[:LARGEST]}\n\n[cut: {LARGEST:,} of {len(text):,} characters; memory_get reads the rest]\n"


def _text(workspace: Workspace, uri: str) -> str:
    name = uri.removeprefix(SCHEME).rstrip("/") if uri.startswith(SCHEME) else ""
    if name == "soul":
        return _files(workspace, (file_roles.SOUL,))
    if name == "memory":
        return _files(workspace, workspace.memory_files)
    if name == "changelog":
        return changelog.changelog(workspace).text
    if name.startswith(_JOURNAL):
        return _files(workspace, _of_day(workspace, name.removeprefix(_JOURNAL)))
    names = ", ".join([*(str(one.uri) for one in LISTED), TEMPLATES[0].uri_template])
    raise UsageError("there is no such resource", fix=f"one of {names}")


def _of_day(workspace: Workspace, said: str) -> tuple[str, ...]:
    try:
        day = date.fromisoformat(said)
    except ValueError:
        raise UsageError("a journal is named by its day", fix=f"{SCHEME}{_JOURNAL}2026-01-20") from None
    places = workspace.root.glob(f"memory/**/{day.isoformat()}*.md")
    found = sorted(place.relative_to(workspace.root).as_posix() for place in places)
    return tuple(found) or (workspace.journal_path(day),)


def _files(workspace: Workspace, paths: tuple[str, ...]) -> str:
    """Return the text of one file; of several one after the other, each under its name, without those that are broken.

    Raises ClawgitError where nothing can be read.
    """
    texts, broken = dict[str, str](), list[ClawgitError]()
    for path in paths:
        try:
            text, note = served.text_shown(workspace, path)
        except ClawgitError as exc:
            broken.append(exc)
        else:
            texts |= {} if text is None else {path: f"<!-- {note} -->\n{text}" if note else text}
    if broken and not texts:
        raise broken[0]
    if not texts:
        raise ClawgitError(f"there is no {paths[0]} here", fix="memory_search finds what is remembered")
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "\n".join(f"<!-- {path} -->\n{text}" for path, text in texts.items())
