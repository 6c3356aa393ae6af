"""Dates that people type, and the ends of days."""

from datetime import date, datetime, time, tzinfo


def parse_date(text: str) -> date | datetime | None:
    """Return an ISO 8601 date or moment, None for any other text."""
    plain = text.strip()
    try:
        return date.fromisoformat(plain)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(plain)
    except ValueError:
        return None


def start_of(day: date | datetime, zone: tzinfo | None, clock: time = time.min) -> datetime:
    """Return the first moment of a day in `zone`, or the one with that clock time, or the moment itself."""
    if isinstance(day, datetime):
        return day if day.tzinfo else day.replace(tzinfo=zone)
    return datetime.combine(day, clock, zone)


def end_of(day: date | datetime, zone: tzinfo | None) -> datetime:
    """Return the last second of a day in `zone`, or the moment itself."""
    return start_of(day, zone, time(23, 59, 59, fold=1))  # the second one, where clocks go back at midnight
