"""Writes the names of months and weekdays into clawgit/language/data/<iso>.toml, from Unicode's CLDR as Babel ships it.

    pip install babel
    python docs/cldr_names.py            every language that has a file
    python docs/cldr_names.py --check    whether they say what CLDR says; exit code 1 where not

The table `[calendar]` stands last in each file and is written whole; everything above it is written by hand. clawgit
itself needs no Babel.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "clawgit" / "language" / "data"
TABLE = "\n[calendar]  # from CLDR, by docs/cldr_names.py\n"
_WIDTH = 116


def calendar(iso: str) -> str:
    """Return the table of a language: names in small letters, `/` between those of one month or day."""
    from babel import Locale  # noqa: PLC0415 - --help works without it

    locale = Locale.parse(iso)
    months = [_row(locale.months, at) for at in range(1, 13)]
    rows = {"weekdays": [_row(locale.days, at) for at in range(7)]}
    if not any(name[0].isdigit() for name in months):  # Chinese, Japanese and Korean count them
        rows = {"months": months, **rows}
    return TABLE + "".join(f"{name} = {_wrapped(' '.join(row))}\n" for name, row in rows.items())


def _row(names: Any, at: int) -> str:
    found = dict.fromkeys(names[form]["wide"][at].casefold() for form in ("format", "stand-alone"))
    return "/".join([name for name in found if not name[0].isdigit()] or found)


def _wrapped(text: str) -> str:
    if len(text) < _WIDTH - len("weekdays = ''"):
        return f"'{text}'"
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= _WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "'''\n" + "\n".join(lines) + "\n'''"


def written(text: str, iso: str) -> str:
    """Return a file's text with its table anew."""
    return text.partition(TABLE)[0].rstrip("\n") + "\n" + calendar(iso)


def main(arguments: list[str]) -> int:
    """Write the files, or check them."""
    stale = []
    for file in sorted(DATA.glob("??.toml")):
        text = file.read_text(encoding="utf-8")
        new = written(text, file.stem)
        if new != text:
            stale.append(file.name)
            if "--check" not in arguments:
                file.write_text(new, encoding="utf-8")
    print(
        "as CLDR has them" if not stale else f"{'stale' if '--check' in arguments else 'written'}: {', '.join(stale)}"
    )
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
