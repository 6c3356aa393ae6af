"""A change lands on what the file is now, or is refused with everything untouched."""

import pytest

from clawgit.workspace import identity_edits
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row

from .places import AWS, DAY, SOUL


def edit(base, text, path="SOUL.md", **more):
    return Change("soul: x", edits=(Edit(path, base, text),), **more)


def test_an_edit_lands_on_a_file_that_moved(place):
    """Both edits stand: the one that was planned, the one that came meanwhile."""
    change = edit(SOUL, SOUL.replace("Calm and plain.", "Calm."))
    place.write("SOUL.md", SOUL.replace("Have a view.", "Have two views."))
    applied = place.ws.apply(change)
    assert place.text("SOUL.md") == SOUL.replace("Calm and plain.", "Calm.").replace("a view", "two views")
    assert place.committed("SOUL.md", applied.captured) == SOUL.replace("a view", "two views").encode()
    place.agrees()


def test_one_conflict_refuses_every_file_of_the_change(place):
    change = Change(
        "x",
        edits=(
            Append(DAY, "- note\n"),
            Edit("SOUL.md", SOUL, SOUL.replace("Calm", "Loud")),
            Edit("USER.md", None, "# User\n"),
        ),
    )
    place.write("SOUL.md", SOUL.replace("Calm", "Quiet"))
    with place.refused("SOUL.md"):
        place.ws.apply(change)


@pytest.mark.parametrize(
    "there",
    [b"- a", b"\xef\xbb\xbf- a\r\n- b\r\n", b"", b"- a \t\n\n\n"],
)
def test_an_append_keeps_the_bytes_of_others_and_their_file(place, there):
    """In place: whoever holds the file open goes on in the same one."""
    place.write(DAY, there)
    place.ws.capture([DAY])
    before = (place.root / DAY).stat().st_ino
    place.ws.apply(Change("x", edits=(Append(DAY, "- ours\n"),)))
    assert place.read(DAY).startswith(there)
    assert place.text(DAY).replace("\r\n", "\n").endswith("- ours\n")
    assert (place.root / DAY).stat().st_ino == before
    place.agrees()


@pytest.mark.parametrize("path", ["../x.md", "/tmp/x.md", ".git/hooks/pre-commit", "a/.GIT/x.md", "C:\\x"])
def test_no_path_leads_out(place, path):
    with place.refused():
        place.ws.apply(edit(None, "x\n", path))


def test_an_ignored_path_is_refused(place):
    """It would be on disk and in no commit: success without effect."""
    place.commit({".gitignore": "memory/private/\n"})
    with place.refused("file-ignored", "memory/private/a.md", "git check-ignore"):
        place.ws.apply(edit(None, "x\n", "memory/private/a.md"))


def test_a_secret_in_the_subject_is_named_only(place):
    place.ws.apply(Change(f"soul: {AWS}", edits=(Edit("SOUL.md", SOUL, SOUL + "x\n"),)))
    assert place.message().startswith("soul: [aws-access-key]\n")


def test_the_message_says_who_and_why(place):
    place.given(DAY="- Ana: shorter please\n")
    change = identity_edits.edit(
        place.ws,
        "add",
        "Run `rm -rf build` first.",
        section="Vibe",
        why="Asked for.",
        evidence=(f"{DAY}#L1",),
        origin="agent",
        agent="soul-keeper",
    )
    cited = place.head[:10]
    place.ws.apply(change, wait=False)
    head, why, trailers = place.message().split("\n\n")
    assert (head, why) == ("soul: Run `rm -rf build` first.", "Asked for.")
    assert trailers.split("\n")[:3] == ["Clawgit-Agent: soul-keeper", f"Clawgit-Change: {change.id}", "Origin: agent"]
    assert trailers.split("\n")[3].startswith(f'Evidence: {DAY}#L1@{cited} "- Ana: shorter please" sha256:')
    assert place.git("log", "-1", "--format=%an <%ae> %cn").strip() == "soul-keeper <soul-keeper@localhost> clawgit"


@pytest.mark.parametrize("name", ["a\n\nOrigin: operator", "a<b>", "x\0y", "\ud83d"])
def test_no_name_of_an_agent_makes_a_commit_unreadable(place, name):
    """One that git cannot read would leave the workspace in the middle of a write for ever."""
    place.ws.apply(Change("x", edits=(Append(DAY, "- a\n"),), agent=name))
    place.agrees()
    assert place.git("log", "-1", "--format=%an").strip()
    assert place.git("log", "-1", "--format=%(trailers:key=Origin,valueonly)").split() == ["operator"]


@pytest.mark.parametrize(
    "change",
    [
        Change("x", edits=(Append(DAY, "half \ud83d\n"),)),
        Change("x", why="half \udc00", edits=(Append(DAY, "x\n"),)),
        Change("x", rows=(Row("kkkkkkkkkk", "MEMORY.md", "h", by="\ud83d"),)),
    ],
)
def test_half_a_character_is_refused(place, change):
    with place.refused("half of a character"):
        place.ws.apply(change)
