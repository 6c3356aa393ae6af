"""What a remark on an answer says."""

from typing import Literal

from msgspec import Struct

from clawgit.agents.heard import Heard

Form = Literal["order", "blame", "again", "welcome", "keep", "lapse", "able", "said"]


class Aside(Struct, frozen=True):
    """A remark of the operator's on how the agent talks or works with them, whose side of conduct has no name.

    `words` are those that may stand as a principle, "" where none do; `quote` is cited. `sure` says that it counts
    alone, `guessed` that it does so only since many weak signs come together, `bids` that its words say what to do,
    `mute` that nothing in it tells talk from tasks: such a one counts beside another alone. `topics` are what of the
    agent's talk it is about, as `topics.py` calls them.
    """

    form: Form
    words: str
    quote: str
    sure: bool
    topics: frozenset[str]
    heard: Heard
    bids: bool = False
    mute: bool = False
    guessed: bool = False
