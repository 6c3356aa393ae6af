"""What of a question counts, and what of a text it meets."""

from collections.abc import Callable

from clawgit.search import question_words, recall
from clawgit.search.answer import Query
from clawgit.workspace.workspace import open_workspace


def test_the_word_that_asks_counts_where_it_stands_alone() -> None:
    question = "Do you remember the garden?"
    assert question_words.content(question) == ["garden"]
    assert question_words.content("remember") == ["remember"]


def test_a_text_is_compared_without_punctuation_and_accents() -> None:
    text = "¡Inválido, «registro»!"
    assert question_words.plain(text) == " invalido registro "
    assert question_words.plain("がぎ パン 한국") == " がぎ パン 한국 "


def first(write: Callable, files: dict[str, str], question: str) -> str:
    with open_workspace(write(files)) as workspace:
        return recall.search_files(workspace, Query(question, least=0)).results[0].snippet


def test_accents_and_punctuation_cost_nothing(write: Callable) -> None:
    record = "- El registro, inválido."
    lines = f"# Notas\n\n{record}\n- El registro de los otros datos.\n- Un dato inválido de otros.\n"
    assert first(write, {"MEMORY.md": lines}, "registro invalido").startswith(record)


def test_a_list_of_the_assistant_is_nobodys_turn(write: Callable) -> None:
    talk = "user: what failed?\n\nassistant: two things\n\n- error turbine: no oil\n- error turbine: no oil at all\n"
    with open_workspace(write({"memory/2026-05-01.md": talk * 3})) as workspace:
        found = recall.search_files(workspace, Query("error turbine", least=0)).results
        assert all("error turbine" in one.text for one in found[:2])
        assert not workspace_voices(workspace) & {"error"}


def workspace_voices(workspace: object) -> set[str]:
    from clawgit.search import index  # noqa: PLC0415

    with index.current(workspace) as opened:  # type: ignore[arg-type]
        return {row[0] for row in opened.store.raw.execute("SELECT voice FROM texts")}
