"""Memory that changes by thousands of files at once, and a file that is one long line."""

from collections.abc import Callable
from pathlib import Path

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked
from clawgit.search import corpus, index, recall, refresh, store
from clawgit.search.answer import Query
from clawgit.workspace.workspace import open_workspace
from tests.amounts import amount

FILES = amount(2000, 400)
LINES = "SELECT f.path, c.nth, c.first, c.last, d.trail, d.text FROM chunks c JOIN texts d ON d.id = c.doc \
JOIN files f ON f.id = c.file ORDER BY 1, 2"


TEA, SALT = "The jar number j{} holds tea", "The jar number k{} holds salt"


def said(opened: store.Store) -> list[tuple[object, ...]]:
    return opened.raw.execute(LINES).fetchall()


def found(root: Path, question: str) -> list[str]:
    return [one.text for one in recall.search_files(open_workspace(root), Query(question, least=0)).results]


def test_many_files_may_change_between_two_questions(root: Path) -> None:
    """Half are rewritten, a quarter goes, a quarter stays; some share a line that is counted right."""
    places = [root / f"memory/notes/{at}.md" for at in range(FILES)]
    places[0].parent.mkdir()
    for at, place in enumerate(places):
        place.write_text(f"# Shelf {at}\n\n- {TEA.format(at)}\n", "utf-8")
    assert found(root, "jar j234") == [f"- {TEA.format(234)}"]
    for at, place in enumerate(places):
        if at % 4 == 0:
            place.unlink()
        elif at % 2:
            more = "- A line that many share\n" if at % 10 == 1 else ""
            place.write_text(f"# Shelf\n\n- {SALT.format(at)}\n{more}", "utf-8")
    assert found(root, "jar k235")[0] == f"- {SALT.format(235)}"
    assert found(root, "jar j234")[0] == f"- {TEA.format(234)}"
    assert all("j232" not in one for one in found(root, "jar j232"))
    anew = store.open_store(None)
    refresh.refresh(anew, lambda: corpus.sources(root))
    with index.current(open_workspace(root)) as opened:
        assert said(opened.store) == said(anew)
        words = "SELECT term, doc, cnt FROM terms ORDER BY 1"
        assert opened.store.raw.execute(words).fetchall() == anew.raw.execute(words).fetchall()
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
    line = "- The teapot is blue"
    root = write({"MEMORY.md": "x" * 150_000 + "kettle" + "y" * 150_000 + f"\n\n{line}\n"})
    assert found(root, "teapot") == [line]


def test_very_many_entries_are_searched_and_fit_a_context(write: Callable) -> None:
    shelves = range(0, amount(100_000, 20_000), 10_000)
    notes = {first: "".join(f"- {TEA.format(at)}\n" for at in range(first, first + 10_000)) for first in shelves}
    root = write({f"memory/shelf-{first}.md": f"# Shelf {first}\n\n{rows}" for first, rows in notes.items()})
    for question, number in (("jar j4321", 4321), ("which jar has the number j18765?", 18765)):
        assert found(root, question)[0] == f"- {TEA.format(number)}"
    told = assemble(open_workspace(root), Asked(query="what is in jar j7?", budget=2000))
    assert TEA.format(7) in told.text
    assert told.tokens <= 2000
