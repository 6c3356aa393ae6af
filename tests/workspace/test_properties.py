"""What holds for any file, any change and any order."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.workspace import identity_edits, memory
from clawgit.workspace.undo import undo
from tests.amounts import amount

from .places import another

LIST = """# Memory

## Decisions

- REST over GraphQL. #decision

## Knowledge

- Ana likes tea.
  - and coffee
- [ ] buy milk
"""
TABLE = "## Vibe\n\n| who | what |\n|---|---|\n| Ana | tea |\n\nWords.\n"
UGLY = [
    "",
    "\n",
    "x",
    "# Soul\n\n## Vibe\n\n- Calm.\n",
    LIST,
    LIST.replace("\n", "\r\n"),
    "\ufeff" + LIST,
    LIST.rstrip("\n"),
    LIST.replace("\n", "\r\n").rstrip("\r\n"),
    TABLE,
    TABLE.rstrip("\n") + "\n\n\n\n",
    "## Knowledge\n- a\n\n- b\n\n\n- c\n",
    "## 知識\n\n- 公開APIはREST。\n\n## Vibe\n\n- 落ち着いて。\n",
    "## Vibe\n\n```\n- not a bullet\n```\n\n<!-- note -->\n",
    "## Knowledge\n\n1. one\n2. two\n\n## Events\n\n* star\n\t- tab\n",
    "- Ana likes tea.\n- Ana likes tea.\n\n---\n\n## Knowledge\n",
    "## Vibe\r\n\r\n- a\n- mixed\r\n",
    "  \n## Vibe  \n- trailing  \n   \n",
    "---\ntitle: x\n---\n\n## Vibe ##\n\nText under it.\n",
]
PIECES = st.sampled_from(
    [
        *("- a\n", "- b\n", "  - nested\n", "- [x] done #event\n", "- 中文\n", "- a\r\n", "tail", "x\n", "\n", "\n\n"),
        *("## Vibe\n", "## Knowledge\n", "| a | b |\n", "|---|---|\n", "```\n", "<!-- c -->\n"),
    ]
)
FILE = st.sampled_from(UGLY) | st.lists(PIECES, max_size=8).map("".join)
FILES = st.fixed_dictionaries({"SOUL": FILE, "MEMORY": FILE, "DAY": st.none() | FILE})
WORDS = st.sampled_from(
    ["Deploy on Tuesday.", "x", "# y", "1. z", "中文", "two\nlines", "a\n\nb", "Ana likes tea.", "- q"]
)
ACT = st.one_of(
    st.tuples(st.just("remember"), WORDS, st.sampled_from(list(memory.SECTIONS))),
    st.tuples(st.just("daily"), WORDS, st.sampled_from(list(memory.SECTIONS))),
    st.tuples(st.just("note"), WORDS, st.just("")),
    st.tuples(st.just("add"), WORDS, st.sampled_from(["Vibe", "Knowledge"])),
    st.tuples(st.just("replace"), WORDS, st.integers(0, 9)),
    st.tuples(st.just("remove"), st.just(""), st.integers(0, 9)),
)
VIEWS = ("CHANGELOG.md", "COMPACTION_LOG.md")
some = settings(max_examples=amount(40, 5))


def proposed(place, act):
    """Return the change that an act comes to, None where there is nothing it could be done to."""
    kind, words, where = act
    ws = place.ws
    try:
        match kind:
            case "remember" | "daily":
                return memory.add(ws, words, tag=where, daily=kind == "daily").change
            case "note":
                return memory.add_note(ws, words)
            case "add":
                return identity_edits.edit(ws, "add", words, section=where, why="w")
            case _:
                rows = [row.strip() for row in place.text("SOUL.md").split("\n") if row.strip()]
                old = rows[where % len(rows)] if rows else "x"
                text = old.lstrip("-* ") if kind == "remove" else words
                return identity_edits.edit(ws, kind, text or "x", old=old, why="w")
    except ClawgitError:
        return None


def done(place, act):
    """Do an act; return what was applied, None where it was refused or nothing came of it."""
    change = proposed(place, act)
    if change is None:
        return None
    before = place.tree()
    try:
        applied = place.ws.apply(change)
    except ClawgitError:
        assert place.tree() == before
        return None
    return applied if applied.commit else None


def outside(place):
    """Return every file but ours under .clawgit/, and the rendered ones: the bytes that an undo must bring back."""
    return {path: file for path, file in place.tree().items() if not path.startswith(".clawgit/") and path not in VIEWS}


def said(tree):
    """Return how often each line with words stands in each file, whatever ends it."""
    return Counter(
        (path, line.strip("\r\ufeff"))
        for path, (_, data) in tree.items()
        for line in data.decode().split("\n")
        if line.strip()
    )


def begun(place, files):
    place.given(**{name: text for name, text in files.items() if text is not None})


@some
@given(FILES, ACT)
def test_undo_after_apply_is_the_identity(mould, files, act):
    """On every byte but ours: this is also the way back that each removal prints."""
    with another(mould) as place:
        begun(place, files)
        before = outside(place)
        applied = done(place, act)
        if applied:
            place.ws.apply(undo(place.ws, applied.change))
            assert outside(place) == before
            after = place.tree()
            again = place.ws.apply(undo(place.ws, "HEAD"))
            place.ws.apply(undo(place.ws, again.change))
            assert outside(place) == before
            assert place.tree().keys() == after.keys()
        place.agrees()


@some
@given(FILES, ACT, st.lists(ACT, min_size=1, max_size=3))
def test_an_undo_below_later_changes_keeps_every_one_of_their_lines(mould, files, act, others):
    """Or it is refused, with everything untouched."""
    with another(mould) as place:
        begun(place, files)
        start = said(outside(place))
        applied = done(place, act)
        if not applied:
            return
        middle = said(outside(place))
        for other in others:
            done(place, other)
        end, whole = said(outside(place)), place.photograph()
        added, removed = middle - start, start - middle
        later = end - middle
        try:
            change = undo(place.ws, applied.change)
            place.ws.apply(change)
        except ClawgitError:
            assert place.photograph() == whole
            return
        now = said(outside(place))
        headings = {line for line in added if line[1].startswith("#")}  # they stay above later lines
        assert not (later - added) - now, "a later line is lost"
        lost = end - now
        assert not lost - added, "more is gone than was added"
        for line in added.keys() - later.keys() - headings:
            assert now[line] <= max(start[line], end[line] - added[line]), "a line of the undone change stands"
        for line in removed.keys() - (middle - end).keys():
            assert now[line] >= 1
        place.agrees()
