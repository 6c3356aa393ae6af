"""How well corrections are told from candidates, and from what corrects nothing.

    python benchmarks/memory/corrections.py   the dialogues of corpora/corrections.toml
    python benchmarks/memory/corrections.py --dialogues FILE   other dialogues, in the same format
    python benchmarks/memory/corrections.py --wrong   and each that was judged wrongly
    python benchmarks/memory/corrections.py --live   as `clawgit triage --act` does it, in workspaces of their own
    python benchmarks/memory/corrections.py --conversations F
        what fires on ordinary talk, of a file in LoCoMo's format
    python benchmarks/memory/corrections.py --talks FOLDER   long talks with labels, beside their memory; totals alone
    python benchmarks/memory/corrections.py --ablation   each family of rules left out in turn, the first row with all

A correction counts where both sides and the memory are right. What matters first is its precision: a wrong correction
is believed above all else.
"""

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.families import Area, Family, Score
from benchmarks.memory.corrections_live import acted, moulds, ordinary
from clawgit.memory import corrected_values
from clawgit.memory.corrected_values import Correction, Doubt, SpokenTurn, read_correction
from clawgit.memory.value_exchange import Stored
from clawgit.messages import sides
from clawgit.messages.triage import BUILT_IN, triage

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = ("operator", "user")


@dataclass(frozen=True, slots=True)
class Judged:
    """A dialogue, and what was made of it."""

    dialogue: Mapping[str, Any]
    outcome: Correction | Doubt | None

    @property
    def kind(self) -> str:
        """What it was taken for."""
        names = {Correction: "correction", Doubt: "candidate"}
        return names.get(type(self.outcome), "none")

    @property
    def right(self) -> bool:
        """Whether that is so, with both sides and the memory."""
        if self.kind != self.dialogue["kind"] or not isinstance(self.outcome, Correction):
            return bool(self.kind == self.dialogue["kind"])
        entry = self.outcome.exchanges[0].entry.text if self.outcome.exchanges else ""
        wanted = expected(self.dialogue)
        sides = ((self.outcome.said, self.dialogue["said"]), (self.outcome.true, self.dialogue["true"]))
        return all(alike(item, other) for item, other in sides) and entry == wanted and self._whole()

    def _whole(self) -> bool:
        """Tell whether the memory says what it should afterwards."""
        assert isinstance(self.outcome, Correction)
        if not self.outcome.exchanges:
            return True
        wanted = expected(self.dialogue).replace(self.dialogue["said"], self.dialogue["true"])
        return self.outcome.exchanges[0].statement.casefold() == wanted.casefold()


def expected(dialogue: Mapping[str, Any]) -> str:
    """Return the text of the memory that is to be corrected, "" for none."""
    entry = dialogue.get("entry", "")
    return dialogue["memory"][entry] if isinstance(entry, int) and entry >= 0 else str(entry) if entry != -1 else ""


def alike(item: str, other: str) -> bool:
    """Tell whether two sides name the same, however much of the words around a value is with them."""
    a, b = (" ".join(side.casefold().strip(" .。").split()) for side in (item, other))
    return a == b or (bool(a and b) and (a in b or b in a))


def turns_of(dialogue: Mapping[str, Any]) -> list[SpokenTurn]:
    """Return what was said."""
    return [SpokenTurn("operator" if row["who"] in OPERATORS else "agent", row["text"]) for row in dialogue["turns"]]


def lived(dialogues: list[Mapping[str, Any]]) -> Iterator[Judged]:
    """Have the last turn of each dialogue looked at in a workspace of its own."""
    with moulds() as (mould, folder):
        for item in dialogues:
            outcome = acted(mould, folder / "ws", item.get("memory", []), turns_of(item))
            yield Judged(item, outcome)


def judged(dialogue: Mapping[str, Any]) -> Judged:
    """Have the last turn of a dialogue resolved."""
    memories = [Stored(str(index), text) for index, text in enumerate(dialogue.get("memory", []))]
    turns = turns_of(dialogue)
    words = turns[-1].text
    return Judged(dialogue, read_correction(words, triage(words, BUILT_IN), turns[:-1], memories))


def rows(results: list[Judged]) -> Iterator[str]:
    """Yield a line of figures for each language, and one for all."""
    languages = [*sorted({item.dialogue["lang"] for item in results}), ""]
    for lang in languages:
        group = [item for item in results if lang in ("", item.dialogue["lang"])]
        cells = [cell for kind in ("correction", "candidate") for cell in figures(group, kind)]
        yield f"{lang or 'all':<5}{len(group):>6}" + "".join(f"{cell:>12}" for cell in cells)


def figures(group: list[Judged], kind: str) -> Iterator[str]:
    """Yield precision and recall of a kind."""
    counts = Counter((item.dialogue["kind"] == kind, item.kind == kind, item.right) for item in group)
    right = counts[True, True, True]
    for total in (sum(n for key, n in counts.items() if key[1]), sum(n for key, n in counts.items() if key[0])):
        yield f"{right / total:.3f} ({total})" if total else "-"


def wrong(item: Judged) -> str:
    """Return a dialogue that was judged wrongly, in words."""
    dialogue, outcome = item.dialogue, item.outcome
    text = "\n".join(f"    {turn['who']}: {turn['text']}" for turn in dialogue["turns"])
    wanted = f"{dialogue['kind']}: {dialogue.get('said', '')} -> {dialogue.get('true', '')} in {expected(dialogue)!r}"
    return f"{dialogue['id']}\n    memory: {dialogue.get('memory')}\n{text}\n    is {wanted}\n    taken for {outcome}\n"


def nothing(*_: object, **__: object) -> Iterator[Any]:
    """Yield nothing: what a family that is left out finds."""
    yield from ()


def never(*_: object, **__: object) -> bool:
    return False


FAMILIES = {
    "two sides": Family([(sides, "find", nothing)], ["messages/sides.py"], ["messages/data/sides.toml"]),
    "one side": Family(
        [(corrected_values, "_read_restatement", lambda *_: None)],
        [corrected_values._read_restatement],  # noqa: SLF001
    ),
    "no claim: past": Family([(corrected_values, "is_past", never)], [corrected_values.is_past]),
}


def third() -> Score:
    """Score the corrections of the corpus that was measured once."""
    group = tomllib.loads((ROOT / "corpora/corrections.third.toml").read_text("utf-8"))["dialogue"]
    results = [judged(item) for item in group]
    taken = [item for item in results if item.kind == "correction"]
    right = sum(item.right for item in taken)
    return Score(len(taken), right, sum(row["kind"] == "correction" for row in group), right)


AREA = Area("corrections", FAMILIES, third)


def talked(folder: Path) -> tuple[int, int, int, int]:
    """Return how many were taken for corrections, how many of these are labelled, and of both-sided labels found, all.

    A turn counts as found where the right value is among the words of the label.
    """
    taken = right = known_rows = 0
    for path in sorted(folder.glob("*.labels.json")):
        labels = {row["turn"]: row for row in json.loads(path.read_text("utf-8"))["corrections"]}
        known_rows += sum(row["right"] is not None for row in labels.values())
        talk = json.loads(path.with_name(path.name.replace(".labels", "")).read_text("utf-8"))
        memories = [Stored(str(index), text) for index, text in enumerate(talk["memory"])]
        for session in talk["sessions"]:
            turns = [
                SpokenTurn("operator" if row["by"] == "operator" else "agent", row["text"]) for row in session["turns"]
            ]
            for index, turn in enumerate(turns):
                if turn.who != "operator" or session["kind"] != "direct":
                    continue
                results = read_correction(
                    turn.text, triage(turn.text, BUILT_IN), turns[max(0, index - 8) : index], memories
                )
                label = labels.get(f"{session['id']}:{index + 1}")
                if isinstance(results, Correction):
                    taken += 1
                    right += bool(label and label["right"] and _shared(results.true, label["right"]))
    return taken, right, right, known_rows


def _shared(item: str, other: str) -> bool:
    return bool(
        {word.casefold() for word in re.findall(r"\w+", item)} & {w.casefold() for w in re.findall(r"\w+", other)}
    )


def ablation(dialogues: list[Mapping[str, Any]], talks: Path | None) -> Iterator[str]:
    """Yield a line of figures for each family left out."""
    for name, family in {"": Family(), **FAMILIES}.items():
        with family.left_out():
            results = [judged(item) for item in dialogues]
            more = talked(talks) if talks else None
        cells = [cell for kind in ("correction", "candidate") for cell in figures(results, kind)]
        row = f"{name or 'all':<32}" + "".join(f"{cell:>12}" for cell in cells)
        yield row + (f"   talks: {more[1]} of {more[0]} right, {more[2]} of {more[3]} found" if more else "")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=Path, default=ROOT / "corpora/corrections.toml")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--talks", type=Path, metavar="FOLDER")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--conversations", type=Path, metavar="FILE")
    options = parser.parse_args()
    dialogues = tomllib.loads(options.dialogues.read_text("utf-8"))["dialogue"]
    if options.ablation:
        print("\n".join(ablation(dialogues, options.talks)))
        return
    if options.talks:
        taken, right, found_, known_rows = talked(options.talks)
        print(f"{right} of {taken} taken for a correction are one, {found_} of {known_rows} found")
        return
    results = list(lived(dialogues)) if options.live else [judged(item) for item in dialogues]
    print(f"{'':<5}{'n':>6}{'corr. prec.':>12}{'recall':>12}{'cand. prec.':>12}{'recall':>12}")
    print("\n".join(rows(results)))
    if options.conversations:
        print(", ".join(f"{much:,.0f} {kind}" for kind, much in ordinary(options.conversations).items()))
    if options.wrong:
        print("\n" + "\n".join(wrong(item) for item in results if not item.right))


if __name__ == "__main__":
    main()
