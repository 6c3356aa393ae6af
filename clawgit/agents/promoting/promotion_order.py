"""Has a voice order what could be kept for good."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.promoting.journal_notes import Note
from clawgit.agents.promoting.promotion_categories import CATEGORIES, Category
from clawgit.agents.protocol import destructive, facts, line_claims
from clawgit.agents.protocol.check_result import Held
from clawgit.agents.protocol.line_claims import LineClaim, Say
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.language import logic
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.safety.redaction import redacted
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line, shorten

ANSWER = 6_000
"""Tokens of an answer, at the most."""
NONE: Literal["none"] = "none"
MOST = 60
"""Notes that one answer may name."""
_LONGEST_WHY = 200
_LONGEST_ENTRY, _QUARTER = 160, 4
_LONGEST_NOTE = 600
_EMPTY = {
    *("decision", "fact", "important", "insight", "key insight", "key lesson", "learned", "learning", "lesson"),
    *("lesson learned", "lessons learned", "note", "remember", "takeaway", "key takeaway"),
}
"""Labels without which a line says the same."""
_MARKS = frozenset(("important", "critical", "import", "critic"))
"""Stems of what only says that a note matters."""
RULES = f"""\
You read the memory file of an agent, and notes of its journals, each with a number, its day and the headings above it.
Choose the notes that are worth keeping for good: what somebody will need in months, such as decisions and their
reasons, agreements, prices, contracts, rights, people and how they stand to each other, how things are built, what was
reached, what is planned, and what was asked to be kept. Leave out the work, talk and errands of a day, jokes, feelings,
what says that something is not decided, and what the memory file says already. Answer with one JSON object and nothing
else:
{{"order": [{{"line": 3, "why": "…", "category": "…", "text": "…", "topic": "…"}}]}}
The best comes first, at most {MOST}; an empty list is a good answer. "why" is a few words on why it will be needed.
"category" is one of {", ".join(CATEGORIES[1:])}, or "{NONE}".
"text" is the note as one sentence of at most 240 characters that is understood without the journal, in the note's
language and in its own words and those of its headings: all of its numbers, names, denials and conditions, what it
speaks of where only a heading names that, and nothing else; days as YYYY-MM-DD, its own where something happened on
it. Leave it out only where the note is such a sentence as it stands: whole, with its subject, not the entry of a list.
"topic" is the section of the memory file that it belongs in, by its title, else a title of at most four words that
several of your notes share; leave it out where none fits."""


class Chosen(Struct, frozen=True):
    """A note that a voice would keep, by its place: why, the sentence that says it, and why that sentence is not taken.

    `sentence` is "" where the note's own words stay; `category` is what the voice takes it for, NONE for no
    category, "" where it does not say; `topic` the title of the section that it belongs in, "" where none fits.
    """

    place: int
    why: str
    sentence: str = ""
    doubt: str = ""
    category: Category | Literal["none", ""] = ""
    topic: str = ""


class Ordered(Struct, frozen=True):
    """What a voice says of notes: those it would keep, the best first; how many it read; `note` where it said nothing.

    `asked` is False where it gave no answer of use: then nothing is known of what it would keep.
    """

    chosen: tuple[Chosen, ...] = ()
    read: int = 0
    asked: bool = False
    note: str = ""


def order(notes: Sequence[Note], say: Say, tokens: int, today: str, memory: Sequence[str] = ()) -> Ordered:
    """Return what a voice would keep of notes, the first of which come first into one batch of so many tokens.

    `memory` are the titles and entries of the memory file, for which a quarter of the batch is kept.

    A sentence takes the place of a note's words only where nothing of them is lost and nothing is added (agents.md,
    checks 3, 4, 5 and 9); else they stay as they are.
    """
    held = _held(memory, tokens // _QUARTER)
    rows = _rows(notes, tokens - sum(map(count, held)))
    material = "\n".join((f"Today is {today}.", *held, *rows))
    try:
        found = _parsed(say(RULES, material, ANSWER), len(rows))
        if isinstance(found, str):
            more = f"{material}\n\nYour answer was of no use: {found}. Give the whole JSON object, and nothing else."
            found = _parsed(say(RULES, more, ANSWER), len(rows))
    except ModelError as exc:
        return Ordered(note=f"the voice gave no answer, and the score orders: {exc.message}")
    if isinstance(found, str):
        return Ordered(note=f"the voice gave no answer of use, and the score orders: {found}")
    judged = [_judged(one, notes[one.place]) for one in found]
    return Ordered(tuple(_supported(judged, notes, say)), len(rows), asked=True)


def _held(memory: Sequence[str], tokens: int) -> list[str]:
    """Return the rows of the memory file, those of its entries as many as the tokens hold, titles all of them."""
    rows, left = list[str](), tokens
    for one in memory:
        row = shorten(one_line(redacted(one)), _LONGEST_ENTRY)
        left -= count(row) + 1
        if left > 0 or one.startswith("#"):
            rows.append(row)
    return ["The memory file:", *rows, "The notes:"] if rows else ["The notes:"]


def _rows(notes: Sequence[Note], tokens: int) -> list[str]:
    """Return the notes as numbered rows, as many as the tokens hold."""
    rows: list[str] = []
    left = tokens - count(RULES)
    for number, one in enumerate(notes, 1):
        heads = _above(one)
        text = shorten(one_line(redacted(f"{one.entry.text} {one.nested}")), _LONGEST_NOTE)
        row = f"{number} {one.day}{f' [{heads}]' if heads else ''} {text}"
        left -= count(row) + 1
        if left < 0:
            break
        rows.append(row)
    return rows


def _above(note: Note) -> str:
    """Return the headings of a note but for the title of its journal."""
    return redacted(" > ".join(note.entry.section[1:]))


def _parsed(said: str, total: int) -> list[Chosen] | str:
    """Return what an answer chooses, each note once; a sentence on what is wrong where it is none."""
    for value in json_answer.values(said):
        if isinstance(value, dict) and isinstance(value.get("order"), list):
            found = (_chosen(one, total) for one in value["order"][:MOST])
            return list({one.place: one for one in reversed([one for one in found if one])}.values())[::-1]
    return 'there is no JSON object with a list "order" in it'


def _chosen(one: Any, total: int) -> Chosen | None:
    line = one.get("line") if isinstance(one, dict) else None
    if isinstance(line, bool) or not isinstance(line, int) or not 1 <= line <= total:
        return None
    why, text, topic = (one.get(name) if isinstance(one.get(name), str) else "" for name in ("why", "text", "topic"))
    kinds: tuple[Category | Literal["none"], ...] = (*CATEGORIES[1:], NONE)
    kind: Category | Literal["none", ""] = next((name for name in kinds if name == one.get("category")), "")
    short = shorten(one_line(redacted(why)), _LONGEST_WHY)
    return Chosen(line - 1, short, text.strip(), category=kind, topic=one_line(topic))


def _judged(one: Chosen, note: Note) -> Chosen:
    """Return a choice with why its sentence cannot take the place of the note, as far as code can tell."""
    if not one.sentence or one.sentence == note.entry.text:
        return replace(one, sentence="")
    doubt = line_claims.fault(_claim(one, note)) or _lost(one.sentence, note)
    return replace(one, sentence="", doubt=doubt) if doubt else one


def _lost(text: str, note: Note) -> str:
    """Return what of a note a sentence in its place has lost: a value, a denial, a condition, or any word; "" for none.

    A label that says nothing, such as `**Lesson:**`, need not stay. Whether it adds something the second call judges.
    """
    said = note.entry.text
    isos = logic.languages(said, text)
    label, rest = line_claims.labelled(said)
    empty = label.casefold() in _EMPTY
    kept = rest if empty else said
    if gone := destructive.lost(text, [Held(f"{note.path}#L{note.start}", kept)], isos, note.day):
        return gone
    whole, left = (logic.content(facts.read(each, isos).rest.replace("\0", " "), isos) for each in (said, text))
    may_go = logic.content(label, isos) - logic.content(rest, isos) if empty else frozenset()
    gone_words = sorted(whole - left - _MARKS - may_go)
    return f"'{gone_words[0]}' of the note is lost" if gone_words else ""


def _claim(one: Chosen, note: Note) -> LineClaim:
    return LineClaim(one.sentence, (Source(note.entry.text, note.day),), _above(note))


def _supported(some: Sequence[Chosen], notes: Sequence[Note], say: Say) -> list[Chosen]:
    """Return the choices; the sentence of one that its note does not bear out is not taken."""
    wanted = [one for one in some if one.sentence]
    claims = [_claim(one, notes[one.place]) for one in wanted]
    try:
        why = line_claims.unsupported(claims, say, notes[0].path)
    except ModelError:
        why = dict.fromkeys(range(len(wanted)), "whether the note bears it out was not judged")
    doubts = {one.place: why[at] for at, one in enumerate(wanted) if at in why}
    return [replace(one, sentence="", doubt=doubts[one.place]) if one.place in doubts else one for one in some]
