"""What a proposal would do to the files."""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, file_too_large, item_invalid, path_link
from clawgit.git import commit_graph, paths
from clawgit.git.commit_graph import Entry
from clawgit.git.regular_file import limit_of
from clawgit.text import evidence_pointer as pointers
from clawgit.text.diff import Hunk, hunks
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.three_way_merge import Conflict
from clawgit.workspace import entries, evidence_check, file_roles, grading, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.entries import Row
from clawgit.workspace.line_origins import Said, followed
from clawgit.workspace.proposal import Proposal, described
from clawgit.workspace.records import Cited
from clawgit.workspace.text_merges import merge_text
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.workspace.risk import Risk


class Support(Struct, frozen=True):
    """A piece of evidence in its context, and the pointer to cite it by; None where it does not hold."""

    said: Said
    pointer: str | None

    @property
    def missing(self) -> str:
        """Why it does not hold; "" where it does."""
        if self.pointer:
            return ""
        return self.said.missing or "the words that it quotes do not stand there"


def supports(workspace: Workspace, proposal: Proposal) -> Iterator[Support]:
    """Yield the evidence of a proposal, read once more: what its trailers quote may be made up."""
    claims = records.record(replace(proposal.commit, as_ours=True)).evidence
    for trailer, cited in zip(proposal.evidence, claims, strict=True):
        yield Support(followed(workspace, cited, proposal.commit.id), _holds(workspace, cited, trailer))


def _holds(workspace: Workspace, cited: Cited, trailer: str) -> str | None:
    """Return the pointer by which the words can be cited still, None without any."""
    digest = trailer.rpartition("sha256:")[2]
    try:
        pointer = pointers.parse(cited.pointer)
    except ClawgitError:
        return None
    for one in _ways(pointer):
        text = pointers.format(one)
        try:
            (found,) = evidence_check.resolve(workspace.repo, workspace.head, (text,), workspace.conversations)
        except ClawgitError:
            continue
        if one.quote is not None or pointer.quote is None or found.digest == digest:
            return text
    return None


def _ways(pointer: Pointer) -> Iterator[Pointer]:
    """Yield a pointer with its quote, then as the whole that a long quote was cut from, then with what is left of it.

    A secret in a quote is named instead of shown: only the hash tells then whether the words are the same.
    """
    yield pointer
    yield replace(pointer, quote=None)
    if pointer.quote and pointer.quote.endswith("…"):
        yield replace(pointer, quote=pointer.quote.removesuffix("…"))


MOST = 50  # files; nobody reads more
CAPTURE = "capture"
_RUN = "OpenClaw or git runs these files, or goes by them."
_DIGITS = 12


class Target(Struct, frozen=True, dict=True):
    """One file: its text now, the text that it becomes (None: no file), or the conflicts that stand between.

    Of a control file `entry` is what git is to have of it.
    """

    path: str
    now: str | None
    then: str | None
    conflicts: tuple[Conflict, ...] = ()
    entry: Entry | None = None

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """The changes, with lines around them."""
        return hunks(self.now or "", self.then or "")

    def told(self) -> Iterator[tuple[object, ...]]:
        """Yield what is shown of it, without the lines around and their numbers."""
        yield (self.path, self.now is None, self.then is None)
        yield from ((self.entry.blob, self.entry.mode),) if self.entry else ()
        for hunk in hunks(self.now or "", self.then or "", context=0):
            yield from ((hunk.section, row.op, row.text) for row in hunk.lines)


class View(Struct, frozen=True, dict=True):
    """A proposal as it stands to the workspace at this moment.

    `files` are those that it still changes, `rows` what it sets in the sidecar. `risk` is computed anew; `problem` says
    why it cannot be shown, and so not be approved.
    """

    proposal: Proposal
    when: datetime
    files: tuple[Target, ...]
    rows: tuple[Row, ...]
    evidence: tuple[Support, ...]
    risk: "Risk"
    problem: ClawgitError | None = None

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where others have changed the same place since."""
        return tuple(conflict for one in self.files for conflict in one.conflicts)

    @property
    def done(self) -> bool:
        """Whether the files say so already."""
        return not self.files and not self.rows and not self.problem

    @property
    def expired(self) -> bool:
        """Whether it waited for too long."""
        return self.when >= self.proposal.expires

    @cached_property
    def digest(self) -> str:
        """The hash of exactly what is shown; an edit of another place leaves it as it is."""
        rows = entries.said(entries.render({row.id: row for row in self.rows}))
        told = [[row for one in self.files for row in one.told()], rows]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:_DIGITS]

    @property
    def change(self) -> Change:
        """The change that it comes to now; its agent and origin are as it claims them."""
        proposal = self.proposal
        return Change(
            proposal.said.subject,
            proposal.said.why,
            tuple(Edit(one.path, one.now, one.then) for one in self.files),
            tuple(one.pointer for one in self.evidence if one.pointer),
            _origin(proposal),
            proposal.agent if proposal.agent != CAPTURE else None,
            self.rows,
            approved=True,
            id=proposal.id,
        )


def view(workspace: Workspace, proposal: Proposal) -> View:
    """Return what a proposal does to the files as they are on disk; reads, and touches nothing."""
    from clawgit.workspace.risk import Risk  # noqa: PLC0415 - it loads the rules

    when = workspace.now()
    try:
        _suits(proposal)
        named = (path for path in proposal.paths if path != entries.PATH)
        files = tuple(one for path in named for one in _target(workspace, proposal, path))
        rows = tuple(_rows(workspace, proposal))
    except ClawgitError as exc:
        return View(proposal, when, (), (), (), Risk("high", (f"It cannot be shown: {exc.message}.",)), exc)
    if proposal.kind == "control":
        return View(proposal, when, files, (), (), Risk("high", (_RUN,)), next(_unwritable(proposal, files), None))
    shown = View(proposal, when, files, rows, tuple(supports(workspace, proposal)), Risk("low", ()))
    before, after = {one.path: one.now for one in files}, {one.path: one.then for one in files}
    risk = grading.of_change(workspace.setting(), shown.change, before, after)
    return replace(shown, risk=risk) if risk else shown


def _suits(proposal: Proposal) -> None:
    """Raise ClawgitError for what is no change of ours: anybody can put a reference there."""
    if not proposal.commit.parents:
        raise item_invalid(f"{proposal.id} starts from nothing", fix=_away(proposal))
    if proposal.kind == "control":
        for path in proposal.paths:
            paths.check(path)
        return
    if len(proposal.paths) > MOST:
        raise item_invalid(f"{proposal.id} changes {len(proposal.paths):,} files", fix=_away(proposal))
    for path in proposal.paths:
        guarded = file_roles.guarded(paths.check(path)) or path == entries.PATH
        if not guarded and not (file_roles.memory(path) and path != file_roles.CONFIG):
            raise item_invalid(f"{proposal.id} changes {path}, which is no file of the identity", fix=_away(proposal))
    for path, pair in proposal.texts.items():
        if max(len((text or "").encode()) for text in pair) > limit_of(path):
            raise file_too_large(f"{path} would have more than {limit_of(path):,} bytes", fix=_away(proposal))


def _away(proposal: Proposal) -> Command:
    return Command("clawgit soul reject {} --why {}", proposal.id, "not ours")


def _target(workspace: Workspace, proposal: Proposal, path: str) -> Iterator[Target]:
    """Yield what becomes of one file, nothing where it says so already."""
    base, theirs = proposal.texts[path]
    if proposal.kind == "control":
        yield from _control(workspace, proposal, path)
        return
    now = workspace.read(path)
    if now == theirs:
        return
    if now == base:
        yield Target(path, now, theirs)
    elif now is None or theirs is None:
        yield Target(path, now, theirs, (Conflict(base or "", now or "", theirs or ""),))
    else:
        merged = merge_text(path, base, now, theirs)
        if merged.text is None:
            yield Target(path, now, theirs, merged.conflicts)
        elif merged.text != now:
            yield Target(path, now, merged.text)


def _control(workspace: Workspace, proposal: Proposal, path: str) -> Iterator[Target]:
    """Yield what becomes of a control file: all of what is proposed, or nothing."""
    was, wanted = proposal.entries[path]
    base, theirs = proposal.texts[path]
    here = commit_graph.entry(workspace.repo, workspace.head, path)
    if here != wanted:
        now = described(workspace.repo, here)
        conflicts = () if here == was else (Conflict(base or "", now or "", theirs or ""),)
        yield Target(path, now, theirs, conflicts, wanted)


def _unwritable(proposal: Proposal, files: tuple[Target, ...]) -> Iterator[ClawgitError]:
    """Yield why a control file cannot be written by clawgit, with git's command for it."""
    for one in files:
        if any(entry and not entry.regular for entry in proposal.entries[one.path]):
            act = f"git checkout {proposal.commit.id[:10]} -- {{}}" if one.entry else "git rm -q -- {}"
            if one.entry and one.entry.submodule:
                act = f"git update-index --add --cacheinfo 160000,{one.entry.blob},{{}}"
            says = f"as {proposal.id} has it"
            yield path_link(
                f"{one.path} is a link or a repository of its own, and clawgit writes files alone",
                fix=Command(f"{act} && git commit -m {{}}", one.path, says, note="then approve the rest"),
            )


def _rows(workspace: Workspace, proposal: Proposal) -> Iterator[Row]:
    """Yield the rows of the sidecar that it sets and that are not so already."""
    if entries.PATH not in proposal.paths:
        return
    base, theirs = (entries.parse(text or "") for text in proposal.texts[entries.PATH])
    now = workspace.rows()
    yield from (row for key, row in theirs.items() if row not in (base.get(key), now.get(key)))


def _origin(proposal: Proposal) -> Origin:
    """Return where it says to come from, so far as that can be believed without being graded lower for it.

    What has no agent is graded by its words alone, whatever it says.
    """
    claimed = proposal.said.get("Origin")
    if claimed == "untrusted":
        return "untrusted"
    if proposal.agent is None:
        return "operator" if claimed == "operator" and proposal.commit.ours else "unknown"
    return "unknown" if proposal.agent == CAPTURE else "agent"
