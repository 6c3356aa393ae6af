"""Programs that others put where git runs them are told until the operator has seen them."""

import json

import pytest

from clawgit.errors import DiskError
from clawgit.findings.dismissals import answer_changes, list_changes
from clawgit.findings.status import status
from clawgit.integrations import git_hooks
from clawgit.store.database import StateStore
from clawgit.workspace.capture_and_enforce import capture_and_enforce
from clawgit.workspace.trust import repository_programs
from clawgit.workspace.trust.approvals import TrustStore

from .documents import forget_note
from .places import DAY


@pytest.fixture
def seen(place):
    """A workspace whose programs have been noted once."""
    capture_and_enforce(place.ws)
    return place


def come(place):
    return tuple(repository_programs.come(place.ws.repo, place.ws.notes))


def hook(place, name, text="#!/bin/sh\n", mode=0o755):
    spot = place.root / ".git/hooks" / name
    spot.parent.mkdir(exist_ok=True)
    spot.write_text(text)
    spot.chmod(mode)


def test_what_was_there_at_the_first_look_is_nobodys_news(place, tmp_path):
    noted = TrustStore(tmp_path, {"XDG_STATE_HOME": str(tmp_path / "state")}).notes(StateStore(tmp_path))
    hook(place, "post-commit")
    place.git("config", "core.pager", "less -R")
    assert repository_programs.come(place.ws.repo, noted) == {}
    repository_programs.begin(place.ws.repo, noted)
    assert repository_programs.come(place.ws.repo, noted) == {}


def test_a_hook_and_a_configured_program_are_told_until_the_operator_says_yes(seen):
    hook(seen, "post-commit")
    seen.git("config", "core.fsmonitor", "/tmp/spy")
    seen.git("config", "alias.log", "!/tmp/spy")
    names = ("alias.log", "core.fsmonitor", "hooks/post-commit")
    assert come(seen) == names
    (told,) = [one for one in status(seen.open()).untrusted if one.path == names[0]]
    assert told.message.startswith(f"{', '.join(names)} came into the repository: ")
    assert (told.key, told.level, str(told.fix)) == ("alarm-extension", "warning", "clawgit trust")
    answer_changes(seen.open(), list_changes(seen.open()))
    assert come(seen) == ()


def test_objects_in_the_place_of_others_are_told_until_the_operator_says_yes(seen):
    """Git shows another history than there is; clawgit does not go by them."""
    head = seen.git("rev-parse", "HEAD").strip()
    seen.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "replace", "--graft", head)
    assert come(seen) == ("refs/replace",)
    answer_changes(seen.open(), list_changes(seen.open()))
    assert come(seen) == ()


def test_a_program_that_was_seen_is_told_again_once_it_is_another(seen):
    hook(seen, "post-commit")
    answer_changes(seen.open(), list_changes(seen.open()))
    hook(seen, "post-commit", "#!/bin/sh\n/tmp/spy\n")
    assert come(seen) == ("hooks/post-commit",)


@pytest.mark.parametrize(("name", "mode"), [("post-commit.sample", 0o755), ("post-commit", 0o644)])
def test_what_git_does_not_run_is_no_program(seen, name, mode):
    hook(seen, name, mode=mode)
    assert come(seen) == ()


def test_our_own_hooks_are_no_news_and_hide_nobody_elses(seen, tmp_path):
    hook(seen, "post-merge")
    git_hooks.install(seen.ws.repo, tmp_path / "clawgit")
    assert come(seen) == ("hooks/post-merge",)
    hook(seen, "pre-commit", (seen.root / ".git/hooks/pre-commit").read_text() + "/tmp/spy\n")
    assert come(seen) == ("hooks/post-merge", "hooks/pre-commit")


def test_hooks_that_we_take_away_again_are_no_news(seen, tmp_path):
    hook(seen, "pre-commit")
    answer_changes(seen.open(), list_changes(seen.open()))
    git_hooks.install(seen.ws.repo, tmp_path / "clawgit")
    git_hooks.uninstall(seen.ws.repo)
    assert come(seen) == ()


def test_what_came_while_the_operator_looked_is_still_told(seen):
    """He says yes to what he was shown, by its bytes: not to what took its place meanwhile."""
    hook(seen, "post-commit")
    shown = list_changes(seen.open())
    hook(seen, "post-commit", "#!/bin/sh\n/tmp/spy\n")
    hook(seen, "post-merge")
    answer_changes(seen.open(), shown)
    assert come(seen) == ("hooks/post-commit", "hooks/post-merge")


@pytest.mark.parametrize("gone", [{"apart": False}, {"here": False}])
def test_who_takes_away_the_note_of_what_was_seen_hides_nothing(seen, gone):
    forget_note(seen, "programs.json", **gone)
    hook(seen, "post-commit")
    capture_and_enforce(seen.open())
    assert come(seen) == ("hooks/post-commit",)


def test_who_adds_a_program_to_the_note_in_the_repository_hides_nothing(seen):
    hook(seen, "post-commit")
    shown = repository_programs.come(seen.ws.repo, seen.ws.notes)
    seen.ws.store.save_document("programs.json", json.dumps(shown))
    assert come(seen) == ("hooks/post-commit",)


def test_where_nothing_can_be_noted_a_capture_goes_on(place, monkeypatch):
    """As on a full disk."""
    for name in ("programs.json", "history.json", "extensions.json"):
        forget_note(place, name)

    def full(*_):
        raise DiskError("disk-full", "no space left")

    monkeypatch.setattr(StateStore, "save_document", full)
    place.write(DAY, "- Rain.\n")
    captured = capture_and_enforce(place.ws)
    assert (captured.refusal, [one.commit for one in captured.outcome.captured]) == (None, [place.head])
    monkeypatch.undo()
    assert come(place) == ()


def test_a_list_of_repositories_to_fetch_is_told(seen):
    (seen.root / ".gitmodules").write_text('[submodule "pack"]\n\tpath = skills/pack\n\tupdate = !touch x\n')
    assert come(seen) == (".gitmodules",)
