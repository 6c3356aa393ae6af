"""Writes docs/night.md: ten conversations, what a voice made of them, and the files before and after.

    python docs/night.py            writes it
    python docs/night.py --check    exits with 1 where it is not what a run says

The voice is the recorded one of corpora/answers/night.toml, the workspace a new one.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "docs/night.md"
NAME = "night"
SOUL = "# Soul\n\n- Have a view.\n- Look before asking.\n"
WHO = {"operator": "you", "agent": "agent"}
ABOUT = """\
# A night

What was said in ten short conversations, what a model made of them while nobody looked, and what the agent knew in \
the morning. `python docs/night.py` has the conversations in a new workspace and has them read; the model's answers \
are recorded in `corpora/answers/night.toml`, everything else is a real run. How it works: [reading](reading.md).
"""


def tell() -> str:
    """Return the document."""
    sys.path.insert(0, str(ROOT))
    from clawgit.workspace import bootstrap  # noqa: PLC0415 - the path is set above
    from tests.agents.protocol import recorded  # noqa: PLC0415
    from tests.agents.talk import Talk  # noqa: PLC0415

    said = recorded.talks()[NAME]
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"XDG_STATE_HOME": f"{folder}/state"}):
        root = Path(folder).resolve() / "ws"
        root.mkdir()
        subprocess.run(["git", "init", "--quiet", "-b", "main", "--template=", root], check=True)
        with (root / ".git/config").open("a") as config:
            config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
        (root / "SOUL.md").write_text(SOUL)
        bootstrap.init(root).workspace.close()
        with Talk(root) as talk:
            recorded.have(talk, said)
            before = {path: talk.text(path) for path in ("MEMORY.md", "SOUL.md")}
            voice = recorded.RecordedVoice(said, "good")
            came = recorded.play(talk, voice)
            after = {path: talk.text(path) for path in (*before, "CORRECTIONS.md")}
    after["CORRECTIONS.md"] = _fields(after["CORRECTIONS.md"])
    parts = (*_conversations(said), *_files("before", before), *_night(came, voice), *_files("after", after))
    return "\n".join((ABOUT, *parts))


def _conversations(said: dict[str, Any]) -> Iterator[str]:
    yield "## What was said\n"
    for session in said["sessions"]:
        day = session.get("day", "2026-05-31")
        yield f"{day}, {session['turns'][0][0]}\n"
        for _, by, text in session["turns"]:
            lines = text.strip().splitlines()
            yield f"> **{WHO[by]}:** " + "\n> ".join(lines) + "\n>"
        yield ""


def _files(when: str, texts: dict[str, str]) -> Iterator[str]:
    for path, text in texts.items():
        yield f"## {path}, {when}\n\n```markdown\n{text.strip()}\n```\n"


def _night(came: dict[str, Any], voice: Any) -> Iterator[str]:
    yield "## The night\n"
    for agent, found in came.items():
        for one in found.verdicts:
            yield f"- {agent}, {one.operation.act}, {one.state}: {one.operation.text}"
    yield f"\n{voice.calls} requests, about {round(voice.tokens / 500) * 500:,} tokens of prompts.\n"


def _fields(text: str) -> str:
    """Return a record without what another run calls otherwise: its id and its time."""
    rows = [row for row in text.splitlines() if row.startswith(("- Said", "- True", "- Entry"))]
    return "\n".join(rows)


def main() -> int:
    """Write the document, or with --check tell by the exit code whether it is what a run says."""
    text = tell()
    if "--check" in sys.argv:
        return 0 if PLACE.read_text("utf-8") == text else 1
    PLACE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
