"""What others wrote is committed first, and nothing else is touched."""

import os

import pytest

from clawgit.workspace import memory
from clawgit.workspace.change import Append, Change, Edit

from .places import AWS, DAY


def note(path=DAY, block="- ours\n"):
    return Change("journal: ours", edits=(Append(path, block),))


def subjects(place, count=3):
    return place.git("log", f"-{count}", "--format=%s").splitlines()


@pytest.mark.parametrize("path", [DAY])
def test_a_secret_refuses_the_write_with_rule_and_line_and_never_itself(place, path):
    place.write(path, f"# Notes\n\nthe key: {AWS}\n")
    with place.refused(f"{path}:3", "aws-access-key") as caught:
        place.ws.apply(note(path))
    assert AWS not in str(caught.value) + str(caught.value.fix)
    with place.refused(f"{path}:3"):
        place.ws.capture([path])


def test_a_secret_in_head_does_not_block(place):
    """It is there already; blocking the work of every day would not take it back."""
    place.commit({DAY: f"key {AWS}\n"})
    place.write(DAY, f"moved down\nkey {AWS}\n")
    place.ws.apply(note())
    assert subjects(place, 2)[1].startswith("capture: ")


def test_a_second_secret_beside_one_in_head_does(place):
    place.commit({DAY: f"key {AWS}\n"})
    place.write(DAY, f"key {AWS}\nkey {AWS[:-4]}QQ7R\n")
    with place.refused(f"{DAY}:2"):
        place.ws.apply(note())


def test_taking_a_secret_out_is_never_refused(place):
    place.commit({"SOUL.md": f"key {AWS}\n"})
    place.write("SOUL.md", "key is in the store\n")
    place.ws.apply(note("SOUL.md"))
    assert place.read("SOUL.md") == b"key is in the store\n\n- ours\n"


def test_a_link_is_not_followed(place, tmp_path):
    (tmp_path / "elsewhere.md").write_text("theirs\n")
    (place.root / DAY).parent.mkdir(exist_ok=True)
    (place.root / DAY).symlink_to(tmp_path / "elsewhere.md")
    with place.refused("symbolic link"):
        place.ws.apply(note())
    assert (tmp_path / "elsewhere.md").read_text() == "theirs\n"


def test_an_ignored_file_is_not_captured(place):
    place.commit({".gitignore": "memory/private.md\n"})
    place.write("memory/private.md", "theirs\n")
    with place.refused("file-ignored"):
        place.ws.apply(note("memory/private.md"))
    with place.refused("file-ignored"):
        place.ws.capture(["memory/private.md"])
    same = Change("x", edits=(Edit("memory/private.md", "theirs\n", "theirs\n"),))
    with place.refused("file-ignored"):
        place.ws.apply(same)


def test_staged_changes_of_the_same_file_are_waited_for(place):
    """What somebody staged there is about to be committed by them."""
    place.given(DAY="- one\n")
    place.write(DAY, "- one\n- staged\n")
    place.git("add", DAY)
    os.utime(place.root / ".git/index", (1, 1))
    with place.refused("staged changes", f"git commit -m 'by hand' '{DAY}'"):
        place.ws.apply(memory.add_note(place.ws, "x"))
