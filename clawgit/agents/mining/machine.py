"""Tells what machines wrote from what people say."""
# ruff: noqa: RUF001 -- a pattern is read whole, with the marks of many scripts

import re

_FIELDS = re.compile(r"\b[\w.-]+=[^\s=]+[ ,;]+[\w.-]+=[^\s=]")
_HEX = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{16,}\b|\S{120,}")
_SIGNS = re.compile(r"[^\w\s,.!?'\"，。！？、\0-]")
_MOST = 0.18
_BRIEF = 12


def machine(own: str) -> bool:
    """Tell whether a sentence holds more signs than words, fields of a log or a long identifier."""
    if len(own) < _BRIEF:
        return False
    if "=" in own and _FIELDS.search(own):
        return True
    if len(own) > _BRIEF and _HEX.search(own):
        return True
    return own.isascii() and len(_SIGNS.findall(own)) > _MOST * len(own)
