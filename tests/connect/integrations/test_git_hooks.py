"""Hooks come beside those of others, and leave no trace when they go."""

import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.connect import git_hooks
from clawgit.errors import ClawgitError
from tests import moulds
from tests.amounts import amount
from tests.connect.openclaw.conftest import picture

from .conftest import Place, script

FOREIGN = "#!/bin/sh\necho foreign\n"


def look(folder):
    return folder.exists() and picture(folder)


def acts(results):
    return {result.name: result.state for result in results}


hook = st.one_of(
    st.none(),
    st.tuples(st.binary(max_size=40), st.sampled_from([0o755, 0o644, 0o700, 0o4755, 0o555])),
    st.sampled_from(["../../SOUL.md", "nowhere", "/bin/true"]),
)


@settings(max_examples=amount(60, 24))
@given(before=st.lists(hook, min_size=3, max_size=3), extra=st.booleans(), twice=st.booleans())
def test_uninstall_undoes_install_whatever_stood_there(mould, tmp_path, before, extra, twice):
    """Bytes, modes and links; also without a folder, and when it was installed twice."""
    root = tmp_path / "example"
    shutil.rmtree(root, ignore_errors=True)
    place = Place(moulds.copied(mould, root))
    for name, data in zip(git_hooks.NAMES, before, strict=True):
        if data is not None:
            place.hooks.mkdir(exist_ok=True)
            (place.hooks / name).symlink_to(data) if isinstance(data, str) else script(place.hooks / name, *data)
    if extra:
        script(place.hooks / "pre-commit.sample", FOREIGN)
    was = look(place.hooks)
    for _ in range(1 + twice):
        place.install()
    assert set(place.states().values()) <= {"installed", "chained"}
    git_hooks.uninstall_hooks(place.repo)
    assert look(place.hooks) == was


def test_what_another_program_wrote_over_ours_is_left_and_told(place):
    script(place.hooks / "pre-commit", FOREIGN)
    place.install()
    script(place.hooks / "pre-commit", "#!/bin/sh\necho newer\n")
    with pytest.raises(ClawgitError, match="only one of them can be kept"):
        place.install()
    results = git_hooks.uninstall_hooks(place.repo)
    chained = place.hooks / "pre-commit.clawgit-chained"
    assert (results[0].state, results[0].before) == ("left", chained)
    assert (place.hooks / "pre-commit").read_text() == "#!/bin/sh\necho newer\n"
    assert chained.read_text() == FOREIGN


def test_what_somebody_added_to_ours_is_never_thrown_away(place):
    place.install()
    ours = place.hooks / "pre-commit"
    script(ours, ours.read_text() + "echo more\n")
    assert place.states()["pre-commit"] == "edited"
    assert acts(place.install())["pre-commit"] == "left"
    assert acts(git_hooks.uninstall_hooks(place.repo))["pre-commit"] == "left"
    assert ours.read_text().endswith("echo more\n")


@pytest.mark.parametrize("is_there", [False, True])
def test_they_go_where_git_was_told_to_look(place, tmp_path, recorder, calls, is_there):
    """The folder need not exist, and git's configuration stays as it is."""
    folder = tmp_path / "Häkchen"
    folder.mkdir() if is_there else None
    place.git("config", "core.hooksPath", folder)
    config = (place.root / ".git/config").read_bytes()
    place.install(recorder)
    assert {path.name for path in folder.iterdir()} == set(git_hooks.NAMES)
    place.commit("a.md", "x\n")
    assert calls() == ["pre-commit"]
    git_hooks.uninstall_hooks(place.repo)
    assert (folder.exists(), [*folder.glob("*")]) == (is_there, [])
    assert (place.root / ".git/config").read_bytes() == config


def test_hooks_that_are_files_of_the_project_are_changed_only_when_forced(place, recorder, calls):
    place.git("config", "core.hooksPath", ".husky")
    script(place.root / ".husky/pre-commit", FOREIGN)
    place.git("add", ".husky")
    place.git("commit", "-m", "husky")
    with pytest.raises(ClawgitError, match="files of the workspace") as caught:
        place.install(recorder)
    assert str(caught.value.fix).startswith("clawgit hooks install --force")
    assert place.git("status", "--porcelain") == ""
    place.install(recorder, force=True)
    assert "foreign" in place.commit("a.md", "x\n")
    assert calls() == ["pre-commit"]
    git_hooks.uninstall_hooks(place.repo)
    assert place.git("status", "--porcelain") == ""


def test_linked_working_trees_share_them_and_a_submodule_has_its_own(place, tmp_path, recorder, calls):
    place.git("worktree", "add", "-b", "side", tmp_path / "linked tree")
    linked = Place(tmp_path / "linked tree")
    linked.install(recorder)
    assert {path.name for path in place.hooks.iterdir()} == set(git_hooks.NAMES)
    linked.commit("a.md", "x\n")
    assert calls() == ["pre-commit"]
    place.git("-c", "protocol.file.allow=always", "submodule", "add", place.root, "inner")
    inner = Place(place.root / "inner")
    assert (inner.root / ".git").is_file()
    inner.install(recorder)
    assert (place.root / ".git/modules/inner/hooks/pre-commit").exists()
