"""Requests that rules find, whole or cut, and lines that they keep of everyday talk.

    python benchmarks/memory/requests.py            the sets of corpora
    python benchmarks/memory/requests.py --wrong    and each request missed or cut of those that are open
    python benchmarks/memory/requests.py --talk FOLDER   and lines kept of conversations (JSON lines with `text`)

Of the sets called blind, third, fourth and held-out totals alone are printed: nothing is tuned on them.
"""

import argparse
import json
import re
import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.reading.explicit_requests import extract

CORPORA = Path(__file__).parents[2] / "corpora"
_TRIGGER = 60
"""Letters of the words that ask, which may be left out."""


@dataclass(frozen=True)
class Message:
    """A message, and the sentences of it that are to be kept; of everyday talk none."""

    text: str
    sentences: tuple[str, ...]


def read_set(name: str) -> list[Message]:
    """Return the messages of a TOML file."""
    rows = tomllib.loads((CORPORA / f"{name}.toml").read_text("utf-8"))["message"]
    return [Message(row["text"], tuple(row["keep"])) for row in rows]


def read_rows(name: str) -> list[Message]:
    """Return the messages of a TOML file of rows: who speaks, the message, a kind, the sentences to be kept."""
    tables = tomllib.loads((CORPORA / f"{name}.toml").read_text("utf-8"))
    rows = [
        row
        for table in (tables, *tables.values())
        if isinstance(table, dict)
        for part in table.values()
        for row in part
    ]
    return [Message(row[1], tuple(row[3:])) for row in rows if isinstance(row, list)]


def labelled(folder: str) -> list[Message]:
    """Return the plainly worded requests of a folder, and what asks for nothing."""
    places = sorted((CORPORA / folder).glob("*.jsonl"))
    rows = (json.loads(line) for place in places for line in place.read_text("utf-8").splitlines())
    return [
        Message(row["text"], tuple(row["keep"]) if row["kind"] == "request" else ())
        for row in rows
        if row["kind"] == "none" or (row["kind"] == "request" and not row["hard"])
    ]


def outcome(message: Message) -> str:
    """Return `whole`, `cut` or `missed` for a request, `kept` or `left` for everyday talk.

    Of several sentences the first or the last may be one that only asks.
    """
    entries = [item.text for item in extract(message.text)]
    if not message.sentences:
        return "kept" if entries else "left"
    joined = _plain(" ".join(entries))
    # The items of a list may be entries of their own.
    held = [all(_holds(joined, _plain(line)) for line in item.splitlines()) for item in message.sentences]
    if not entries:
        return "missed"
    return "whole" if all(held) or all(held[1:] or [False]) or all(held[:-1] or [False]) else "cut"


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _holds(entries: str, sentence: str) -> bool:
    """Tell whether a sentence stands in entries, but for the words at its start that ask."""
    limit = min(_TRIGGER, int(0.7 * len(sentence)))
    return any(sentence[index:] in entries for index in range(limit + 1))


def report(name: str, messages: Iterable[Message]) -> None:
    """Print the totals of one set."""
    counts = Counter(map(outcome, messages))
    questions = sum(counts[key] for key in ("whole", "cut", "missed"))
    print(f"{name}: {counts['whole']} of {questions} requests whole, {counts['cut']} cut; ", end="")
    print(f"{counts['kept']} of {counts['kept'] + counts['left']} messages without one kept")


def main() -> None:
    """Measure every set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--talk", type=Path)
    options = parser.parse_args()
    for name in ("requests.blind", "requests.third", "requests.fourth"):
        report(name, read_set(name))
    report("messages.held-out (totals alone)", labelled("messages.held-out"))
    for name, messages in (("requests.fresh", read_rows("requests.fresh")), ("messages", labelled("messages"))):
        report(name, messages)
        for message in messages if options.wrong else ():
            if outcome(message) not in ("whole", "left"):
                print(f"  {outcome(message)}: {message.text}")
    if options.talk:
        lines = (json.loads(line) for place in sorted(options.talk.glob("*.jsonl")) for line in place.open())
        report(options.talk.name, [Message(row["text"], ()) for row in lines])


if __name__ == "__main__":
    main()
