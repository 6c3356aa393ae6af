import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.search import embedders
from tests.search.embedders import Hashing, serving

embedders.need_chroma()

from clawgit.outside.http_client import Patience  # noqa: E402 - after what they need
from clawgit.search import embedder as embedding  # noqa: E402
from clawgit.search import meaning, vectors  # noqa: E402
from clawgit.search import recall as asking  # noqa: E402 - after what they need
from clawgit.search.answer import Answer, Query  # noqa: E402
from clawgit.search.embedder import PROBE  # noqa: E402
from clawgit.search.meaning import Home  # noqa: E402
from clawgit.workspace.workspace import open_workspace  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
MEMORY = (
    "# Memory\n\n## Family\n\n- The physician moved our appointment.\n- The feline sleeps in the wardrobe.\n\n"
    "## Work\n\n- Chose REST over GraphQL for the public API.\n- Deploys happen on Tuesdays.\n"
)
DOCTOR = "- The physician moved our appointment."
STATION = "- Met Ana at the station."
CAR = "- Bought an automobile."
BUILD = "memory index"


@pytest.fixture
def filled(write: Callable, commit: Callable) -> Path:
    root: Path = write({"MEMORY.md": MEMORY, "memory/2026-05-12.md": f"# 2026-05-12\n\n{STATION}\n"})
    commit()
    return root


def config(root: Path, **values: str) -> None:
    lines = "".join(f"{name}: {value}\n" for name, value in values.items())
    (root / "CONFIG.md").write_text(f"# Config\n\n```yaml\n{lines}```\n")


def ask(root: Path, question: str, tier: str | None = None, **given: object) -> Answer:
    with open_workspace(root) as workspace:
        return asking.search_files(workspace, Query(question, explain=True, tier=tier), **given)  # type: ignore[arg-type]


def build(root: Path, **given: object) -> "meaning.Note | None":
    with open_workspace(root) as workspace:
        return meaning.build(workspace, **given)  # type: ignore[arg-type]


def cache(root: Path) -> Path:
    return root / ".git/clawgit/cache"


def words(answer: Answer) -> list[str]:
    return [hit.snippet for hit in answer.results]


def test_what_means_the_like_is_found(filled: Path) -> None:
    one = Hashing()
    assert ask(filled, "doctor", "core").results == ()
    assert (note := build(filled, embedder=one))
    assert (note.embedder, note.dimension, note.count) == ("hashing:words", 256, 5)
    answer = ask(filled, "doctor", embedder=one)
    assert words(answer)[0] == DOCTOR
    assert (answer.mode, answer.degraded, answer.provider, answer.model) == ("enhanced", None, "hashing", "words")
    scores = [1, *(hit.score for hit in answer.results), 0]
    assert scores == sorted(scores, reverse=True)


def test_the_names_of_speakers_do_not_count_as_meaning(filled: Path) -> None:
    turns = ("Hello there", "Hi, how are you", "My automobile broke down", "Oh no", "Yes, sadly", "Bye then")
    said = (f"- {'Ana' if at % 2 else 'Tom'}: {turn}\n" for at, turn in enumerate(turns))
    (filled / "memory/talk.md").write_text("".join(said))
    one = Hashing()
    build(filled, embedder=one)
    assert words(ask(filled, "Tom's car", embedder=one))[0] == f"- Tom: {turns[2]}"
    assert one.said[-1] == "car"
    ask(filled, "Tom", embedder=one)
    assert one.said[-1] == "Tom"


def test_nonsense_finds_nothing(filled: Path) -> None:
    one = Hashing()
    build(filled, embedder=one)
    answer = ask(filled, "zxqv blorf wibble", embedder=one)
    assert (answer.mode, answer.results) == ("enhanced", ())


def test_core_is_core_whatever_exists(filled: Path) -> None:
    one = Hashing()
    build(filled, embedder=one)
    config(filled, search_tier="core")
    assert ask(filled, "doctor", embedder=one).mode == "core"
    assert ask(filled, "doctor", "core", embedder=one).degraded is None


def test_what_is_new_is_embedded_by_the_search_and_what_is_gone_is_not_found(filled: Path) -> None:
    one = Hashing()
    build(filled, embedder=one)
    one.said.clear()
    (filled / "MEMORY.md").write_text(MEMORY.replace("physician", "plumber") + f"{CAR}\n")
    assert words(ask(filled, "car", embedder=one))[0] == CAR
    new = [text.partition("\n")[2] for text in one.said if "\n- " in text]
    assert sorted(new) == [CAR, DOCTOR.replace("physician", "plumber")]
    assert DOCTOR not in words(ask(filled, "doctor", embedder=one))
    with open_workspace(filled) as workspace, Home.of(workspace, {}).opened(wait=1) as found:
        assert found.open("hashing:words", 256)
        assert found.count() == 6


def test_a_move_costs_nothing(filled: Path) -> None:
    one = Hashing()
    build(filled, embedder=one)
    one.said.clear()
    text = "# Memory\n\n## Work\n\n- Deploys happen on Tuesdays.\n- Chose REST over GraphQL for the public API.\n"
    (filled / "MEMORY.md").write_text(text)
    (filled / "memory/moved.md").write_text(MEMORY)
    build(filled, embedder=one)
    assert one.said == [PROBE]


def test_more_than_a_search_embeds_is_told(filled: Path) -> None:
    one = Hashing()
    build(filled, embedder=one)
    (filled / "memory/many.md").write_text("".join(f"- Fact number {at} about topic{at}.\n" for at in range(200)))
    answer = ask(filled, "doctor", embedder=one)
    assert answer.mode == "enhanced"
    assert words(answer)[0] == DOCTOR
    assert all(words in str(answer.degraded) for words in ("136 of 205", BUILD))
    build(filled, embedder=one)
    assert ask(filled, "doctor", embedder=one).degraded is None


def test_another_model_is_noticed_and_built_anew(filled: Path) -> None:
    build(filled, embedder=Hashing())
    other = Hashing("letters", dimension=128)
    answer = ask(filled, "Ana", embedder=other)
    assert answer.mode == "core"
    assert str(answer.degraded).startswith("vectors: ")
    assert all(words in str(answer.degraded) for words in ("hashing:words", "hashing:letters", BUILD))
    build(filled, embedder=other)
    assert ask(filled, "doctor", embedder=other).mode == "enhanced"


def test_another_model_of_the_same_name_and_size_is_noticed_by_the_next_build(filled: Path) -> None:
    build(filled, embedder=Hashing())
    other = Hashing(salt="x")
    build(filled, embedder=other)
    assert DOCTOR[2:6] not in other.said
    assert len(other.said) > 5
    assert words(ask(filled, "appointment moved", embedder=other))[0] == DOCTOR


KILLED = """
import sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.search.embedders import Hashing
from clawgit.search import meaning
from clawgit.workspace.workspace import open_workspace
put = meaning.put
def slowly(*given):
    done = put(*given)
    print("put", flush=True)
    time.sleep(30)
    return done
meaning.put = slowly
with open_workspace(Path({ws!r})) as workspace:
    meaning.build(workspace, embedder=Hashing())
"""


def test_a_build_killed_in_the_middle_of_chroma_is_made_whole(filled: Path) -> None:
    (filled / "memory/many.md").write_text("".join(f"- Fact number {at} about topic{at}.\n" for at in range(600)))
    script = KILLED.format(root=str(ROOT), ws=str(filled))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        assert process.stdout.readline() == b"put\n"
        locked = ask(filled, "Ana", "enhanced", embedder=Hashing())
        with pytest.raises(vectors.LockedError) as caught, vectors.hold_vectors(cache(filled) / "chroma", 0):
            pass
        process.send_signal(signal.SIGKILL)
    assert (locked.mode, bool(locked.results)) == ("core", True)
    assert caught.value.key == "in-use"
    assert caught.value.message in str(locked.degraded)
    answer = ask(filled, "Ana", embedder=Hashing())
    assert answer.mode == "core"
    assert BUILD in str(answer.degraded)
    one = Hashing()
    note = build(filled, embedder=one)
    assert note
    assert note.count == 605
    assert one.said == [PROBE]
    assert words(ask(filled, "doctor", embedder=one))[0] == DOCTOR


def test_all_of_the_cache_may_be_deleted(filled: Path) -> None:
    one = Hashing()
    build(filled, embedder=one)
    before = ask(filled, "doctor appointment", embedder=one)
    shutil.rmtree(cache(filled))
    without = ask(filled, "doctor appointment", embedder=one)
    assert (without.mode, bool(without.results)) == ("core", True)
    build(filled, embedder=one)
    assert ask(filled, "doctor appointment", embedder=one).results == before.results


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (embedders.slow(30), "did not answer within 0.3 s"),
        (embedders.failing(500), "answered 500"),
        (embedders.broken(float("nan")), "NaN"),
        (embedders.well(128), "256 numbers, not 128"),
    ],
)
def test_whatever_an_endpoint_does_words_answer(
    filled: Path, monkeypatch: pytest.MonkeyPatch, reply: embedders.Reply, reason: str
) -> None:
    monkeypatch.setattr(embedding, "HASTY", Patience(0.3, 1))
    config(filled, embedder="openai:m")
    with serving(embedders.well(256)) as server:
        build(filled, environ={embedding.URL: server.url})
    with serving(reply) as server:
        answer = ask(filled, "Ana", environ={embedding.URL: server.url})
    assert (answer.mode, words(answer)) == ("core", [STATION])
    assert reason in str(answer.degraded)


def test_workspaces_share_a_server_of_chroma_and_nothing_else(filled: Path, tmp_path: Path) -> None:
    one = Hashing()
    other = tmp_path / "copy"
    shutil.copytree(filled, other)
    (other / "MEMORY.md").write_text(f"{CAR}\n")
    (tmp_path / "served").mkdir()
    with embedders.chroma_server(tmp_path / "served") as url:
        environ = {vectors.URL: url}
        build(filled, embedder=one, environ=environ)
        build(other, embedder=one, environ=environ)
        mine, theirs = (ask(root, "doctor car", embedder=one, environ=environ) for root in (filled, other))
        assert (mine.mode, words(mine)[0]) == ("enhanced", DOCTOR)
        assert (theirs.mode, words(theirs)[0]) == ("enhanced", CAR)
        dog = "- Our new canine barks."
        (filled / "MEMORY.md").write_text(f"{MEMORY}{dog}\n")
        assert words(ask(filled, "dog", embedder=one, environ=environ))[0] == dog
    assert not (cache(filled) / "chroma").exists()
    gone = ask(filled, "Ana", embedder=one, environ=environ)
    assert (gone.mode, bool(gone.results)) == ("core", True)
    assert url.removeprefix("http://") in str(gone.degraded)
