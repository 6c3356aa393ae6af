"""What one remark tells of conduct."""

from datetime import UTC, date, datetime
from typing import Literal

from msgspec import Struct

from clawgit.agents.heard import message_of
from clawgit.agents.keeping.aside import Form
from clawgit.agents.keeping.aspects import Aim
from clawgit.text.identity import named, normalise

Kind = Literal["wish", "complaint", "praise", "remark", "lapse", "capability", "operation"]

REASONS: dict[Kind, str] = {
    "wish": "The operator asked for it",
    "complaint": "The operator complained",
    "praise": "The operator welcomed it",
    "remark": "The operator remarked on it",
    "lapse": "The operator said that the agent has moved away from it",
    "capability": "The operator confirmed it",
    "operation": "The operator asked for it, and it is about how work is done",
}
INFERRED: frozenset[Kind] = frozenset({"praise", "capability", "remark"})
"""What nobody asked for: it was seen to go well."""


class Signal(Struct, frozen=True):
    """One remark: `words` as they were said, `aim` what they want of conduct, None where that has no name.

    `strong` says that it holds from one remark alone: a standing wish, or a complaint that says it is not the first.
    `pointer` cites it, `mention` names its message, `time` counts seconds since 1970. `proven` is False where nobody
    can tell that the operator said it himself: then a change waits. `lang` is the language of the words. What has no
    name and is about an answer carries the `form` of its words, and `matter`, by which remarks belong together; what
    counts alone only because many weak signs come together is `guessed`.
    """

    kind: Kind
    words: str
    aim: Aim | None
    strong: bool
    pointer: str
    mention: str
    time: float
    session: str = ""
    lang: str = "en"
    proven: bool = True
    matter: str = ""
    form: Form | None = None
    guessed: bool = False

    @property
    def day(self) -> date:
        """The day on which it was said, in UTC."""
        return datetime.fromtimestamp(self.time, UTC).date()

    @property
    def occasion(self) -> tuple[str, date]:
        """What two remarks of one talk have in common."""
        return self.session, self.day

    @property
    def id(self) -> str:
        """What it is known by once something was made of it: its message and its words."""
        about = self.aim.name if self.aim else ""
        return named("\0".join(("soul", message_of(self.mention), normalise(self.words), about)))
