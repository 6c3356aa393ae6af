"""`clawgit purge` and `clawgit taint`."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from clawgit.cli import change_output, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, hash_option, locate
from clawgit.cli.text_lines import count_noun
from clawgit.errors import Advice, Command, Fix, options_conflict, quote_shell
from clawgit.git import locks, phrase_forms
from clawgit.git.history_rewrite import Order
from clawgit.json_documents import Document, fields, map_documents
from clawgit.memory import purge as purging
from clawgit.memory import purge_places
from clawgit.memory import taint as tainting
from clawgit.memory.purge import Purged
from clawgit.memory.purge_places import Chats, Found
from clawgit.memory.taint import Report
from clawgit.safety.redaction import redacted
from clawgit.sessions import chat_store
from clawgit.workspace.workspace import Workspace

_SHOWN, _TAINT_SHOWN = "told places unreached", "source direct derived leaves stays suspected notes"
_LOOK = Advice("clawgit purge --text - < FILE   # shows where it stands, with the hash")


@command(
    "clawgit purge --text - < secret.txt",
    "clawgit purge --fingerprint 9b1c07aa42de --apply",
    "clawgit purge --path memory/2026-01-20.md --apply --hash 9b1c07aa42de",
)
@click.option("--text", "text", type=click.Choice(("-",)), help="Read the phrase from stdin: it stands in no history.")
@click.option("--fingerprint", type=Words(), metavar="F", help="The secret of which doctor tells this.")
@click.option("--path", "path", type=Words(), default="", metavar="FILE", help="All of a file.")
@click.option("--apply", "wanted", is_flag=True, help="Rewrite history.")
@click.option(
    "--keep-backup", "keep", type=click.Path(dir_okay=False, path_type=Path), help="Keep the former history in FILE."
)
@hash_option("clawgit purge")
def purge(
    call: Call,
    text: str | None,
    fingerprint: str | None,
    path: str,
    keep: Path | None,
    digest: str | None,
    *,
    wanted: bool,
) -> None:
    """Remove a secret, or a file, from all of history.

    The one command that rewrites history: commits get new ids. First it lists every place: commits, stashes and
    messages, files, the data beside the repository, the chat store; as plain text, base64, URL and UTF-16. --apply
    removes it from all of these, and reads every object again. Machines that sync are informed; for other remotes and
    clones the commands are printed.
    """
    if sum(map(bool, (text, fingerprint, path))) != 1:
        raise options_conflict(
            "name one thing to purge",
            fix=Advice("clawgit purge --text - < FILE   # or --fingerprint F, or --path FILE"),
        )
    with call.workspace(managed=True) as workspace:
        path = locate(workspace, path)
        if keep:
            keep = purging.require_free(workspace, keep)
        if wanted:
            purging.require_ready(workspace)
        chats = _chats(workspace)
        forms: Sequence[bytes] = ()
        if text:
            forms = purge_places.read_phrase(operator_input.piped())
        elif fingerprint:
            forms = purge_places.find_fingerprint(workspace, fingerprint)
        purging.require_purgeable(workspace, Order(tuple(forms), (path,) if path else ()))
        places = purge_places.find(workspace, forms, path, chats)
        document = fields(
            places,
            "told hash places objects remotes unreached",
            places=map_documents(places.places, "kind name count"),
        )
        outlook = f"{places.told} stands nowhere that clawgit reaches: nothing to purge"
        if not wanted:
            call.out.answer(document, shown=_SHOWN)
            call.out.note(f"purge it: the same again with --apply --hash {places.hash}" if places.places else outlook)
            return
        purged = purging.Purged(commits=0, objects=0, files=0, messages=0)
        if places.places or locks.is_purge_halfway(workspace.repo):
            rows = render.draw_record(document, _SHOWN)
            first_step: Fix = Command("clawgit purge --path {}", path) if path else _LOOK
            first_step = Command("clawgit purge --fingerprint {}", fingerprint) if fingerprint else first_step
            operator_input.confirm_shown(call.out, digest, places.hash, rows, "Rewrite history?", "purging", first_step)
            purged = purging.purge(workspace, places, chats, keep=keep)
            outlook = _describe_rest(purged, places)
    call.out.answer(fields(purged, "commits objects files messages backup?"))
    call.out.note(outlook)
    if purged.objects:
        call.out.warn("replace it where it is used: what was pushed or copied is known to others")
        for remote in places.remotes:
            call.out.note(f"git push --force-with-lease --all {remote} && git push --force --tags {remote}")


def _chats(workspace: Workspace) -> Chats:
    def reword(forms: Sequence[bytes], *, really: bool) -> int:
        def plain(text: str) -> str:
            data = text.encode("utf-8", "surrogatepass")
            return phrase_forms.remove_phrases(data, forms).decode("utf-8", "surrogatepass") if data else text

        with chat_store.open_chat_store(workspace.store, os.environ, reading=not really) as store:
            return store.reword(plain, really=really)

    return reword


def _describe_rest(done: Purged, found: Found) -> str:
    """Return the remaining work."""
    if not found.order.paths:
        return "nothing of it is left in any object here that was looked into"
    stay = len(found.objects) - done.objects
    suffix = f", but {count_noun(stay, 'object')} of it stay under other names" if stay else ""
    return f"no commit has a file {found.told} any more{suffix}"


@command(
    "clawgit taint session:5b0f3c1e",
    "clawgit taint domain:evil.example --apply",
    "clawgit taint origin:untrusted --since 2026-05-01 --apply --hash 9b1c07aa42de",
)
@click.argument("source", type=Words(), required=False)
@click.option("--since", type=Words(), default="", metavar="DATE", help="Only memories learnt from that day on.")
@click.option("--apply", "wanted", is_flag=True, help="Take it back, in one commit.")
@click.option("--why", type=Words(), default="", help="The reason; it stands in the register and in the commit.")
@hash_option("clawgit taint")
def taint(call: Call, source: str | None, since: str, why: str, digest: str | None, *, wanted: bool) -> None:
    """Revert everything that one source taught.

    SOURCE is session:ID, session:ID#EVENT, FILE, FILE@REV#L4-L6, a change, agent:NAME, contact:ID, domain:HOST or
    origin:untrusted; without one, the tainted sources are listed. Changes that rest on it, also by promotion, merge or
    correction, are shown, and with --apply reverted; an entry with other evidence stays. Nothing more is learnt from
    the source. Asks at a terminal; elsewhere --hash is needed. `clawgit undo` lifts the taint.
    """
    with call.workspace(managed=True) as workspace:
        if source is None:
            taints = tainting.list_taints(workspace)
            documents = [fields(item, "id source when by why", why=redacted(item.why)) for item in taints]
            call.out.answer(documents, none="no source is tainted")
            return
        source = locate(workspace, source)
        report = tainting.report(workspace, source, since)
        document = _taint_document(report)
        if not wanted:
            call.out.answer(document, shown=_TAINT_SHOWN)
            option = f" --since {since}" if since else ""
            call.out.note(f"take it back: clawgit taint {quote_shell(source)}{option} --apply --hash {report.hash}")
            return
        rows = render.draw_record(document, _TAINT_SHOWN)
        look = Command("clawgit taint {}", source, note="shows it")
        operator_input.confirm_shown(call.out, digest, report.hash, rows, "Take it back?", "taking back", look)
        change_output.apply(call, workspace, tainting.make_change(workspace, report, why), source=report.source.spelled)


def _taint_document(found: Report) -> Document:
    names = "change commit date subject"
    return {
        "source": found.source.spelled,
        "hash": found.hash,
        "direct": map_documents(found.direct, names),
        "derived": map_documents(found.derived, names),
        "leaves": [fields(line, "path line", text=redacted(line.text)) for line in found.leaving],
        "stays": map_documents(found.kept, "id file"),
        "suspected": [
            {"path": path, "text": redacted(saying), "reason": reason}
            for (path, saying), reason in found.suspected.items()
        ],
        "notes": list(found.notes),
    }
