"""Finds the calls around those that may have failed."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from clawgit.sessions.chat_store import Message
from clawgit.sessions.tool_retries import MOST_TURNS, Attempt, again, attempts

_AFTER = 6
"""Calls after one that may have failed, among which another try is looked for."""
_SHORT, _SOON = 200, 3
"""Characters of a result that may be a refusal, if the call is made again within so many turns."""


_MOST = 40
"""Calls of a stretch; what goes on for longer is cut."""


class Asked(Struct, frozen=True):
    """A call, and what the operator had asked for before it, if that is known."""

    request: Message | None
    call: Attempt


def stretches(messages: Sequence[Message]) -> Iterator[Sequence[Asked]]:
    """Yield the stretches in which a reader may find what failed, was tried otherwise, and worked."""
    results = attempts(messages)
    found: list[Asked] = []
    request: Message | None = None
    for one in messages:
        if one.role == "user" and one.origin == "operator" and one.text.strip():
            request = one
        if one.event in results:
            found.append(Asked(request, results[one.event]))
    calls = [one.call for one in found]
    start = end = -1
    for at in range(len(calls)):
        last = _last(calls, at)
        if last == at:
            continue
        if at > end or last - start >= _MOST:
            if end >= 0:
                yield found[start : end + 1]
            start = at
        end = max(end, last)
    if end >= 0:
        yield found[start : end + 1]


def _last(calls: Sequence[Attempt], at: int) -> int:
    """Return the place of the last call that may be another try of one; its own where it seems to have worked."""
    one = calls[at]
    near = [number for number in range(at + 1, len(calls)) if calls[number].turn - one.turn <= MOST_TURNS]
    tries = [number for number in near if again(one, calls[number]) and calls[number].arguments != one.arguments]
    if one.failed:
        return max([at, *near[:_AFTER], *tries])
    short = len(one.result.strip()) <= _SHORT
    soon = [number for number in tries if calls[number].turn - one.turn <= _SOON]
    return soon[-1] if short and soon else at
