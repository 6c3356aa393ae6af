"""Reads the simplest YAML, for which no parser is needed."""

import re

Value = str | int | float | list[object]

_LINE = re.compile(
    r"""(?P<key>[a-z][a-z0-9_]*):[ ]+
    (?: (?P<whole>0|[1-9][0-9]{0,14})
      | (?P<part>[0-9]{1,9}\.[0-9]{1,9})
      | (?P<clock>[0-2][0-9]:[0-5][0-9])
      | "(?P<double>[ !\#-\[\]-~]*)"
      | '(?P<single>[ -&(-~]*)'
      | (?P<empty>\[\])
      | (?P<bare>[A-Za-z]+(?:[/_-][A-Za-z]+)*)
    )
    [ ]*(?:[ ]\#[ -~]*)?""",
    re.VERBOSE,
)
_NOTHING = re.compile(r"[ ]*(?:#[ -~]*)?")
_WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def parse(block: str) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Return values by key, and the line (from 1) of each; None for anything that is not plainly `key: scalar`.

    A YAML parser gives the same, and takes twenty milliseconds to load.
    """
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for number, row in enumerate(block.removesuffix("\n").split("\n"), 1):
        if _NOTHING.fullmatch(row):
            continue
        match = _LINE.fullmatch(row)
        if match is None or match["key"] in values or (match["bare"] or "").lower() in _WORDS_OF_YAML:
            return None
        values[match["key"]], lines[match["key"]] = _value(match), number
    return values, lines


def _value(match: re.Match[str]) -> Value:
    if match["whole"]:
        return int(match["whole"])
    if match["part"]:
        return float(match["part"])
    if match["empty"]:
        return []
    return next(match[name] for name in ("clock", "double", "single", "bare") if match[name] is not None)
