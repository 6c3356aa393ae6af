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
        return all(alike(one, other) for one, other in sides) and entry == wanted and self._whole()

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


def alike(one: str, other: str) -> bool:
    """Tell whether two sides name the same, however much of the words around a value is with them."""
    a, b = (" ".join(side.casefold().strip(" .。").split()) for side in (one, other))
    return a == b or (bool(a and b) and (a in b or b in a))


def turns_of(dialogue: Mapping[str, Any]) -> list[SpokenTurn]:
    """Return what was said."""
    return [SpokenTurn("operator" if one["who"] in OPERATORS else "agent", one["text"]) for one in dialogue["turns"]]


def lived(dialogues: list[Mapping[str, Any]]) -> Iterator[Judged]:
    """Have the last turn of each dialogue looked at in a workspace of its own."""
    with moulds() as (mould, folder):
        for one in dialogues:
            outcome = acted(mould, folder / "ws", one.get("memory", []), turns_of(one))
            yield Judged(one, outcome)


def judged(dialogue: Mapping[str, Any]) -> Judged:
    """Have the last turn of a dialogue resolved."""
    stored = [Stored(str(at), text) for at, text in enumerate(dialogue.get("memory", []))]
    turns = turns_of(dialogue)
    words = turns[-1].text
    return Judged(dialogue, read_correction(words, triage(words, BUILT_IN), turns[:-1], stored))


def rows(found: list[Judged]) -> Iterator[str]:
    """Yield a line of figures for each language, and one for all."""
    languages = [*sorted({one.dialogue["lang"] for one in found}), ""]
    for lang in languages:
        some = [one for one in found if lang in ("", one.dialogue["lang"])]
        cells = [cell for kind in ("correction", "candidate") for cell in figures(some, kind)]
        yield f"{lang or 'all':<5}{len(some):>6}" + "".join(f"{cell:>12}" for cell in cells)


def figures(some: list[Judged], kind: str) -> Iterator[str]:
    """Yield precision and recall of a kind."""
    counts = Counter((one.dialogue["kind"] == kind, one.kind == kind, one.right) for one in some)
    right = counts[True, True, True]
    for total in (sum(n for key, n in counts.items() if key[1]), sum(n for key, n in counts.items() if key[0])):
        yield f"{right / total:.3f} ({total})" if total else "-"


def wrong(one: Judged) -> str:
    """Return a dialogue that was judged wrongly, in words."""
    dialogue, outcome = one.dialogue, one.outcome
    said = "\n".join(f"    {turn['who']}: {turn['text']}" for turn in dialogue["turns"])
    wanted = f"{dialogue['kind']}: {dialogue.get('said', '')} -> {dialogue.get('true', '')} in {expected(dialogue)!r}"
    return f"{dialogue['id']}\n    memory: {dialogue.get('memory')}\n{said}\n    is {wanted}\n    taken for {outcome}\n"


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
    some = tomllib.loads((ROOT / "corpora/corrections.third.toml").read_text("utf-8"))["dialogue"]
    found = [judged(one) for one in some]
    taken = [one for one in found if one.kind == "correction"]
    right = sum(one.right for one in taken)
    return Score(len(taken), right, sum(one["kind"] == "correction" for one in some), right)


AREA = Area("corrections", FAMILIES, third)


def talked(folder: Path) -> tuple[int, int, int, int]:
    """Return how many were taken for corrections, how many of these are labelled, and of both-sided labels found, all.

    A turn counts as found where the right value is among the words of the label.
    """
    taken = right = known = 0
    for path in sorted(folder.glob("*.labels.json")):
        labels = {one["turn"]: one for one in json.loads(path.read_text("utf-8"))["corrections"]}
        known += sum(one["right"] is not None for one in labels.values())
        talk = json.loads(path.with_name(path.name.replace(".labels", "")).read_text("utf-8"))
        stored = [Stored(str(at), text) for at, text in enumerate(talk["memory"])]
        for session in talk["sessions"]:
            turns = [
                SpokenTurn("operator" if one["by"] == "operator" else "agent", one["text"]) for one in session["turns"]
            ]
            for at, turn in enumerate(turns):
                if turn.who != "operator" or session["kind"] != "direct":
                    continue
                found = read_correction(turn.text, triage(turn.text, BUILT_IN), turns[max(0, at - 8) : at], stored)
                label = labels.get(f"{session['id']}:{at + 1}")
                if isinstance(found, Correction):
                    taken += 1
                    right += bool(label and label["right"] and _shared(found.true, label["right"]))
    return taken, right, right, known


def _shared(one: str, other: str) -> bool:
    return bool(
        {word.casefold() for word in re.findall(r"\w+", one)} & {w.casefold() for w in re.findall(r"\w+", other)}
    )


def ablation(dialogues: list[Mapping[str, Any]], talks: Path | None) -> Iterator[str]:
    """Yield a line of figures for each family left out."""
    for name, family in {"": Family(), **FAMILIES}.items():
        with family.left_out():
            found = [judged(one) for one in dialogues]
            more = talked(talks) if talks else None
        cells = [cell for kind in ("correction", "candidate") for cell in figures(found, kind)]
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
    given = parser.parse_args()
    dialogues = tomllib.loads(given.dialogues.read_text("utf-8"))["dialogue"]
    if given.ablation:
        print("\n".join(ablation(dialogues, given.talks)))
        return
    if given.talks:
        taken, right, found_, known = talked(given.talks)
        print(f"{right} of {taken} taken for a correction are one, {found_} of {known} found")
        return
    found = list(lived(dialogues)) if given.live else [judged(one) for one in dialogues]
    print(f"{'':<5}{'n':>6}{'corr. prec.':>12}{'recall':>12}{'cand. prec.':>12}{'recall':>12}")
    print("\n".join(rows(found)))
    if given.conversations:
        print(", ".join(f"{much:,.0f} {kind}" for kind, much in ordinary(given.conversations).items()))
    if given.wrong:
        print("\n" + "\n".join(wrong(one) for one in found if not one.right))


if __name__ == "__main__":
    main()
