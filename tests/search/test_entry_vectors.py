"""The entries of memory in Chroma: what is known of each, and when it leaves."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import time_machine

from tests.search import embedders
from tests.search.embedders import Hashing, serving, well

embedders.need_chroma()

import chromadb  # noqa: E402 - after what says that it is there

from clawgit.reading import prompt  # noqa: E402
from clawgit.search import meaning, recall  # noqa: E402
from clawgit.search.answer import Query  # noqa: E402
from clawgit.text.entry import digest, entry_id  # noqa: E402
from clawgit.workspace import entries  # noqa: E402
from clawgit.workspace.entries import Row  # noqa: E402
from clawgit.workspace.workspace import open_workspace  # noqa: E402

BOILER, PLUMBER = "The boiler pressure is 1.8 bar", "The plumber is called Imre"
REST = "We chose REST"
RECORD = "kmlnopqrst"
CORRECTIONS = (
    f"# Corrections\n\n## {RECORD} 2026-05-01 09:00\n\n- Said: 1.2\n- True: 1.8\n"
    f"- Entry was: The boiler pressure is 1.2 bar\n- Entry is: {BOILER}\n- Re-embedded: false\n"
)
MEMORY = f"# Memory\n\n- {BOILER} #knowledge #correction\n- {PLUMBER} #knowledge\n- {REST} #decision\n"


def row(text: str, **given: object) -> Row:
    return Row(entry_id("MEMORY.md", text), "MEMORY.md", digest(text), "knowledge", **given)  # type: ignore[arg-type]


ROWS = (
    row(BOILER, confidence=1.0, first=date(2026, 4, 1), last=date(2026, 5, 1), mentions=frozenset({"a"}), by=RECORD),
    row(PLUMBER, first=date(2026, 4, 28), last=date(2026, 4, 28), mentions=frozenset({"b"})),
)


@pytest.fixture
def told(write: Callable[[Mapping[str, str]], Path]) -> Path:
    sidecar = entries.render({one.id: one for one in ROWS})
    return write({"MEMORY.md": MEMORY, "CORRECTIONS.md": CORRECTIONS, ".clawgit/entries.tsv": sidecar})


def build(root: Path, day: str, model: Hashing | None = None) -> dict[str, dict[str, Any]]:
    """Build on a day, and return what Chroma's own client finds then, by id."""
    model = model or Hashing()
    with time_machine.travel(f"{day}T12:00:00Z", tick=False), open_workspace(root) as workspace:
        meaning.build(workspace, embedder=model)
    return inside(root)


def inside(root: Path) -> dict[str, dict[str, Any]]:
    client = chromadb.PersistentClient(str(root / ".git/clawgit/cache/chroma"))
    try:
        found = client.get_collection("live-entries", embedding_function=None).get(include=["metadatas", "embeddings"])
        assert all(len(one) == Hashing.dimension for one in found["embeddings"])
        return dict(zip(found["ids"], found["metadatas"], strict=True))
    finally:
        client.close()


def near(root: Path, texts: Sequence[str], least: float) -> dict[str, tuple[meaning.Near, ...]]:
    with open_workspace(root) as workspace:
        return meaning.list_near_entries(workspace, texts, least, embedder=Hashing())


def test_each_entry_has_a_vector_that_says_what_is_known_of_it(told: Path) -> None:
    found = build(told, "2026-05-02")
    boiler, plumber = found[ROWS[0].id], found[ROWS[1].id]
    assert boiler["tag"] == plumber["tag"] == "knowledge"
    assert (boiler["correction"], boiler["status"], boiler["confidence"]) == (True, "live", 1.0)
    assert (boiler["last_seen"], boiler["last_seen_day"], boiler["mention_count"]) == ("2026-05-01", 20260501, 1)
    assert (plumber["correction"], plumber["corrected_by"], plumber["flagged"]) == (False, "", False)
    assert 0 < plumber["confidence"] < 1
    assert found[entry_id("MEMORY.md", REST)]["tag"] == "decision"


def test_a_correction_is_a_vector_of_its_own_beside_what_it_corrects(told: Path) -> None:
    found = build(told, "2026-05-02")
    assert found[RECORD]["tag"] == "correction"
    assert (found[RECORD]["correction"], found[RECORD]["confidence"]) == (True, 1.0)
    was = found[f"{RECORD}-was"]
    assert (was["status"], was["corrected_on"], was["corrected_by"]) == ("corrected", "2026-05-01", RECORD)


@pytest.mark.parametrize(("days", "last", "gone"), [(7, "2026-05-08", "2026-05-09"), (0, "2026-05-01", "2026-05-02")])
def test_what_was_corrected_leaves_after_the_days_of_grace(told: Path, days: int, last: str, gone: str) -> None:
    (told / "CONFIG.md").write_text(f"```yaml\ncorrected_embedding_grace_days: {days}\n```\n")
    assert f"{RECORD}-was" in build(told, last)
    after = build(told, gone)
    assert f"{RECORD}-was" not in after
    assert RECORD in after


def test_what_nobody_mentioned_again_is_flagged_and_then_deleted_here_alone(told: Path) -> None:
    name = ROWS[1].id
    assert not build(told, "2026-06-27")[name]["flagged"]
    flagged = build(told, "2026-06-28")[name]
    assert (flagged["flagged"], flagged["leaves_after"]) == (True, "2026-07-04")
    assert name in build(told, "2026-07-04")
    after = build(told, "2026-07-05")
    assert name not in after
    assert ROWS[0].id in after, "a correction stays"
    assert PLUMBER in (told / "MEMORY.md").read_text()
    with open_workspace(told) as workspace:
        answer = recall.search_files(workspace, Query("plumber"), embedder=Hashing())
    assert PLUMBER in answer.results[0].text


def test_an_entry_that_is_mentioned_again_is_flagged_no_more(told: Path) -> None:
    assert build(told, "2026-06-30")[ROWS[1].id]["flagged"]
    again = row(PLUMBER, last=date(2026, 6, 30), mentions=frozenset({"b", "c"}))
    (told / ".clawgit/entries.tsv").write_text(entries.render({one.id: one for one in (ROWS[0], again)}))
    found = build(told, "2026-07-01")[again.id]
    assert (found["flagged"], found["leaves_after"], found["mention_count"]) == (False, "", 2)


def test_a_journal_line_that_a_correction_refutes_is_corrected(told: Path) -> None:
    refuted = row(PLUMBER, status="superseded", by=RECORD, last=date(2026, 4, 28))
    (told / ".clawgit/entries.tsv").write_text(entries.render({one.id: one for one in (ROWS[0], refuted)}))
    assert build(told, "2026-05-02")[refuted.id]["status"] == "corrected"
    assert refuted.id not in build(told, "2026-05-09")


def test_no_text_is_in_chroma_and_no_secret_is_embedded(told: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    (told / "MEMORY.md").write_text(f"{MEMORY}- The token is {secret[:40]}\n")
    model = Hashing()
    build(told, "2026-05-02", model)
    assert not any(secret[:40] in one for one in model.said)
    base = sqlite3.connect(told / ".git/clawgit/cache/chroma/chroma.sqlite3")
    said = "\n".join(base.iterdump())
    base.close()
    assert "Imre" not in said


def test_entries_that_mean_the_like_are_found_by_their_cosine(told: Path) -> None:
    build(told, "2026-05-02")
    asked = "The boiler pressure is 1.9 bar"
    (first, *_) = near(told, [asked], 0.5)[asked]
    assert first.id in {ROWS[0].id, RECORD}
    assert first.cosine < 0.99
    assert near(told, [asked], 0.99)[asked] == ()
    assert not {f"{RECORD}-was"} & {one.id for one in near(told, [asked], 0.0)[asked]}


def test_what_means_the_like_is_found_by_its_vector(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(well(64)) as endpoint:
        monkeypatch.setenv("CLAWGIT_EMBED_URL", endpoint.url)
        (told / "CONFIG.md").write_text("```yaml\nembedder: openai:m\n```\n")
        said = BOILER
        with open_workspace(told) as workspace:
            assert not any(prompt.find_by_meaning(workspace, [said]).values())
            meaning.build(workspace)
            found = prompt.find_by_meaning(workspace, [said])
    assert ROWS[0].id in found.get(said, ())
