"""Twenty conversations as OpenClaw wrote them down, and what must hold of any.

    python -m tests.sessions.recorded_transcripts STATE    records them anew from the state folder of an OpenClaw

They come from `benchmarks/memory/after_compaction.py`: twelve with a compaction, and eight with calls of tools.
"""

import gzip
import json
import sys
from pathlib import Path

from clawgit.sessions import openclaw_sessions
from clawgit.sessions.life.conversation_outline import outline
from clawgit.sessions.life.model_context import Conversation, is_result
from clawgit.sessions.life.session_plan import Rules, plan_compaction, plan_pruning

FILES = tuple(sorted((Path(__file__).parent / "recorded").glob("*.jsonl.gz")))
_LATE = 4e9
_KINDS = {"compaction": 12, "toolResult": 8}
_RESERVED = 24_000


def rows(place: Path) -> list[str]:
    """The lines of a recorded conversation."""
    return gzip.decompress(place.read_bytes()).decode().splitlines()


def require_sound(found: Conversation, window: int = 3_000) -> None:
    """Plan the pruning and the compaction of a conversation, also as if nothing had been; require what must hold."""
    for context in (found.context, found.items):
        pruning = plan_pruning(context, Rules(window=window, max_chars=400), _LATE)
        assert pruning.after <= pruning.before
        results = {one.event.id for one in context if is_result(one.message)}
        assert results >= {*pruning.trimmed, *pruning.cleared}
        for turns in (1, 3, 10):
            done = plan_compaction(context, Rules(window=window + _RESERVED, turns=turns))
            outline(done.summarised, found.session.id, lambda event: [event.text[:80]])
            assert [one.raw for one in (*done.summarised, *done.kept)] == [one.raw for one in context]
            asked = {call for one in done.summarised for call in one.makes}
            later = {call for one in done.kept for call in one.makes}
            assert not [one for one in done.kept if one.answers in asked - later]


def _record(state: Path) -> None:
    place = state / "agents/main/agent/openclaw-agent.sqlite"
    left, home = dict(_KINDS), str(state.parent)
    for session in openclaw_sessions.sessions(place, "main"):
        events = [row.event for some in openclaw_sessions.rows(place, session.id, -1) for row in some]
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
