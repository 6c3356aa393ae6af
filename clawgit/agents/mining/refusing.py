"""Tells text that is brought to be worked on."""

import re

_MATERIAL = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|paraphrase|rewrite|rephrase|shorten|reply to|respond to|tl;?dr)\b"
    r"(?: (?:it|this|that|below|above|for me)\b|[:.]?\s*$"
    r"| (?:the|this|my) (?:following|text|article|e?-?mail|message|letter|post)\b)"
    r"|\b(?:the|this) (?:following )?(?:article|text|e?-?mail|message|letter|post|thread|abstract)[^.:\n]{0,30}:\s"
    r"|总结一下|翻译|概括|要約し|訳して|翻訳し|요약해|번역해|\bfasse?\b.{0,40}\bzusammen|\bübersetze\b"
    r"|\bresume\b|\bresúme(?:lo)?\b|\brésume\b|\btraduis\b|\btraduce\b"
)


def material(own: str) -> bool:
    """Tell whether a message brings a text to work on, of which nothing is its bringer's word."""
    return ("\n" in own or ":" in own) and bool(_MATERIAL.search(own.lower()))
