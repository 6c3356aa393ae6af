"""Whom and what a conversation names."""

import re
from collections.abc import Iterable

from clawgit.search import stop
from clawgit.search.framing import framing

_MOST = 20
_NAME = re.compile(r"[^\W\d_][\w'\u2019-]*")
_HANDLE = re.compile(r"(?<!\w)@[\w.-]{2,40}|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_START = re.compile(r"(?:^|[.!?\n:\u3002\uff01\uff1f]|[-*])[\s\"'(\u201c]*$")
_QUOTED = re.compile(r"[\"\u201c\u300c\u300e]([^\"\u201d\u300d\u300f\n]{2,40})[\"\u201d\u300d\u300f]")


def entities(texts: Iterable[str]) -> list[str]:
    """Return names, addresses and quoted words, each once, in the order in which they come up.

    A name is what begins with a capital: several in a row are one name. At the beginning of a sentence every word has
    one, so there a common word is none.
    """
    found: dict[str, str] = {}
    for text in texts:
        for one in (*_HANDLE.findall(text), *_QUOTED.findall(text), *_names(text)):
            found.setdefault(one.casefold(), one)
    return list(found.values())[:_MOST]


def _names(text: str) -> list[str]:
    names: list[str] = []
    end = -1
    for match in _NAME.finditer(text):
        word = re.sub(r"['\u2019]s$", "", match[0])
        capital = word[0].isupper() or word[0].istitle()
        common = not word[1:] or word.lower() in stop.words([word.lower()]) | framing(word.lower())
        if not capital or (common and (_START.search(text[: match.start()][-12:]) or len(word) < 3)):  # noqa: PLR2004
            continue
        if names and text[end : match.start()] == " ":
            names[-1] += f" {word}"
        else:
            names.append(word)
        end = match.end() if word == match[0] else -1
    return names
