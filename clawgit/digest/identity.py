"""What became of the identity, with its evidence."""

from collections.abc import Iterator

from clawgit.digest import evidence, quoting
from clawgit.digest.digest import Item, Part
from clawgit.digest.happened import Act, Happened
from clawgit.workspace import scope
from clawgit.workspace.message import list_names


def part(happened: Happened) -> Part:
    """Return the changes of identity files; one whose words cannot be quoted is told without them."""
    acts = [(act, [path for path in act.record.files if scope.guarded(path)]) for act in happened.acts]
    items = tuple(_item(happened, act, paths) for act, paths in acts if paths)
    return Part("identity", items, look="clawgit log")


def _item(happened: Happened, act: Act, paths: list[str]) -> Item:
    files = list_names(map(quoting.named, paths))
    when = f"{act.record.date:%Y-%m-%d %H:%M}"
    if not act.quotable:
        return Item(f"{files} changed: {_how(act)}", (when,), act.undo)
    subject = act.record.subject.partition(": ")[2] or act.record.subject
    said = quoting.quote(subject)
    return Item(f"{said} ({files}, {when})", tuple(_details(happened, act)), _undo(act, paths))


def _how(act: Act) -> str:
    """Return how a change came whose words are not quoted."""
    if act.record.undoes:
        return "an earlier change was taken back"
    if act.record.origin is None:
        return "committed by another program or a person"
    known = {"untrusted": "from untrusted text", "unknown": "found on disk"}
    return known.get(act.record.origin, "its words are not quoted here")


def _details(happened: Happened, act: Act) -> Iterator[str]:
    if act.record.why:
        yield quoting.quote(act.record.why)
    for cited in act.record.evidence:
        yield f"evidence: {evidence.told(happened, act, cited)}"
    level, _, reasons = (act.record.risk or "").partition(" (")
    if level == "high":
        yield f"high risk: {_many(reasons)}"


def _undo(act: Act, paths: list[str]) -> str:
    if act.record.change and act.record.files == (scope.SOUL,) == tuple(paths):
        return f"clawgit soul revert {act.record.change}"
    return act.undo


def _many(reasons: str) -> str:
    """Return how many reasons a grade names; they quote the file."""
    count = reasons.count("; ") + 1
    return f"{count} reason{'' if count == 1 else 's'}, which clawgit log shows"
