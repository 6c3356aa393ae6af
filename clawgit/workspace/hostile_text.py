"""Text in memories that reads like an attack.

No approval guards those files, and prompts hold them.
"""

import re
from collections.abc import Collection, Iterator

from clawgit.safety import hidden_text, injection
from clawgit.safety.redaction import redacted
from clawgit.workspace import dumped_text, file_roles
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.risk import WORDS, quote

_TELLING = frozenset({"override", "secrecy", "exfiltration", "unseen", "encoded"})
"""What memories of work hardly ever say. Permissions, commands and money they tell of all the time."""
_OF_SKILLS = _TELLING - {"exfiltration"}
"""How things are sent, and with which key, is what honest skills are about; and conversations, told word for word."""
_POSING = "marker"
"""A marker that poses as the system: journals hold those of OpenClaw's own sessions."""
_BEACON = re.compile(r"!\[[^\]]*\]\(\s*<?https?://[^)\s]*[?&=/](?:[<{$\[]|%7B)", re.IGNORECASE)
"""A picture whose address has room for words: who shows it sends them there."""
_CITED = re.compile(r"\[(?:[^\[\]]*/)?(?:SOUL|IDENTITY)\.md#L\d[^\[\]]*\]", re.IGNORECASE)
"""What stands before a text of the identity in a context."""


def alarm(path: str, before: str | None, after: str, operator: Collection[str]) -> Iterator[Alarm]:
    """Yield an alarm where the lines that came into a file read like an attack: at most one, about all of them.

    Signs are those of identity files (`clawgit.safety`). It stands while a line stands.
    """
    rows, fresh = after.split("\n"), _fresh(before or "", after)
    if not fresh:
        return
    # A secret is told elsewhere, and what is noted of an alarm holds none.
    text = redacted("\n".join(row if number in fresh else "" for number, row in enumerate(rows, 1)))
    shown = text.split("\n")
    usual = _OF_SKILLS if path.endswith("/SKILL.md") else _TELLING
    if file_roles.dreamt(path) or dumped_text.is_dump(path, after.encode()):
        usual -= {"exfiltration"}
    elif not file_roles.journal_day(path):
        usual |= {_POSING}
    found = {
        one.line: (f"adds {WORDS[one.kind]}", f': "{quote(one.phrase)}"')
        for one in reversed(injection.added("", text, operator))
        if one.kind in usual
    }
    for number, row in enumerate(shown, 1):
        if _BEACON.search(row):
            found.setdefault(number, ("adds a picture whose address carries words away", ""))
        if cited := _CITED.search(row):
            found.setdefault(number, ("poses as text of the identity", f': "{quote(cited[0])}"'))
    for run in hidden_text.scan(after):
        if run.line in fresh:
            found.setdefault(run.line, (f"adds hidden characters ({run.kind})", ""))
    if found:
        first = min(found)
        more = f" (and {len(found) - 1} more)" if found.keys() - {first} else ""
        known = (_open(rows[number - 1], shown[number - 1]) for number in sorted(found))
        lines = tuple(dict.fromkeys(row for row in known if row.strip()))
        what, detail = "holds text that reads like an attack", f"line {first} {found[first][0]}"
        words = f"{path} {what}: {detail}{found[first][1]}{more}"
        yield Alarm(words, (path,), lines=lines, what=what, detail=detail, line=first, key="alarm-hostile-text")


def _open(row: str, shown: str) -> str:
    """Return a row up to the secret that it holds, by which it is known again."""
    same = (at for at, (one, other) in enumerate(zip(row, shown, strict=False)) if one != other)
    return row[: next(same, len(row))]


def _fresh(before: str, after: str) -> frozenset[int]:
    """Return the numbers of the lines of `after`, from 1, that `before` does not hold."""
    known = set(before.split("\n"))
    return frozenset(number for number, row in enumerate(after.split("\n"), 1) if row.strip() and row not in known)
