"""A language is added by one file: Italian was, and no line of Python."""

from datetime import date

import pytest

from clawgit.language import date_mentions, dates, lexicon
from clawgit.messages.patterns import built_in
from clawgit.messages.triage import triage
from clawgit.reading.explicit_requests import extract
from clawgit.workspace.settings import KEYS

SAID = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ci siamo trasferiti due settimane fa.", "2026-11-07"),
        ("Ieri abbiamo cenato fuori.", "2026-11-20"),
        ("Parto tra tre giorni.", "2026-11-24"),
        ("La riunione è martedì prossimo.", "2026-11-24"),
        ("L'ho visto martedì scorso.", "2026-11-17"),
        ("Era il 3 marzo.", "2026-03-03"),
        ("il 14 febbraio 1999", "1999-02-14"),
    ],
)
def test_italian_dates(text: str, expected: str) -> None:
    [span] = dates.spans(date_mentions.find(text), SAID, past=date_mentions.past(text))
    assert span.first <= date.fromisoformat(expected) <= span.last


def test_the_file_is_all_there_is_to_it() -> None:
    assert lexicon.section("it", "name") == "Italian"
    kind = KEYS["triage_packs"].kind
    assert kind.fits(["it"])
    assert not kind.fits(["nl"])
    assert not kind.fits(["klingon"])


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("Ricorda che prendo il treno presto.", "memory-miner"),
        ("Decisione: si passa a Postgres.", "memory-miner"),
        ("Te l'ho già detto ieri!", "recall-validator"),
        ("No, è il 14.", "recall-validator"),
        ("Che tempo fa?", ""),
        ("Il mare è calmo.", ""),
    ],
)
def test_italian_patterns_sort_a_message_where_they_are_asked_for(text: str, route: str) -> None:
    found = triage(text, built_in(["it"]))
    assert {match.route for match in found.matches} == ({route} if route else set())
    assert not triage(text, built_in()).matches or text.startswith("No")


def test_what_an_italian_asks_to_remember_is_kept() -> None:
    [kept] = extract("Ricordati che il dottor Bianchi riceve solo il martedì mattina.").findings
    assert kept.kind == "note"
