"""Text that Markdown does not show and an agent reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clawgit.safety.tongue import WIDE

LONGEST = 80  # characters of a quote
_COMMENT = r"<!--(.*?)(?:-->|\Z)|^\[//\]: #[ \t]*(.*)$"
_STYLED = (
    r"<\w+\s[^<>]{0,200}?(?:display:\s*none|visibility:\s*hidden|font-size:\s*[01](?:px|pt|em)?\b|[\"';\s]color:\s*(?:#fff(?:fff)?\b|white|transparent)|opacity:\s*0|\bhidden\b)[^<>]{0,100}>"
    r"(.{0,400})"
)
_DATA = (
    r"(?i)\s*(?:add|list|put|write) (?:your|new) [^.]{0,60}\b(?:below|here)\b[^.]{0,20}$"
    r"|\s*(?:was|observed|trigger|importance|project|status)\b[^:]{0,12}:"  # OpenClaw's notes, and our own
)
_MIN_WORDS = 3
_SPEAKS = (
    r"(?i)\b(?:agent|assistant|model|ai|bot|you|your|always|never|must|do not|don't|skip|send|forward|ignore|approve"
    r"|obey|run|execute|follow|append|may|whoever|anyone|no need|when (?:writing|asked|answering|you))\b"
    r"|アシスタント|助手|必ず|总是|不要|항상|immer|niemals|siempre|toujours|всегда"
    r"|一并|发[到给送]|转发|附上|不显示|不用|照办"
    r"|优先"
    r"|送[るっ信]|転送|添え|従[ういっ]|知らせない|見せない|書かない|보내|전송|따르|알리지|보이지"
    r"|отправ|посыла|выполня|не (?:показыв|сообща|говор)"
    r"|\b(?:sende|schicke|befolg\w*|verschweig\w*|env[ií]\w+|manda|obedece|envoie|obéi\w+)\b"
)


def find(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of each comment or invisible element that speaks to a reader; data is no speech."""
    for pattern, flags in ((_COMMENT, re.DOTALL | re.MULTILINE), (_STYLED, re.IGNORECASE)):
        for match in re.finditer(pattern, text, flags):
            words = next((group for group in match.groups() if group), "")
            if _length(words) >= _MIN_WORDS and not re.match(_DATA, words) and re.search(_SPEAKS, words):
                yield text.count("\n", 0, match.start()) + 1, " ".join(words.split())[:LONGEST]


def _length(words: str) -> int:
    """Return how many words there are; two letters of a script without spaces count as one."""
    return len(words.split()) + len(re.findall(WIDE, words)) // 2
