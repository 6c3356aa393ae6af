"""Tells what a sentence is for, by learnt weights.

`benchmarks/memory/fit_intent.py` fits them to `corpora/messages/`; `docs/decisions/0060-a-learnt-ear.md` says why.
"""

import gzip
import json
import re
import zlib
from array import array
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

Intent = Literal["request", "decision", "plan", "rule"]
INTENTS: tuple[Intent, ...] = get_args(Intent)
HEADS = (*INTENTS, "keep")
"""What has weights of its own: each intent, and that a sentence is worth keeping at all."""
BITS = 17
"""A feature has one of 2 ** BITS places."""
LONGEST = 400
"""Letters of a sentence that are looked at."""
WEIGHTS = Path(__file__).with_name("data") / "intent.gz"

_GRAMS = (1, 2, 3, 4, 5)
_WORD = re.compile(r"\w+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_LENGTHS = 6


class Heard(Struct, frozen=True):
    """What a sentence is most likely for, and how surely: above 0 it is worth keeping more likely than not."""

    intent: Intent
    score: float


class Weights(Struct, frozen=True):
    """The weights of each place, head by head, as whole numbers; `scale` and `bias` of each head make scores of them.

    `strict` is the score from which on nineteen of twenty messages of other writers are worth keeping, `loose` that
    from which on four of five are.
    """

    rows: "array[int]"
    scale: tuple[float, ...]
    bias: tuple[float, ...]
    strict: float
    loose: float
    corpora: str


def hear(before: str, own: str, behind: str) -> Heard:
    """Tell what a sentence is for; the ones `before` and `behind` it in its message help, "" where there is none."""
    return scored(weights(), set(features(before, own, behind)))


def scored(known: "Weights", places: Collection[int]) -> Heard:
    """Tell what a sentence of which these features are seen, each once, is for."""
    rows, width = known.rows, len(HEADS)
    sums = [sum(rows[place * width + head] for place in places) for head in range(width)]
    size = max(len(places), 1) ** 0.5
    scores = [scale * total / size + bias for scale, total, bias in zip(known.scale, sums, known.bias, strict=True)]
    best = max(range(len(INTENTS)), key=scores.__getitem__)
    return Heard(INTENTS[best], scores[best] + scores[-1])


def features(before: str, own: str, behind: str) -> Iterator[int]:
    """Yield the places, 0 to 2 ** BITS - 1, of what is seen of a sentence: letters, words, its ends, its neighbours."""
    text = f" {_plain(own)} "
    for size in _GRAMS:
        for at in range(len(text) - size + 1):
            yield _place(text[at : at + size])
    words = _WORD.findall(text)
    for word in words:
        yield _place(f"w:{word}")
    for pair in pairwise(words):
        yield _place(f"b:{' '.join(pair)}")
    for many in (1, 2, 3):
        yield _place(f"^{' '.join(words[:many])}")
        yield _place(f"${' '.join(words[-many:])}")
    yield _place(f"#{min(len(words) // 4, _LENGTHS)}")
    for mark, near in (("<", before), (">", behind)):
        if near:
            yield from _neighbour(mark, _plain(near))


def _neighbour(mark: str, text: str) -> Iterator[int]:
    yield _place(mark)
    for word in _WORD.findall(text):
        yield _place(f"{mark}{word}")
    text = f" {text} "
    for at in range(len(text) - 2):
        yield _place(f"{mark}c{text[at : at + 3]}")


def _plain(text: str) -> str:
    return _DIGIT.sub("0", text[:LONGEST].strip().casefold())


def _place(feature: str) -> int:
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) & ((1 << BITS) - 1)


@cache
def weights() -> Weights:
    """Return the weights that came with clawgit."""
    head, _, body = gzip.decompress(WEIGHTS.read_bytes()).partition(b"\n")
    said = json.loads(head)
    scale, bias = tuple(said["scale"]), tuple(said["bias"])
    return Weights(array("b", body), scale, bias, said["strict"], said["loose"], said["corpora"])


def packed(found: Weights) -> bytes:
    """Return weights as they are stored, the same bytes each time."""
    said: dict[str, object] = {one: getattr(found, one) for one in ("scale", "bias", "strict", "loose", "corpora")}
    return gzip.compress(json.dumps(said).encode() + b"\n" + found.rows.tobytes(), 9, mtime=0)
