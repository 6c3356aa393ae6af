"""What files hold, and how they are named."""

import os
import unicodedata

from . import content
from .maker import Maker, shape

# ---- what files hold


@shape("files", git=False)
def line_ends(m: Maker) -> None:
    m.keep("memory/crlf.md", "# a\r\n\r\n- b\r\n")
    m.keep("memory/lone-cr.md", "# a\r\r- b\r")
    m.keep("memory/mixed.md", "# a\n\r\n- b\r- c\n")
    m.keep("memory/unended.md", "# a\n\n- b")
    m.keep("memory/blanks.md", "# a   \n\n- b\t \n\n\n\n")


@shape("files", git=False)
def byte_order_mark(m: Maker) -> None:
    m.keep("memory/bom.md", b"\xef\xbb\xbf# a\r\n- b\r\n")


@shape("files", git=False)
def empty_files(m: Maker) -> None:
    m.keep("memory/empty.md", "")
    m.keep("NOTES.md", "")


@shape("files", git=False)
def no_utf_8(m: Maker) -> None:
    m.keep("memory/latin.md", b"# Caf\xe9\n- \xff\n")


@shape("files", git=False)
def nul_bytes(m: Maker) -> None:
    m.keep("memory/nul.md", b"# a\n- b\0c\n")


@shape("files", git=False)
def conflict_markers(m: Maker) -> None:
    m.keep("memory/conflict.md", "# a\n<<<<<<< HEAD\n- b\n=======\n- c\n>>>>>>> side\n")


@shape("files", 0.2, git=False)
def three_megabytes(m: Maker) -> None:
    m.keep("memory/large.md", "- the same line again and again, many times over\n" * 62_000)


@shape("files", git=False)
def hidden_characters(m: Maker) -> None:
    m.keep("memory/hidden.md", "- safe \u202e txet\u202c\u200b and \U000e0041 tags\n")


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


@shape("files", git=False)
def case_twins(m: Maker) -> None:
    for name in ("memory/Twin.md", "memory/twin.md", "memory.md", "soul.md"):
        m.keep(name, f"- {name}\n")


@shape("files", git=False)
def same_name_in_both_normal_forms(m: Maker) -> None:
    for form in ("NFC", "NFD"):
        m.keep(unicodedata.normalize(form, "memory/café.md"), f"- {form}\n")
