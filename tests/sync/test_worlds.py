"""Machines at random, with real commits: nothing is lost, and the order does not matter."""

import pytest

from benchmarks.sync.random_worlds import MORE, begun, played


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The repository that all worlds share, and its first commit."""
    return begun(tmp_path_factory.mktemp("worlds") / "ws")


@pytest.mark.parametrize("seed", [*range(40), 134, 156, 219, 1298, 1305, 1602, 2093, 721, 1537, 3098, 3249, 3961])
def test_a_world_keeps_every_promise(shared, seed):
    """The last five ended with another row or record in another order of syncs, while a merge's own were edits."""
    assert played(*shared, seed).faults == []


@pytest.mark.parametrize("seed", [*range(5000, 5030), 8243])
def test_so_does_one_with_chronicles_restores_and_purges(shared, seed):
    assert played(*shared, seed, MORE).faults == []
