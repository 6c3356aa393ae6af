"""What holds for any file, any change and any order."""

import contextlib
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from clawgit.errors import ClawgitError
from clawgit.workspace import identity_edits, memory, memory_lines, records
from clawgit.workspace.undo import undo
from tests.amounts import amount

from .places import Place, another

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


def without_writer(record):
    """Return a record without who wrote it, which another machine knows only as a claim."""
    return structs.replace(record, agent=None, author="", origin=None, claimed=False)


def proposed(place, act, ws=None):
    """Return the change that an act comes to, None where there is nothing it could be done to."""
    kind, words, where = act
    ws = ws or place.ws
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


@some
@given(FILES, st.lists(ACT, min_size=1, max_size=5), st.data())
def test_head_index_and_disk_agree_after_any_sequence(mould, files, acts, data):
    """A clone says the same, and what the user has staged, changed or not added is as it was."""
    with another(mould) as place:
        begun(place, files)
        place.commit({"src/a.py": "a\n", "src/b.py": "b\n"})
        mess = data.draw(st.booleans())
        if mess:
            place.write("src/a.py", "staged\n")
            place.git("add", "src/a.py")
            place.write("src/a.py", "dirty\n")
            place.write("src/b.py", None)
            place.write("src/c.py", "untracked\n")
            place.write("notes.md", "untracked\n")
        mine, theirs = place.git("status", "--porcelain"), place.git("ls-files", "-s", "src")
        kept = {path: file for path, file in place.tree().items() if path.startswith(("src/", "notes"))}
        for act in acts:
            if data.draw(st.integers(0, 3)) == 0:
                with contextlib.suppress(ClawgitError):
                    place.ws.apply(undo(place.ws))
            else:
                done(place, act)
        assert place.git("status", "--porcelain") == mine
        assert place.git("diff-files", "--name-only").split() == (["src/a.py", "src/b.py"] if mess else [])
        assert place.git("ls-files", "-s", "src") == theirs
        assert {path: file for path, file in place.tree().items() if path.startswith(("src/", "notes"))} == kept
        place.sound()
        place.git("clone", "--quiet", "--no-local", place.root, place.root.parent / "clone")
        clone = Place(place.root.parent / "clone")
        told = list(records.log(clone.ws))
        assert all(one.claimed for one in told if one.change)
        assert [without_writer(one) for one in told] == [without_writer(one) for one in records.log(place.ws)]
        assert clone.ws.rows() == place.ws.rows()
        assert list(memory_lines.list_bullets(clone.ws)) == list(memory_lines.list_bullets(place.ws))


@some
@given(FILES, ACT, ACT, st.booleans())
def test_two_changes_from_one_view_land_both_or_the_second_is_refused(mould, files, one, two, swap):
    """Nothing of the first is lost, and nothing that stood before goes but what one of them took away."""
    with another(mould) as place:
        begun(place, files)
        first, second = proposed(place, one), proposed(place, two, place.open())
        if first is None or second is None:
            return
        first, second = (second, first) if swap else (first, second)
        start = said(outside(place))
        try:
            place.ws.apply(first)
        except ClawgitError:
            return
        middle, whole = said(outside(place)), place.photograph()
        try:
            place.open().apply(second)
        except ClawgitError:
            assert place.photograph() == whole
            return
        end = said(outside(place))
        gone = middle - end
        wanted = _taken_away(second)
        assert not gone - wanted, "the second took what it did not mean"
        assert not (middle - start) - end - wanted, "a line of the first is lost"
        place.agrees()


def _taken_away(change):
    lines = Counter()
    for edit in change.edits:
        base, text = (getattr(edit, name, None) or "" for name in ("base", "text"))
        kept = Counter(line.strip("\r\ufeff") for line in text.split("\n"))
        lines += Counter(
            {
                (edit.path, line): n
                for line, n in (Counter(x.strip("\r\ufeff") for x in base.split("\n")) - kept).items()
            }
        )
    return lines
