"""Has a voice find what a memory file can spare."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clawgit.agents.compacting.memory_hygiene import Held, Twins, listed_alike, older
from clawgit.agents.compacting.narration import stands
from clawgit.agents.protocol import destructive, line_claims, value_backing
from clawgit.agents.protocol.check_result import Fault, Ground
from clawgit.agents.protocol.check_result import Held as Known
from clawgit.agents.protocol.line_claims import LineClaim, Say
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.protocol.value_backing import Evidence, Source
from clawgit.language import logic
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.safety import hidden_text, injection, secrets
from clawgit.safety.redaction import redacted
from clawgit.text import document
from clawgit.text.document import Section
from clawgit.text.sameness.note_reading import Known as Index
from clawgit.workspace.commit_message import one_line, shorten

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
    flat = [one for one in some if one.entry.depth == 1]
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
    return destructive.lost(text, [known], logic.languages(text, known.text))


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


_SECTIONS_ANSWER = 3_000
"""Tokens of an answer, at the most."""
_SAYS, _SHOWN, _MOST = 120, 400, 200
SECTIONS_RULES = f"""\
The memory file of an agent is too long for its prompt. You read its sections: a number, the title, the lines, how they
begin. Put them in the order in which they may leave for files of their own, first what will be needed least: what is
over, worked out, or only read up on now and then. What the agent needs in every talk comes last. Answer with one JSON
object and nothing else:
{{"order": [{{"section": 3, "says": "…"}}]}}
"says" is what the link to the file tells of it beyond the title: at most {_SAYS} characters, in the language and in the
own words of the section, without numbers that it does not hold."""


class Ordered(NamedTuple):
    """Titles of sections in the order in which they may leave, and what the link to each says."""

    titles: tuple[str, ...] = ()
    says: Mapping[str, str] = {}
    note: str = ""


def sections(text: str, some: Sequence[Section], say: Say) -> Ordered:
    """Return the order in which a voice would have sections leave; with `note`, and no order, where it failed.

    What a link says is taken only where each of its words, numbers and names stands in the section.
    """
    rows = document.split(text)
    bodies = ["".join(rows[one.line : one.end]) for one in some]
    shown = (
        f"{n} {one.title} ({one.end - one.start} lines): {redacted(shorten(one_line(body), _SHOWN))}"
        for n, (one, body) in enumerate(zip(some, bodies, strict=True), 1)
    )
    try:
        said = say(SECTIONS_RULES, "\n".join(shown), _SECTIONS_ANSWER)
    except ModelError as exc:
        return Ordered(note=f"the voice gave no answer on what may leave the memory file: {exc.message}")
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    told: list[Any] = next((one["order"] for one in values if isinstance(one.get("order"), list)), [])
    titles: dict[str, str] = {}
    for one in told[:_MOST]:
        number = one.get("section") if isinstance(one, dict) else None
        if isinstance(number, int) and 1 <= number <= len(some):
            section = some[number - 1]
            titles.setdefault(section.title, _own_words(one.get("says"), f"{section.title}\n{bodies[number - 1]}"))
    return Ordered(tuple(titles), {title: says for title, says in titles.items() if says})


def _own_words(says: Any, body: str) -> str:
    """Return what a link may say: one line of words, numbers and names of the section; "" for what may not."""
    if not isinstance(says, str) or not says.strip() or len(says) > _SAYS or "\n" in says.strip():
        return ""
    text = says.strip()
    isos = logic.languages(text, body)
    strange = logic.content(text, isos) - logic.content(body, isos)
    if strange or value_backing.missing(text, Evidence((Source(body, None),), isos)):
        return ""
    if hidden_text.scan(text) or injection.scan(text) or secrets.scan(text) or not stands(text) or "](" in text:
        return ""
    return "" if logic.denials(text, isos) and not logic.denials(body, isos) else text
