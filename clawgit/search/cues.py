"""Reads from a question when, and who said it."""

import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.search import words
from clawgit.search.when import spans

if TYPE_CHECKING:
    from clawgit.language.dates import Span

_ASKED = re.compile(
    r"\b(?:did|have|had|could|would) you\b(?! remember| know| think)|\byour (?:advice|suggestion|recommendation|answer)"
    r"|\byou (?:said|told|suggest|recommend|gave|mention|advis|explain|wrote)"
    r"|\b(?:hast|habt) du\b|\b(?:as-tu|avez-vous)\b|你(?:说|建议|推荐)"
)
_SELF = re.compile(
    r"\b(?:i|i'm|i've|me|my|mine|myself|ich|mein\w*|mich|mir|je|mon|ma|mes|moi|yo|mi|mis|io|mio|mia|eu|meu|minha"
    r"|ik|mijn)\b|我(?!们)|私|僕|나는|내가|제가"
)
_NOTED = re.compile(
    r"\b(?:note|noted|wrote|written|write|record|recorded|save|saved|log|logged)\b|\b(?:notiert|aufgeschrieben)\b"
    r"|\b(?:noté|écrit|anoté|apunté|annotato|anotei|genoteerd)\b|[记記][了下录録]|メモ|적[었은어]"
)
"""What somebody has had written down may be in anybody's words."""


class Cues(Struct, frozen=True):
    """Days that are spoken of; `voice` is who is meant to have said it, by name, `role` as user or assistant.

    `named` are all speakers that are named.
    """

    spans: "tuple[Span, ...]" = ()
    voice: str = ""
    role: str = ""
    named: frozenset[str] = frozenset()


def cues(question: str, today: date, voiced: Callable[[str], bool]) -> Cues:
    """Return what a question tells; `voiced` says whether somebody of a name speaks anywhere.

    Two names are of people who talk about each other: then neither is meant more than the other.
    """
    plain = words.fold(question)
    names = frozenset(word for word in words.words(plain)[:60] if len(word) > 1 and voiced(word))
    found = spans(plain, today)
    if len(names) == 1:
        return Cues(found, voice=min(names), named=names)
    role = "" if names else _role(plain.lower())
    return Cues(found, role=role if role and voiced(role) else "", named=names)


def _role(question: str) -> str:
    if _ASKED.search(question):
        return "assistant"
    return "user" if _SELF.search(question) and not _NOTED.search(question) else ""
