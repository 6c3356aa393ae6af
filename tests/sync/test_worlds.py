"""Machines at random, with real commits: nothing is lost, and the order does not matter."""

import pytest

from benchmarks.sync.random_worlds import MORE, begun, played
from tests.amounts import amount


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The repository that all worlds share, and its first commit."""
    return begun(tmp_path_factory.mktemp("worlds") / "ws")


@pytest.mark.parametrize("transport", ["shared", "heads", "folder"])
@pytest.mark.parametrize("seed", [*range(amount(20, 4)), 4000620, 6100328, 6002715, 7002158])
def test_a_world_keeps_every_promise(shared, seed, transport):
    assert played(*shared, seed, transport=transport).faults == []


@pytest.mark.parametrize("seed", range(5000, amount(5020, 5004)))
def test_so_does_one_with_chronicles_restores_and_purges(shared, seed):
    assert played(*shared, seed, MORE).faults == []
