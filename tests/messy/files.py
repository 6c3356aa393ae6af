"""The content and the names of files."""

import os
import unicodedata

from . import content
from .maker import Maker, shape


@shape("files", git=False)
def secret_in_memory(m: Maker) -> None:
    m.write("memory/secret.md", f"# Keys\n\n- token: {content.secret(m)}\n")


@shape("files", 0.1, git=False)
def secret_in_soul(m: Maker) -> None:
    if (m.at / "SOUL.md").is_file():
        m.write("SOUL.md", f"{content.SOUL}\n- use {content.secret(m)}\n")


# ---- names

NAMES = (
    unicodedata.normalize("NFC", "memory/übung.md"),
    unicodedata.normalize("NFD", "memory/Ämter.md"),
    "memory/记忆.md",
    "memory/🦞 notes.md",
    'memory/it\'s "quoted".md',
    "memory/-rf.md",
    "memory/2026-01-20: talk.md",
    "memory/back\\slash.md",
    "memory/two\nlines.md",
    "memory/tab\there.md",
    "memory/$(touch x);`y`.md",
    "memory/*.md",
    "memory/[a].md",
    "memory/:(top)x.md",
    "memory/ leading space.md",
    "memory/trailing space .md",
    "memory/dot..md",
    "memory/con.md",
    "memory/.hidden.md",
    "memory/" + "long" * 50 + ".md",
    "memory/" + "/".join(["deep"] * 30) + "/x.md",
    "memory/2026-13-45.md",
    "memory/git~1.md",
    os.fsdecode(b"memory/not-\xff-utf8.md"),
    "--help.md",
    "agents/mein agent/SOUL.md",
    "Archive/2024/Q1 summary.md",
)


@shape("files", 0.6, git=False)
def odd_names(m: Maker) -> None:
    for name in m.chance.sample(NAMES, k=m.chance.randint(2, 8)):
        m.keep(name, f"- named oddly {m.chance.random()}\n")
