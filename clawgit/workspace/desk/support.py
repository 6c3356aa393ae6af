"""What a proposal rests on, followed to the words."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.text import evidence as pointers
from clawgit.text.evidence import Pointer
from clawgit.workspace import evidence, records
from clawgit.workspace.desk.proposal import Proposal
from clawgit.workspace.origins import Said, followed
from clawgit.workspace.records import Cited
from clawgit.workspace.workspace import Workspace


class Support(Struct, frozen=True):
    """A piece of evidence in its context, and the pointer to cite it by; None where it does not hold."""

    said: Said
    pointer: str | None

    @property
    def missing(self) -> str:
        """Why it does not hold; "" where it does."""
        if self.pointer:
            return ""
        return self.said.missing or "the words that it quotes do not stand there"


def supports(workspace: Workspace, proposal: Proposal) -> Iterator[Support]:
    """Yield the evidence of a proposal, read once more: what its trailers quote may be made up."""
    for trailer, cited in zip(proposal.evidence, _cited(proposal), strict=True):
        yield Support(followed(workspace, cited, proposal.commit.id), _holds(workspace, cited, trailer))


def _cited(proposal: Proposal) -> tuple[Cited, ...]:
    return records.record(replace(proposal.commit, ours=True)).evidence


def _holds(workspace: Workspace, cited: Cited, trailer: str) -> str | None:
    """Return the pointer by which the words can be cited still, None without any."""
    digest = trailer.rpartition("sha256:")[2]
    try:
        pointer = pointers.parse(cited.pointer)
    except ClawgitError:
        return None
    for one in _ways(pointer):
        text = pointers.format(one)
        try:
            (found,) = evidence.resolve(workspace.repo, workspace.head, (text,), workspace.conversations)
        except ClawgitError:
            continue
        if one.quote is not None or pointer.quote is None or found.digest == digest:
            return text
    return None


def _ways(pointer: Pointer) -> Iterator[Pointer]:
    """Yield a pointer with its quote, then as the whole that a long quote was cut from, then with what is left of it.

    A secret in a quote is named instead of shown: only the hash tells then whether the words are the same.
    """
    yield pointer
    yield replace(pointer, quote=None)
    if pointer.quote and pointer.quote.endswith("…"):
        yield replace(pointer, quote=pointer.quote.removesuffix("…"))
