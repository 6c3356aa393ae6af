"""Scores memory, and names lines worth a look."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError, quote_shell
from clawgit.findings.checks.file_checks import check_known_history, check_links, check_sizes
from clawgit.findings.checks.loss_checks import check_identity
from clawgit.findings.registry import CheckInput, Look
from clawgit.memory import in_force
from clawgit.search import answer
from clawgit.text.conflict import conflicts
from clawgit.text.entry import read_saying
from clawgit.text.similarity import read_note_words
from clawgit.workspace import manifest
from clawgit.workspace.memory_lines import MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

_STALE_DAYS = 180
"""Days without a mention, and without a hit, after which an entry is worth a look."""
_MIN_WORDS = 3
"""Fewer words may well be said twice."""
_LABEL = re.compile("[^:\uff1a]{1,40}[:\uff1a]")
_SCORES = "audits"
TITLES = {
    "twice": "said twice",
    "stale": "silent for half a year",
    "evidence": "nothing bears them out",
    "untrusted": "words from outside",
    "loop": "written after search had shown them",
    "contradictions": "contradictions that wait for you, and lines against corrections",
    "secrets": "secrets in history",
    "cap": "what the agent never sees",
    "links": "links that lead nowhere",
    "identity": "identity that nobody approved",
}
"""The parts, as they are called to people."""
_CHECKS: Mapping[str, tuple[int, Look]] = {
    "secrets": (20, check_known_history),
    "cap": (5, check_sizes),
    "links": (5, check_links),
    "identity": (10, check_identity),
}
"""Parts that are checks of `doctor`, with their weight."""


class Flagged(Struct, frozen=True):
    """A line that is worth a look: its place (0: no line), its text, the reason, and a command that helps."""

    path: str
    line: int
    text: str
    reason: str
    fix: str = ""
    id: str = ""


class Part(Struct, frozen=True):
    """One question: its weight in the score, the number of inputs (None: none could be read), and the findings."""

    name: str
    weight: int
    looked: int | None
    found: tuple[Flagged, ...]

    @property
    def lost(self) -> float:
        """Points that it takes from the score."""
        if not self.looked:
            return 0.0
        return self.weight * min(1.0, len(self.found) / self.looked)


class Audit(Struct, frozen=True):
    """All parts, and the number of entries that were looked at."""

    parts: tuple[Part, ...]
    entries: int = 0

    @property
    def score(self) -> int:
        """The result, of 100; parts that could not be looked at count for nothing."""
        return max(0, round(100 - sum(part.lost for part in self.parts)))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The parts that could not be looked at."""
        return tuple(part.name for part in self.parts if part.looked is None)


class Score(Struct, frozen=True):
    """The result of an audit on a day."""

    day: str
    score: int
    found: int


def audit(workspace: Workspace) -> Audit:
    """Look at every entry of memory and of the journals. Nothing is written."""
    lines = [line for line in list_lines(workspace) if line.status in ("live", "corrected")]
    return Audit(tuple(_list_parts(workspace, lines)), len(lines))


def _list_parts(workspace: Workspace, lines: Sequence[MemoryLine]) -> Iterator[Part]:
    lasting = [line for line in lines if manifest.kind(line.path, workspace.memory_file) == "memory"]
    yield _make_audit_part("twice", 25, lines, _find_twice(lines))
    yield _make_audit_part("stale", 15, lasting, _find_stale(workspace, lasting, workspace.now().date()))
    unproven = [line for line in lasting if line.origin == "agent" and not line.mentions]
    reason = "an agent wrote it, and nothing that was said bears it out"
    yield _make_audit_part("evidence", 15, lasting, (_flag(line, reason) for line in unproven))
    outside = ((line, f"{line.path}#L{line.line}") for line in lines if line.origin == "untrusted")
    flags = (
        _flag(line, "its words come from outside", f"clawgit taint {quote_shell(place)}") for line, place in outside
    )
    yield _make_audit_part("untrusted", 30, lines, flags)
    yield _make_audit_part("loop", 15, lines, _find_loops(workspace, lines))
    yield _score_part("contradictions", 10, lambda: _find_contradictions(workspace))
    ground = CheckInput(workspace)
    for name, (weight, check) in _CHECKS.items():
        yield _score_part(name, weight, partial(_examine_check, ground, check))


def _make_audit_part(name: str, weight: int, lines: Sequence[MemoryLine], flags: Iterable[Flagged]) -> Part:
    return Part(name, weight, len(lines) or None, tuple(flags))


def _score_part(name: str, weight: int, look: Callable[[], Iterable[Flagged]]) -> Part:
    """Return a part in which one finding weighs a fifth; unknown if it cannot be looked at."""
    try:
        return Part(name, weight, 5, tuple(look()))
    except ClawgitError:
        return Part(name, weight, None, ())


def _examine_check(ground: CheckInput, check: Look) -> Iterator[Flagged]:
    """Yield the findings of a check of `doctor`."""
    for finding in check(ground):
        yield Flagged(finding.path, finding.line, "", finding.message, str(finding.fix))


def _flag(line: MemoryLine, reason: str, fix: str = "") -> Flagged:
    place = f"{line.path}:{line.line}"
    return Flagged(line.path, line.line, line.text, reason, fix or f"clawgit why {quote_shell(place)}", line.id)


def _find_twice(lines: Iterable[MemoryLine]) -> Iterator[Flagged]:
    """Yield lines that repeat an earlier one; a journal may repeat other files, not itself.

    A line with a label, such as `Status: paid`, is about the heading above it.
    """
    first: dict[tuple[str, str, tuple[str, ...]], MemoryLine] = {}
    for line in lines:
        words = read_saying(line.text)
        if not words or manifest.kind(line.path) == "archive":
            continue
        group = line.path if line.role == "journal" else ""
        section = line.section if _LABEL.match(line.text) else ()
        earlier = first.setdefault((group, words, section), line)
        # East Asia writes without spaces; a note's words lack the copula.
        if earlier is not line and max(len(words.split()), len(read_note_words(words))) >= _MIN_WORDS:
            yield _flag(line, f"as {earlier.path}:{earlier.line}", f"clawgit forget {line.id}")


def _find_stale(workspace: Workspace, lines: Iterable[MemoryLine], today: date) -> Iterator[Flagged]:
    recalls = "\n".join({read_saying(hit.text) for hit in answer.read_shown(workspace.store)})
    long_ago = today - timedelta(days=_STALE_DAYS)
    for line in lines:
        if line.last and line.last < long_ago and read_saying(line.text) not in recalls:
            yield _flag(line, f"last mentioned on {line.last}, and never found since", f"clawgit forget {line.id}")


def _find_loops(workspace: Workspace, lines: Iterable[MemoryLine]) -> Iterator[Flagged]:
    """Yield lines that an agent wrote after search had shown them from another file."""
    sources: dict[str, str] = {}
    for hit in answer.read_shown(workspace.store):
        for row in hit.text.splitlines():
            if words := read_saying(row):
                sources.setdefault(words, hit.path)
    for line in lines:
        path = sources.get(read_saying(line.text))
        if path and path != line.path and line.origin == "agent":
            yield _flag(line, f"search had shown it, from {path}", f"clawgit forget {line.id}")


def _find_contradictions(workspace: Workspace) -> Iterator[Flagged]:
    for record in conflicts(workspace.read(file_roles.CONFLICTS) or ""):
        if record.status == "open":
            fix = f"clawgit show {record.id}"
            yield Flagged(file_roles.CONFLICTS, record.start, record.a.text, "contradicts another", fix, record.id)
    for line, rule in in_force.list_against(workspace, in_force.rules_of(workspace)):
        if not in_force.is_superseded(line):
            yield _flag(line, "goes against a correction", f"clawgit show {rule.id}")


def record_audit(workspace: Workspace, result: Audit) -> None:
    """Keep the result of an audit, once a day."""
    row = Score(workspace.now().date().isoformat(), result.score, sum(len(part.found) for part in result.parts))
    workspace.store.edit_rows(_SCORES, Score, lambda past: (*(score for score in past if score.day != row.day), row))


def history(workspace: Workspace) -> list[Score]:
    """Return the results of audits, the oldest first."""
    return workspace.store.read_rows(_SCORES, Score)
