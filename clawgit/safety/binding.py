"""Sentences that bind the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from clawgit.safety import script_patterns
from clawgit.safety.normalise import REMEMBERED, as_operator, key, plain
from clawgit.safety.prohibition import negated
from clawgit.safety.script_patterns import WIDE
from clawgit.text.document import clip_lines
from clawgit.text.unit import closes_fence, fence

_DOMAIN = "(?:com|net|org|io|dev|app|ai|xyz|co|ru|cn|de|info|biz|onion|cloud|site|link|page)"
_ADDRESS = (
    r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s<>()\"'`\]]+|\bwww\.[^\s<>()\"'`\]]+|\]\((//[^\s)]+)\)"
    rf"|\b(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{{0,62}})\.){{1,5}}{_DOMAIN}\b(?:/[^\s<>()\"'`\]]*)?"
)
_NAME = r"[A-Z][a-z]+\.(?:app|ai|io|dev|co)"  # of a product, as prose writes it
_DOTTED = rf"\.{_DOMAIN}|//|w\."  # what every address holds
_SPAN = r"(`{1,3})([^`\n]+)\1"
_PROGRAMS = (
    "apt apt-get ash awk bash brew bun cat cd chmod chown codex cp crontab curl dash dd deno docker echo env eval"
    " exec export find gcloud gh git gpg helm kill kubectl launchctl ln ls make mkdir mv nc ncat node nohup npm npx"
    " openclaw osascript perl php pip pip3 pipx pkill pnpm podman powershell pwsh python python3 rm rsync ruby"
    " scp screen sed sh source ssh su sudo systemctl tar tee tmux touch uv uvx wget xargs yarn zsh"
)
_HARMLESS = (  # what only reads, and what names no target
    r"(?:git (?:status|log|diff|show|blame)|ls|date|uptime|df|openclaw (?:status|logs|doctor|docs|help))"
    r"(?: [\w\-.=/]+)*"
    r"|(?:\w+ )?rm -\w+|\w+ --(?:help|version)"
)
# Names of OpenClaw's tools: those that no prose uses, and words that count only as code or before "tool".
_TOOLS = "apply_patch sessions_send sessions_spawn sessions_list sessions_history agents_list image_generate tool_call"
_TOOL_NOUN = r"werkzeug|\boutil|herramienta|ferramenta|инструмент\w*|工具|ツール|도구|أداة"
_TOOL_WORDS = "exec bash shell process write browser canvas nodes cron message gateway"


def addresses(line: str) -> tuple[str, ...]:
    """Return the URLs and host names that `line` mentions."""
    if not re.search(_DOTTED, line):
        return ()
    found = ((m[1] or m[0]).rstrip(".,;:!?*_~") for m in re.finditer(_ADDRESS, line))
    return tuple(address for address in found if not re.fullmatch(_NAME, address))


def commands(line: str, *, fenced: bool = False) -> tuple[str, ...]:
    """Return what looks like shell in the code spans of `line`, or in the whole of it when `fenced`."""
    if not fenced and "`" not in line:
        return ()
    spans = [line.strip()] if fenced else [m[2].strip() for m in re.finditer(_SPAN, line)]
    return tuple(span for span in spans if _command().match(span) and not re.fullmatch(_HARMLESS, span))


def tools(line: str) -> tuple[str, ...]:
    """Return the tools that `line` tells to use; a line that forbids them names none."""
    folded = line.casefold()
    if not _hint().search(folded):
        return ()
    found = (next(filter(None, m.groups()), m[0]) for m in _tool().finditer(folded) if not negated(folded, *m.span()))
    return tuple(dict.fromkeys(found))


def fenced(lines: list[str]) -> Iterator[bool]:
    """Tell for each line whether it stands inside a fenced code block; the fences themselves do not."""
    mark = ""
    for line in lines:
        bare = line.lstrip("> \t")
        if mark and closes_fence(bare, mark):
            mark = ""
            yield False
        else:
            yield bool(mark)
            mark = mark or fence(bare)


@cache
def _command() -> re.Pattern[str]:
    programs = "|".join(map(re.escape, _PROGRAMS.split()))
    start = rf"(?:\w+=\S*\s+)*(?:/\S+/)?(?:{programs})\s+\S"
    return re.compile(rf"[$%]\s+[a-z./]\S*|{start}|\./\S+|.*(?:&&|\$\(|\|\s*(?:{programs})\b(?!\s*\|))")


@cache
def _tool() -> re.Pattern[str]:
    names, words = "|".join(_TOOLS.split()), "|".join(_TOOL_WORDS.split())
    return re.compile(
        rf"\b({names}|mcp__\w+)\b|`({words})`|\b({words})\s+tools?\b|(?:{_TOOL_NOUN})\s*[«„]?\s?({words})\b|\b((?:nodes|gateway|canvas|browser|cron)\.[a-z]+)\b|\b(tools?\.\w+|allowed[_-]tools|alsoallow|elevated)\b\s*[.:=]"
    )


@cache
def _hint() -> re.Pattern[str]:
    """Match what every line holds in which a tool is named; most lines do not."""
    return re.compile(rf"[_`]|tool|{_TOOL_NOUN}|(?:nodes|gateway|canvas|browser|cron)\.|alsoallow|elevated")


FILE = "binding.toml"
FORCES = ("ban", "negation", "duty", "limit", "consent", "privacy", "care", "report")
TOPICS = ("money", "outward", "destroy", "secret", "run", "rules", "others", "voice")
SHORTEST = 3  # words of a sentence of its own; "Period." belongs to what stands before
_HIDDEN = (  # comments, and what is struck through
    r"<!--.*?(?:-->|\Z)|(?<!~)~~(?![~\s])(?:(?!\n\s*\n).){1,1000}?~~(?!~)|<(del|s|strike)\b[^>]{0,200}>.{0,1000}?</\1>"
)
TAG = r"</?[A-Za-z][\w\-]*(?:\s[^<>\n]*)?/?>"
_QUOTES = str.maketrans(dict.fromkeys("“”„«»‟", '"'))
_HEADING = r"\s{0,3}(#{1,6})\s+(.*?)[\s#]*$"
_SIGN = (  # headings without a mark
    r"\s*(?:[■◆●◇□▼▶★☆◎▪]\s*\S.{0,24}|【[^】]{1,24}】|[一二三四五六七八九十]{1,3}、[^。\uff0c]{1,20})\s*$"
)
_BOLD = r"\s*(?:\*\*[^*]+\*\*|__[^_]+__):?\s*$"
_MARK = r"(\s*)((?:[-+*>|•]|\d+[.)])\s+(?:\[[ x]\]\s+)?)*"
_BOLD_LEVEL = 7
_LONGEST_LEAD = 8  # words
_LABEL = re.compile(r"(?:[-*+]|\d+[.)])?[\s*_]*(?P<label>[^:\uff1a*_]{2,24}?)[\s*_]*[:\uff1a]")
_END = r"[.!?;]+(?=\s|$|[\u3000-\u9fff\uac00-\ud7af])|。"
_STRICT = ("ban", "duty", "limit")
_ALWAYS = ("consent", "privacy", "care")
_PRINCIPLE = r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__|<b>|<strong>)[^*_<>]{4,120}[.!?。](?:\*\*|__|</b>|</strong>)\s*\S"


class Said(Struct, frozen=True):
    """A sentence in force: its 1-based line, its plain and folded text, its bare words, and what it stands in.

    `unit` numbers the item or paragraph; `under` holds the two headings and the line with a colon that lead to it.
    `bold` says that it leads its line in bold, as a principle does.
    """

    line: int
    text: str
    key: str
    unit: int
    listed: bool
    indent: int
    under: tuple[str, str, str]
    bold: bool


class _Unit(Struct):
    lines: list[tuple[int, str]]
    listed: bool
    indent: int
    under: tuple[str, str, str]
    bold: set[int]


@lru_cache(maxsize=16)  # one write asks of the same few texts again and again
def said(text: str, operator: frozenset[str] = frozenset()) -> tuple[Said, ...]:
    """Return the sentences of `text` that a reader takes as said: not commented out, struck through or in a code block.

    `operator` are the names by which the operator is called, case-folded.
    """
    return tuple(
        sentence for number, unit in enumerate(_units(text, operator)) for sentence in _sentences(number, unit)
    )


def binds(one: Said, *, notes: bool) -> bool:
    """Return whether `one` states a rule, limit or duty on what the agent may do, or what it stands for.

    Talk is full of "never" and "only": outside a section of rules these count only where something is at stake.
    """
    if _ruled(one.under):
        return True
    held = forces(one.text)
    if held.intersection(_ALWAYS) or (not notes and (one.bold or "report" in held)):
        return True
    if not topics(one.text) - {"others", "rules"}:
        return False
    return bool(held.intersection(_STRICT)) or ("negation" in held and not notes)


def called_a_rule(line: str) -> bool:
    """Return whether a line calls itself a rule: `Rule: …`."""
    label = _LABEL.match(line.lstrip())
    return bool(label and script_patterns.search(FILE, "rule_label", label["label"].casefold()))


@lru_cache(maxsize=REMEMBERED)
def forces(text: str) -> frozenset[str]:
    """Return how `text` binds; "never hesitate" forbids nothing."""
    read = script_patterns.without(FILE, "doubt", script_patterns.without(FILE, "hollow", text))
    held = frozenset(name for name in FORCES if script_patterns.search(FILE, name, read))
    return held | {"consent"} if script_patterns.search(FILE, "doubt", text) else held


@lru_cache(maxsize=REMEMBERED)
def topics(text: str) -> frozenset[str]:
    """Return what is at stake in `text`."""
    return frozenset(name for name in TOPICS if script_patterns.search(FILE, f"topic_{name}", text))


def _ruled(under: tuple[str, str, str]) -> bool:
    above, title, lead = under
    if any(script_patterns.search(FILE, "heading", words) for words in (title, lead)):
        return True
    if forces(title).intersection(("ban", "negation")):  # "Lines I do not cross"
        return True
    return bool(script_patterns.search(FILE, "heading", above) and topics(title))  # "Rules / Money"


def _units(text: str, operator: frozenset[str]) -> Iterator[_Unit]:
    heads: list[tuple[int, str]] = []
    lead, depth = "", -1
    unit: _Unit | None = None
    for number, raw, words, inside in _lines(clip_lines(text), operator):
        head = _heading(raw, words)
        mark = re.match(_MARK, words)
        listed, indent = bool(mark and mark[2]), len(mark[1]) if mark else 0
        if unit and (head or inside or listed or not words.strip()):
            yield unit
            unit = None
        if head:
            heads, lead = [*(one for one in heads if one[0] < head[0]), head], ""
        if head or inside or not words.strip():
            continue
        body = words[mark.end() if mark else 0 :].strip()
        if unit is None:
            lead = lead if listed and indent > depth else ""
            unit = _Unit([], listed, indent, (*_titles(heads), lead), set())
        unit.lines.append((number, body))
        unit.bold |= {number} if re.match(_PRINCIPLE, raw) else set()
        if body.endswith(":") and len(body.split()) <= _LONGEST_LEAD:
            lead, depth = body, indent if listed else -1
    if unit:
        yield unit


def _lines(text: str, operator: frozenset[str]) -> Iterator[tuple[int, str, str, bool]]:
    """Yield number, line as written, its plain words, and whether it stands in a code block."""
    shown = re.sub(_HIDDEN, lambda m: "\n" * m[0].count("\n"), text.replace("\r", ""), flags=re.DOTALL | re.IGNORECASE)
    raw = shown.split("\n")
    read = plain(re.sub(TAG, "", shown)).translate(_QUOTES).casefold()
    read = as_operator(read, operator)
    return zip(range(1, len(raw) + 1), raw, read.split("\n"), fenced(raw), strict=False)


def _heading(raw: str, words: str) -> tuple[int, str] | None:
    if match := re.match(_HEADING, words):
        return len(match[1]), match[2]
    return (_BOLD_LEVEL, words.strip()) if re.match(_BOLD, raw) or re.match(_SIGN, raw) else None


def _titles(heads: list[tuple[int, str]]) -> tuple[str, str]:
    """Return the heading above the last one, and the last one."""
    titles = ["", "", *(title for _, title in heads)]
    return titles[-2], titles[-1]


def _sentences(number: int, unit: _Unit) -> Iterator[Said]:
    text, starts = "", []
    for line, words in unit.lines:
        glue = "" if text and re.match(WIDE, text[-1]) and re.match(WIDE, words) else " "
        text += glue if text else ""
        starts.append((len(text), line))
        text += words
    for start, end in _spans(text):
        line = next(line for at, line in reversed(starts) if at <= start)
        words = text[start:end].strip()
        bold = line in unit.bold and (start, line) in starts
        yield Said(line, words, key(words), number, unit.listed, unit.indent, unit.under, bold)


def _spans(text: str) -> list[tuple[int, int]]:
    ends = [match.end() for match in re.finditer(_END, text)]
    spans: list[tuple[int, int]] = []
    for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
        if not text[start:end].strip():
            continue
        lead = len(text[start:end]) - len(text[start:end].lstrip())
        if spans and not re.search(WIDE, text[start:end]) and len(key(text[start:end]).split()) < SHORTEST:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start + lead, end))
    return spans
