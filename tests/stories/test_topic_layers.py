"""Two agents with an index, files by topic, facts and lessons: what their questions find."""

import json
from pathlib import Path
from typing import Any

import pytest

from clawgit.cli import operator_input
from tests.messy.calls import call

MEMORY = """\
# MEMORY.md - what is kept for long

## Recent Activity

- [2026-03-05] harbour website: large rebuild, 71 pages
- [2026-03-04] Tide Town: sockets, interpolation and the atlas of tiles mended

## Active Projects

| Project | Path | Status | Memory file |
|---|---|---|---|
| harbour | ~/projects/harbour/ | active | memory/website-harbour.md |

## Key Facts

- Owner timezone: EST
- Host: macOS, Apple Silicon, local network
- Renew the certificate of the harbour website until 2026-12-24.
"""
FILES = {
    "main/MEMORY.md": MEMORY,
    "main/SOUL.md": "# Soul\n\nI am Orange.\n",
    "main/memory/website-harbour.md": "# Website\n\n- Deployment patterns: build, smoke test, promote.\n",
    "main/memory/patterns/review.md": "---\ntitle: How we review\n---\n\n# Review\n\n- Small changes first.\n",
    "coding/MEMORY.md": "# Memory\n\n- tmux and claude code: one session for each branch.\n",
    "coding/SOUL.md": "# Soul\n\nI write code.\n",
}
TRIES = (
    ("npm run deploy --env stage", True, "npm ERR! unknown option '--env'\n\n(Command exited with code 1)"),
    ("npm run deploy -- --env staging", False, "deployed in 41 s"),
)
START = 1_788_000_000_000


def transcript() -> str:
    """A conversation in which a command fails, and works otherwise."""
    said: list[dict[str, Any]] = [{"role": "user", "content": "Deploy the site to staging"}]
    for number, (command, failed, printed) in enumerate(TRIES):
        asked = {"type": "toolCall", "id": f"c{number}", "name": "exec", "arguments": {"command": command}}
        said.append({"role": "assistant", "content": [asked]})
        printed_part = [{"type": "text", "text": printed}]
        said.append(
            {"role": "toolResult", "toolCallId": f"c{number}", "toolName": "exec", "isError": failed}
            | {"content": printed_part}
        )
    rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": "s1", "timestamp": START}]
    for number, message in enumerate(said):
        parent = f"m{number - 1}" if number else None
        row = {"type": "message", "id": f"m{number}", "parentId": parent}
        rows.append(row | {"message": message | {"timestamp": START + number * 1000}})
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of the agent `main`; `coding` has its own beside it."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    agents = [{"id": name, "workspace": str(tmp_path / name)} for name in ("main", "coding")]
    (tmp_path / "state").mkdir()
    (tmp_path / "state/openclaw.json").write_text(json.dumps({"agents": {"list": agents}}), "utf-8")
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks/s1.jsonl").write_text(transcript(), "utf-8")
    for name in ("main", "coding"):
        assert call(tmp_path / name, "adopt").code == 0
    return tmp_path / "main"


def asked(root: Path, *words: str) -> list[dict[str, Any]]:
    answer = call(root, "search", *words, "--json")
    assert answer.code == 0, answer.err
    found: list[dict[str, Any]] = answer.document["results"]
    return found


def test_facts_index_and_lessons_answer_what_is_asked(main: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(main, "config", "structured_views", "on").code == 0
    assert call(main, "run", "organizer", "--apply").code == 0
    index = (main / "memory/INDEX.md").read_text("utf-8")
    assert "- [2026-03-05] harbour website: large rebuild, 71 pages" in index
    assert "- [How we review](patterns/review.md)" in index
    assert len(index.encode()) <= 2048
    structured = {name: (main / f"memory/structured/{name}.md").read_text("utf-8") for name in ("tasks", "system")}
    assert "- Host: macOS, Apple Silicon, local network" in structured["system"]
    assert "- Renew the certificate of the harbour website until 2026-12-24." in structured["tasks"]

    assert call(main, "session", "import", str(main.parent / "talks")).code == 0
    assert call(main, "run", "lessons", "--apply").code == 0
    (item,) = call(main, "inbox", "--json").document
    assert call(main, "accept", item["id"]).code == 0

    refused = call(main, "search", "--query", "tmux claude code", "--agent", "coding")
    assert (refused.code, "read_agents" in refused.err) == (1, True)
    with monkeypatch.context() as terminal:
        terminal.setattr(operator_input, "possible", lambda: True)
        assert call(main, "config", "read_agents", "[coding]").code == 0

    (tmux,) = asked(main, "--query", "tmux claude code", "--agent", "coding", "--top", "1")
    assert "one session for each branch" in tmux["snippet"]
    everywhere = asked(main, "--query", "deployment patterns", "--all-agents", "--top", "3")
    assert "smoke test" in everywhere[0]["snippet"]
    assert len(everywhere) <= 3
    assert "--env staging" in " ".join(one["snippet"] for one in asked(main, "--query", "how to deploy", "--smart"))
    (lesson,) = asked(main, "--query", "mistakes", "--category", "lessons", "--agent", "main")
    assert "npm run deploy -- --env staging" in lesson["snippet"]
    assert lesson["citation"] in [one["citation"] for one in asked(main, "--category", "lessons", "--agent", "main")]
