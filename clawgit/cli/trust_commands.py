"""`clawgit trust`."""

from msgspec.structs import replace

from clawgit import errors
from clawgit.cli import operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import hash_option
from clawgit.errors import ClawgitError, Command, Exit
from clawgit.findings.checks import loss_checks
from clawgit.json_documents import Document, fields, hunk_documents, map_documents
from clawgit.text.diff import hunks
from clawgit.workspace import trust_review
from clawgit.workspace.capture_and_enforce import Outcome, capture_all
from clawgit.workspace.trust_review import Review, Unapproved
from clawgit.workspace.workspace import Workspace


def document(found: Review, outcome: Outcome | None, *, accepted: bool) -> Document:
    """Return the differences from the approvals, and whether they are approved now.

    The files of the workspace that a command names are approved with it, by their bytes.
    """
    return {
        "known": found.known,
        "accepted": accepted,
        "hash": found.digest,
        "approve": f"clawgit trust --hash {found.digest}" if _is_open(found) and not accepted else None,
        "files": [_document_file(file, whole=not found.known) for file in found.files],
        "keys": [
            {
                **fields(
                    key,
                    "key used=value says=untrusted set",
                    key=key.key.name,
                    set=f"CONFIG.md:{key.line}" if key.line else "CONFIG.md",
                ),
                **({"files": dict(key.files), "changed": list(key.changed)} if key.files or key.changed else {}),
            }
            for key in found.keys
        ],
        "changes": list(found.changes.told),
        "commits": [capture.commit for capture in outcome.captured if capture.commit] if outcome else [],
        "held": map_documents(outcome.held, "path reason fix") if outcome else [],
    }


def _document_file(file: Unapproved, *, whole: bool) -> Document:
    return {
        "path": file.path,
        "characters": None if file.text is None else len(file.text),
        "hunks": [] if whole else hunk_documents(hunks(file.approved or "", file.text or "")),
    }


def _is_open(found: Review) -> bool:
    return bool(found.of_identity or found.changes)


@command("clawgit trust", "clawgit trust --hash 9b1c07aa42de")
@hash_option("clawgit trust")
def trust(call: Call, digest: str | None) -> int:
    """Approve the identity as it is now.

    The identity files; those values of CONFIG.md that run something, read outside the workspace or loosen a rule,
    with the files of the workspace that a command names. They are not used before. Programs and scripts that came,
    files that lost their text, and history that was cut off or lies elsewhere are told until you say yes. What you
    approve is kept outside the workspace. Asks at a terminal; elsewhere it shows what differs and exits with 3. There
    --hash approves exactly that, if you have set `approve_without_terminal` on at a terminal.
    """
    with call.workspace(managed=True) as workspace:
        review = replace(trust_review.review(workspace), changes=loss_checks.list_changes(workspace))
        is_empty = not _is_open(review)
        accepted = None if is_empty else _accepted(call, workspace, review, digest)
        if accepted:
            trust_review.accept(workspace, accepted)
        if accepted and accepted.changes:
            loss_checks.answer_changes(workspace, accepted.changes)
        outcome = _capture_approved(call, workspace, accepted) if accepted and accepted.of_identity else None
        can_approve = operator_input.present() or workspace.config.approves_without_terminal
    _tell(call, accepted or review, outcome, accepted=accepted is not None)
    if not (is_empty or accepted or can_approve):
        call.out.note("nothing was approved: that is done at a terminal")
    return Exit.DONE if is_empty or accepted else Exit.FOUND


def _accepted(call: Call, workspace: Workspace, found: Review, digest: str | None) -> Review | None:
    """Return the part that the operator approves, None if nobody can be asked.

    Raises ClawgitError for a no, and for the hash of something else.
    """
    if digest:
        if digest != found.digest:
            raise errors.preview_outdated("this is no longer what was shown", fix=Command("clawgit trust"))
        operator_input.require_operator(workspace, "trust approves the identity")
        return found
    if not operator_input.possible():
        return None
    rows = render.draw_record(document(found, None, accepted=False), "files keys changes approve")
    operator_input.confirm(call.out, rows, "Approve all of it?", "trust", Command("clawgit trust"))
    return found


def _capture_approved(call: Call, workspace: Workspace, found: Review) -> Outcome | None:
    """Commit the approved files that are not committed."""
    paths = {file.path for file in found.files} | ({"CONFIG.md"} if found.keys else set())
    try:
        return capture_all(workspace, paths.__contains__)
    except ClawgitError as exc:
        call.out.warn(f"it is approved, and not committed yet: {exc.message}", exc.fix)
        return None


def _tell(call: Call, found: Review, outcome: Outcome | None, *, accepted: bool) -> None:
    record = document(found, outcome, accepted=accepted)
    if not found.known:
        call.out.note("nothing here is approved yet: these are the files of the identity, as they are on disk")
    rows = render.draw_record(record, "files keys changes approve")
    if accepted:
        names = [*(file.path for file in found.files), *(key.key.name for key in found.keys), *found.changes.told]
        rows = render.draw_record({"approved": names or ["the workspace"], "captured": record["commits"]})
    call.out.answer(record, rows, none="everything is as you approved it")
