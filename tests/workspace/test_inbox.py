"""The operator decides what waits."""

import pytest

from clawgit.errors import Advice, ClawgitError
from clawgit.findings.status import status
from clawgit.store.item import Item
from clawgit.workspace import decide, identity_edits
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.change import Change
from clawgit.workspace.inbox import find_item
from clawgit.workspace.undo import undo

from .inboxes import EVIL, accept, policy, propose, rewrite, shown, trusted, waiting
from .places import AWS, DAY, SOUL

SAID = "# 2026-02-14\n\n- Ana: shorter please.\n- Ben: and kind.\n"
ADDED = SOUL + "- Short on the phone.\n"


def journal(place):
    place.given(DAY=SAID)
    return f"{DAY}#L3"


def test_the_beginning_of_an_id_means_a_rejected_item_rather_than_a_closed_one(place):
    for name, state in (("kkkkllllmm", "closed"), ("kkkknnnnpp", "rejected")):
        place.ws.store.open_item(Item(name, "memory", "a title", place.ws.now()))
        place.ws.store.decide(name, state, place.ws.now())
    assert find_item(place.ws, "kkkk").id == "kkkknnnnpp"


# --- approving


def test_what_lands_on_what_others_wrote_vouches_for_none_of_it(place):
    """One word of the operator about one line is none about the rest of the file."""
    trusted(place)
    evil = SOUL.replace("- Calm and plain.", f"- {EVIL}")
    place.write("SOUL.md", evil)
    capture_all(place.ws)
    told = status(place.open()).alarms
    assert [one.key for one in told] == ["identity-lines-lost"]
    accept(place, propose(place))
    after = place.text("SOUL.md")
    assert after == evil + "- Short on the phone.\n"
    assert place.ws.trust.said("SOUL.md") == SOUL
    assert place.ws.trust.said("SOUL.md") == SOUL
    assert status(place.open()).alarms == told


def test_an_edit_elsewhere_leaves_the_hash_as_it_was(place):
    trusted(place)
    name = propose(place)
    digest = shown(place, name).digest
    moved = SOUL.replace("# Soul\n", "# Soul\n\nTwo lines\nabove it.\n").replace("Have a view.", "Have a strong view.")
    place.write("SOUL.md", moved)
    assert shown(place, name).digest == digest
    applied = decide.accept(place.ws, name, digest)
    assert applied.captured
    assert place.text("SOUL.md") == moved + "- Short on the phone.\n"
    place.agrees()


def test_a_kill_between_landing_and_leaving_the_desk_does_no_harm(place, monkeypatch):
    trusted(place)
    name = propose(place)
    with monkeypatch.context() as patch:
        patch.setattr(decide, "decide", lambda *_, **__: False)
        commit = accept(place, name).commit
    assert waiting(place) == [name]
    assert shown(place, name).done
    assert place.ws.trust.admits("SOUL.md", ADDED)
    with place.refused("already-decided", f"git show {commit[:10]}"):
        accept(place, name)
    assert (waiting(place), place.head) == ([], commit)


def test_a_dirty_file_under_review_goes_back_and_the_approval_lands(place):
    policy(trusted(place), "review")
    name = propose(place)
    place.write("SOUL.md", SOUL.replace("Have a view.", "Have no view."))
    accept(place, name)
    assert place.text("SOUL.md") == ADDED
    assert len(waiting(place)) == 1
    place.agrees()


@pytest.mark.parametrize("path", ["agents/helper/SOUL.md"])
def test_an_edit_of_any_identity_file_on_disk_can_be_approved(place, path):
    place.commit({path: "# One\n\n- a\n"})
    policy(trusted(place), "review")
    place.write(path, "# One\n\n- a\n- b\n")
    (captured,) = capture_all(place.ws).captured
    assert place.text(path) == "# One\n\n- a\n"
    accept(place, captured.waiting[0])
    assert place.text(path) == "# One\n\n- a\n- b\n"


def test_a_deletion_found_on_disk_is_approved(place):
    policy(trusted(place), "review")
    place.write("AGENTS.md", None)
    (captured,) = capture_all(place.ws).captured
    assert place.read("AGENTS.md")
    accept(place, captured.waiting[0])
    assert place.read("AGENTS.md") is None
    assert place.ws.trust.approves("AGENTS.md", None)
    assert capture_all(place.ws).captured == ()


def test_an_approval_that_cannot_be_kept_says_so(place, monkeypatch):
    trusted(place)
    name = propose(place)

    def full(_, texts, *__):
        if texts:
            raise ClawgitError("test", "what was approved cannot be kept: no space", fix=Advice("df -h"))

    monkeypatch.setattr(type(place.ws.trusted), "follow", full)
    applied = accept(place, name)
    assert any("clawgit trust" in words for words in applied.notes)
    assert place.text("SOUL.md") == ADDED


# --- evidence


def test_commits_that_a_rebase_rewrote_do_not_stop_an_approval(place):
    place.commit({"notes.md": "a\n"})
    cited = journal(place)
    name = propose(place, evidence=(cited,))
    place.git("rebase", "-q", "--force-rebase", "--root", "--committer-date-is-author-date")
    place.git("commit", "-q", "--amend", "-m", "rewritten")
    place.git("reflog", "expire", "--expire=now", "--all")
    place.git("gc", "-q", "--prune=now")
    place.__dict__.pop("ws")
    (one,) = shown(place, name).evidence
    assert one.missing == ""
    accept(place, name)
    assert place.text("SOUL.md") == ADDED
    place.agrees()


def test_evidence_that_is_gone_is_shown_as_such_and_stops_nothing(place):
    name = propose(place, evidence=(journal(place),))
    rows = find_item(place.ws, name).trailers
    lost = tuple(
        (key, value.replace("#L3@", f"#L3@{'0' * 10}beef").replace("shorter", "longer")) for key, value in rows
    )
    rewrite(place, name, trailers=lost)
    found = shown(place, name)
    (one,) = found.evidence
    assert one.pointer is None
    assert one.missing
    assert "It has no evidence." in found.doubts
    accept(place, name)
    assert "Evidence:" not in place.message()
    assert place.text("SOUL.md") == ADDED


# --- rejecting


def test_a_rejected_one_does_not_return_without_new_evidence(place):
    cited = journal(place)
    name = propose(place, evidence=(cited,))
    decide.reject(place.ws, name, "no")
    change = identity_edits.edit(place.ws, "add", "Short on the phone.", section="Vibe", why="other words")
    for evidence in ((), (cited,), (f'{DAY}#L3 "- Ana: shorter please."',)):
        again = place.ws.apply(Change(change.subject, "so", change.edits, evidence, "agent", "soul-keeper"), wait=True)
        assert (again.proposal.id, again.proposal.rejected) == (name, True)
    more = place.ws.apply(
        Change(change.subject, "so", change.edits, (cited, f"{DAY}#L4"), "agent", "soul-keeper"), wait=True
    )
    assert not more.proposal.rejected
    assert more.proposal.id != name
    accept(place, more.proposal.id)


def test_a_rejected_edit_on_disk_goes_back_each_time(place):
    policy(trusted(place), "review")
    wanted = SOUL.replace("Have a view.", "Have none.")
    place.write("SOUL.md", wanted)
    (captured,) = capture_all(place.ws).captured
    decide.reject(place.ws, captured.waiting[0], "no")
    for _ in range(2):
        place.write("SOUL.md", wanted)
        (captured,) = capture_all(place.ws).captured
        assert captured.waiting == ()
        assert place.text("SOUL.md") == SOUL
    assert waiting(place) == []


def test_a_reason_that_holds_a_secret_is_refused(place):
    name = propose(place)
    with place.refused("secret"):
        decide.reject(place.ws, name, f"the key is {AWS}")


# --- finding


def test_what_is_kept_beside_the_words_lands_with_them(place):
    from clawgit.workspace import memory, memory_lines  # noqa: PLC0415

    trusted(place)
    added = memory.add(place.ws, "Ana likes it short.").change
    edit = identity_edits.edit(place.ws, "add", "Short on the phone.", section="Vibe", why="x")
    both = Change("soul: both", "x", (*edit.edits, *added.edits), rows=added.rows)
    name = place.ws.apply(both, wait=True).proposal.id
    found = shown(place, name)
    assert (sorted(file.path for file in found.files), len(found.rows)) == (["MEMORY.md", "SOUL.md"], 1)
    place.ws.apply(memory.add(place.ws, "Ben likes it long.").change)
    accept(place, name)
    assert {one.text for one in memory_lines.list_bullets(place.ws)} == {"Ana likes it short.", "Ben likes it long."}
    place.agrees()
    place.ws.apply(undo(place.ws, name))
    assert [one.text for one in memory_lines.list_bullets(place.ws)] == ["Ben likes it long."]
    assert place.text("SOUL.md") == SOUL
