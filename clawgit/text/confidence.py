"""How sure a memory is, and how that fades."""

from datetime import date

from msgspec import Struct

OPERATOR, CORRECTION, INFERRED = 0.95, 1.0, 0.6
"""Base confidence (spec §8): said by the operator, corrected by the operator, inferred from context."""


class Rules(Struct, frozen=True):
    """The arithmetic of spec §8: per repeated mention `boost`, per silent interval of `interval_days` minus `decay`."""

    boost: float = 0.05
    decay: float = 0.05
    interval_days: int = 30
    floor: float = 0.2


SPEC = Rules()


def base(origin: str) -> float:
    """Return the confidence that a new memory starts with."""
    return OPERATOR if origin == "operator" else INFERRED


def current(start: float, mentions: int, last: date | None, today: date, rules: Rules = SPEC) -> float:
    """Return today's confidence in a memory that began with `start` and was mentioned `mentions` times, last on `last`.

    Each mention after the first adds, up to 1; each whole silent interval subtracts, down to the floor, or to `start`
    if that is lower still. A future or unknown `last` subtracts nothing. The operator's corrections began with 1, and
    keep it (spec P3).
    """
    if start >= CORRECTION:
        return CORRECTION
    raised = min(1.0, start + rules.boost * max(0, mentions - 1))
    silent = max(0, (today - last).days // rules.interval_days) if last else 0
    return round(max(min(rules.floor, start), raised - rules.decay * silent), 4)
