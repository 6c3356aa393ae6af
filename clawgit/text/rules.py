"""Adds rules to a file such as .gitignore."""

from clawgit.text import lines


def with_rules(text: str, rules: str, title: str) -> str:
    """Return `text` with those of `rules` that it lacks at its end, below the line `title`; unchanged if none is new.

    `rules` may hold blank lines and comments; they are left out. Line ends are those of `text`.
    """
    known = {lines.content(row).strip() for row in lines.split(text)}
    wanted = [row for row in rules.splitlines() if row.strip() and not row.startswith("#") and row.strip() not in known]
    if not wanted:
        return text
    end = lines.eol(text)
    gap = "" if not text else end if lines.ends_with_newline(text) else end + end
    return text + gap + end.join([title, *wanted]) + end
