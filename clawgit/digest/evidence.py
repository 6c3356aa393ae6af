"""What a change rests on."""

from clawgit.digest import quoting
from clawgit.digest.happened import Act, Happened
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.blame import blame
from clawgit.text import evidence as pointers
from clawgit.text.evidence import Pointer
from clawgit.workspace import records
from clawgit.workspace.message import one_line
from clawgit.workspace.records import Cited


def told(happened: Happened, act: Act, cited: Cited) -> str:
    """Return a piece of evidence: where it stands, and its words where all who wrote these lines may be quoted."""
    try:
        pointer = pointers.parse(cited.pointer)
    except ClawgitError:
        return "one that cannot be read"
    where = _place(pointer)
    words = (cited.quote or "").removesuffix("…")
    return f"{where} “{quoting.quote(words)}”" if words and _sure(happened, act, pointer, words) else where


def _place(pointer: Pointer) -> str:
    match pointer.kind:
        case "session":
            return f"session {_short(pointer.id)}, event {_short(pointer.event)}"
        case "correction":
            return f"correction {pointer.id}"
        case "lines":
            span = f"L{pointer.start}" + (f"-L{pointer.end}" if pointer.end > pointer.start else "")
            return f"{quoting.named(pointer.path)}#{span}"


def _short(name: str) -> str:
    return name if quoting.plain(name) else "with an odd name"


def _sure(happened: Happened, act: Act, pointer: Pointer, words: str) -> bool:
    """Tell whether a quote stands in the lines that it cites, and these came with words that may be quoted."""
    repo = happened.workspace.repo
    start = repository.resolve(repo, pointer.rev or act.commit.id) if pointer.kind == "lines" else None
    if start is None:
        return False
    try:
        blamed = blame(repo, pointer.path, start, (pointer.start, pointer.end))
        commits = history.several(repo, [one.commit for one in blamed if one.commit])
    except ClawgitError:
        return False
    stands = words in one_line(" ".join(one.text for one in blamed))
    return stands and all(quoting.quotable(one, records.record(one)) for one in commits.values())
