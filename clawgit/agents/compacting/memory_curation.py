"""Has a voice find what a memory file can spare."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clawgit.agents.compacting.memory_hygiene import Held, Twins, listed_alike, older
from clawgit.agents.compacting.memory_pieces import Piece
from clawgit.agents.compacting.narration import stands
from clawgit.agents.protocol import destructive, line_claims, nothing_invented
from clawgit.agents.protocol.check_result import Fault, Ground
from clawgit.agents.protocol.check_result import Held as Known
from clawgit.agents.protocol.line_claims import LineClaim, Say
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.safety import hidden_text, injection, secrets
from clawgit.safety.redaction import redacted
from clawgit.text import document
from clawgit.text.edit import is_link
from clawgit.text.sameness.note_reading import Known as Index
from clawgit.workspace import risk
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.file_roles import MEMORY

Guarded = Callable[[], Mapping[str, Known]]
"""Returns the memories as the checks see them, by id."""
_TWINS_ANSWER = 2_000
"""Tokens of an answer, at the most."""
_NEAR, _PAIRS = 4, 60
TWINS_RULES = """\
You read pairs of memories that resemble each other: a number, then the two. Name the pairs of which one line is not
needed, because the other says all of it: the same numbers, names, days, conditions and the same "not". Two that only
speak of one thing are no such pair. Answer with one JSON object and nothing else:
{"operations": [{"act": "merge", "pair": 3, "stays": 1}]}
"stays" is 1 for the first line, 2 for the second. An empty list is a good answer."""


def twins(some: Sequence[Held], guarded: Guarded, say: Say) -> tuple[list[Twins], str]:
    """Return pairs of which one goes, and a sentence where the voice failed.

    What goes is neither asked for, nor a correction, nor a boundary; nothing of it is lost in what stays; the second
    call bears it out; and no more goes than one run may take away (agents.md, check 5).
    """
    pairs = list(_near(some))[:_PAIRS]
    if not pairs:
        return [], ""
    rows = (f"{n} 1: {one_line(a.entry.text)} 2: {one_line(b.entry.text)}" for n, (a, b) in enumerate(pairs, 1))
    known = guarded()
    ground = Ground(held=known, total=len(known))
    try:
        chosen = list(_parsed(say(TWINS_RULES, "\n".join(rows), _TWINS_ANSWER), pairs))
        fit = [one for one in chosen if not _fault(one, ground)]
        claims = [LineClaim(one.goes.entry.text, (Source(one.stays.entry.text, older(one.stays)),)) for one in fit]
        doubted = line_claims.unsupported(claims, say, "duplicates")
    except ModelError as exc:
        return [], f"the voice gave no answer on what is said twice: {exc.message}"
    return _apart([one for at, one in enumerate(fit) if at not in doubted])[: destructive.limit(len(known))], ""


def _near(some: Sequence[Held]) -> Iterator[tuple[Held, Held]]:
    """Yield entries of one list that resemble each other, the nearest of each first."""
    flat = [one for one in some if one.entry.depth == 1 and not is_link(one.entry.text)]
    index: Index[int] = Index()
    for at, one in enumerate(flat):
        for other in index.near(one.entry.text, _NEAR):
            if listed_alike(one.entry, flat[other].entry):
                yield flat[other], one
        index.add(at, one.entry.text)


def _parsed(said: str, pairs: Sequence[tuple[Held, Held]]) -> Iterator[Twins]:
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    some: list[Any] = next((one["operations"] for one in values if isinstance(one.get("operations"), list)), [])
    for one in some[:_PAIRS]:
        if not isinstance(one, dict) or one.get("act") != "merge" or one.get("stays") not in (1, 2):
            continue
        number = one.get("pair")
        if isinstance(number, int) and 1 <= number <= len(pairs):
            first, second = pairs[number - 1]
            yield Twins(first, second) if one["stays"] == 1 else Twins(second, first)


def _fault(one: Twins, ground: Ground) -> str:
    """Return why an entry may not go, "" where it may."""
    known = ground.held.get(one.goes.id)
    if known is None:
        return f"there is no entry {one.goes.id}"
    found = destructive.named(Operation("retire", entries=(one.goes.id,)), ground)
    if isinstance(found, Fault):
        return found.why
    text = one.stays.entry.text
    return destructive.lost(text, [known], logic.languages(text, known.text), spare=1)


def _apart(some: Sequence[Twins]) -> list[Twins]:
    """Return pairs none of which touches an entry of one before."""
    taken: set[int] = set()
    found = []
    for one in some:
        mine = {one.stays.entry.start, one.goes.entry.start}
        if not mine & taken:
            taken |= mine
            found.append(one)
    return found


_PIECES_ANSWER = 4_000
"""Tokens of an answer, at the most."""
_SAYS, _SHOWN, _SHOWN_LABEL, _MOST = 120, 400, 160, 150
PIECES_RULES = f"""\
The memory file of an agent is too long for its prompt. You read its parts: a number, the title, the lines, how they
begin. Name those that may leave for files of their own, in the order in which they may, first what will be needed
least: what is over, worked out, the state of one day, or only read up on now and then. Leave out what every talk needs:
who the operator is, how he wants the agent to behave, what the agent may not do, what he works on now, decisions that
stand. The first line of what you read says how many lines have to go: where the parts that you name have fewer, others
go that nobody chose. Answer with one JSON object and nothing else:
{{"order": [{{"part": 3, "says": "…"}}]}}
"says" is what the link to the file tells of it beyond the title: at most {_SAYS} characters, in the language and in the
own words of the part, without numbers that it does not hold. A part marked with * needs none."""


class Ordered(NamedTuple):
    """First lines of parts in the order in which they may leave, and what the link to each says."""

    lines: tuple[int, ...] = ()
    says: Mapping[int, str] = {}
    note: str = ""


def pieces(text: str, some: Sequence[Piece], wanted: int, say: Say) -> Ordered:
    """Return the order in which a voice would have parts leave; with `note`, and none, where it failed.

    `wanted` lines have to go. What a link says is taken only where each of its words, numbers and names stands in the
    part.
    """
    rows = document.split(text)
    some = some[:_MOST]
    bodies = ["".join(rows[one.start - one.label : one.end]) for one in some]
    shown = (_shown(n, one, body) for n, (one, body) in enumerate(zip(some, bodies, strict=True), 1))
    try:
        said = say(PIECES_RULES, "\n".join((f"at least {wanted} of {len(rows)} lines", *shown)), _PIECES_ANSWER)
    except ModelError as exc:
        return Ordered(note=f"the voice gave no answer on what may leave the memory file: {exc.message}")
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    told: list[Any] = next((one["order"] for one in values if isinstance(one.get("order"), list)), [])
    found: dict[int, str] = {}
    for one in told:
        number = one.get("part") if isinstance(one, dict) else None
        if isinstance(number, int) and 1 <= number <= len(some):
            piece = some[number - 1]
            says = _own_words(one.get("says"), f"{piece.title}\n{bodies[number - 1]}")
            found.setdefault(piece.start, says if _harmless(piece.told(says)) else "")
    return Ordered(tuple(found), {line: says for line, says in found.items() if says})


def _shown(number: int, one: Piece, body: str) -> str:
    title = f"{one.top}: {one.title}" if one.within and one.title not in (one.top, one.within) else one.title
    begins = redacted(shorten(one_line(body), _SHOWN_LABEL if one.label else _SHOWN))
    return f"{number}{'*' if one.label else ''} {title} ({one.end - one.start + one.label} lines): {begins}"


def _harmless(line: str) -> bool:
    """Tell whether a line may stand in a memory file without an alarm: a key, named beside a link, looks like theft."""
    return (
        risk.grade("", line, origin="agent", evidence=("operator",), cap_tokens=_PIECES_ANSWER, path=MEMORY).level
        == "low"
    )


def _own_words(says: Any, body: str) -> str:
    """Return what a link may say: one line of words, numbers and names of the section; "" for what may not."""
    if not isinstance(says, str) or not says.strip() or len(says) > _SAYS or "\n" in says.strip():
        return ""
    text = says.strip()
    isos = logic.languages(text, body)
    strange = logic.content(text, isos) - logic.content(body, isos)
    if strange or nothing_invented.missing(text, (Source(body),), isos, days=True):
        return ""
    if hidden_text.scan(text) or injection.scan(text) or secrets.scan(text) or not stands(text) or "](" in text:
        return ""
    return "" if logic.denials(text, isos) and not logic.denials(body, isos) else text
