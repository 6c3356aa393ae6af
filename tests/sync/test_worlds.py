"""Machines at random, with real commits: nothing is lost, and the order does not matter."""

import pytest

from benchmarks.sync.random_worlds import begun, played


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The repository that all worlds share, and its first commit."""
    return begun(tmp_path_factory.mktemp("worlds") / "ws")


@pytest.mark.parametrize("seed", [*range(40), 134, 156, 219, 1298, 1305, 1602, 2093])
def test_a_world_keeps_every_promise(shared, seed):
    """Told apart is another row or record, which another order of gossip may end with."""
    assert [words for words in played(*shared, seed).faults if not words.startswith("rows:")] == []
