"""Properties of any text: the index that followed is the index that is made anew."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from clawgit.search import corpus, index, recall, store
from clawgit.search.answer import Query
from clawgit.search.rank import Rules
from clawgit.search.store import refresh
from tests.amounts import amount

PATHS = st.sampled_from(
    ["MEMORY.md", "memory/2026-05-01.md", "memory/2026-05-02.md", "memory/a/topic.md", "Archive/2026-Q1.md"]
)
ROWS = st.sampled_from(
    [
        "# Head",
        "## 2026-04-01",
        "",
        "- the deploy moved",
        "- the deploy moved to Tuesday",
        "- Ana: shall we deploy?",
        "- Bo: yes, on Tuesday",
        "- Ana: good",
        "- Bo: the port is 8080",
        "| a | b |",
        "|---|---|",
        "| port | 9090 |",
        "A paragraph about the port",
        "- 我们决定部署",
        "- tea <!-- was coffee -->",
        "  - nested tea",
        "user: hello",
        "assistant: tea",
    ]
)
TEXTS = st.lists(ROWS, max_size=12).map("\n".join)
STEPS = st.lists(st.tuples(PATHS, st.none() | TEXTS), min_size=1, max_size=12)
ASKED = (
    "deploy",
    "when did Ana say Tuesday",
    "port 8080",
    "部署",
    "tea",
    "depoly",
    "2026-05-01",
    "hello good yes",
    "head",
)


def ask_all(index_store: store.Store, questions: Sequence[str] = ASKED) -> list[object]:
    rows = []
    for question in questions:
        ranking, matches, _ = recall.answers(index_store, Query(question), Rules(today=None, least=0.0))
        rows.append(
            [
                (candidate.place[2:], candidate.score, candidate.parts, [place[2:] for place in candidate.repeats])
                for candidate in ranking
            ]
        )
        rows.append(sorted((term.stem, term.times) for term in matches.terms))
    return rows


def fresh(root: Path, questions: Sequence[str] = ASKED) -> list[object]:
    index_store = store.open_store(None)
    refresh(index_store, lambda: corpus.sources(root))
    try:
        return ask_all(index_store, questions)
    finally:
        index_store.raw.close()


LINES = ["- Bo: the port is 8080", "# Head", "## 2026-04-01", "## 2026-04-01", "- Ana: shall we deploy?"]
MOVED, YES, SHALL = "- the deploy moved to Tuesday", "- Bo: yes, on Tuesday", "- Ana: shall we deploy?"
LAST_DIGITS = [
    ("memory/2026-05-02.md", "\n".join(["| a | b |", *LINES, MOVED, MOVED, YES, SHALL, YES, SHALL])),
    ("memory/2026-05-01.md", "\n".join([*LINES, YES, MOVED, MOVED, SHALL, YES, SHALL])),
]
"""Two files of which SQLite sums the weights in another order when they came one after the other."""
TEA, PORT, USER = "- tea <!-- was coffee -->", "| port | 9090 |", "user: hello"
LAST_DIGITS_OF_THE_RANK = [
    ("MEMORY.md", f"# Head\n{MOVED}"),
    ("memory/2026-05-01.md", f"# Head\n{SHALL}\n{SHALL}\n{SHALL}\n{TEA}\n{USER}"),
    ("memory/2026-05-01.md", f"{USER}\n# Head\n{SHALL}\n{PORT}\n{USER}\n{SHALL}\n{TEA}"),
]


@settings(max_examples=amount(60, 12))
@given(STEPS)
@example(LAST_DIGITS)
@example(LAST_DIGITS_OF_THE_RANK)
def test_the_index_that_followed_is_the_one_that_is_made_anew(steps: list[tuple[str, str | None]]) -> None:
    """The same hits with the same scores after any edits, renames and deletions."""
    with tempfile.TemporaryDirectory() as folder:
        root, index_path = Path(folder) / "ws", Path(folder) / "index.db"
        root.mkdir()
        for path, text in steps:
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                place.unlink(missing_ok=True)
            else:
                place.write_text(text, "utf-8")
            with index.open_fresh_index(index_path, lambda: corpus.sources(root)) as opening:
                assert opening.degraded is None
        with index.open_fresh_index(index_path, lambda: corpus.sources(root)) as opening:
            assert ask_all(opening.store) == fresh(root)
            opening.store.raw.execute("INSERT INTO words(words) VALUES ('integrity-check')")


def test_a_file_that_changed_within_one_tick_is_read_again(tmp_path: Path) -> None:
    index_path, note = tmp_path / "index.db", tmp_path / "MEMORY.md"
    for word in ("first", "other", "third"):
        note.write_text(f"- {word} words\n")
        with index.open_fresh_index(index_path, lambda: corpus.sources(tmp_path)) as opening:
            ranking, _, _ = recall.answers(opening.store, Query(word), Rules(today=None))
            assert [candidate.place.text for candidate in ranking] == [f"- {word} words"]
