"""Keeps a line's beginning from meaning something to Markdown."""

import re

_HEADS = r"\#{1,6}(?:[ \t]|$)|[-+*](?:[ \t]|$)|>|```|~~~|=+[ \t]*$|-+[ \t]*$|\[[ xX]\](?:[ \t]|$)"
_RULE = r"([-*_])(?:[ \t]*\3){2,}[ \t]*$"
_HTML = r"<(?![a-z][a-z0-9+.-]*:)[A-Za-z/!?]|\\[-#+*>`~=_<\[\\]"
_NUMBER = r"(?P<number>\d{1,9})(?=[.)](?:[ \t]|$)|\\[.)\\])"
_DANGER = re.compile(rf"(?P<space>[ \t]*)(?:{_NUMBER}|(?={_HEADS}|{_RULE}|{_HTML}))")
_ESCAPED = re.compile(r"([ \t]*)(?:(\d{1,9})\\([.)\\])|\\([-#+*>`~=_<\[\\]))")


def escape(line: str) -> str:
    r"""Put a backslash where the line would open a heading, list, quote, fence, rule or HTML."""
    match = _DANGER.match(line)
    return line[: match.end()] + "\\" + line[match.end() :] if match else line


def unescape(line: str) -> str:
    """Take that backslash away."""
    match = _ESCAPED.match(line)
    if not match:
        return line
    return match[1] + (match[2] + match[3] if match[2] else match[4]) + line[match.end() :]
