"""A write is one commit, with its reason."""

from tests.promises.desk import Desk


def test_a_memory_is_one_commit_that_names_its_author(desk: Desk) -> None:
    before = desk.head()
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert len(desk.commits(before)) == 1
    assert "400 watts" in desk.read("MEMORY.md")
    assert "400 watts" in desk.at("HEAD", "MEMORY.md")
    assert desk.git("status", "--porcelain") == ""
