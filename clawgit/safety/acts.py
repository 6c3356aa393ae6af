"""What a line reaches: addresses, commands, tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from clawgit.safety.injection import negated

_ADDRESS = (
    r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s<>()\"'`\]]+|\bwww\.[^\s<>()\"'`\]]+|\]\((//[^\s)]+)\)"
    r"|\b(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,62})\.){1,5}"
    r"(?:com|net|org|io|dev|app|ai|xyz|co|ru|cn|de|info|biz|onion|cloud|site|link|page)\b(?:/[^\s<>()\"'`\]]*)?"
)
_SPAN = r"(`{1,3})([^`\n]+)\1"
_PROGRAMS = (
    "apt apt-get ash awk bash brew bun cat cd chmod chown codex cp crontab curl dash dd deno docker echo env eval"
    " exec export find gcloud gh git gpg helm kill kubectl launchctl ln ls make mkdir mv nc ncat node nohup npm npx"
    " openclaw osascript perl php pip pip3 pipx pkill pnpm podman powershell pwsh python python3 rm rsync ruby"
    " scp screen sed sh source ssh su sudo systemctl tar tee tmux touch uv uvx wget xargs yarn zsh"
)
# Names of OpenClaw's tools: those that no prose uses, and words that count only as code or before "tool".
_TOOLS = (
    "apply_patch sessions_send sessions_spawn sessions_list sessions_history session_status agents_list web_search"
    " web_fetch memory_search memory_get image_generate tool_call"
)
_TOOL_WORDS = "exec bash shell process read write edit browser canvas nodes cron message gateway image tts"


def addresses(line: str) -> tuple[str, ...]:
    """Return the URLs and host names that `line` mentions."""
    return tuple((m[1] or m[0]).rstrip(".,;:!?*_~") for m in re.finditer(_ADDRESS, line))


def commands(line: str, *, fenced: bool = False) -> tuple[str, ...]:
    """Return what looks like shell in the code spans of `line`, or in the whole of it when `fenced`."""
    spans = [line.strip()] if fenced else [m[2].strip() for m in re.finditer(_SPAN, line)]
    return tuple(span for span in spans if _command().match(span))


def tools(line: str) -> tuple[str, ...]:
    """Return the tools that `line` tells to use; a line that forbids them names none."""
    folded = line.casefold()
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
        rf"\b({names}|mcp__\w+)\b|`({words})`|\b({words})\s+tools?\b|\b(tools?\.\w+|allowed[_-]tools|alsoallow|elevated)\b\s*[.:=]"
    )
