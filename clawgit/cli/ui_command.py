"""`clawgit ui`."""

import gc
import io
import os
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from clawgit.cli import lazy_commands, operator_input
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.main import run_guarded
from clawgit.cli.options import Words
from clawgit.cli.output import Output
from clawgit.cli.render import Span, line
from clawgit.errors import Command, options_conflict, package_missing
from clawgit.web.web_site import Answer
from clawgit.workspace.workspace import Workspace, open_workspace


@command(
    "clawgit ui",
    "clawgit ui --port 8642 --no-open   # then, elsewhere: ssh -L 8642:127.0.0.1:8642 HOST",
    "clawgit ui --read-only",
    "clawgit ui --export memory.html",
    has_json=False,
    apart={"file": "port quiet read_only"},
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="The port.  [default: a free one]")
@click.option("--no-open", "quiet", is_flag=True, help="Only print the address; open no browser.")
@click.option("--read-only", is_flag=True, help="Decide and change nothing on the page.")
@click.option("--export", "file", type=Words(), metavar="FILE", help="Write one page to FILE; serve nothing.")
def ui(call: Call, port: int, file: str | None, *, quiet: bool, read_only: bool) -> None:
    """Open the same in your browser.

    It answers to 127.0.0.1 alone, on a port of its own, and ends after 30 idle minutes, or with ^C. The printed address
    opens the page once. Changes of the identity, trust or policy ask for six digits that are shown at this terminal.
    Needs the extra `ui`.
    """
    _serve_page(call, open_workspace(call.place()), port=port, file=file, quiet=quiet, read_only=read_only)


def show_report(call: Call, root: Path, *, dry_run: bool) -> None:
    """Show the report of `adopt` as a page, on which nothing can be done before the folder is adopted."""
    if not dry_run:
        raise options_conflict("--open needs --dry-run", fix=Command("clawgit adopt {} --dry-run --open", root))
    workspace = open_workspace(root)
    _serve_page(call, workspace, first="report", read_only=not workspace.managed)


def _serve_page(
    call: Call,
    workspace: Workspace,
    *,
    first: str = "today",
    port: int = 0,
    file: str | None = None,
    quiet: bool = False,
    read_only: bool = False,
) -> None:
    """Serve the page of a workspace until it is left, or write it to a file; `first` is the one that opens first."""
    try:
        from clawgit.web import page_server, web_site  # noqa: PLC0415 - 1 s, and an extra
    except ImportError as exc:
        # A missing module of our own is a mistake, not a missing extra.
        if (exc.name or "").startswith("clawgit"):
            raise
        raise package_missing(f"the page needs more packages ({exc})", fix=Command("pip install clawgit[ui]")) from exc
    # An answer depends on the files, on git's data and on the approvals.
    places = [workspace.root, workspace.repo.commondir, workspace.trusted.folder]
    tell = (
        (lambda words: call.out.talk(Span("  ", "dim"), Span(words, "bold")))
        if operator_input.is_interactive()
        else None
    )
    make_site = partial(
        web_site.Site,
        partial(ask_silently, workspace.root),
        workspace.root,
        places,
        tell=tell,
        today=lambda: workspace.now().date(),
    )
    if file is not None:
        size = page_server.export(make_site(authority="", read_only=True), Path(file).expanduser())
        call.out.lines([line(f"{size:,} bytes in {file}, for its owner alone to read")])
        return
    with page_server.bind_socket(port) as listening:
        site = make_site(authority=page_server.authority(listening), read_only=read_only, first=first)
        call.out.help(f"{page_server.address(site)}\n")  # its token is ours to show, and good once
        call.out.flush()
        call.out.note(f"opens the page of {site.root} once" + ("" if quiet else "; your browser should show it"))
        if not (read_only or site.codes.possible):
            words = "nobody sits at a terminal here: what changes the identity, trust or policy cannot be done"
            call.out.warn(f"{words} on the page", "clawgit ui   # at a terminal")
        with page_server.opening_file(site) as launch:
            if not quiet:
                page_server.show(launch)
            sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - no command of the page asks there
            gc.enable()  # `main` turns it off for processes that end at once
            page_server.serve(site, listening)
    call.out.note("the page is closed")


class _KeptOutput(Output):
    """Keeps the document of `--json`, without its secrets, and the notes beside it."""

    def __init__(self) -> None:
        super().__init__(io.StringIO(), io.StringIO())
        self.as_json = True
        self.kept: Any = None

    def document(self, value: object) -> None:
        """Keep one document; of an error that came after an answer, the error."""
        self.kept = self._safe(value)

    def documents(self, values: Iterable[object]) -> None:
        """Keep a list."""
        self.kept = [self._safe(value) for value in values]


def ask_silently(root: Path, words: Sequence[str], *, vouched: bool = False) -> Answer:
    """Return the answer of `clawgit -C ROOT … --json`; `vouched`: the operator has shown that he is there."""
    output = _KeptOutput()
    call = Call(output, vouched=vouched)
    # A look at the page records no recall and no score.
    call.reads_only = not vouched
    argv = ["-C", str(root), *words]
    code = run_guarded(lambda: lazy_commands.run(argv, call), call, argv)
    output.stderr.seek(0)
    return Answer(tuple(words), code, output.kept, tuple(row.rstrip() for row in output.stderr if row.strip()))
