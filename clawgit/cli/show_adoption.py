"""Shows what adopting and ejecting do."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from clawgit.cli.layout import Line, Span, columns, line
from clawgit.cli.show import commit
from clawgit.errors import quoted

if TYPE_CHECKING:
    from clawgit.workspace.adopt import Adopted
    from clawgit.workspace.eject import Farewell

_SEVERAL = 8


def prospect(found: "Adopted") -> Iterator[Line]:
    """Yield what adopting adds, commits and leaves alone, file by file."""
    from clawgit.workspace.prospect import described  # noqa: PLC0415 - loads libgit2

    if found.managed:
        return
    known = found.prospect
    yield line(Span("What adopt does", "bold"))
    if known.captured:
        yield line(f"  commits {_files(len(known.captured))} as {_they(len(known.captured))} on disk")
        yield from _listed(known.captured)
    yield line("  adds")
    for path, purpose in columns(described(known)):
        yield line("    ", path, Span(f"  {purpose}", "dim"))
    if known.snapshots:
        yield line(f"  imports {_files(len(known.snapshots))} of SOUL_HISTORY/ beside the branch")
    if known.kept:
        yield line(f"  leaves {_files(len(known.kept))} that {_have(len(known.kept))} the name of ours")
        yield from _listed(known.kept)
    if known.held:
        yield line(f"  does not commit {_files(len(known.held))}, and nobody's work is lost by that")
        for why in list(known.held.values())[:_SEVERAL]:
            yield line("    ", Span(why.message, "yellow"))
            yield line("      ", Span("fix: ", "cyan"), why.fix)
        yield from _more(len(known.held))
    yield from (line("  ", Span(words, "yellow")) for words in known.warnings)
    yield line("")


def adopted(found: "Adopted", *, dry_run: bool) -> Iterator[Line]:
    """Yield what became of it, and what to do next."""
    if dry_run and found.refusal:
        yield line("nothing was touched; it would be refused now: ", Span(found.refusal.message, "yellow"))
        yield line("  ", Span("fix: ", "cyan"), found.refusal.fix)
    elif dry_run:
        yield line("nothing was touched; to do it: ", Span(f"clawgit adopt {quoted(found.root)}", "bold"))
    elif found.commit is None:
        yield line(f"nothing to do: {found.root} is managed already")
    else:
        yield line(commit(found.commit), f" {found.root} is a workspace now, on branch {found.branch}")
        yield line(Span("next  ", "dim"), "clawgit status")
        yield line(Span("      ", "dim"), "clawgit capture --watch   # commits what others write, once they pause")
        yield line(Span("back  ", "dim"), "clawgit eject")


def farewell(found: "Farewell", hooks: Iterable[str]) -> Iterator[Line]:
    """Yield what ejecting takes away, and what stays; `hooks` are those of ours."""
    yield line(Span("What eject does", "bold"))
    if found.files:
        yield line("  takes away, in one commit on top")
        yield from _listed([path if data is None else f"{path} (our rules)" for path, data in found.files.items()])
    if found.views:
        yield line("  deletes what was rendered from the log")
        yield from _listed([place.name for place in found.views])
    yield line("  deletes what lies beside the branch")
    yield from _listed([*found.references, str(found.state)])
    if named := ", ".join(hooks):
        yield line(f"  takes our git hooks away ({named}), and puts back what stood there")
    if found.kept:
        yield line(f"  leaves {_files(len(found.kept))} that somebody changed since")
        yield from _listed(found.kept)
    yield line("")


def _files(count: int) -> str:
    return f"{count:,} file" if count == 1 else f"{count:,} files"


def _they(count: int) -> str:
    return "it is" if count == 1 else "they are"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _listed(names: Iterable[str]) -> Iterator[Line]:
    every = list(names)
    yield from (line("    ", name) for name in every[:_SEVERAL])
    yield from _more(len(every))


def _more(count: int) -> Iterator[Line]:
    if count > _SEVERAL:
        yield line("    ", Span(f"… and {count - _SEVERAL:,} more (--json lists all)", "dim"))
