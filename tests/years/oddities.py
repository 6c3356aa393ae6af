"""Files that are no ordinary journal, seen in real workspaces."""

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .phrases import CATEGORIES, Note, fill, tongue

if TYPE_CHECKING:
    from .maker import Maker

ENORMOUS = 340_000
TOPICS = {
    "projects": "milestone",
    "roadmap": "strategy",
    "legal": "legal",
    "people": "people",
    "architecture": "architecture",
}


def elsewhere(maker: "Maker", day: dt.date, notes: Sequence[Note]) -> None:
    """A journal that lies in another folder of the workspace, with a link in its place."""
    maker.page(f"notes/{day}.md", day, notes, "bullets")
    maker.link(f"memory/{day}.md", f"../notes/{day}.md", day)


def silent(maker: "Maker", days: Sequence[dt.date]) -> None:
    """Files of days without a note: nothing, blanks, a link that leads nowhere."""
    empty, blank, dangling, *_ = days
    maker.write(f"memory/{empty}.md", [], empty)
    maker.write(f"memory/{blank}.md", ["  ", "\t", ""], blank)
    maker.link(f"memory/{dangling}.md", f"../notes/gone-{dangling}.md", dangling)


def enormous(maker: "Maker", day: dt.date) -> None:
    """A log that somebody pasted whole, with a note here and there."""
    chance, lines, size = maker.chance, [f"# Import of {day}"], 0
    while size < ENORMOUS:
        hour, host = chance.randrange(24), chance.choice(tongue("en")["words"]["host"])
        note = maker.pen.note("plain", "en", day)
        rows = [
            f"{day}T{hour:02}:{row:02}:07Z {host} importer[{chance.randrange(9999)}]: row {chance.getrandbits(40)} ok"
            for row in range(40)
        ]
        part = ["", f"## {hour:02}:00 - {host}", "", f"- {note.text}", "", "```", *rows, "```"]
        lines, size = lines + part, size + sum(len(line) + 1 for line in part)
        maker.made.notes.append(note)
    maker.write(f"memory/{day}-import.md", lines, day)


def future(maker: "Maker", day: dt.date) -> None:
    """A journal of a day that has not come."""
    maker.page(f"memory/{day}.md", day, maker.notes(4, day), "bullets")
    maker.made.days[f"memory/{day}.md"] = maker.made.until - dt.timedelta(20)


def dump(maker: "Maker", day: dt.date) -> None:
    """The file of `/new`: the last turns of a conversation, raw."""
    chance, talk = maker.chance, tongue("en")["talk"]
    hour = f"{chance.randrange(6, 23):02}{chance.randrange(60):02}"
    slug = hour if chance.random() < 0.5 else chance.choice(("vendor-pitch", "api-design", "travel", "bug-hunt"))
    lines = [f"# Session: {day} {hour[:2]}:{hour[2:]}:00 UTC", ""]
    lines += ["- **Session Key**: agent:main:main", f"- **Session ID**: {chance.getrandbits(64):016x}"]
    lines += ["- **Source**: telegram", "", "## Conversation Summary", ""]
    for number in range(chance.randint(3, 7)):
        if number == 1:
            lines += ["user: Conversation info (untrusted metadata):", "```json", '{"message_id":"77"}', "```", ""]
        request = maker.pen.note(chance.choice(("plain", "keep", "alike")), "en", day).text if number % 3 == 2 else ""
        lines += f"user: {request or fill(chance.choice(talk['user']), 'en', day, chance)}".split("\n")
        lines += [f"assistant: {fill(chance.choice(talk['assistant']), 'en', day, chance)}"]
    maker.write(f"memory/{day}-{slug}.md", lines, day)


def undated(maker: "Maker", days: Sequence[dt.date]) -> None:
    """Notes on a topic, which are of no day; and files of machines beside them."""
    for name, category in TOPICS.items():
        texts = [maker.pen.note("keep", "en", days[0], category).text for _ in range(12)]
        maker.write(f"memory/{name}.md", [f"# {name.capitalize()}", "", *(f"- {text}" for text in texts)], days[-1])
    ideas = [f"- {fill(text, 'en', days[0], maker.chance)}" for text in tongue("en")["idea"]["texts"]]
    maker.write("memory/ideas.md", ["# Ideas", "", *ideas], days[-1])
    parts = [line for sort in CATEGORIES for line in (f"## {sort}", "", "- open", "")]
    maker.write("memory/projects/harbor.md", ["# Harbor", "", *parts], days[-1])
    maker.write("memory/heartbeat-state.json", ['{"lastChecks": {"email": 1782800000}}'], days[-1])
