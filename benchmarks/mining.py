"""How well the miner's rules find what is worth keeping, beside two plain ways, in one run.

    python benchmarks/mining.py                        on the labelled messages of tests/corpora
    python benchmarks/mining.py --data FOLDER          and on the conversations of a folder with convert.py
    python benchmarks/mining.py --data FOLDER --show 20 --missed 20 --seed 1

A turn is mined when it gives a finding at all; it should be when somebody annotated a fact in it. Junk are findings
that are questions or chit-chat, and those that say again what another one of the same conversation says.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from apart import apart
from retrieval import module

from clawgit.agents.mining.extract import extract
from clawgit.agents.mining.finding import Extracted
from clawgit.language.sentences import sentences

CORPORA = sorted((Path(__file__).parents[1] / "tests/corpora").glob("mining*.toml"))
KEY = "sk-proj-" + "Zk3vQ9mT2xLr8WbN5cYh" * 2
SAID = datetime(2026, 5, 4, 10)  # noqa: DTZ001 - a day on the wall
_TURN = re.compile(r"- ([^:]+): (.*)")
_PARTICULAR = re.compile(
    r"\d|(?<=[a-z,] )[A-Z][a-z]+|\b(?:yester|to)day\b|\b(?:last|next|ago|(?:Mon|Tues|Fri|Sun)day)\b"
)
_TALK = re.compile(
    r"(?i)^(?:thanks|thank you|wow|congrat\w*|great|awesome|cool|nice|good luck|hey|hi|hello|bye|sounds|yes|sure)\b"
    r"(?!.*\b(?:i|i'm|i've|my|me|we|we're|we've|our)\b)|^(?:you|you're|your|keep|let's|good luck|best of luck)\b"
)
_RESTATED = 0.8
_FEWEST = 4


@dataclass(frozen=True)
class Turn:
    """One message of a conversation; `gold` tells whether a fact was annotated in it."""

    conversation: str
    name: str
    said: datetime
    text: str
    before: str
    gold: bool


def turns(data: Path, work: Path) -> list[Turn]:
    convert = module(data / "convert.py").convert
    found = []
    for source in sorted(data.glob("*.json")):
        for conversation in json.loads(source.read_text("utf-8")):
            convert(conversation, work)
            found += conversation_turns(work, conversation["sample_id"])
    return found


def conversation_turns(work: Path, name: str) -> list[Turn]:
    facts = json.loads((work / f"{name}.facts.json").read_text("utf-8"))
    gold = {turn for fact in facts for turn in fact["turns"]}
    found = []
    for path, numbers in sorted(json.loads((work / f"{name}.map.json").read_text("utf-8")).items()):
        before, hour = "", "00:00"
        for number, line in enumerate((work / name / path).read_text("utf-8").splitlines(), 1):
            if line.startswith("## "):
                before, hour = "", line[3:]
            if str(number) in numbers and (said := _TURN.match(line)):
                text = re.sub(r" \[photo: [^\]]*\]$", "", said[2])
                at = datetime.fromisoformat(f"{Path(path).stem}T{hour}")
                found.append(Turn(name, said[1], at, text, before, numbers[str(number)] in gold))
                before = text
    return found


def by_rules(turn: Turn) -> Extracted:
    return extract(turn.text, turn.said, name=turn.name, before=turn.before)


def statement(turn: Turn) -> bool:
    """Tell whether a turn has a sentence that is no question."""
    return any(not one.own.endswith("?") for one in sentences(turn.text))


def particular(turn: Turn) -> bool:
    """Tell whether a turn has a sentence with a name, a number or a date."""
    return any(_PARTICULAR.search(one.own) for one in sentences(turn.text) if not one.own.endswith("?"))


SYSTEMS: dict[str, Callable[[Turn], bool]] = {
    "rules": lambda turn: bool(by_rules(turn).findings),
    "every statement": statement,
    "name, number or date": particular,
}


def scores(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """Return precision, recall and F1 of (mined, gold)."""
    both = Counter(pairs)
    hit, mined, gold = both[True, True], both[True, True] + both[True, False], both[True, True] + both[False, True]
    return {
        "precision": hit / max(mined, 1),
        "recall": hit / max(gold, 1),
        "F1": 2 * hit / max(mined + gold, 1),
    }


def row(title: str, found: dict[str, float]) -> str:
    return f"| {title} | " + " | ".join(f"{value:.3f}" for value in found.values()) + " |"


def compare(found: list[Turn]) -> dict[str, dict[str, dict[str, float]]]:
    """Print and return the table of each conversation and of all."""
    print("| conversation, system | precision | recall | F1 |\n|---|---|---|---|")
    names = [*dict.fromkeys(turn.conversation for turn in found), ""]
    tables: dict[str, dict[str, dict[str, float]]] = {}
    for name in names:
        group = [turn for turn in found if turn.conversation == (name or turn.conversation)]
        for title, mined in SYSTEMS.items():
            one = scores((mined(turn), turn.gold) for turn in group)
            tables.setdefault(name or "all", {})[title] = one
            print(row(f"{name or 'all'}, {title}", one))
    return tables


def restated(words: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two entries are made of nearly the same words."""
    return min(len(words), len(other)) >= _FEWEST and len(words & other) >= _RESTATED * len(words | other)


def junk(found: list[Turn]) -> dict[str, float]:
    """Return the shares of findings that are junk, of each tag, and how fast the rules are."""
    seen: dict[str, list[frozenset[str]]] = {}
    kinds: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    begun = time.process_time()
    results = [(turn, by_rules(turn)) for turn in found]
    took = time.process_time() - begun
    for turn, result in results:
        for one in result.findings:
            words = frozenset(re.findall(r"[\w']+", one.text.casefold())) - {turn.name.casefold()}
            others = seen.setdefault(turn.conversation, [])
            kinds["question"] += one.quote.rstrip().endswith("?")
            kinds["chit-chat"] += bool(_TALK.search(one.quote))
            kinds["twice"] += words in others
            kinds["restated"] += words not in others and any(restated(words, other) for other in others)
            others.append(words)
            tags[one.tag] += 1
    total = max(sum(tags.values()), 1)
    shares = {name: count / total for name, count in (*sorted(kinds.items()), *sorted(tags.items()))}
    return {"findings": total, "junk": sum(kinds.values()) / total, **shares, "messages a second": len(found) / took}


def labelled(place: Path, *, talk: bool) -> dict[str, dict[str, float]]:
    """Print and return how the labelled messages of a file fare by language; with `talk` each that is wrong."""
    print(f"\n| {place.name} | precision | recall | F1 | tag | words |\n|---|---|---|---|---|---|")
    tables = {}
    rows = tomllib.loads(place.read_text("utf-8"))
    for language in (*rows, "all"):
        pairs, tagged, worded = [], [], []
        for by, text, tag, *must in rows.get(language) or [one for group in rows.values() for one in group]:
            result = extract(text.replace("{key}", KEY), SAID, by=by)
            pairs.append((bool(result.findings), bool(tag)))
            if tag and result.findings:
                tagged.append(any(one.tag == tag for one in result.findings))
                worded.append(any(word in one.text for one in result.findings for word in must))
            right = pairs[-1][0] == pairs[-1][1] and (not tag or (tagged[-1] and worded[-1]))
            if talk and not right and language != "all":
                print(f"    {language} {by} {tag or 'refuse'} {text!r}\n        {result}")
        tables[language] = scores(pairs) | {"tag": sum(tagged) / len(tagged), "words": sum(worded) / len(worded)}
        print(row(language, tables[language]))
    return tables


def show(found: list[Turn], mined: int, missed: int, seed: int) -> None:
    order = random.Random(seed)
    results = [(turn, by_rules(turn)) for turn in found]
    kept = [(turn, one) for turn, result in results for one in result.findings]
    for turn, one in order.sample(kept, min(mined, len(kept))):
        print(f"{'+' if turn.gold else '-'} #{one.tag} ({one.kind}) {one.day or ''} {one.text}")
    lost = [(turn, result) for turn, result in results if turn.gold and not result.findings]
    for turn, result in order.sample(lost, min(missed, len(lost))):
        print(f"? {turn.name}: {turn.text}\n      {[reason for reason, _ in result.refused]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N findings; + where a fact was annotated"
    )
    parser.add_argument("--missed", type=int, default=0, metavar="N", help="print N turns with a fact and no finding")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wrong", action="store_true", help="print each labelled message that is wrong")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    apart()
    results: dict[str, object] = {place.name: labelled(place, talk=given.wrong) for place in CORPORA}
    if given.data:
        with tempfile.TemporaryDirectory(prefix="clawgit-mining-") as work:
            found = turns(given.data, Path(work))
        told = junk(found)
        results |= {"turns": compare(found), "findings": told}
        print(", ".join(f"{name} {value:.3g}" for name, value in told.items()))
        show(found, given.show, given.missed, given.seed)
    if given.json:
        print(json.dumps(results, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
