import multiprocessing
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from tests.search import embedders

embedders.need_chroma()

import chromadb  # noqa: E402 - after what says that it is there

from clawgit.search import vectors, warm  # noqa: E402
from clawgit.search.vectors import DamagedError, Kept, LockedError, Vectors, VectorsError  # noqa: E402


def kept(*words: str) -> list[Kept]:
    return [(f"id-{word}", embedders.vector(word, 64), {"hash": f"hash-{word}"}) for word in words]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache/chroma"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with embedders.chroma_server(tmp_path_factory.mktemp("served")) as found:
        yield found


def filled(found: Vectors, *words: str) -> Vectors:
    found.create("print", 64)
    found.put(kept(*words))
    return found


def check(found: Vectors) -> None:
    """What a collection must do, wherever it is."""
    assert not found.open("print", 64)
    filled(found, "cat", "dog", "bird")
    assert (found.count(), set(found.facts())) == (3, {"id-cat", "id-dog", "id-bird"})
    (first, *_) = found.near(embedders.vector("dog", 64), 200)
    assert first == ("id-dog", {"hash": "hash-dog"}, pytest.approx(1, abs=1e-5))
    found.put([("id-dog", embedders.vector("wolf", 64), {"hash": "hash-wolf"})])
    assert found.near(embedders.vector("wolf", 64), 1)[0][:2] == ("id-dog", {"hash": "hash-wolf"})
    found.remove(["id-cat", "id-nobody"])
    assert set(found.facts()) == {"id-dog", "id-bird"}
    assert found.open("print", 64)
    assert not found.open("another", 64)
    assert not found.open("print", 32)
    found.create("another", 64)
    assert found.near(embedders.vector("dog", 64), 5) == []


def test_a_folder_keeps_vectors(place: Path) -> None:
    with vectors.folder(place, "live", wait=0) as found:
        check(found)


def test_a_server_keeps_vectors(url: str) -> None:
    with vectors.server(url, "clawgit-one", seconds=10) as found:
        check(found)


def test_collections_of_a_server_do_not_mix(url: str) -> None:
    with vectors.server(url, "clawgit-two", seconds=10) as one, vectors.server(url, "clawgit-three", seconds=10) as two:
        filled(one, "cat")
        filled(two, "dog")
        assert (set(one.facts()), set(two.facts())) == ({"id-cat"}, {"id-dog"})


def test_a_folder_is_there_for_the_next_process(place: Path) -> None:
    with vectors.folder(place, "live", wait=0) as found:
        filled(found, "cat")
    script = (
        "import sys; from pathlib import Path; from clawgit.search import vectors\n"
        "with vectors.folder(Path(sys.argv[1]), 'live', wait=0) as found:\n"
        "    assert found.open('print', 64); print(set(found.facts()))"
    )
    done = subprocess.run([sys.executable, "-c", script, place], capture_output=True, text=True, check=True)
    assert done.stdout == "{'id-cat'}\n"


def test_more_than_one_batch(place: Path) -> None:
    some = [(str(at), [1.0, float(at)], {"hash": str(at)}) for at in range(5600)]
    with vectors.folder(place, "live", wait=0) as found:
        found.create("print", 2)
        found.put(some)
        assert len(set(found.facts())) == 5600
        found.remove([one[0] for one in some[:5500]])
        assert found.count() == 100


def look(place: Path) -> None:
    with vectors.folder(place, "live", wait=0) as found:
        found.open("print", 64)
        found.near([1.0] * 64, 5)


@pytest.mark.parametrize("damage", ["garbage", "empty", "a file", "segments"])
def test_a_folder_of_garbage_says_so(place: Path, damage: str) -> None:
    with vectors.folder(place, "live", wait=0) as found:
        filled(found, *(f"word{at}" for at in range(1500)))
    if damage == "a file":
        shutil.rmtree(place)
        place.write_text("x")
    elif damage == "segments":
        for file in place.rglob("*.bin"):
            file.write_bytes(b"garbage" * 100)
    else:
        (place / "chroma.sqlite3").write_bytes(b"garbage" * 1000 if damage == "garbage" else b"")
    if damage == "empty":  # which SQLite takes for a new database
        with vectors.folder(place, "live", wait=0) as found:
            assert not found.open("print", 64)
        return
    with pytest.raises(DamagedError):
        look(place)


def _hold(place: Path, held: Event, done: Event) -> None:
    with vectors.hold_vectors(place, 5):
        held.set()
        done.wait(20)


def test_a_folder_belongs_to_one_process_at_a_time(place: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(place, held, done))
    other.start()
    assert held.wait(20)
    with pytest.raises(LockedError) as caught, vectors.folder(place, "live", wait=0.1):
        pass
    assert caught.value.key == "in-use"
    threading.Timer(0.2, done.set).start()
    with vectors.folder(place, "live", wait=10) as found:
        assert not found.open("print", 64)
    other.join()


def test_a_killed_process_holds_nothing(place: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(place, held, done))
    other.start()
    assert held.wait(20)
    other.kill()
    other.join()
    with vectors.hold_vectors(place, 1):
        pass


def test_a_server_that_hangs_is_not_waited_for() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(VectorsError) as caught, vectors.server(url, "x", seconds=0.3):
            pass
    assert caught.value.key == "vectors-unavailable"
    assert "0.3 s" in caught.value.message


def test_no_server_at_all() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(VectorsError) as caught, vectors.server(url, "x", seconds=5):
        pass
    assert caught.value.key == "vectors-unavailable"
    assert url.removeprefix("http://") in caught.value.message


@pytest.mark.parametrize("url", ["h:8000", "ftp://h", "http://", "http://u:hunter2@h:1", "http://h:x", "http://h/path"])
def test_a_bad_address_is_never_shown(url: str) -> None:
    with pytest.raises(VectorsError) as caught, vectors.server(url, "x", seconds=1):
        pass
    assert "hunter2" not in f"{caught.value.message} {caught.value.fix!s}"


def test_a_file_of_settings_nearby_changes_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma reads .env of the current folder, which may be anybody's."""
    place.parent.mkdir(parents=True)
    (place.parent / ".env").write_text("CHROMA_SERVER_HOST=evil.example\nPERSIST_DIRECTORY=/nowhere\nX=1\n")
    monkeypatch.chdir(place.parent)
    with vectors.folder(place, "live", wait=0) as found:
        filled(found, "cat")
    assert (place / "chroma.sqlite3").exists()


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(VectorsError) as caught, vectors.folder(tmp_path / "file/a/b", "x", wait=0):
        pass
    assert caught.value.key == "file-unwritable"
    assert str(tmp_path / "file") in caught.value.message


def test_a_process_that_lasts_keeps_a_folder_open_and_keeps_nobody_out(place: Path) -> None:
    things: warm.Things = {}
    with warm.within(things):
        with vectors.folder(place, "live", wait=0) as found:
            filled(found, "cat", "dog")
        (child,) = (one.thing for one in things.values())
        process = child._process
        elsewhere = multiprocessing.get_context("spawn").Process(target=_writes, args=(place,))
        elsewhere.start()
        elsewhere.join(60)
        assert elsewhere.exitcode == 0
        with vectors.folder(place, "live", wait=0) as found:
            assert found.open("print", 64)
            assert set(found.facts()) == {"id-cat", "id-dog", "id-bird"}
            assert found.near(embedders.vector("bird", 64), 1)[0][0] == "id-bird"
        assert child._process is process
    warm.end(things)
    assert process.returncode == 0


def _writes(place: Path) -> None:
    with vectors.folder(place, "live", wait=10) as found:
        assert found.open("print", 64)
        found.put(kept("bird"))


def test_a_folder_that_was_thrown_away_is_made_anew_by_who_kept_it_open(place: Path) -> None:
    things: warm.Things = {}
    with warm.within(things):
        with vectors.folder(place, "live", wait=0) as found:
            filled(found, "cat")
        vectors.forget(place)
        with vectors.folder(place, "live", wait=0) as found:
            assert not found.open("print", 64)
            filled(found, "dog")
        (place / "chroma.sqlite3").write_bytes(b"no database" * 500)
        with pytest.raises(DamagedError), vectors.folder(place, "live", wait=0) as found:
            found.open("print", 64)
        vectors.forget(place)
        with vectors.folder(place, "live", wait=0) as found:
            assert filled(found, "cat").count() == 1
    warm.end(things)


def test_threads_that_last_see_what_the_others_wrote(place: Path) -> None:
    mine: warm.Things = {}
    theirs: warm.Things = {}
    with warm.within(mine), vectors.folder(place, "live", wait=0) as found:
        filled(found, "cat")
    for word in ("dog", "bird"):
        for things in (theirs, mine):
            with warm.within(things), vectors.folder(place, "live", wait=0) as found:
                assert found.open("print", 64)
                found.put(kept(word + str(id(things))))
    with warm.within(mine), vectors.folder(place, "live", wait=0) as found:
        assert found.open("print", 64)
        assert found.count() == 5
        assert len(found.near(embedders.vector("dog", 64), 9)) == 5
    warm.end(mine)
    warm.end(theirs)


def test_the_nearest_is_found_behind_hundreds_that_differ_in_a_number_alone(place: Path) -> None:
    """Chroma's graph of neighbours is drawn anew with each build, so there are many."""
    facts = [f"Fact number {at} about topic{at}." for at in range(600)]
    few = ["Ana's doctor is Ruiz", "The car is red", "rent is due", "Ben likes tea", "We moved to Porto"]
    texts = [(text, embedders.vector(text, 256), {"hash": text}) for text in (*facts, *few)]
    for _ in range(25):
        with vectors.folder(place, "many", wait=1) as found:
            found.create("print", 256)
            found.put(texts)
            near = found.near(embedders.vector("doctor", 256), 50)
        assert near[0][0] == few[0]


def test_what_was_built_in_another_way_is_built_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with vectors.folder(place, "words", wait=1) as found:
        filled(found, "cat")
        assert found.open("print", 64)
    monkeypatch.setattr(vectors, "_HNSW", {"space": "cosine", "ef_search": 10})
    client = chromadb.PersistentClient(str(place))
    assert not Vectors(client, "words", lambda act: act()).open("print", 64)
    client.close()


def test_two_folders_are_open_at_once(place: Path, tmp_path: Path) -> None:
    with vectors.folder(place, "live", wait=0) as found:
        filled(found, "cat")
        with vectors.folder(tmp_path / "other/chroma", "live", wait=0) as other:
            filled(other, "dog")
            assert found.count() == other.count() == 1
