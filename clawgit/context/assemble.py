"""Assembles the context of a conversation."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from clawgit.context import conversation, slots
from clawgit.context.asked import KINDS, Asked
from clawgit.context.assembled import Assembled, Part, Slot
from clawgit.context.cost import cost
from clawgit.context.filling import Filling
from clawgit.context.gather import IDENTITY, Material
from clawgit.context.ground import Ground
from clawgit.context.pack import closed, groups_of, rendered
from clawgit.context.slots import NAMES, SHOWN
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import ChatStore
    from clawgit.workspace.workspace import Workspace

CUT = "the identity does not fit whole; raise context_budget_tokens, or shorten SOUL.md"


def assemble(workspace: "Workspace", asked: Asked | str, store: "ChatStore | None" = None) -> Assembled:
    """Return the context for a conversation, or for its last words: the slots that fit its budget, and the receipt.

    The rules are those of spec §6 and §10. Reads, and writes nothing. The same workspace, question and day give the
    same bytes. Raises UsageError for a budget below 0 or an unknown kind of session, ClawgitError for a session or an
    `as_of` that there is not.
    """
    return put_together(workspace, Asked(asked) if isinstance(asked, str) else asked, store)[0]


def put_together(
    workspace: "Workspace", asked: Asked, store: "ChatStore | None" = None
) -> tuple[Assembled, tuple[Part, ...]]:
    """Return what `assemble` does, and what its text is made of, in the order of the text."""
    if asked.budget is not None and asked.budget < 0:
        raise UsageError(f"a budget of {asked.budget} tokens cannot be", fix="clawgit context --budget 6000")
    if asked.session_kind not in KINDS:
        raise UsageError(f"there is no kind of session {asked.session_kind!r}", fix=f"use one of: {', '.join(KINDS)}")
    total, sizes = slots.sizes(workspace.config, asked.budget)
    talk = conversation.read(asked, store)
    ground = Ground(workspace, asked.as_of)
    if total == 0:
        return Assembled("", 0, 0, tuple(Slot(name) for name in NAMES)), ()
    material = Material(ground, talk, total, asked.shown)
    filling = Filling(material, total, sizes)
    filling.fill()
    text = _text(filling)
    lost = filling.lost_identity or any(path in ground.lost for path in IDENTITY)
    unread = [f"{path} is left out: {why}" for path, why in ground.lost.items()]
    told = [*([CUT] if filling.lost_identity else []), *unread, *ground.notes.values(), *material.warnings]
    return Assembled(text, cost(text), total, filling.slots(), tuple(dict.fromkeys(told)), lost), tuple(_parts(filling))


def _text(filling: Filling) -> str:
    """Return the slots one below the other, what stays the longest first."""
    text = "".join(rendered(filling.packs[name]) for name in SHOWN)
    return text.rstrip("\n") + "\n" if text else ""


def _parts(filling: Filling) -> Iterator[Part]:
    for name in SHOWN:
        pack = filling.packs[name]
        for path, cited, text in groups_of(pack):
            yield Part(name, pack.title, path, cited, closed(text) if pack.foreign else text)
