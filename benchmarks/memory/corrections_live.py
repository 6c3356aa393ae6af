"""Corrections as `clawgit triage --act` makes them."""

import json
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.agents import recall_validator
from clawgit.memory.corrected_values import Correction, Doubt, SpokenTurn, read_correction
from clawgit.memory.value_exchange import Stored
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.workspace import bootstrap, memory_lines
from clawgit.workspace.workspace import Workspace, open_workspace

Outcome = Correction | Doubt | None
NAME = "talk"
_BEFORE = 8


@contextmanager
def moulds() -> Iterator[tuple[Path, Path]]:
    """Make a workspace to be copied, and a folder for the copies."""
    with tempfile.TemporaryDirectory() as folder:
        bootstrap.init(Path(folder) / "mould").workspace.close()
        yield Path(folder) / "mould", Path(folder)


def acted(mould: Path, place: Path, memories: Sequence[str], turns: Sequence[SpokenTurn]) -> Outcome:
    """Have the last turn looked at in a workspace that holds these memories and this conversation."""
    root = Path(shutil.copytree(mould, place))
    try:
        with open_workspace(root) as workspace:
            for text in memories:
                workspace.apply(memory_lines.make_addition(workspace, text).change)
            return _acted(workspace, turns)
    finally:
        shutil.rmtree(root)


def _acted(workspace: Workspace, turns: Sequence[SpokenTurn]) -> Outcome:
    now = workspace.now().timestamp()
    here = Session(NAME, "main", f"agent:main:{NAME}", "direct", "telegram", now)
    with chat_store.open_chat_store(workspace.store, {}) as store:
        store.meet(here)
        store.take(here, "file", [_event(index, item, now) for index, item in enumerate(turns)], f"{NAME}.jsonl", {})
        words = turns[-1].text
        looked, _, _ = recall_validator.act_on_message(workspace, words, triage(words, BUILT_IN), NAME)
    if looked.item:
        return Doubt(looked.item.reason, looked.item.details["said"], looked.item.details["true"])
    return looked.correction


def _event(at: int, turn: SpokenTurn, now: float) -> Event:
    role, origin = ("user", "operator") if turn.who == "operator" else ("assistant", "agent")
    text = now - 60 + at
    return Event(f"e{at}", "", at, text, role, origin, turn.text, text, digest=hash_words(role, turn.text))


def ordinary(place: Path) -> Mapping[str, float]:
    """Count what fires on the turns of conversations that correct nothing, in LoCoMo's format.

    Each speaker is the operator once; what was annotated of the sessions before is remembered.
    """
    results: Counter[str] = Counter()
    start = time.perf_counter()
    for sample in json.loads(place.read_text("utf-8")):
        talk = sample["conversation"]
        for operator in (talk["speaker_a"], talk["speaker_b"]):
            for kind in _fired(sample, talk, operator):
                results[kind] += 1
    return {**results, "ms a turn": (time.perf_counter() - start) * 1000 / max(results.total(), 1)}


def _fired(sample: Mapping[str, Any], talk: Mapping[str, Any], operator: str) -> Iterator[str]:
    memories: list[Stored] = []
    names = sorted((item for item in talk if re.fullmatch(r"session_\d+", item)), key=lambda item: int(item[8:]))
    for name in names:
        before: list[SpokenTurn] = []
        for turn in talk[name]:
            mine = turn["speaker"] == operator
            if mine:
                outcome = read_correction(turn["text"], triage(turn["text"], BUILT_IN), before, memories)
                yield {Correction: "corrections", Doubt: "candidates"}.get(type(outcome), "nothing")
            before = [*before, SpokenTurn("operator" if mine else "agent", turn["text"])][-_BEFORE:]
        for facts in sample["observation"].get(f"{name}_observation", {}).values():
            memories += [Stored(f"{name}/{len(memories)}", text) for text, _ in facts]
