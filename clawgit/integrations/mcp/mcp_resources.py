"""Gives memory, audit and taints as resources to read."""

from collections.abc import Callable, Iterator
from datetime import date
from urllib.parse import unquote

from mcp_types import Resource, ResourceTemplate

from clawgit import errors
from clawgit.agents import audit
from clawgit.errors import Advice, ClawgitError, Command, quoted
from clawgit.integrations.mcp.mcp_tools import LARGEST
from clawgit.memory import taint
from clawgit.safety.redaction import redacted
from clawgit.workspace import changelog, file_roles, served
from clawgit.workspace.workspace import Workspace

SCHEME = "clawgit://"
MARKDOWN = "text/markdown"
_JOURNAL, _TAINT = "journal/", "taint/"

LISTED = (
    Resource(uri=f"{SCHEME}soul", name="soul", description="SOUL.md: who the agent is.", mime_type=MARKDOWN),
    Resource(uri=f"{SCHEME}memory", name="memory", description="The long-term memory.", mime_type=MARKDOWN),
    Resource(
        uri=f"{SCHEME}changelog", name="changelog", description="What became of the identity.", mime_type=MARKDOWN
    ),
    Resource(
        uri=f"{SCHEME}audit",
        name="audit",
        description="What of memory is worth a look, each with the command that helps the operator.",
        mime_type=MARKDOWN,
    ),
    Resource(
        uri=f"{SCHEME}taint",
        name="taint",
        description="The sources from which nothing may be learnt any more.",
        mime_type=MARKDOWN,
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template=f"{SCHEME}{_JOURNAL}{{date}}",
        name="journal",
        description="The journal of a day, such as 2026-01-20.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=f"{SCHEME}{_TAINT}{{source}}",
        name="taint of a source",
        description="What a source taught, such as session%3A5b0f3c1e or domain%3Aevil.example; changes nothing.",
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
    if name in _MADE:
        return _MADE[name](workspace)
    if name.startswith(_JOURNAL):
        return _files(workspace, _of_day(workspace, name.removeprefix(_JOURNAL)))
    if name.startswith(_TAINT):
        return "".join(_taught(workspace, unquote(name.removeprefix(_TAINT))))
    names = ", ".join([*(str(one.uri) for one in LISTED), *(one.uri_template for one in TEMPLATES)])
    raise errors.resource_unknown("there is no such resource", fix=Advice(f"one of {names}"))


def _of_day(workspace: Workspace, said: str) -> tuple[str, ...]:
    try:
        day = date.fromisoformat(said)
    except ValueError:
        raise errors.date_invalid("journals are named by day", fix=Advice(f"{SCHEME}{_JOURNAL}2026-01-20")) from None
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
            if text is not None:
                texts[path] = f"<!-- {note} -->\n{text}" if note else text
            elif note:
                broken.append(errors.file_broken(note, fix=Command("clawgit trust")))
    if broken and not texts:
        raise broken[0]
    if not texts:
        raise errors.file_missing(f"there is no {paths[0]} here", fix=Advice("memory_search finds what is remembered"))
    if len(texts) == 1:
        return next(iter(texts.values()))
    return "\n".join(f"<!-- {path} -->\n{text}" for path, text in texts.items())


def _audit(workspace: Workspace) -> Iterator[str]:
    """Yield what an audit finds. What came from outside is named by its place alone: it is not to be read again."""
    workspace.require_managed()
    found = audit.audit(workspace)
    yield f"# Audit of memory: {found.score} of 100, {found.entries} entries\n"
    for part in found.parts:
        if part.looked is None:
            yield f"\n## {audit.TITLES[part.name]}: unknown\n"
        elif part.found:
            yield f"\n## {audit.TITLES[part.name]}: {len(part.found)}\n\n"
            for one in part.found:
                place = f"{one.path}:{one.line}" if one.line else one.path
                text = "" if part.name == "untrusted" or not one.text else f" {one.text!r}"
                yield f"- {' '.join(f'{place}{text}: {one.reason}'.split())} (`{one.fix}`)\n"


def _tainted(workspace: Workspace) -> Iterator[str]:
    known = taint.list_taints(workspace)
    yield "# Tainted sources\n\n" if known else "no source is tainted\n"
    for one in known:
        why = f": {one.why}" if one.why else ""
        yield f"- {one.source}, since {one.when[:10]}{why} (`clawgit undo {one.id}` lifts it)\n"


def _taught(workspace: Workspace, source: str) -> Iterator[str]:
    """Yield what a source taught, by place and id: its words are not to be read again."""
    workspace.require_managed()
    found = taint.report(workspace, source)
    yield f"# What {found.source.spelled} taught\n\n"
    yield f"{len(found.direct)} changes rest on it, {len(found.derived)} on those.\n"
    for title, rows in (
        ("Lines that would leave", [f"{one.path}:{one.line}" for one in found.leaving]),
        ("Entries that stay, since others say so, too", [f"{row.id} in {row.file}" for row in found.kept]),
        ("Lines to look at", [f"{path}: {reason}" for (path, _), reason in found.suspected.items()]),
        ("Notes", list(found.notes)),
    ):
        if rows:
            yield f"\n## {title}: {len(rows)}\n\n" + "".join(f"- {row}\n" for row in rows)
    yield f"\nThe operator takes it back with `clawgit taint {quoted(found.source.spelled)} --apply`.\n"


_MADE: dict[str, Callable[[Workspace], str]] = {
    "soul": lambda workspace: _files(workspace, (file_roles.SOUL,)),
    "memory": lambda workspace: _files(workspace, workspace.memory_files),
    "changelog": lambda workspace: changelog.changelog(workspace).text,
    "audit": lambda workspace: "".join(_audit(workspace)),
    "taint": lambda workspace: "".join(_tainted(workspace)),
}
