"""A message that an agent reads."""

import re
from datetime import UTC, date, datetime

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.sessions.reading import digest
from clawgit.text import evidence
from clawgit.text.evidence import Pointer
from clawgit.workspace.change import Origin

_NO_TIME = "00000000-0000"
_HASHED = 8
_MENTION = re.compile(r"\d{8}-\d{4}-[0-9a-f]{8}")


class Heard(Struct, frozen=True):
    """What somebody said; `time` counts seconds since 1970, None where nothing told.

    `session` and `event` are "" while only triage has seen it. `before` is what the other side had said just before.
    """

    text: str
    origin: Origin
    time: float | None = None
    session: str = ""
    event: str = ""
    before: str = ""

    @property
    def day(self) -> date | None:
        """The day on which it was said, in UTC: everywhere the same."""
        return None if self.time is None else datetime.fromtimestamp(self.time, UTC).date()

    @property
    def mention(self) -> str:
        """What a mention is known by: when it was said, to the minute in UTC, and a hash of the words.

        The earlier of two messages has the smaller one.
        """
        when = _NO_TIME if self.time is None else f"{datetime.fromtimestamp(self.time, UTC):%Y%m%d-%H%M}"
        return f"{when}-{digest('', self.text)[:_HASHED]}"

    @property
    def message(self) -> str:
        """What the mentions of one message have in common, whoever tells of it, and how exactly."""
        return message_of(self.mention)

    def pointer(self, quote: str) -> str | None:
        """Return the evidence that points here, None where nothing can be pointed at."""
        if not self.session or not self.event:
            return None
        meant = Pointer("session", id=self.session, event=self.event, quote=quote)
        text = evidence.format(meant)
        try:
            return text if evidence.parse(text) == meant else None
        except ClawgitError:
            return None


def is_mention(name: str) -> bool:
    """Tell whether this names a message, and not a change."""
    return bool(_MENTION.fullmatch(name))


def message_of(mention: str) -> str:
    """Return the message that a mention is of: its day and its words."""
    day, _, rest = mention.partition("-")
    return f"{day}-{rest.rpartition('-')[2]}"
