"""Shows what an existing workspace hides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from clawgit.cli.human_lines import commit
from clawgit.cli.output import Line, Span, columns, counted, line, printed
from clawgit.integrations.json_documents import Document

if TYPE_CHECKING:
    from clawgit.workspace.report.lost_lines import Loss
    from clawgit.workspace.report.report import Report
    from clawgit.workspace.report.report_parts import Unseen
    from clawgit.workspace.report.report_secrets import IdentityFile, Secret


_SEVERAL = 5
_COMMANDS = 2
_NAMES = 3
_PER_CENT = 100
_STANDS_IN_THE_WAY = {
    "encoding": "not UTF-8",
    "binary": "NUL byte",
    "large": "over 2 MiB",
    "conflict": "conflict markers",
    "closed": "cannot be read",
    "name": "name",
    "special": "no regular file",
    "ignored": "hidden by a rule",
    "converted": "stored otherwise",
}
_LEFT_ALONE = {"link": "symbolic link", "repository": "nested repository", "submodule": "submodule"}
_KEPT = {"line-ends": "CRLF line ends", "byte-order-mark": "byte order mark", "twin": "names alike"}
_FAILING = {"sizes": "files longer than the prompt's cap", "ignored files": "files in the way"}
_REASONED = ("name", "closed", "special", "ignored", "converted", "large", "twin", "submodule")


def document(report: "Report") -> Document:
    """Return the report as JSON has it."""
    from msgspec import to_builtins  # noqa: PLC0415 - imports inspect

    found: dict[str, Any] = to_builtins(report)
    for part in ("repeats", "dumps"):
        found[part]["share"] = round(getattr(report, part).share, 4)
    for name, losses in (("journals", report.journals), ("notes", report.notes)):
        more = [{"lines": loss.lines, "brings_back": loss.brings_back} for loss in losses]
        found[name] = [{**one, **known} for one, known in zip(found[name], more, strict=True)]
    for one, file in zip(found["identity"], report.identity, strict=True):
        one["growth"] = file.growth
    found["unknown"] = list(report.unknown)
    return found


def lines(report: "Report") -> Iterator[Line]:
    """Yield the report for people: the gravest first, what was not found in one line."""
    yield line(Span(report.workspace, "bold"), f": {_sizes(report)}")
    parts: dict[str, Sequence[Line]] = {
        "secrets": [*_secrets(report)],
        "lost journal lines": [*_losses(report.journals, "Gone from journals")],
        "lost notes": [*_losses(report.notes, "Gone from MEMORY.md and other notes")],
        "files longer than the prompt's cap": [*_caps(report.caps)],
        "raw conversations": [*_dumps(report)],
        "repeated lines": [*_repeats(report)],
        "files in the way": [*_odd(report)],
    }
    nothing = [name for name in _none_of(report) if not parts[name.removesuffix(" in files")]]
    for rows in (*parts.values(), [*_identity(report)], [*_rest(report)], [*_end(report, nothing)]):
        if rows:
            yield line("")
            yield from rows
    yield line("")


def _none_of(report: "Report") -> list[str]:
    """Return the names of what was looked at as a whole: of these alone it can be said that there is none."""
    blind = set(report.unknown)
    names = [
        "secrets in files" if "secrets in history" in blind else "secrets",
        *("lost journal lines", "lost notes", "files longer than the prompt's cap"),
        *("raw conversations", "repeated lines", "files in the way"),
    ]
    if report.history is None:  # a folder without git, of which nothing older is known
        blind |= {"lost journal lines", "lost notes"}
    if any(failure.part == "files" for failure in report.failures):
        return []
    blind |= {_FAILING.get(failure.part, failure.part) for failure in report.failures}
    return [name for name in names if name not in blind]


def _sizes(report: "Report") -> str:
    sizes = report.sizes
    told = (counted(sizes.files, "file"), counted(sizes.journals, "journal"), counted(sizes.memories, "line"))
    past = report.history
    began = f"; {counted(past.commits, 'commit')}" if past else "; no history yet"
    return f"{told[0]}, {told[1]}, {told[2]} of memory{began}"


def _title(words: str) -> Line:
    return line(Span(words, "bold"))


def _more(count: int, most: int = _SEVERAL, indent: str = "  ") -> Iterator[Line]:
    if count > most:
        yield line(indent, Span(f"… and {count - most:,} more (--json lists all)", "dim"))


def _secrets(report: "Report") -> Iterator[Line]:
    found = report.secrets
    here, gone = found.files, found.gone
    if not here and not gone:
        return
    kinds = ", ".join(f"{count:,} {rule}" for rule, count in found.rules.items())
    yield line(Span("Secrets", "bold"), f": {kinds}")
    if here:
        yield line("  ", Span(f"{counted(len(here), 'place')} in files:", "red"), " move them to a password store")
        yield from _placed(here)
    if gone:
        words = f"{len(gone):,} only in history:"
        yield line("  ", Span(words, "red"), " every clone has them; replace them where they are used")
        yield from _placed(gone)
    if "secrets in history" in report.unknown:
        yield line("  ", Span("there may be more: not all of history could be read", "yellow"))


def _placed(found: "Sequence[Secret]") -> Iterator[Line]:
    for one in found[:_SEVERAL]:
        where = (Span(" in "), commit(one.commit), Span(f" of {_day(one.date)}")) if one.commit else ()
        yield line(f"    {printed(one.path)}:{one.line}", *where, Span(f"  {one.rule}", "dim"))
    yield from _more(len(found), indent="    ")


def _losses(found: "Sequence[Loss]", title: str) -> Iterator[Line]:
    grave = [one for one in found if not one.dump]
    if not found:
        return
    total = sum(one.lines for one in found)
    stands = "stands" if total == 1 else "stand"
    said = f": {counted(total, 'line')} in {counted(len(found), 'commit')} that {stands} nowhere now"
    yield line(Span(title, "bold"), said)
    if any(one.brings_back for one in found[:_SEVERAL]):
        yield line(Span("  once adopted, the commands bring them back, and keep what came later", "dim"))
    for one in (grave or found)[:_SEVERAL]:
        yield from _loss(one)
    yield from _more(len(found))


def _loss(one: "Loss") -> Iterator[Line]:
    gone = [file for file in one.files if file.deleted]
    went = f"{counted(len(gone), 'file')} deleted, " if gone else ""
    lines = f"{counted(one.lines, 'line')} of {_names([file.path for file in one.files], 1)}"
    yield line("  ", commit(one.commit), f" {_day(one.date)}  {went}{lines}")
    if one.files[0].words:
        yield line("    ", Span(f"“{one.files[0].words}”", "yellow"))
    for command in one.brings_back[:_COMMANDS]:
        yield line("    ", Span(command, "cyan"))
    yield from _more(len(one.brings_back), _COMMANDS, "    ")
    if without := [file for file in one.files if not file.brings_back]:
        yield line("    ", Span(without[0].shows, "cyan"), Span("   # shows it", "dim"))


def _caps(found: "Sequence[Unseen]") -> Iterator[Line]:
    if not found:
        return
    yield line(Span("Too long for the prompt", "bold"), ": what OpenClaw never shows the agent")
    for one in found[:_SEVERAL]:
        what = f"{one.hidden:,} of {one.size:,} characters, lines {one.first:,} to {one.last:,}"
        yield line("  ", Span(printed(one.path), "yellow"), f"  {what}")
        if one.headings:
            yield line("    under ", Span(_names([f"“{title}”" for title in one.headings], _SEVERAL), "yellow"))
        if one.cap < one.room:
            yield line(Span(f"    the files before it leave {one.cap:,} characters", "dim"))
    yield from _more(len(found))


def _dumps(report: "Report") -> Iterator[Line]:
    found = report.dumps
    if found.paths:
        share = f"{counted(len(found.paths), 'file')}, {_share(found.share)} of the memory text"
        yield line(Span("Raw conversations", "bold"), f": {share}")
        yield line(f"  {_names(found.paths, 2)}")


def _repeats(report: "Report") -> Iterator[Line]:
    found = report.repeats
    if not found.lines:
        return
    said = f"{counted(found.lines, 'line')} of {found.of:,}, {_share(found.share)}"
    yield line(Span("Said more than once", "bold"), f": {said}")
    for one in found.most[:_SEVERAL]:
        yield line(f"  {one.count:>5,} times  “{one.words}”")
        yield line("               ", Span(_names(one.places, 1, one.count), "dim"))


def _odd(report: "Report") -> Iterator[Line]:
    pairs = [*_kinds(report, _STANDS_IN_THE_WAY)]
    if pairs:
        yield _title("In the way: not committed until this is solved")
        yield from _table(pairs)


def _kinds(report: "Report", kinds: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for kind, words in kinds.items():
        mine = [one for one in report.odd if one.kind == kind]
        if mine:
            named = _names([one.path + (f":{one.line}" if one.line else "") for one in mine])
            why = f"  ({printed(mine[0].why)})" if kind in _REASONED and mine[0].why else ""
            yield words, named + why


def _table(pairs: Iterable[tuple[str, str]]) -> Iterator[Line]:
    yield from (line("  ", Span(name, "dim"), f"  {words}") for name, words in columns(pairs))


def _identity(report: "Report") -> Iterator[Line]:
    yield _title("Identity")
    partly = "identity" in report.unknown
    rows = [(printed(one.path), _version(one, " at least" if partly else "")) for one in report.identity]
    if not any(one.path == "SOUL.md" for one in report.identity):
        instead = next((one.why for one in report.odd if one.path == "SOUL.md"), "")
        rows.insert(0, ("SOUL.md", printed(instead) or "none; some agents do without"))
    yield from _table(rows[: 2 * _SEVERAL])
    yield from _more(len(rows), 2 * _SEVERAL)


def _version(one: "IdentityFile", least: str) -> str:
    size = "gone" if one.tokens is None else f"{one.tokens:,} tokens"
    if one.versions is None:
        return f"{size}; whether it was ever committed is unknown"
    if not one.versions:
        return f"{size}, never committed"
    grown = f" ({one.growth:+,})" if one.growth and not least else ""
    if one.versions == 1:
        return f"{size}, unchanged since {_day(one.first)}{least}"
    often = f"{one.versions:,} versions in {one.commits:,} commits{least}"
    return f"{size}{grown}, {often}, {_day(one.first)} to {_day(one.last)}"


def _rest(report: "Report") -> Iterator[Line]:
    sides = report.sides
    elsewhere = [counted(report.sizes.elsewhere, "file")] if report.sizes.elsewhere else []
    others = {
        "side branch": sides.branches,
        "other worktree": sides.worktrees,
        "partial clone of": sides.promisors,
        "Markdown elsewhere": elsewhere,
    }
    pairs = [*_kinds(report, _LEFT_ALONE), *((name, _names(found)) for name, found in others.items() if found)]
    pairs += _kinds(report, _KEPT)
    if pairs:
        yield _title("Left as it is")
        yield from _table(pairs)


def _end(report: "Report", nothing: Sequence[str]) -> Iterator[Line]:
    """Yield where nothing was found, and what could not be seen."""
    if nothing:
        yield line(Span("Nothing found: ", "green"), ", ".join(nothing))
    if report.unknown:
        yield line(Span(f"Unknown, for not all could be read: {', '.join(report.unknown)}", "yellow"))
    past = report.history
    if past and past.read < past.commits:
        back = f", back to {_day(past.since)}" if past.since else ""
        why = f"{back} ({past.note})" if past.note else back
        yield line(Span(f"History was read for {past.read:,} of {past.commits:,} commits{why}", "yellow"))
    if past and past.shallow:
        yield line(Span("The clone is shallow: what happened before is not known here", "yellow"))
    if past and past.gaps:
        yield line(Span(f"Of {counted(len(past.gaps), 'commit')} not all is here: {past.gaps[0][:10]}", "yellow"))
    for why in dict.fromkeys(failure.why for failure in report.failures):
        parts = ", ".join(failure.part for failure in report.failures if failure.why == why)
        yield line(Span(f"Could not be looked at: {parts} ({why})", "yellow"))


def _share(part: float) -> str:
    return f"{part * _PER_CENT:.0f} %" if part * _PER_CENT >= 1 else "under 1 %"


def _day(moment: str | None) -> str:
    return (moment or "an unknown day")[:10]


def _names(paths: Iterable[str], most: int = _NAMES, count: int | None = None) -> str:
    names = [printed(path) for path in paths]
    total = len(names) if count is None else count
    more = f" and {total - most:,} more" if total > most else ""
    return ", ".join(names[:most]) + more
