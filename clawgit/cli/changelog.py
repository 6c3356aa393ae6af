"""`clawgit changelog`."""

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import Exit


@click.command(cls=Command, examples=("clawgit changelog", "clawgit changelog --check || clawgit changelog"))
@click.option("--check", is_flag=True, help="Write nothing; exit with 3 when the file is not what the log says.")
@json_option
@pass_call
def changelog(call: Call, *, check: bool) -> int:
    """Render what happened to the identity.

    The log of the identity files as Markdown. The file is CHANGELOG.md, or SOUL_CHANGELOG.md where that is
    somebody else's, or what changelog_file in CONFIG.md names. It is not committed: it can be rendered anew at any
    time, and comes out the same.
    """
    from clawgit.workspace import views  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        view = views.changelog(workspace)
        if not check:
            workspace.require_managed()
        written = not check and views.write(workspace, view)
        if not check and not views.hidden(workspace, view):
            call.out.note(f"git does not ignore {view.path}: add /{view.path} to .gitignore")
    if call.out.as_json:
        document = {"path": view.path, "entries": view.entries, "current": view.current or written, "written": written}
        call.out.document(document)
        return Exit.FOUND if check and not view.current else Exit.DONE
    if check and not view.current:
        call.out.warn(f"{view.path} is not what the log says; clawgit changelog renders it")
        return Exit.FOUND
    state = "rendered anew" if written else "as the log says"
    call.out.lines([line(Span(view.path, "bold"), f" is {state}: {view.entries} changes")])
    return Exit.DONE
