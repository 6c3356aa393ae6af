"""Tells statements from offers and orders."""
# ruff: noqa: E501 -- a pattern is read whole, in its own script

import re

from clawgit.agents.validating.unclaimed import asks
from clawgit.language import sentences

_OFFER = re.compile(
    r"\b(?:I (?:can|could|might) |how about|what about|would you|ich (?:kann|könnte)|puedo|podría|je peux|je pourrais)",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\W*(?:(?:now|so|then|and|please|pls|also|just|can you|could you|would you|i need you to|i want|i'd like|i need|bitte|jetzt|kannst du|por favor|ahora|puedes|s'il te plaît|maintenant|peux-tu)\W+)*"
    r"(?:book|buy|remind|write|make|send|add|create|order|schedule|give|get|find|show|tell|put|start|run|open|plan|draft|call|order|log|note|wake|ping|invite|reserve|search|try|check|read|print|cook|play|count|list|pick|take|generate|build|deploy|test|a new|another|an? \w+ (?:of|for)"
    r"|buche?|kaufe?|erinnere?|schreibe?|mache?|stelle?|schicke?|erstelle?|bestelle?|suche?|trage?|reserva|compra|recuérdame|escribe|pon|manda|crea|busca|réserve|achète|rappelle|écris|mets|envoie|crée|cherche)\b"
    r"|帮我|请|给我|提醒我|.*(?:してください|して(?:おいて)?[。!]?$|お願い)|.*(?:해줘|해 줘|주세요)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:as well|too|also|another|additional|extra|more|on top|auch|zusätzlich|noch (?:ein|mal)|también|otr[oa]|además|aussi|un autre|une autre|encore)\b|另外一|再来|もう一つ|또 하나",
    re.IGNORECASE,
)


def claims(text: str) -> str:
    """Return what a text states, without its questions and its offers."""
    return "\n".join(one for one in sentences.texts(text) if not (asks(one) or _OFFER.search(one)))


def orders(clause: str) -> bool:
    """Tell whether a clause asks for something to be done, or adds to what is so: no memory is wrong then."""
    return bool(_ORDERS.match(clause) or _MORE.search(clause))
