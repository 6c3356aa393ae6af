"""Edits one line of a soul, where it belongs."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re
from collections.abc import Sequence

from clawgit.agents.keeping.aspects import Aim
from clawgit.text import lines
from clawgit.text.edit import append_block, insert_line
from clawgit.text.entry import Entry, entries
from clawgit.text.outline import Section, sections

_MARKER = re.compile(r"[ \t]*(?:[-*+]|(\d{1,9})([.)]))[ \t]+(?:\[[ xX]\][ \t]+)?")
_MANNER = re.compile(
    r"vibe|tone|style|voice|communicat|manner|how i (?:talk|speak|write|answer|sound)|how (?:you|to) (?:talk|speak|write|answer)|personality|stil|ton\b|tonfall|sprache|kommunikation|umgang|estilo|tono|voz|comunicaci|voix|manière|语气|风格|沟通|说话|表达|話し方|スタイル|口調|コミュニケ|말투|스타일|소통|대화",
    re.IGNORECASE,
)
_VALUES = re.compile(
    r"truth|principle|value|belief|rule|core|guideline|who i am|who you are|grundsätz|prinzip|werte|regeln|leitlinien|wer ich bin|principi|valores|reglas|quién soy|principes|valeurs|règles|qui je suis|原则|信条|价值|准则|规则|核心|我是|原則|価値|信念|ルール|心得|원칙|가치|신념|규칙",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"boundar|limits|never|don'?ts|grenzen|límites|limites|边界|界限|底线|禁|境界|限界|しないこと|경계|한계|금지",
    re.IGNORECASE,
)
_BOUNDS = frozenset({"ask"})
_BELIEFS = frozenset({"honesty", "candour", "lecture", "proactive"})


def added(soul: str, text: str, aim: Aim | None) -> str:
    """Return the soul with one more line, in the section that suits it best, in the form of its neighbours."""
    heads = sections(soul)
    bullets = [one for one in entries(soul) if one.kind == "bullet" and one.depth <= 1]
    here = _section(heads, bullets, aim)
    if here is None:
        return _after(soul, bullets, text) if bullets else append_block(soul, _prose(soul, text))
    end = next((inner.line - 1 for inner in heads if here.line < inner.line <= here.end), here.end)
    own = [one for one in bullets if here.body <= one.start <= end]
    if own:
        return _after(soul, own, text)
    rows = lines.split(soul)
    last = next((at for at in range(end, here.body - 1, -1) if not lines.is_blank(rows[at - 1])), here.body - 1)
    prose = any(here.body <= one.start <= end for one in entries(soul))
    return insert_line(soul, last + 1, "\n" + (text if prose or not bullets else _marked(soul, bullets, text)))


def _section(heads: Sequence[Section], bullets: Sequence[Entry], aim: Aim | None) -> Section | None:
    """Return the section that a line belongs to, None where the file has none that could hold it."""
    wanted = _wanted(aim)
    below = [head for head in heads if head.level > 1] or list(heads)
    for pattern in wanted:
        for head in below:
            if pattern.search(head.title):
                return head
    holding = {head.line: sum(head.body <= one.start <= head.end for one in bullets) for head in below}
    best = max(below, key=lambda head: holding[head.line], default=None)
    return best if best and holding[best.line] else None


def _wanted(aim: Aim | None) -> tuple["re.Pattern[str]", ...]:
    if aim and aim.aspect in _BOUNDS:
        return (_LIMITS, _VALUES)
    return (_VALUES, _MANNER) if aim and aim.aspect in _BELIEFS else (_MANNER, _VALUES)


def _after(soul: str, own: Sequence[Entry], text: str) -> str:
    """Return the soul with a bullet behind the last of these, and what is nested below it."""
    rows = lines.split(soul)
    end = own[-1].end
    while end < len(rows) and rows[end].startswith((" ", "\t")) and not lines.is_blank(rows[end]):
        end += 1
    return insert_line(soul, end + 1, _marked(soul, own, text))


def _marked(soul: str, own: Sequence[Entry], text: str) -> str:
    """Return a line with the marker of its neighbours, and their way to end."""
    marker = _MARKER.match(lines.split(soul)[own[-1].start - 1])
    if marker is None:
        return f"- {text}"
    number = f"{int(marker[1]) + 1}{marker[2]} " if marker[1] else marker[0]
    ended = sum(one.text.rstrip("*_ ")[-1:] in ".!?。！？" for one in own)
    return f"{number}{text if 2 * ended >= len(own) else text.rstrip('.。')}"


def _prose(soul: str, text: str) -> str:
    return text if entries(soul) else f"- {text}"


def replaced(soul: str, old: Entry, text: str) -> str:
    """Return the soul with one line in other words; its marker stays."""
    rows = lines.split(soul)
    marker = _MARKER.match(rows[old.start - 1]) if old.kind == "bullet" else None
    fresh = lines.convert(f"{marker[0] if marker else ''}{text}\n", lines.eol(soul))
    if not lines.ends_with_newline(rows[old.end - 1]):
        fresh = fresh.rstrip("\r\n")
    return "".join((*rows[: old.start - 1], fresh, *rows[old.end :]))


def removed(soul: str, old: Entry) -> str:
    """Return the soul without one line."""
    rows = lines.split(soul)
    return "".join((*rows[: old.start - 1], *rows[old.end :]))
