"""Twenty conversations as OpenClaw wrote them down.

    python -m tests.sessions.recorded_transcripts STATE    records them anew from the state folder of an OpenClaw

They come from `benchmarks/memory/after_compaction.py`: twelve with a compaction, and eight with calls of tools.
"""

import gzip
import json
import sys
from pathlib import Path

from clawgit.sessions import openclaw_sessions

FILES = tuple(sorted((Path(__file__).parent / "recorded").glob("*.jsonl.gz")))
_KINDS = {"compaction": 12, "toolResult": 8}


def rows(place: Path) -> list[str]:
    """The lines of a recorded conversation."""
    return gzip.decompress(place.read_bytes()).decode().splitlines()


def _record(state: Path) -> None:
    place = state / "agents/main/agent/openclaw-agent.sqlite"
    left, home = dict(_KINDS), str(state.parent)
    for session in openclaw_sessions.sessions(place, "main"):
        events = [event for _, event in openclaw_sessions.rows(place, session.id, -1)]
        told = [one.decode() if isinstance(one, bytes) else one for one in events]
        kind = next((one for one in left if left[one] and any(f'"{one}"' in row for row in told)), None)
        if kind:
            left[kind] -= 1
            lines = "".join(f"{json.dumps(json.loads(row), ensure_ascii=False)}\n" for row in told)
            name = f"{kind.lower()}-{_KINDS[kind] - left[kind]:02}.jsonl.gz"
            folder = Path(__file__).parent / "recorded"
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(gzip.compress(lines.replace(home, "/home/ada").encode(), mtime=0))


if __name__ == "__main__":
    _record(Path(sys.argv[1]))
