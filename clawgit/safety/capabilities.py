"""What a line reaches: addresses, commands, tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from clawgit.safety.prohibition import negated

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
    fence = ""
    for line in lines:
        mark = re.match(r"\s*(?:>\s*)*(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
            yield False
        elif mark and mark[1].startswith(fence):
            fence = ""
            yield False
        else:
            yield bool(fence)


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
