"""Whose words a note is, also of many files at once."""

import subprocess

from clawgit.agents.promoting import journal_notes
from clawgit.git import repository
from clawgit.workspace.workspace import Workspace


def test_of_a_file_that_one_commit_brought_every_line_is_of_it(tmp_path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    def write(name: str, text: str) -> None:
        place = tmp_path / "memory" / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(place.read_text() + text if place.exists() else text)

    git("init", "-q", "-b", "main")
    names = ("once.md", "twice.md", "moved.md", "dirty.md", "M", "größe\n.md")
    for name in names:
        write(name, f"- {name} was here\n" * 9)
        git("add", ".")
        git("commit", "-qm", name)
    write("twice.md", "- more\n")
    git("mv", "memory/moved.md", "memory/new.md")
    git("commit", "-qam", "two")
    write("dirty.md", "- mine\n")
    write("loose.md", "- new\n")
    write("moved.md", "- another\n")
    with Workspace(repository.find(tmp_path)) as workspace:
        found = journal_notes._whole(workspace)
        assert set(found) == {"memory/once.md", "memory/M", "memory/größe\n.md"}
        for path, commit in found.items():
            assert {one.commit for one in journal_notes._blamed(workspace, path)} == {commit}
