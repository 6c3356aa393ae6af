"""Texts of people and agents: the ordinary part of a workspace."""

import string

from .maker import Maker, shape

SOUL = """# SOUL.md - Who You Are

_You're not a chatbot. You're becoming someone._

## Core Truths

**Be genuinely helpful, not performatively helpful.** Skip the filler words.

- Have opinions.
- Antworte kurz, wenn es eilt.

## Boundaries

- Private things stay private. Period.

## Vibe

- Concise when needed, thorough when it matters.
"""
OPENCLAWS = {
    "AGENTS.md": "# AGENTS.md\n\nThis folder is home.\n\n## Tools\n\n- camera: porch\n",
    "IDENTITY.md": "# IDENTITY.md\n\n- **Name:** Clawd\n- **Emoji:** 🦞\n",
    "USER.md": "# USER.md\n\n<!-- observed: 2026-01-04 | status: active -->\n- Prefer short answers.\n",
    "TOOLS.md": "# TOOLS.md\n\n- ssh: home-server\n",
    "HEARTBEAT.md": "# HEARTBEAT.md\n\n- Look at the mail.\n",
}
MEMORY = """# MEMORY.md

## Decisions

- Chose REST over GraphQL for the public API. #decision
- Nested:
  - [ ] ask Ana about the van <!-- trigger: van, ana -->
  - [x] pay the rent

## People

| who | what |
|---|---|
| Ana | likes tea |
| Ana | likes tea |

- 部署日は火曜日です。
- Der Umzug ist am 3. März.
- Der Umzug ist am 3. März.

<!-- openclaw-memory-promotion:a1b2c3 -->
"""
PHRASES = (
    "Talked with Ana about the van; she wants it on Tuesday.",
    "Le serveur a redémarré deux fois cette nuit.",
    "昨天讨论了部署计划。",
    "오늘은 회의가 없었다.",
    "Сервер переехал в новый зал.",
    "اليوم كان هادئا.",
    "Der Umzug ist am 3. März.",
    "The tests are green again.",
    "- nested\n  - deeper\n    - deepest",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "```sh\ngit push\n```",
)


def journal(m: Maker, day: str) -> str:
    notes = m.chance.choices(PHRASES, k=m.chance.randint(1, 6))
    return f"# {day}\n\n" + "".join(f"## {9 + number:02}:00\n\n- {note}\n\n" for number, note in enumerate(notes))


def day(m: Maker) -> str:
    return f"2025-{m.chance.randint(9, 12):02}-{m.chance.randint(1, 28):02}"


def secret(m: Maker) -> str:
    """Return text in the form of a secret that opens nothing; put together here, so that no scanner is alarmed."""
    letters = string.ascii_letters + string.digits

    def some(count: int, alphabet: str = letters) -> str:
        return "".join(m.chance.choices(alphabet, k=count))

    kinds = (
        ("AKIA", 16, string.ascii_uppercase + "234567"),
        ("ghp_", 36, letters),
        ("sk-ant-" + "api03-", 48, letters),
        ("npm_", 36, letters),
        ("glpat-", 20, letters),
    )
    start, count, alphabet = m.chance.choice(kinds)
    text = start + some(count, alphabet)
    m.secrets.append(text)
    return text


@shape("content", 1.0, git=False)
def ordinary_files(m: Maker) -> None:
    """The files that nearly everybody has."""
    for name, text in OPENCLAWS.items():
        if m.chance.random() < 0.8:
            m.write(name, text)
    m.write("MEMORY.md", MEMORY)
    for _ in range(m.chance.randint(2, 6)):
        name = day(m)
        m.write(f"memory/{name}.md", journal(m, name))
    if m.chance.random() < 0.5:
        m.write("memory/projects/van.md", "# The van\n\n- blue\n")


@shape("content", 8, group="soul", git=False)
def soul(m: Maker) -> None:
    m.write("SOUL.md", SOUL)


@shape("content", 1, group="soul", git=False)
def no_soul(m: Maker) -> None:
    (m.at / "SOUL.md").unlink(missing_ok=True)


@shape("content", 1, group="soul", git=False)
def empty_soul(m: Maker) -> None:
    m.write("SOUL.md", "")


@shape("content", 12, group="memory file", git=False)
def memory_file(m: Maker) -> None:
    pass


@shape("content", 1, group="memory file", git=False)
def no_memory_file(m: Maker) -> None:
    (m.at / "MEMORY.md").unlink()


@shape("content", 1, group="memory file", git=False)
def lower_case_memory(m: Maker) -> None:
    (m.at / "MEMORY.md").rename(m.at / "memory.md")


@shape("content", 0.1, git=False)
def barely_anything(m: Maker) -> None:
    for name in (*OPENCLAWS, "MEMORY.md"):
        (m.at / name).unlink(missing_ok=True)


@shape("content", 0.4, git=False)
def code_beside(m: Maker) -> None:
    m.write("scripts/backup.sh", "#!/bin/sh\ntar c .\n", 0o755)
    m.write("src/app.py", "print('hello')\n")
    m.write("docs/how.md", "# How\n\n- so\n")
    m.write("skills/weather/SKILL.md", "---\nname: weather\ndescription: d\n---\n")
    m.write("package.json", "{}\n")


@shape("content", 0.3, git=False)
def state_of_openclaw(m: Maker) -> None:
    m.write(".openclaw/workspace-state.json", '{"version": 1}\n')
    m.write("memory/.dreams/events.jsonl", '{"a": 1}\n')
    m.write("memory/.dreams/notes.md", "dream\n")
    m.write("memory/heartbeat-state.json", '{"lastChecks": {}}\n')
    m.write("memory/main.sqlite", b"SQLite format 3\0" + bytes(64))
    m.write("DREAMS.md", "<!-- openclaw:dreaming:diary:start -->\n<!-- openclaw:dreaming:diary:end -->\n")
