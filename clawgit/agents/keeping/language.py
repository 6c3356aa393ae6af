"""Tells the language of a line or a file."""

import re

from clawgit.agents.mining.listed import listed
from clawgit.text.sameness.lexicon import MARKERS

_KANA, _HANGUL, _HAN = re.compile(r"[\u3041-\u30ff]"), re.compile(r"[\uac00-\ud7a3]"), re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+")
_MORE = {
    "de": listed(
        "du dir dich deine antworten antworte bitte mehr keine ohne sich ab ich schon wieder genau immer danke nur kein"
        " kurz sag schreib lass hör nichts nochmal"
    ),
    "es": listed(
        "tu tus te me sin más respuestas responde siempre deja cuando así perfecto sigue gracias otra vez nunca dime"
        " pero eso basta antes"
    ),
    "fr": listed(
        "tu tes te me sans plus réponses réponds toujours arrête quand chaque ça comme parfait merci encore jamais"
        " c'est dis pas trop"
    ),
    "en": listed("you your me when don't stop keep please short answers"),
}
_FEW = 0.2
"""The share of letters from which on a script of East Asia counts."""


def language(text: str) -> str:
    """Return `en`, `de`, `es`, `fr`, `zh`, `ja` or `ko`; English where nothing tells."""
    asian = len(_HAN.findall(text)) + len(_KANA.findall(text)) + len(_HANGUL.findall(text))
    if asian > _FEW * max(1, sum(map(str.isalpha, text))):
        if len(_HANGUL.findall(text)) > asian / 2:
            return "ko"
        return "ja" if _KANA.search(text) else "zh"
    words = _WORD.findall(text.casefold())
    counts = {lang: sum(word in MARKERS[lang] or word in _MORE[lang] for word in words) for lang in ("en", *_MORE)}
    return max(counts, key=lambda lang: (counts[lang], lang == "en"))
