"""The names by which the operator is called."""

from __future__ import annotations

import re

_LABEL = r"(?im)^[ \t]*[-*+][ \t]*\**(?:name|what to call them|call them|nickname)[ \t]*:?\**[ \t]*:?[ \t]*([^\n]*)$"
_LONGEST, _SHORTEST = 40, 2


def names(user: str) -> frozenset[str]:
    """Return the names that USER.md gives, whole and the first word of each; a name left blank is none."""
    given = (re.sub(r"[*_`]", "", line).strip() for line in re.findall(_LABEL, user))
    whole = {name for name in given if _SHORTEST <= len(name) <= _LONGEST and not name.startswith(("(", "["))}
    return frozenset(whole | {name.split()[0].rstrip(",;") for name in whole})
