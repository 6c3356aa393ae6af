"""Fits what tells a request, a decision, a plan or a rule of conduct, and shows what it hears beside the patterns.

    python benchmarks/memory/fit_intent.py                  each writer of corpora/messages in turn unseen, as a table
    python benchmarks/memory/fit_intent.py --write          and writes clawgit/language/data/intent.gz, fitted to all
    python benchmarks/memory/fit_intent.py --measure FILE   what clawgit as it stands hears of messages of others

It needs scikit-learn (`pip install scikit-learn`), but for `--measure`. A sentence has the intent of its message where
it is among those that are to be kept; thresholds come from the sentences of writers that the weights did not see.
"""

import argparse
import hashlib
import json
import sys
import tomllib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.agents.mining.extract import extract, said_sentences
from clawgit.language import message_intent
from clawgit.language.message_intent import BITS, HEADS, INTENTS, WEIGHTS, Weights

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
MESSAGES = sorted((CORPORA / "messages").glob("*.jsonl"))
ASKED = sorted(CORPORA.glob("requests*.toml"))
SAID = datetime(2026, 5, 4, 10)  # noqa: DTZ001 - a day on the wall
KINDS = (*INTENTS, "fact")
STRICT, LOOSE = 0.95, 0.8
"""The share of what is heard that is worth keeping, where it lands and where it is a candidate."""
_C, _LEAST = 100, 12
_FULL, _FAINT = 127, 2


@dataclass(frozen=True)
class Message:
    """A message with its sentences; `wanted` are those to be kept, `kind` is what it is for, "none" for nothing."""

    writer: str
    language: str
    kind: str
    text: str
    said: tuple[str, ...]
    wanted: tuple[bool, ...]


def messages(place: Path) -> Iterator[Message]:
    """Yield the messages of one writer."""
    for line in place.read_text("utf-8").splitlines():
        row = json.loads(line)
        said = _sentences(row["text"])
        wanted = tuple(any(_same(one, kept) for kept in row["keep"]) for one in said)
        yield Message(place.stem, row["lang"], row["kind"], row["text"], said, wanted)


def asked(place: Path) -> Iterator[Message]:
    """Yield the operator's messages of a corpus of requests."""
    for language, rows in tomllib.loads(place.read_text("utf-8")).items():
        for by, text, kind, *must in rows:
            said = _sentences(text)
            name = {"": "none", "note": "request", "decision": "decision"}.get(kind)
            wanted = tuple(bool(must) and must[0] in one for one in said)
            if by == "operator" and name and (name == "none" or any(wanted)):  # a day is told in other words
                yield Message(place.stem, language, name, text, said, wanted)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[one.start : one.end] for one in said_sentences(text))


def _same(one: str, kept: str) -> bool:
    return one in kept or kept in one or (len(one) > _LEAST and one.rstrip(".!?。 ") in kept)


def places(one: Message) -> Iterator[list[int]]:
    """Yield what is seen of each sentence of a message."""
    for at, own in enumerate(one.said):
        before, behind = one.said[at - 1] if at else "", one.said[at + 1] if at + 1 < len(one.said) else ""
        yield sorted(set(message_intent.features(before, own, behind)))


def fitted(some: Sequence[Message]) -> "tuple[list[list[float]], list[float]]":
    """Return the weights of each head and its bias, by logistic regression over the sentences of messages."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - only to fit
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    seen = [(one, wanted, row) for one in some for wanted, row in zip(one.wanted, places(one), strict=True)]
    table = csr_matrix(
        (
            [len(row) ** -0.5 for *_, row in seen for _ in row],
            [place for *_, row in seen for place in row],
            list(accumulate((len(row) for *_, row in seen), initial=0)),
        ),
        shape=(len(seen), 1 << BITS),
    )
    rows, bias = [], []
    for head in HEADS:
        goal = [wanted and head in (one.kind, "keep") for one, wanted, _ in seen]
        made: Any = LogisticRegression(C=_C, max_iter=500, solver="liblinear", random_state=0).fit(table, goal)
        rows.append(made.coef_[0].tolist())
        bias.append(float(made.intercept_[0]))
    return rows, bias


def small(rows: "list[list[float]]", bias: Sequence[float], strict: float = 0.0, loose: float = 0.0) -> Weights:
    """Return weights as whole numbers of one byte."""
    scale = [max(map(abs, row)) / _FULL for row in rows]
    whole = array("b", (round(row[at] / scale[head]) for at in range(1 << BITS) for head, row in enumerate(rows)))
    for at, one in enumerate(whole):
        if abs(one) <= _FAINT:
            whole[at] = 0
    return Weights(whole, tuple(scale), tuple(bias), strict, loose, fingerprint())


def fingerprint() -> str:
    """Return what the corpora are known by."""
    return hashlib.sha256(b"".join(one.read_bytes() for one in (*MESSAGES, *ASKED))).hexdigest()[:16]


def heard(one: Message, known: Weights) -> float:
    """Return the highest score of a sentence of a message."""
    scores = (message_intent.scored(known, row).score for row in places(one))
    return max(scores, default=-99.0)


def threshold(scores: "list[tuple[float, bool]]", least: float) -> float:
    """Return the lowest score above which a share of `least` is right."""
    right, best = 0, 99.0
    for count, (score, good) in enumerate(sorted(scores, reverse=True), 1):
        right += good
        if right >= least * count:
            best = score
    return best


def table(title: str, some: Sequence[Message], taken: Callable[[Message], bool]) -> None:
    """Print of how many messages of each kind something is taken, and how much of what is taken is worth it."""
    got = [one for one in some if taken(one)]
    every, kinds = Counter(one.kind for one in some), Counter(one.kind for one in got)
    right = sum(one.kind != "none" for one in got)
    cells = "  ".join(f"{kind} {kinds[kind]}/{every[kind]}" for kind in KINDS)
    none = f"none {kinds['none']}/{every['none']}"
    print(f"{title:24} precision {right / max(len(got), 1):.3f} of {len(got):4}  {cells}  {none}")


def by_phrases(one: Message) -> bool:
    """Tell whether phrases alone have anything of a message kept."""
    return bool(extract(one.text, SAID, learnt=False).findings)


def kept(one: Message) -> bool:
    """Tell whether clawgit as it stands keeps anything of a message."""
    return bool(extract(one.text, SAID).findings)


def main(arguments: Iterable[str] | None = None) -> None:
    """Fit, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measure", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    if given.measure:
        some = list(messages(given.measure))
        shipped = message_intent.weights()
        scores = {id(one): heard(one, shipped) for one in some}
        table("by phrases alone", some, by_phrases)
        table("kept by clawgit", some, kept)
        table("learnt, strict", some, lambda one: scores[id(one)] > shipped.strict)
        table("learnt, loose", some, lambda one: scores[id(one)] > shipped.loose)
        for language in sorted({one.language for one in some}):
            own = [one for one in some if one.language == language]
            table(f"  {language}, kept", own, kept)
            table(f"  {language}, loose", own, lambda one: scores[id(one)] > shipped.loose)
        return
    written = {place.stem: list(messages(place)) for place in MESSAGES}
    more = [one for place in ASKED for one in asked(place)]
    unseen: list[Message] = []
    scores = {}
    for name, some in written.items():
        others = [one for other, rows in written.items() if other != name for one in rows]
        known = small(*fitted([*others, *more]))
        scores |= {id(one): heard(one, known) for one in some}
        unseen += some
    every = [(scores[id(one)], one.kind != "none") for one in unseen]
    strict, loose = threshold(every, STRICT), threshold(every, LOOSE)
    table("by phrases alone", unseen, by_phrases)
    table("learnt, strict", unseen, lambda one: scores[id(one)] >= strict)
    table("learnt, loose", unseen, lambda one: scores[id(one)] >= loose)
    table("phrases, or strict", unseen, lambda one: by_phrases(one) or scores[id(one)] >= strict)
    print(f"thresholds {strict:.3f} {loose:.3f}")
    keep({"strict": strict, "loose": loose})
    if given.write:
        WEIGHTS.write_bytes(message_intent.packed(small(*fitted([*unseen, *more]), strict, loose)))
        print(f"wrote {WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
