"""Languages: their detection, word lists and patterns."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any


@cache
def alternatives(file: Path, name: str) -> Mapping[str, str]:
    """Return a table of a TOML file: the pattern of each name, the lines of a list joined; {} without the table."""
    return {
        key: source if isinstance(source, str) else "|".join(source)
        for key, source in read_patterns_of(file, name).items()
    }


@cache
def pattern(file: Path, table: str, name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of a table, compiled when it is first asked for."""
    return re.compile(alternatives(file, table)[name], flags)


@cache
def load_table(file: Path) -> Mapping[str, Any]:
    """Return a TOML file as it is written."""
    import tomllib  # noqa: PLC0415 - costs 5 ms that most commands need not pay

    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_patterns_of(file: Path, name: str = "") -> dict[str, Any]:
    """Return a TOML file, or one table of it, with its `parts` in place of their `{name}`; {} without the table.

    A part that is a list matches one of its patterns.
    """
    table: Mapping[str, Any] = load_table(file).get(name, {}) if name else load_table(file)
    parts: dict[str, str] = {}
    for key, text in table.get("parts", {}).items():
        parts[f"{{{key}}}"] = _put_in(text if isinstance(text, str) else "|".join(text), parts)
    return {key: _put_in(value, parts) for key, value in table.items() if key != "parts"}


def _put_in(value: Any, parts: Mapping[str, str]) -> Any:
    """Return a value of a table with its parts in their places."""
    if isinstance(value, str):
        for name, text in parts.items() if "{" in value else ():
            value = value.replace(name, text)
        return value
    if isinstance(value, dict):
        return {key: _put_in(item, parts) for key, item in value.items()}
    return [_put_in(item, parts) for item in value] if isinstance(value, list) else value


DATA = Path(__file__).parent / "data"
"""One file a language, named by its ISO 639-1 code; a new one needs no other change."""

NONE = "_"
"""Stands in a row of twelve months or seven days for one without a name."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there is a file for, by ISO code."""
    return tuple(sorted(file.stem for file in DATA.glob("??.toml")))


@cache
def list_languages_with(name: str) -> frozenset[str]:
    """Return the languages with an entry of a table, as `triage`; the files are not parsed."""
    texts = ((iso, (DATA / f"{iso}.toml").read_text(encoding="utf-8")) for iso in languages())
    return frozenset(iso for iso, text in texts if f"\n[{name}]" in text)


def read_shared_file(name: str) -> Mapping[str, Any]:
    """Return a file of the data, also one for all languages."""
    return load_table(DATA / f"{name}.toml")


def section(iso: str, *path: str) -> Any:
    """Return a table or a text of a language, {} for none."""
    value: Any = read_shared_file(iso) if iso in languages() else {}
    for name in path:
        value = value.get(name, {}) if isinstance(value, Mapping) else {}
    return value


@cache
def patterns(iso: str) -> Mapping[str, Any]:
    """Return the table `triage` of a language, {} for one without."""
    return read_patterns_of(DATA / f"{iso}.toml", "triage") if iso in languages() else {}


def texts(iso: str, *path: str) -> Iterator[str]:
    """Yield the texts of a table of a language, and of the tables in it."""
    value = section(iso, *path)
    for name in value if isinstance(value, Mapping) else ():
        yield from texts(iso, *path, name)
    if isinstance(value, str):
        yield value


def words(iso: str, *path: str) -> tuple[str, ...]:
    """Return the words of a text."""
    text = section(iso, *path)
    return tuple(text.split()) if isinstance(text, str) else ()


@cache
def small_words(iso: str) -> frozenset[str]:
    """Return the words of a language that say nothing by themselves."""
    return frozenset(word for key in ("own", "asks", "the", "small", "chatter") for word in words(iso, "search", key))


def phrases(iso: str, *path: str) -> tuple[str, ...]:
    """Return the phrases of a text, between commas."""
    return split_list(section(iso, *path))


def split_list(text: Any) -> tuple[str, ...]:
    """Return the parts between the commas of a text."""
    return tuple(part.strip() for part in text.split(",") if part.strip()) if isinstance(text, str) else ()


@cache
def rows(iso: str, *path: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a text, those for one thing together, as in `mon/monday tue/tuesday`; () for none."""
    return tuple(() if word == NONE else tuple(word.split("/")) for word in words(iso, *path))


def number_rows(iso: str, *path: str, start: int = 0) -> dict[str, int]:
    """Return each word of some rows with the number of its row."""
    return {word: number for number, row in enumerate(rows(iso, *path), start) for word in row}


def longest_first(words: Iterable[str]) -> list[str]:
    """Return words, each once, in an order in which none hides a longer one that begins with it."""
    return sorted(set(words), key=lambda word: (-len(word), word))


_SHORTEST = 4
"""Letters that a word keeps."""
_MAX_STEM = 6
"""Letters of a stem: what is behind them is an ending that no table knows."""


def stem(word: str, languages: tuple[str, ...]) -> str:
    """Return the beginning of a word that its forms share, in whichever of some languages it is."""
    for end in _endings(languages):
        if word.endswith(end) and len(word) - len(end) >= _SHORTEST:
            return word[: -len(end)][:_MAX_STEM]
    return word[:_MAX_STEM]


@cache
def _endings(languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(longest_first(word for iso in languages for word in words(iso, "stemming", "endings")))


DENSE = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no spaces between words, Chinese and Japanese."""
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"

_KANA = "\u3041-\u30fa\u30fd-\u30ff"
_CYRILLIC = "\u0400-\u052f"
_PORTUGUESE = "\u00e3\u00f5"
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # noqa: RUF001 - as people type it
_TABLE_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]*)*")
# Many languages share the names of units and of what classes of facts are about.
_TABLES = ("search", "turn", "conduct", "logic", "numbers", "dates", "calendar")
_WORTH = 3
"""Latin letters that carry as much as one of a dense script."""
_MIN_ENGLISH_SHARE, _MIN_ENGLISH_WORDS = 0.6, 4
"""Of a text in plain ASCII that is English without a look at other languages, which need not be loaded then."""
_MAX_LETTERS = 400
"""Letters of a text that are read: a paragraph tells."""


def detect(text: str) -> str:
    """Return the ISO code of the language of a text, "" if unknown."""
    return next(iter(_rank_languages(text)), "")


def candidates(text: str) -> tuple[str, ...]:
    """Return the possible languages of a text, the likeliest first; English is always one.

    A sentence may have a word of another language, or be too short: then each near one is included.
    """
    isos = _rank_languages(text)
    return tuple(dict.fromkeys((*isos, *(("ja",) if "zh" in isos else ()), "en")))


@lru_cache(maxsize=4096)
def _rank_languages(text: str) -> tuple[str, ...]:
    """Return the languages with evidence in a text: East Asia's by its letters, others by small words.

    A word of several languages counts for each a little; languages with less than half of the most are left out.
    """
    text = text[:_MAX_LETTERS]
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]  # noqa: RUF001
    english = sum(word in table_words("en") for word in words) if text.isascii() else 0
    if english >= _MIN_ENGLISH_SHARE * len(words) and len(words) >= _MIN_ENGLISH_WORDS:
        return ("en",)
    scores: Counter[str] = Counter()
    for word in words:
        head, mark, tail = word.partition("'")
        # `l'heure` counts by its article and its noun, `don't` as a whole.
        for part in {word, head + mark, tail}:
            isos = _languages_of_words().get(part, ())
            scores.update(dict.fromkeys(isos, 1 / max(1, len(isos))))
    if not text.isascii() and _letters(_PORTUGUESE).search(text):
        scores["pt"] += 1
    top_score = max(scores.values(), default=0)
    near_top = (iso for iso in scores if 2 * scores[iso] >= top_score)
    likely = sorted(near_top, key=lambda iso: (-scores[iso], iso != "en"))
    eastern = eastern_language(text)
    dense = len(_letters(DENSE + HANGUL).findall(text)) if eastern else 0
    is_eastern = eastern and dense * _WORTH >= sum(map(str.isalpha, text)) - dense
    languages = [eastern, *likely] if is_eastern else [*likely, eastern]
    if not text.isascii() and _letters(_CYRILLIC).search(text):
        languages.append("ru")
    return tuple(dict.fromkeys(filter(None, languages)))


@cache
def _letters(ranges: str) -> "re.Pattern[str]":
    """Return a pattern for letters; compiled on first use, for wide ranges cost milliseconds."""
    return re.compile(f"[{ranges}]")


def eastern(text: str) -> bool:
    """Return whether a text has letters of Chinese, Japanese or Korean."""
    return not text.isascii() and bool(_letters(DENSE + HANGUL).search(text))


def eastern_language(text: str) -> str:
    """Return the language of East Asia with letters in a text, "" for none."""
    if not eastern(text):
        return ""
    hangul, dense = len(_letters(HANGUL).findall(text)), len(_letters(DENSE).findall(text))
    if hangul > dense:
        return "ko"
    is_japanese = _letters(_KANA).search(text) or not set(words("ja", "detect", "letters")).isdisjoint(text)
    return "ja" if is_japanese else "zh" if dense else ""


@cache
def table_words(iso: str, tables: tuple[str, ...] = _TABLES) -> frozenset[str]:
    """Return the words of a language's tables; those of East Asia, which its letters tell, are left out."""
    entries = (text for table in tables for text in texts(iso, table))
    return frozenset(word for text in entries for word in _TABLE_WORD.findall(text) if not eastern(word))


def _list_short_names(iso: str) -> frozenset[str]:
    """Return the names of months and weekdays that are other words, but for whole ones such as `May`."""
    return frozenset(words(iso, "dates", "other_words")) - table_words(iso, ("calendar", "numbers"))


@cache
def _languages_of_words() -> Mapping[str, tuple[str, ...]]:
    isos_by_word = defaultdict[str, tuple[str, ...]](tuple)
    for iso in languages():
        # Short names of months and weekdays are other words of other languages: `segunda`, `marco`, `dez`.
        for word in table_words(iso) - _list_short_names(iso):
            isos_by_word[word] += (iso,)
    return isos_by_word
