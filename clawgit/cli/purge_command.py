"""`clawgit purge`."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from clawgit.cli import operator_input
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering, hash_option
from clawgit.cli.output import Line, Span, counted, line
from clawgit.errors import Advice, options_conflict, purge_unclear
from clawgit.git import phrase_forms, unfinished_rewrite
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.sessions import chat_store_choice
from clawgit.workspace.purging import needed_words, purge_backup, purge_elsewhere, purge_places
from clawgit.workspace.purging import purge as purging
from clawgit.workspace.purging.purge import Purged
from clawgit.workspace.purging.purge_places import Chats, Found
from clawgit.workspace.workspace import Workspace

_SHOWN = 30


@click.command(
    cls=DocumentedCommand,
    examples=(
        "clawgit purge --text - < secret.txt",
        "clawgit purge --synced",
        "clawgit purge --fingerprint 9b1c07aa42de --apply",
        "clawgit purge --path memory/2026-01-20.md --apply --hash 9b1c07aa42de",
    ),
)
@click.option("--text", "text", type=click.Choice(("-",)), help="Read the phrase from stdin: it stands in no history.")
@click.option("--fingerprint", type=Words(), metavar="F", help="The secret of which doctor tells this.")
@click.option("--path", "path", type=Words(), default="", metavar="FILE", help="All of a file.")
@click.option("--synced", is_flag=True, help="What another machine purged, as the last sync found.")
@click.option("--apply", "wanted", is_flag=True, help="Rewrite history.")
@click.option(
    "--keep-backup", "keep", type=click.Path(dir_okay=False, path_type=Path), help="Leave a bundle of what was there."
)
@hash_option("clawgit purge")
@answering
def purge(
    call: Call,
    text: str | None,
    fingerprint: str | None,
    path: str,
    keep: Path | None,
    digest: str | None,
    *,
    wanted: bool,
    synced: bool,
) -> None:
    """Take a secret, or a file, out of all of history.

    The one command that rewrites history: commits get new ids, and old ones still lead to them in clawgit. First it
    shows where it stands: in commits, stashes and messages, in files, in what is kept beside the repository, in the
    chat store; as it is, in base64, in URLs, in UTF-16. With --apply it goes from all of these, and every object is
    read again. Machines that sync hear of it, and --synced purges there what was purged here; other remotes and
    clones are yours to bring along: the commands are printed.
    """
    if sum(map(bool, (text, fingerprint, path, synced))) != 1:
        raise options_conflict(
            "name one thing to purge",
            fix=Advice("clawgit purge --text - < FILE   # or --fingerprint F, or --path FILE"),
        )
    with call.workspace() as workspace:
        workspace.require_managed()
        if keep:
            keep = purge_backup.require_free(workspace, keep)
        if wanted:
            purging.require_ready(workspace)
        chats = _chats(workspace)
        forms: Sequence[bytes] = ()
        if text:
            forms = purge_places.phrase(operator_input.piped())
        elif fingerprint:
            forms = purge_places.by_fingerprint(workspace, fingerprint)
        elif synced:
            forms, path = _synced(call, workspace)
        if forms:
            needed_words.require_others(workspace, forms, [place for _, place in purge_places.kept(workspace)])
        found = purge_places.find(workspace, forms, path, chats)
        if not wanted:
            call.out.answer(lambda: _document(found), _told(found), indent=2)
            return
        if not found.places and not unfinished_rewrite.bundles(workspace.repo.commondir):
            nothing = purging.Purged(commits=0, objects=0, files=0, messages=0)
            call.out.answer(lambda: fields(nothing, "commits objects files messages backup?"), _told(found))
            return
        look = Advice("clawgit purge --text - < FILE   # shows where it stands, with the hash")
        operator_input.require_seen(call.out, _told(found), (found.hash, digest), "Rewrite history?", look)
        done = purging.purge(workspace, found, chats, keep=keep)
    call.out.answer(lambda: fields(done, "commits objects files messages backup?"), _done(done, found))


def _synced(call: Call, workspace: Workspace) -> tuple[Sequence[bytes], str]:
    """Return the phrases that another machine purged, or else the first file."""
    found = purge_elsewhere.purged(workspace)
    if (found.forms and found.paths) or found.paths[1:]:
        call.out.note("another machine purged more than one thing: call it again once this one is done")
    if found.forms or found.paths:
        return found.forms, "" if found.forms else found.paths[0]
    raise purge_unclear(
        f"what another machine purged is in {found.unknown:,} objects here, and cannot be told from what it left",
        fix=Advice("clawgit purge --text - < FILE   # with the phrase that was purged there"),
    )


def _chats(workspace: Workspace) -> Chats:
    def chats(forms: Sequence[bytes], *, really: bool) -> int:
        def plain(text: str) -> str:
            data = text.encode("utf-8", "surrogatepass")
            return phrase_forms.without(data, forms).decode("utf-8", "surrogatepass") if data else text

        with chat_store_choice.opened(workspace.store, os.environ, reading=not really) as store:
            return store.reword(plain, really=really)

    return chats


def _told(found: Found) -> list[Line]:
    if not found.places:
        rows = [line(f"{found.told} stands nowhere that clawgit reaches: nothing to purge")]
        return [*rows, *_unreached(found)]
    rows = [line(Span(found.told, "bold"), f" stands in {counted(len(found.objects), 'object')} of history")]
    rows += [line(Span(f"  {one.kind}  ", "dim"), f"{one.name}: {one.count}") for one in found.places[:_SHOWN]]
    if len(found.places) > _SHOWN:
        rows.append(line(Span(f"  and {len(found.places) - _SHOWN} more; --json has all", "dim")))
    rows += [line(Span("  not reached  ", "yellow"), one) for one in found.unreached]
    return [*rows, line(Span(f"purge it: the same again with --apply --hash {found.hash}", "dim"))]


def _unreached(found: Found) -> list[Line]:
    return [line(Span("  not reached  ", "yellow"), one) for one in found.unreached]


def _done(done: Purged, found: Found) -> list[Line]:
    rows = [
        line(
            Span(f"{counted(done.commits, 'commit')} rewritten", "bold"),
            f", {counted(done.objects, 'object')} gone, {counted(done.files, 'kept file')} and "
            f"{counted(done.messages, 'message')} changed; {_left(done, found)}",
        ),
        line(Span("  replace it where it is used: what was pushed or copied is known to others", "yellow")),
    ]
    rows += [
        line(
            Span("  remote  ", "dim"), f"git push --force-with-lease --all {remote} && git push --force --tags {remote}"
        )
        for remote in found.remotes
    ]
    return [*rows, *_unreached(found), *([line(f"  what was there lies in {done.backup}")] if done.backup else [])]


def _left(done: Purged, found: Found) -> str:
    if not found.order.paths:
        return "nothing of it is left in any object here that was looked into"
    stay = len(found.objects) - done.objects
    kept = f", but {counted(stay, 'object')} of it stay under other names" if stay else ""
    return f"no commit has a file {found.told} any more{kept}"


def _document(found: Found) -> Document:
    return {
        **fields(found, "told hash"),
        "places": each(found.places, "kind name count"),
        "objects": list(found.objects),
        "remotes": list(found.remotes),
        "unreached": list(found.unreached),
    }
