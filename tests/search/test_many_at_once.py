"""Memory that changes by thousands of files at once, and a file that is one long line."""

from collections.abc import Callable
from pathlib import Path

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked
from clawgit.search import corpus, index, recall, refresh, store
from clawgit.search.answer import Query
from clawgit.workspace.workspace import open_workspace

FILES = 2000
LINES = "SELECT f.path, c.nth, c.first, c.last, d.trail, d.text, d.uses FROM chunks c JOIN docs d ON d.id = c.doc \
JOIN files f ON f.id = c.file ORDER BY 1, 2"


def said(opened: store.Store) -> list[tuple[object, ...]]:
    return opened.raw.execute(LINES).fetchall()


def found(root: Path, question: str) -> list[str]:
    return [one.text for one in recall.search(open_workspace(root), Query(question, least=0)).results]


def test_two_thousand_files_may_change_between_two_questions(root: Path) -> None:
    """Half are rewritten, a quarter goes, a quarter stays; two hundred share a line that is counted right."""
    places = [root / f"memory/notes/{at}.md" for at in range(FILES)]
    places[0].parent.mkdir()
    for at, place in enumerate(places):
        place.write_text(f"# Shelf {at}\n\n- The jar number j{at} holds tea\n", "utf-8")
    assert found(root, "jar j1234") == ["- The jar number j1234 holds tea"]
    for at, place in enumerate(places):
        if at % 4 == 0:
            place.unlink()
        elif at % 2:
            more = "- A line that many share\n" if at % 10 == 1 else ""
            place.write_text(f"# Shelf\n\n- The jar number k{at} holds salt\n{more}", "utf-8")
    assert found(root, "jar k1235")[0] == "- The jar number k1235 holds salt"
    assert found(root, "jar j1234")[0] == "- The jar number j1234 holds tea"
    assert all("j1232" not in one for one in found(root, "jar j1232"))
    anew = store.opened(None)
    refresh.refresh(anew, lambda: corpus.sources(root))
    with index.current(open_workspace(root)) as opened:
        assert said(opened.store) == said(anew)
        words = "SELECT term, doc, cnt FROM terms ORDER BY 1"
        assert opened.store.raw.execute(words).fetchall() == anew.raw.execute(words).fetchall()
        heads = "SELECT trail, uses FROM heads ORDER BY 1"
        assert opened.store.raw.execute(heads).fetchall() == anew.raw.execute(heads).fetchall()
    anew.raw.close()


def test_a_memory_of_one_line_of_60_kb_is_searched(write: Callable) -> None:
    row = " ".join(f"The shelf number s{at} of the store holds rope." for at in range(1300))
    assert 60_000 < len(row) < 1 << 16
    root = write({"MEMORY.md": row})
    (first, *_) = found(root, "shelf s1234")
    assert "s1234" in first
    assert len(first) <= 480
    write({"MEMORY.md": f"{row} The shelf s9999 is new."})
    assert "s9999" in found(root, "shelf s9999")[0]


def test_a_line_of_300_kb_without_a_blank_is_searched(write: Callable) -> None:
    root = write({"MEMORY.md": "x" * 150_000 + "kettle" + "y" * 150_000 + "\n\n- The teapot is blue\n"})
    assert found(root, "teapot") == ["- The teapot is blue"]


def test_a_hundred_thousand_entries_are_searched_and_fit_a_context(write: Callable) -> None:
    shelves = range(0, 100_000, 10_000)
    notes = {
        first: "".join(f"- The jar number j{at} holds tea\n" for at in range(first, first + 10_000))
        for first in shelves
    }
    root = write({f"memory/shelf-{first}.md": f"# Shelf {first}\n\n{rows}" for first, rows in notes.items()})
    assert found(root, "jar j54321")[0] == "- The jar number j54321 holds tea"
    assert found(root, "which jar has the number j98765?")[0] == "- The jar number j98765 holds tea"
    told = assemble(open_workspace(root), Asked(query="what is in jar j7?", budget=2000))
    assert "The jar number j7 holds tea" in told.text
    assert told.tokens <= 2000
