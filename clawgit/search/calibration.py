"""What a cosine is worth, whoever made the vectors."""

import math
from collections.abc import Iterable, Sequence
from itertools import product
from statistics import median

from msgspec import Struct

from clawgit.search import embedding
from clawgit.search.embedding import Vector

STRANGE = (
    "purple elephants juggling quasars",
    "zxqv blorf wibble",
    "how tall is the tallest tower of Mongolia",
    "lyrics of a sea shanty about whales",
    "photosynthesis in red algae",
    "siege engines of the middle ages",
    "who won the final in overtime",
    "how to file a patent in Brazil",
    "the chemical formula of saltpetre",
    "asdf qwer",
    "a valve amplifier for jazz guitar",
    "rings of Saturn through a telescope",
)
"""Questions that few memories answer."""

SAMPLE = 500
_FAR = 4.0
_NORMAL = 1.4826  # of a normal distribution: its deviation by the median of what lies off
_LEAST = 0.1
_MOST = 0.999
_BAR = 0.35


class Scale(Struct, frozen=True):
    """The cosine that strangers have in the middle, and the one that hardly any of them reaches.

    Measured: with MiniLM strangers lie around 0.03 and end at 0.3, with other models around 0.7 and end at 0.8.
    """

    middle: float = 0.0
    bar: float = 0.3

    def worth(self, cosine: float) -> float:
        """Return 0 for what a stranger has, the default `min_score` where no stranger comes, 1 for the same."""
        if cosine >= self.bar:
            return min(_BAR + (1 - _BAR) * (cosine - self.bar) / (1 - self.bar), 1.0)
        return max(_BAR * (cosine - self.middle) / (self.bar - self.middle), 0.0)


def scale(strangers: Sequence[Vector], texts: Iterable[Vector]) -> Scale:
    """Return the scale by how near strange questions come to texts."""
    units = [embedding.unit(one) for one in texts]
    cosines = [math.fsum(map(float.__mul__, a, b)) for a, b in product(map(embedding.unit, strangers), units)]
    if not cosines:
        return Scale()
    middle = min(median(cosines), _MOST)
    spread = _NORMAL * median(abs(one - middle) for one in cosines)  # some are no strangers to some memories
    room = 1 - middle
    return Scale(middle, middle + min(max(_FAR * spread, _LEAST * room), (1 - _LEAST) * room))
