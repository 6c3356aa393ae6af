"""Permissions of a client's session; arguments of each tool."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct, field
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from clawgit.context.receipt import SessionKind
from clawgit.errors import Advice, usage
from clawgit.search import warm
from clawgit.sessions import know_sessions
from clawgit.store.item import Kind
from clawgit.text.entry import new_id
from clawgit.text.spelling import nearest
from clawgit.workspace.workspace import Workspace, open_workspace

RESULTS = 50
"""Most hits, commits or versions of one answer."""

Corpus = Literal["memory", "wiki", "all", "sessions"]
Question = Annotated[str, Field(min_length=1, max_length=4_000)]
Name = Annotated[str, Field(max_length=1_000)]
Line = Annotated[int, Field(ge=1, le=10_000_000)]
Pointers = Annotated[
    list[Name],
    Field(max_length=20, description='Such as memory/2026-01-20.md#L4-L6; a "quote" may follow.'),
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
]


class Arguments(BaseModel):
    """The arguments of a call; a name that is not known is refused, not passed over."""

    model_config = ConfigDict(extra="forbid")


class Search(Arguments):
    """A question to the memory."""

    query: Question
    max_results: int | None = Field(None, alias="maxResults", ge=1, le=RESULTS)
    min_score: float | None = Field(None, alias="minScore", ge=0, le=1)
    corpus: Corpus = Field("all", description="Notes, kept conversations, or both; there is no wiki here.")
    as_of: Name = Field("", alias="asOf", description="What the files said then: a day, a commit or a change.")
    deleted: bool = Field(False, description="Among lines that are gone.")  # noqa: FBT003 - pydantic's way
    since: date | None = Field(None, description="Only what carries this day or a later one.")
    until: date | None = Field(None, description="Only what carries this day or an earlier one.")


class Get(Arguments):
    """Lines of a file."""

    path: Name
    first: Line = Field(1, alias="from", description="The first line, counted from 1.")
    lines: Annotated[int, Field(ge=1, le=100_000)] | None = None
    corpus: Corpus = Field("all", description="Taken for OpenClaw's sake: the path says what is meant.")


class Add(Arguments):
    """A memory to be kept."""

    text: str = Field(min_length=1, max_length=8_000)
    tag: Literal["event", "knowledge", "skill", "decision"] | None = Field(
        None, description="By default event for a text with a day to come, else knowledge."
    )
    to: Literal["long-term", "daily", "shared"] = Field(
        "long-term", description="The memory file, today's journal, or the memory that all agents share."
    )
    evidence: Pointers = []


class Correct(Arguments):
    """A wrong memory."""

    text: str = Field(min_length=1, max_length=2_000, description='Both sides: "Tuesday, not Monday"; or the truth.')
    about: Name = Field("", description="The id of the memory that is wrong.")


class Why(Arguments):
    """A line of a file."""

    path: Name
    line: Line


class Context(Arguments):
    """The conversation that a context is for."""

    text: str = Field("", max_length=200_000, description="How it goes so far, the last turns at the end.")
    query: str = Field("", max_length=4_000, description="Asked of the memory instead of the text.")
    session: Name = ""
    budget: int | None = Field(None, ge=0, le=200_000, description="Tokens.")
    session_kind: SessionKind = Field("main", alias="sessionKind")
    as_of: Name = Field("", alias="asOf")
    shown: tuple[Name, ...] = Field((), max_length=50, description="Files that the prompt has already.")


class TurnArguments(Arguments):
    """A turn that something is added to."""

    text: str = Field("", max_length=200_000, description="The conversation so far, the last turns at the end.")
    query: str = Field("", max_length=4_000, description="The message, where it is not the last turn of the text.")
    session: Name = Field("", description="It gets no line twice within ten turns.")
    session_kind: SessionKind = Field("main", alias="sessionKind")
    shown: tuple[Name, ...] = Field((), max_length=50, description="Files that the prompt has already.")
    missed: int = Field(0, ge=0, description="Turns before it that got no answer in time.")


class Log(Arguments):
    """The log of an identity file."""

    file: Name = "SOUL.md"
    limit: int = Field(10, ge=1, le=RESULTS)


class Propose(Arguments):
    """An edit of an identity file, with its reason."""

    act: Literal["add", "replace", "remove"]
    text: str = Field(min_length=1, max_length=4_000)
    why: str = Field(min_length=1, max_length=2_000)
    section: Name = Field("", description="Under which heading; add needs it.")
    old: str = Field("", max_length=4_000, description="What replace puts the text in the place of.")
    evidence: Pointers = []
    file: Name = "SOUL.md"


class Inbox(Arguments):
    """Which items are wanted."""

    kind: Kind | None = None


class Hear(Arguments):
    """A message of the operator's."""

    text: str = Field(min_length=1, max_length=2_000_000)
    session: Name = ""


class Recall(Arguments):
    """A question to the memory, to be answered in a few lines."""

    query: Question
    as_of: Name = Field("", alias="asOf")
    deleted: bool = False


class FileBytes(Arguments):
    """A file before and after a call: None for no file, left out if unreadable."""

    path: Name
    before: str | None = Field("\0", max_length=4_000_000)
    after: str | None = Field("\0", max_length=4_000_000)


class Called(Arguments):
    """A call of the agent's that has ended; times are seconds since 1970, a command that goes on has no `ended`."""

    call: Name
    tool: Name
    session: Name = ""
    run: Name = ""
    started: float
    ended: float | None = None
    failed: bool = False
    untrusted: bool = Field(default=False, description="OpenClaw marks what it brought as somebody else's.")
    params: dict[str, Any] = Field({}, description="Its arguments, of a call that edits or runs a command.")
    reads: Name = Field("", description="The file that it read.")
    files: list[FileBytes] = Field([], max_length=200)


class OfRequester(Arguments):
    """The plugin's description of the turn behind a call in OpenClaw."""

    requester: dict[str, Any] = Field({}, description="Who asks, and who hears the answer.")


def add_requester(kind: type[Arguments]) -> type[Arguments]:
    """Return the arguments of a tool with the requester, as the plugin gives them."""
    return create_model(kind.__name__, __base__=(kind, OfRequester), __doc__=kind.__doc__)


class Nothing(Arguments):
    """No argument at all."""


def check_arguments(kind: type[Arguments], arguments: Mapping[str, Any]) -> Arguments:
    """Return the arguments of a call. Raises UsageError that names each that is wrong, without its value."""
    try:
        return kind.model_validate(arguments)
    except ValidationError as exc:
        raise usage("; ".join(_wrong(kind, exc)), fix=Advice(f"takes {', '.join(names(kind))}")) from exc


def names(kind: type[Arguments]) -> list[str]:
    """Return the names of a tool's arguments."""
    return [field.alias or name for name, field in kind.model_fields.items()]


def _wrong(kind: type[Arguments], exc: ValidationError) -> Iterator[str]:
    for problem in exc.errors(include_input=False, include_url=False, include_context=False)[:5]:
        place = ".".join(str(part) for part in problem["loc"])[:80]
        if problem["type"] == "extra_forbidden":
            matches = nearest(place, names(kind), 1)
            yield f"{place}: there is no such argument" + (f"; did you mean {matches[0]}?" if matches else "")
        else:
            yield f"{place}: {problem['msg'][:200]}"


AGENT = "main-agent"
"""In whose name the tools write: whoever calls them is taken for the main agent, and never for the operator."""

Document = Mapping[str, object]


class Backlog:
    """Reports of the agent's calls that have come: the number of open ones, and their files, as before them.

    `has_command`: a command has ended, which may have written any file.
    """

    def __init__(self) -> None:
        self.count = 0
        self.paths: dict[str, bytes] = {}
        self.has_command = False

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Count a report from when it comes until it is done."""
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1


class Rooms(Struct, frozen=True):
    """A client's session: the workspace at `root`, and the name under which recalled lines are noted, if any.

    `gateway`: the client is OpenClaw's plugin.
    """

    root: Path
    session: str = ""
    read_only: bool = False
    gateway: bool = False
    backlog: Backlog = field(default_factory=Backlog)

    def opened(self) -> Workspace:
        """Return the workspace, opened anew: changes of CONFIG.md count at once."""
        workspace = open_workspace(self.root)
        know_sessions(workspace)
        return workspace


def make_rooms(root: Path, *, read_only: bool, gateway: bool = False) -> Rooms:
    """Return the session data for a server of the workspace at `root`."""
    # Without a session no recall is noted, so a read-only server writes nothing.
    session = "" if read_only else os.environ.get("CLAWGIT_SESSION") or f"mcp-{new_id()}"
    return Rooms(root, session, read_only, gateway)


T = TypeVar("T")

_GRACE = 0.8


class Lanes:
    """Two threads, so that a write that waits for a lock keeps no search waiting, and two writes never meet.

    Every call has the workspace opened anew by `opened`.
    """

    def __init__(self, factory: Callable[[], Workspace]) -> None:
        self._opened = factory
        self._reading = ThreadPoolExecutor(1, "clawgit-reading", initializer=warm.begin)
        self._writing = ThreadPoolExecutor(1, "clawgit-writing")

    async def run(self, act: Callable[[Workspace], T], *, writes: bool) -> T:
        """Return the result of `act`. A call that is cancelled before its turn does nothing."""
        lane = self._writing if writes else self._reading
        return await asyncio.wrap_future(lane.submit(self._act, act, lane))

    def _act(self, act: Callable[[Workspace], T], lane: ThreadPoolExecutor) -> T:
        workspace = self._opened()
        try:
            return act(workspace)
        finally:
            try:
                lane.submit(_look_back, workspace)  # once the answer is on its way
            except RuntimeError:  # the process is ending
                _look_back(workspace)

    def hurry(self, code: int = 0) -> None:
        """End the process in a moment, whatever it waits for.

        A thread waiting for a lock has touched nothing, and the next command finishes a half-done write.
        """
        timer = threading.Timer(_GRACE, os._exit, (code,))
        # The timer alone does not keep the process alive.
        timer.daemon = True
        timer.start()

    def leave(self, code: int) -> None:
        """End the process after the present write, at the latest in a moment."""
        self.hurry(code)
        with contextlib.suppress(RuntimeError):
            # The only writing thread gets to this once the present write is done.
            self._writing.submit(os._exit, code)


def _look_back(workspace: Workspace) -> None:
    try:
        notes = workspace.close()
    except Exception as exc:  # noqa: BLE001 - the answer is out; there is nobody to raise it to
        notes = (f"looking back: {exc}",)
    for words in notes:
        with contextlib.suppress(OSError):  # nobody may keep a log
            print(f"note: {words}", file=sys.stderr, flush=True)  # noqa: T201 - what a host keeps as the server's log
