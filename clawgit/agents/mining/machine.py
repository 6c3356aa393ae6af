"""Tells what machines wrote from what people say."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

_LINE = re.compile(
    r"^(?:[ \t]*(?:"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[?\d\d:\d\d:\d\d[\].,]"  # log lines
    r"|Traceback \(|File \"|at [\w.$<>/]+\(|Caused by:|[\w.]*(?:Error|Exception|Warning|Fault)\b ?[:(]|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b"
    r"|[{}]|\[[ ]*(?:[{\"\]]|\d+ *,)|\"[\w.-]+\" *:|</?[a-zA-Z!]|\|"  # JSON, markup, tables
    r"|[$❯»] ?\S|PS [A-Z]:|[\w.-]+@[\w.-]+[:~ ][^\s]*[$#]|>>> |\.\.\. "  # prompts
    r"|diff --git |@@ |index [0-9a-f]{7}|[-+]{3} [ab/]|commit [0-9a-f]{7,40}\b|drwx|-rw"
    r"|(?:def|class|function|const|let|var|return|import|from|export|public|private|func|fn|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|FROM|RUN|ENV|COPY)\b[^\n]*(?:[{};=]|\(\)|\):?)[ \t]*$"
    r"|(?:npm|pip|apt|git|docker|sudo|cd|ls|curl|wget|ssh|make|kubectl) [\w./-]+(?: [-\w./:@=]+)*[ \t]*$"
    r"|[\w./-]+(?:=|: ?)[^\s=]+[ \t]+[\w./-]+=[^\s]"  # key=value key=value
    r"|[\w.$\[\]\"']+ *(?:=|\+=|:=) *[^=\n]+;[ \t]*$"
    r")[^\n]*|[^\n]*[;{][ \t]*)$",
    re.MULTILINE,
)
_FIELDS = re.compile(r"\b[\w.-]+=[^\s=]+[ ,;]+[\w.-]+=[^\s=]")
_HEX = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{16,}\b|\S{120,}")
_SIGNS = re.compile(r"[^\w\s,.!?'\"，。！？、\0-]")
_MOST = 0.18
_BRIEF = 12


def lines(own: str) -> list[tuple[int, int]]:
    """Return where lines of machines stand."""
    return [line.span() for line in _LINE.finditer(own) if line[0].strip("\0 \t")]


def without(own: str, spans: list[tuple[int, int]]) -> str:
    """Return `own` words with the spans blotted out; each character stays in place."""
    parts, at = [], 0
    for start, end in spans:
        parts += [own[at:start], "\0" * (end - start)]
        at = end
    return "".join((*parts, own[at:])) if parts else own


def machine(own: str) -> bool:
    """Tell whether a sentence holds more signs than words, fields of a log or a long identifier."""
    if len(own) < _BRIEF:
        return False
    if "=" in own and _FIELDS.search(own):
        return True
    if len(own) > _BRIEF and _HEX.search(own):
        return True
    return own.isascii() and len(_SIGNS.findall(own)) > _MOST * len(own)
