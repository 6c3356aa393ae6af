"""The commands and drawings of each page."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from clawgit import file_roles
from clawgit.safety import hidden_text
from clawgit.web.web_site import Answer, Look, Shown, hash_documents, number

_RUNS = 25


def today(look: Look) -> Shown:
    """Return the state of the workspace, and the news for the operator."""
    from clawgit.findings.digest_delivery import TITLES  # noqa: PLC0415 - loads the senders

    status, digest = look.ask("status"), look.slow("digest")
    inbox, trust = look.ask("inbox"), look.ask("trust")
    record = digest.record
    sections = [(TITLES[name], name, record[name]) for name in TITLES if record.get(name)]
    parts = {"status": status, "digest": digest, "inbox": inbox, "trust": trust}
    differing = trust.record
    unapproved = len([*differing.get("files", ()), *differing.get("keys", ()), *differing.get("changes", ())])
    return Shown("Today", parts, {"sections": sections, "unapproved": unapproved})


def schedule(look: Look) -> Shown:
    """Return the jobs, their times and their runs."""
    return Shown(
        "Schedule", {"status": look.ask("schedule status"), "log": look.ask("schedule status", log=True, n=_RUNS)}
    )


def audit(look: Look) -> Shown:
    """Return the lines that should not be in memory."""
    return Shown("Audit", {"audit": look.slow("doctor", memory=True)})


def report(look: Look) -> Shown:
    """Return the hidden facts of the whole history, as in the report of an adoption."""
    return Shown("What the history hides", {"report": look.slow("adopt", dry_run=True)})


def inbox(look: Look) -> Shown:
    """Return the items, and the chosen one with all that is needed to decide."""
    parts = {"inbox": look.ask("inbox"), "trust": look.ask("trust"), "tainted": look.ask("taint")}
    items = parts["inbox"].rows
    ids = [item["id"] for item in items]
    item_id = look.get("item")
    choice = item_id if item_id in ids else next(iter(ids), "")
    content: dict[str, Any] = {"items": items, "chosen": choice, "gone": bool(item_id) and item_id not in ids}
    if choice:
        parts["item"] = look.ask("show", choice)
        place = ids.index(choice)
        content |= {
            "item": parts["item"].record,
            "shown_hash": hash_documents(parts["item"].document),
            "before": ids[place - 1] if place else "",
            "after": ids[place + 1] if place + 1 < len(ids) else "",
        }
    return Shown("Inbox", parts, content)


VERSIONS_SHOWN = 30
_MAX_POINTS = 24
SOUL = "SOUL.md"
FILES = tuple(sorted(file_roles.IDENTITY, key=lambda name: name != SOUL))
T = TypeVar("T")


def soul(look: Look) -> Shown:
    """Return the versions of an identity file, the one that is looked at word by word, and how it grew."""
    path, start = look.get("file", SOUL), number(look.get("from"))
    # One row more than a page shows whether there are older versions.
    log = look.slow("soul log", file=path, n=start + VERSIONS_SHOWN + 1)
    history = _list_versions(look, path)
    cap = look.ask("config", "soul_max_tokens")
    rows = log.rows[start : start + VERSIONS_SHOWN]
    # by its commit, or by its place among all, the oldest 1
    choice = look.get("v") or (str(rows[0]["commit"]) if rows else "")
    if position := number(look.get("at")):
        versions = history.rows[::-1]
        choice = str(versions[min(position, len(versions)) - 1]["commit"]) if versions else ""
    commits = [str(row["commit"]) for row in history.rows[::-1]]
    parts = {"log": log, "history": history, "cap": cap}
    if choice:
        parts["diff"] = look.slow("soul diff", of=choice, file=path)
    if (as_of := look.get("as_of")) and path == SOUL:
        parts["then"] = look.ask("soul show", as_of=as_of)
    record = next((row for row in log.rows if row["commit"] == choice), None)
    content = {
        "path": path,
        "files": FILES,
        "rows": rows,
        "chosen": choice,
        "record": record,
        "start": start,
        "further": len(log.rows) > start + VERSIONS_SHOWN,
        "growth": measure_growth(history, cap, path),
        "versions": len(history.rows),
        "at": commits.index(choice) + 1 if choice in commits else len(commits),
    }
    return Shown("Soul", parts, content)


def _list_versions(look: Look, path: str) -> Answer:
    # Without a number, old versions are thinned to one a month.
    return look.slow("log", file=path, versions=True, n=1_000_000)


def measure_growth(history: Answer, cap: Answer, path: str) -> dict[str, Any]:
    """Return how long an identity file was on some days, and the length that CONFIG.md allows, None for no limit."""
    days = {row["date"][:10]: row["tokens"] for row in history.rows[::-1] if row["tokens"] is not None}
    return {"days": sample_points(sorted(days.items())), "cap": cap.record.get("value") if path == SOUL else None}


def sample_points(points: Sequence[T]) -> list[T]:
    """Return at most 24 of these points, evenly chosen, the first and the last among them."""
    last = len(points) - 1
    count = min(last, _MAX_POINTS - 1)
    return [points[last * index // count] for index in range(count + 1)] if count > 0 else list(points)


def blame(look: Look) -> Shown:
    """Return each line of an identity file with its origin."""
    path = look.get("file", SOUL)
    return Shown("Blame", {"blame": look.slow("why", path)}, {"path": path, "files": FILES})


def why(look: Look) -> Shown:
    """Return one line, the commit it came with, its evidence, and the conversation around that."""
    place = look.get("line")
    answer = look.slow("why", place)
    row = answer.rows[0] if answer.rows else {}
    parts = {"why": answer}
    if row.get("commit"):
        parts["diff"] = look.slow("soul diff", of=str(row["commit"]), file=str(row["path"]))
    return Shown("Why", parts, {"row": row, "place": place})


_MAX_KINDS, _MAX_WEEKS = 4, 52


def growth(look: Look) -> Shown:
    """Return entries by kind, the soul against its cap, corrections a week, conflicts, and the results of audits."""
    memories, history = look.slow("memory list"), _list_versions(look, SOUL)
    cap, audit = look.ask("config", "soul_max_tokens"), look.slow("doctor", memory=True)
    corrections, conflicts = look.ask("corrections"), look.ask("inbox", kind="conflict")
    correction_rows = [row for row in corrections.rows if row["kind"] == "correction"]
    parts = {
        "memory": memories,
        "history": history,
        "cap": cap,
        "corrections": corrections,
        "conflicts": conflicts,
        "audit": audit,
    }
    content = {
        "entries": _entries(memories.rows),
        "counts": Counter(str(row["tag"] or "none") for row in memories.rows).most_common(),
        "undated": sum(not row["first"] for row in memories.rows),
        "soul": measure_growth(history, cap, SOUL),
        "corrections": _weekly(correction_rows),
        "corrected": len(correction_rows),
        "conflicts": len(conflicts.rows),
        "scores": sample_points([(row["day"], row["score"]) for row in audit.record.get("history", ())]),
        "score": audit.record.get("score"),
    }
    return Shown("Growth", parts, content)


def _entries(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the commonest kinds, and how many of each there were on some days, as far as first days are known."""
    dated = [(str(row["tag"] or "none"), str(row["first"])) for row in rows if row["first"]]
    kinds = [kind for kind, _ in Counter(kind for kind, _ in dated).most_common(_MAX_KINDS)]
    firsts = [sorted(day for name, day in dated if name == kind) for kind in kinds]
    days = sample_points(sorted({day for _, day in dated}))
    return {"kinds": kinds, "days": [(day, [bisect_right(dates, day) for dates in firsts]) for day in days]}


def _weekly(rows: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return how many corrections there were in each of the 52 weeks up to the last correction."""
    days = [date.fromisoformat(str(row["at"])[:10]) for row in rows if row["at"]]
    weeks = Counter(day - timedelta(day.weekday()) for day in days)
    count = min((max(weeks) - min(weeks)).days // 7 + 1, _MAX_WEEKS) if weeks else 0
    return [
        (week.isoformat(), weeks[week])
        for week in (max(weeks) - timedelta(weeks=offset) for offset in reversed(range(count)))
    ]


MEMORIES_SHOWN = 50
_MESSAGES = 400


def memory(look: Look) -> Shown:
    """Return the memories that the address asks for, file by file, fifty at a time."""
    answer = look.slow("memory list")
    # Only the page without a filter shows the tiers.
    parts = {"memory": answer} if look.state else {"memory": answer, "tiers": look.ask("memory status")}
    all_rows = answer.rows
    file, tag, status, words = (look.get(key) for key in ("file", "tag", "status", "q"))
    rows = [row for row in all_rows if _matches_filter(row, file, tag, status, words)]
    rows.sort(key=lambda row: (row["path"], row["line"]))
    start = number(look.get("from"))
    content = {
        "rows": rows[start : start + MEMORIES_SHOWN],
        "found": len(rows),
        "every": len(all_rows),
        "start": start,
        "further": len(rows) > start + MEMORIES_SHOWN,
        "page_size": MEMORIES_SHOWN,
        "files": sorted(Counter(str(row["path"]) for row in all_rows).items()),
        "tags": sorted(Counter(str(row["tag"] or "none") for row in all_rows).items()),
        "states": sorted(Counter(str(row["status"]) for row in all_rows).items()),
    }
    return Shown("Memory", parts, content)


def _matches_filter(row: dict[str, Any], file: str, tag: str, status: str, words: str) -> bool:
    return (
        (not file or file == row["path"])
        and (not tag or tag == (row["tag"] or "none"))
        and (not status or status == row["status"])
        and (not words or words.casefold() in str(row["text"]).casefold())
    )


def entry(look: Look) -> Shown:
    """Return one memory: its confidence, its evidence, and its recalls."""
    answer = look.ask("show", look.get("id"))
    record = answer.record
    parts = {"entry": answer}
    if record:
        parts["why"] = look.slow("why", f"{record['path']}:{record['line']}")
    row = parts["why"].rows[0] if record and parts["why"].rows else {}
    return Shown("A memory", parts, {"row": row})


def search(look: Look) -> Shown:
    """Return the results, with the reasons, and the story of the topic; nothing of it is noted as a recall."""
    words = look.get("q")
    if not words.strip():
        return Shown("Search", {})
    options = {"as_of": look.get("as_of"), "deleted": bool(look.get("deleted")), "category": look.get("category")}
    answer = look.ask(
        "memory search",
        words,
        **options,
        since=look.get("since"),
        until=look.get("until"),
        explain=True,
        top=20,
        min_score="0" if look.get("all") else None,
    )
    parts = {"search": answer}
    if look.get("story"):
        parts["story"] = look.slow("log", about=words)
    return Shown("Search", parts)


def context(look: Look) -> Shown:
    """Return an agent's context for a conversation, slot by slot."""
    text, session = look.get("text"), look.get("session")
    if not (text or session):
        return Shown("Context", {})
    options = {"session": session, "as_of": look.get("as_of"), "budget": look.get("budget")}
    return Shown("Context", {"context": look.slow("context", text or "", **options)})


def conversation(look: Look) -> Shown:
    """Return one conversation as it is kept, or the list of them."""
    session_id = look.get("id")
    if not session_id:
        return Shown("Conversations", {"sessions": look.ask("log", sessions=True)}, {"messages": [], "left": 0})
    answer = look.ask("show", session_id)
    messages = answer.record.get("messages", [])
    content = {"messages": messages[-_MESSAGES:], "left": max(0, len(messages) - _MESSAGES)}
    return Shown("A conversation", {"session": answer}, content)


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_GRADES = ("operator", "agent", "untrusted", "unknown")
MAX_ROWS, _MAX_ROW_CHARS = 400, 4000


def spell_invisible(text: str) -> str:
    """Return a text with invisible characters spelled out, as `⟨U+202E⟩`; it can be sent as UTF-8.

    Characters that steer, hide or have no shape are spelled out; those that a script, an emoji or a line end needs
    stay.
    """
    return "".join(f"⟨{number}⟩" if number else part for part, number in _parts(text))


def draw_text(text: object) -> Markup:
    """Return a text as HTML, each hidden character as a small box with its number."""
    box = Markup('<span class="hidden-char" title="a character that nobody sees">{}</span>')
    return Markup("").join(box.format(number) if number else escape(part) for part, number in _parts(str(text)))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield parts of a text that stay, and numbers of characters that are to be spelled out."""
    # The common case needs no scan.
    if text.isprintable() and text.isascii():
        yield text, ""
        return
    bad = {index for run in hidden_text.find_hidden_text(text) for index in range(run.start, run.end)}
    bad |= {match.start() for pattern in (_CONTROL, _SURROGATES) for match in pattern.finditer(text)}
    start = 0
    for index in sorted(bad):
        yield text[start:index], ""
        yield "", f"U+{ord(text[index]):04X}"
        start = index + 1
    yield text[start:], ""


def write_moment(value: object) -> str:
    """Return a moment in ISO 8601 to the minute, as people read it; anything else as it is."""
    text = value.isoformat() if isinstance(value, (date, datetime)) else str(value or "")
    return text[:16].replace("T", " ")


def shorten_commit(value: object) -> str:
    """Return a commit, or the day of a moment, as people read it."""
    return str(value or "")[:10]


def name_origin_class(origin: object) -> str:
    """Return the CSS class of an origin, for its colour."""
    return f"of-{origin}" if origin in _GRADES else "of-unknown"


def thousands(number: object) -> str:
    """Return a number with its thousands apart."""
    return f"{number:,}" if isinstance(number, (int, float)) else str(number)


def environment() -> Environment:
    """Return the environment of the templates: all is escaped, and an undefined value is an error."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        # No hidden character leaves by any expression.
        finalize=lambda value: (
            spell_invisible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
        ),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "drawn": draw_text,
        "moment": write_moment,
        "short": shorten_commit,
        "grade": name_origin_class,
        "n": thousands,
    }
    return templates


def cut_difference(hunks: Iterable[Mapping[str, Any]], limit: int = MAX_ROWS) -> dict[str, Any]:
    """Return the first rows of some hunks, each no longer than four thousand letters, and how many are `left`.

    `come` and `gone` count the lines of all of it.
    """
    parts, room, left, additions, removals = [], limit, 0, 0, 0
    for hunk in hunks:
        lines = hunk["lines"]
        additions += sum(row["op"] == "+" for row in lines)
        removals += sum(row["op"] == "-" for row in lines)
        rows = [_cut_row(row) for row in lines[:room]]
        left += len(lines) - len(rows)
        room -= len(rows)
        if rows:
            # The line number of a part is that of its first changed row.
            first = next((index for index, row in enumerate(lines) if row["op"] != " "), 0)
            parts.append({"section": hunk["section"] or "", "start": hunk["new_start"] + first, "rows": rows})
    return {"hunks": parts, "left": left, "come": additions, "gone": removals}


def _cut_row(row: Mapping[str, Any]) -> dict[str, Any]:
    words = [(word["op"], word["text"]) for word in row["words"]] or [(" ", row["text"])]
    parts, room = [], _MAX_ROW_CHARS
    for op, text in words:
        if len(text) > room:
            parts.append((op, f"{text[:room]} … {len(text) - room:,} more letters"))
            break
        parts.append((op, text))
        room -= len(text)
    return {"op": row["op"], "words": parts}
