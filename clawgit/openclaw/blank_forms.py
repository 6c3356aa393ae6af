"""Knows the forms of identity files."""

import re
from functools import cache

from clawgit import file_roles
from clawgit.resources import resource

_FORMS = frozenset({"IDENTITY.md", "USER.md", "TOOLS.md", "HEARTBEAT.md"})
_FIELD = re.compile(r"[-*+] +[*_]*[^:\uff1a*_]{1,40}[*_]* ?[:\uff1a](.*)")
_DECORATION = re.compile(r"#.*|---|([*_])(?![*_]).*\1|")
"""A title, a line between parts, emphasised words, or nothing."""
_NAME = r"(?im)^[ \t]*[-*+][ \t]*\**(?:name|what to call them|call them|nickname)[ \t]*:?\**[ \t]*:?[ \t]*([^\n]*)$"
_NAME_CHARS = range(2, 41)
_BRACKETS = {"(": ")", "\uff08": "\uff09", "[": "]", "<": ">"}


def form_lines(path: str, text: str | None) -> frozenset[str]:
    """Return the blank lines of a form, and all lines of an untouched one.

    Blank are a field without a value, its hint, and lines of the shipped templates.
    """
    name, rows = file_roles.role_name(path), [row.strip() for row in (text or "").split("\n")]
    if name not in _FORMS:
        return frozenset()
    blank, waits = set(shipped_lines(name)), False
    for row in rows:
        field = _FIELD.match(row)
        is_hint = _is_hint(field[1]) if field else waits and bool(row) and _is_hint(row)
        blank |= {row} if is_hint else set()
        waits = is_hint or row.startswith("#") or (waits and not row)
    fields = [number for number, row in enumerate(rows) if _FIELD.match(row)]
    if not fields or any(rows[number] not in blank for number in fields):
        return frozenset(blank)
    end = next((number for number in range(fields[-1], len(rows)) if rows[number] == "---"), len(rows))
    answers = (row for row in rows[fields[0] : end] if row not in blank and not _DECORATION.fullmatch(row))
    return frozenset(blank if any(answers) else rows) - {""}


def is_blank(path: str, text: str) -> bool:
    """Return whether a file has no content of its own: only lines of a form, and titles."""
    form = form_lines(path, text)
    left = (row for row in text.split("\n") if row.strip() and row.strip() not in form)
    return all(row.startswith(("#", "```", "---")) for row in left)


def may_go(path: str, previous: str | None, now: str | None, agents: str | None = None) -> bool:
    """Return whether OpenClaw itself removes or empties a file with this content once it is done with it.

    That is a ritual; and TOOLS.md, which its doctor moves into AGENTS.md, with the text `agents`.
    """
    if path in file_roles.MAY_GO:
        return now is None or (is_blank(path, now) and {*now.split("\n")} <= {"", *(previous or "").split("\n")})
    is_moved = path == file_roles.TOOLS and now is None and previous is not None
    return is_moved and (is_blank(path, previous or "") or (previous or "").strip() in (agents or ""))


def _is_hint(words: str) -> bool:
    """Return whether the words behind a label, or below it, are none of its owner's: none at all, or in brackets."""
    words = words.strip(" *_")
    return not words or words.endswith(_BRACKETS.get(words[0], "\n"))


def read_names(user: str) -> frozenset[str]:
    """Return the names that USER.md gives, whole and the first word of each; a name left blank is none."""
    values = (re.sub(r"[*_`]", "", line).strip() for line in re.findall(_NAME, user))
    names = [name for name in values if name and len(name) in _NAME_CHARS and not name.startswith(("(", "["))]
    return frozenset((*names, *(name.split()[0].rstrip(",;") for name in names)))


@cache
def shipped_lines(name: str) -> frozenset[str]:
    """Return the lines of our template, and of OpenClaw's, without titles: those may be above other text."""
    places = (resource("templates") / place for place in (f"workspace/{name}", "blank_lines.txt"))
    rows = (row.strip() for place in places for row in place.read_text("utf-8").split("\n"))
    return frozenset(row for row in rows if row and not row.startswith("#"))
