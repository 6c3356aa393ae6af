import multiprocessing
import socket
from pathlib import Path

import pytest

from tests.search import embedders

embedders.need_chroma()


from clawgit.search import vectors, warm  # noqa: E402
from clawgit.search.vectors import Kept, Vectors, VectorsError  # noqa: E402


def list_vectors(*words: str) -> list[Kept]:
    return [(f"id-{word}", embedders.vector(word, 64), {"hash": f"hash-{word}"}) for word in words]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache/chroma"


def filled(collection: Vectors, *words: str) -> Vectors:
    collection.open("print", 64, create=True)
    collection.put(list_vectors(*words))
    return collection


def test_a_server_that_hangs_is_not_waited_for(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        monkeypatch.setenv(vectors.URL, f"http://127.0.0.1:{deaf.getsockname()[1]}")
        with pytest.raises(VectorsError) as caught, vectors.open_collection(place, "x", wait=0, seconds=0.3):
            pass
    assert caught.value.key == "vectors-unavailable"
    assert "0.3 s" in caught.value.message


@pytest.mark.parametrize("url", ["h:8000", "ftp://h", "http://", "http://u:hunter2@h:1", "http://h:x", "http://h/path"])
def test_a_bad_address_is_never_shown(place: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv(vectors.URL, url)
    with pytest.raises(VectorsError) as caught, vectors.open_collection(place, "x", wait=0):
        pass
    assert "hunter2" not in f"{caught.value.message} {caught.value.fix!s}"


def test_a_file_of_settings_nearby_changes_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma reads .env of the current folder, which may be anybody's."""
    place.parent.mkdir(parents=True)
    (place.parent / ".env").write_text("CHROMA_SERVER_HOST=evil.example\nPERSIST_DIRECTORY=/nowhere\nX=1\n")
    monkeypatch.chdir(place.parent)
    with vectors.open_collection(place, "live", wait=0) as collection:
        filled(collection, "cat")
    assert (place / "chroma.sqlite3").exists()


def test_a_process_that_lasts_keeps_a_folder_open_and_keeps_nobody_out(place: Path) -> None:
    things: warm.Things = {}
    with warm.keep_among(things):
        with vectors.open_collection(place, "live", wait=0) as collection:
            filled(collection, "cat", "dog")
        (child,) = (holder.thing for holder in things.values())
        process = child._process
        elsewhere = multiprocessing.get_context("spawn").Process(target=_writes, args=(place,))
        elsewhere.start()
        elsewhere.join(60)
        assert elsewhere.exitcode == 0
        with vectors.open_collection(place, "live", wait=0) as collection:
            assert collection.open("print", 64)
            assert set(collection.facts()) == {"id-cat", "id-dog", "id-bird"}
            assert collection.near(embedders.vector("bird", 64), 1)[0][0] == "id-bird"
        assert child._process is process
    warm.end(things)
    assert process.returncode == 0


def _writes(place: Path) -> None:
    with vectors.open_collection(place, "live", wait=10) as collection:
        assert collection.open("print", 64)
        collection.put(list_vectors("bird"))


def test_the_nearest_is_found_behind_hundreds_that_differ_in_a_number_alone(place: Path) -> None:
    """Chroma's graph of neighbours is drawn anew with each build, so there are many."""
    facts = [f"Fact number {number} about topic{number}." for number in range(600)]
    sentences = ["Ana's doctor is Ruiz", "The car is red", "rent is due", "Ben likes tea", "We moved to Porto"]
    texts = [(text, embedders.vector(text, 256), {"hash": text}) for text in (*facts, *sentences)]
    for number in range(25):
        with vectors.open_collection(place, f"many-{number}", wait=1) as collection:
            collection.open("print", 256, create=True)
            collection.put(texts)
            neighbours = collection.near(embedders.vector("doctor", 256), 50)
        assert neighbours[0][0] == sentences[0]
