import multiprocessing
from array import array
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from clawgit.search.embedder import VectorCache, hash_text
from tests.search.embedders import Hashing


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache/embeddings.db"


@pytest.fixture
def cache(place: Path) -> Iterator[VectorCache]:
    with closing(VectorCache(place, Hashing())) as found:
        yield found


A, B = hash_text("a"), hash_text("b")


def test_what_is_put_is_there_for_the_next_process(place: Path, cache: VectorCache) -> None:
    cache.put({A: [0.1, 0.5]})
    with closing(VectorCache(place, Hashing())) as other:
        assert other.get([A, B]) == {A: array("f", [0.1, 0.5]).tolist()}


def test_models_and_providers_do_not_mix(place: Path, cache: VectorCache) -> None:
    cache.put({A: [1.0]})
    for provider, model in (("hashing", "n"), ("q", "words")):
        with closing(VectorCache(place, Hashing(model, name=provider))) as other:
            assert other.get([A]) == {}
            other.put({A: [2.0]})
            other.forget()
    assert cache.get([A]) == {A: [1.0]}


def test_a_vector_of_another_dimension_is_not_taken(cache: VectorCache) -> None:
    cache.put({A: [1.0, 2.0], B: [1.0, 2.0, 3.0]})
    assert set(cache.get([A, B], 3)) == {B}


def test_many_are_found_at_once(cache: VectorCache) -> None:
    names = [hash_text(str(at)) for at in range(3000)]
    cache.put({name: [float(at)] for at, name in enumerate(names)})
    assert len(cache.get(names)) == 3000


@pytest.mark.parametrize("damage", [b"garbage" * 1000, b"", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_made_anew(place: Path, damage: bytes) -> None:
    with closing(VectorCache(place, Hashing())) as cache:
        cache.put({A: [1.0]})
    place.write_bytes(damage)
    for _ in range(2):
        with closing(VectorCache(place, Hashing())) as cache:
            cache.put({B: [2.0]})
            assert cache.get([A, B]) == {B: [2.0]}


def test_a_file_damaged_or_deleted_while_it_is_used_hurts_nobody(place: Path, cache: VectorCache) -> None:
    cache.put({A: [1.0]})
    for suffix in ("", "-wal", "-shm"):
        place.with_name(place.name + suffix).unlink(missing_ok=True)
    place.write_bytes(b"garbage" * 5000)
    cache.get([A])
    cache.put({B: [2.0]})
    with closing(VectorCache(place, Hashing())) as other:
        other.put({A: [3.0]})
        assert other.get([A]) == {A: [3.0]}


def test_without_a_place_memory_will_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with closing(VectorCache(tmp_path / "file/cache.db", Hashing())) as cache:
        cache.put({A: [1.0]})
        assert cache.get([A]) == {A: [1.0]}


def test_what_is_dead_goes_once_it_is_most(cache: VectorCache) -> None:
    names = [hash_text(str(at)) for at in range(1500)]
    cache.put({name: [1.0] for name in names})
    cache.prune(names[:500])
    assert len(cache.get(names)) == 1500
    cache.prune(names[:100])
    assert set(cache.get(names)) == set(names[:100])


def _write(place: Path, first: int, gate: Barrier) -> None:
    gate.wait()
    with closing(VectorCache(place, Hashing())) as cache:
        for at in range(first, first + 100):
            cache.put({hash_text(str(at)): [float(at)]})


def test_several_processes_write_at_once(place: Path) -> None:
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(4)
    some = [context.Process(target=_write, args=(place, 100 * at, gate)) for at in range(4)]
    for one in some:
        one.start()
    for one in some:
        one.join()
    with closing(VectorCache(place, Hashing())) as cache:
        assert len(cache.get([hash_text(str(at)) for at in range(400)])) == 400
