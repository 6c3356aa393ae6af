"""Finds standing orders: `always …`, `please stop …`."""

import re
from collections.abc import Iterator

from clawgit.language import detect, logic
from clawgit.language.own_words import straighten_quotes
from clawgit.language.pasted import own_talk, weight
from clawgit.language.sentences import count_words, sentences

TABLE = "conduct"
_MAX_LETTERS, _MIN_WORDS = 200, 3
_GAP = r"[\s,:;\u3001\uff0c\uff1a\u2013\u2014-]*"
_QUESTION = re.compile(r"[?\uff1f]\W*$")


def rules(text: str) -> Iterator[tuple[int, int]]:
    """Yield the standing orders of a message in its writer's own talk: each sentence, by its first and last characters.

    Such a sentence begins with `always` or `stop` of its language, or with a verb of order and has `always` in it.
    """
    isos = detect.candidates(text)
    keys = ("standing", "stops", "orders")
    always, stops, orders = (logic.table_finder(isos, TABLE, key) for key in keys)
    # A word that leads to an order may be an order of the text's language: `no` of Italian and of Spanish.
    lead = logic.table_finder((*isos[:1], "en"), TABLE, "lead")
    if not always.search(straighten_quotes(text)) and not stops.search(straighten_quotes(text)):
        return
    polite = re.compile(rf"{_GAP}(?:(?:{lead.pattern}){_GAP})*", re.IGNORECASE)
    for sentence in sentences(own_talk(text)):
        words = sentence.own.replace("\0", " ")
        begin = match.end() if (match := polite.match(words)) else 0
        begins = always.match(words, begin) or stops.match(words, begin)
        is_order = begins or (orders.match(words, begin) and always.search(words))
        is_brief = count_words(words) < _MIN_WORDS or weight(words) > _MAX_LETTERS
        if is_order and not is_brief and not _QUESTION.search(text[sentence.start : sentence.end]):
            yield sentence.start, sentence.end
