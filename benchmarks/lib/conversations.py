"""Conversations of a folder with a script that converts them: as suites of questions, or turn by turn."""

import importlib.util
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import ModuleType

from benchmarks.lib.suites import Suite

_TURN = re.compile(r"- ([^:]+): (.*)")


@dataclass(frozen=True)
class Turn:
    """One message of a conversation; `gold` tells whether it holds what is worth keeping."""

    conversation: str
    name: str
    said: datetime
    text: str
    before: str
    gold: bool
    by: str = "operator"


def module(place: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(place.stem, place)
    assert spec is not None
    assert spec.loader is not None
    results = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(results)
    return results


def conversations(data: Path, work: Path) -> list[Suite]:
    """Return a suite for each conversation, converted by the folder's own script."""
    convert = module(data / "convert.py").convert
    output = work / "conversations"
    output.mkdir(parents=True, exist_ok=True)
    results = []
    for source in sorted(data.glob("*.json")):
        for conversation in json.loads(source.read_text("utf-8")):
            convert(conversation, output)
            name = conversation["sample_id"]
            turns = json.loads((output / f"{name}.map.json").read_text("utf-8"))
            index = {turn: (path, int(line)) for path, lines in turns.items() for line, turn in lines.items()}
            question = json.loads((output / f"{name}.queries.json").read_text("utf-8"))
            questions = [(row["question"], frozenset(index[turn] for turn in row["gold"])) for row in question]
            results.append(Suite(name, output / name, questions))
    return results


def turns(data: Path, work: Path) -> list[Turn]:
    """Return the turns of the annotated conversations of a folder."""
    convert = module(data / "convert.py").convert
    results = []
    for source in sorted(data.glob("*.json")):
        for conversation in json.loads(source.read_text("utf-8")):
            convert(conversation, work)
            results += conversation_turns(work, conversation["sample_id"])
    return results


def conversation_turns(work: Path, name: str) -> list[Turn]:
    facts = json.loads((work / f"{name}.facts.json").read_text("utf-8"))
    gold = {turn for fact in facts for turn in fact["turns"]}
    results = []
    for path, numbers in sorted(json.loads((work / f"{name}.map.json").read_text("utf-8")).items()):
        before, hour = "", "00:00"
        for number, line in enumerate((work / name / path).read_text("utf-8").splitlines(), 1):
            if line.startswith("## "):
                before, hour = "", line[3:]
            if str(number) in numbers and (said := _TURN.match(line)):
                text = re.sub(r" \[photo: [^\]]*\]$", "", said[2])
                moment = datetime.fromisoformat(f"{Path(path).stem}T{hour}")
                results.append(Turn(name, said[1], moment, text, before, numbers[str(number)] in gold))
                before = text
    return results
