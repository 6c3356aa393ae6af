"""The operator decides what waits."""

import threading
from datetime import timedelta

import pytest

from clawgit.errors import Advice, BusyError, ClawgitError
from clawgit.workspace import desk_decisions, identity_edits, proposal
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.desk_decisions import StandoffError
from clawgit.workspace.proposal import find
from clawgit.workspace.undo import undo

from .desks import EVIL, approve, policy, propose, shown, trusted, waiting
from .places import DAY, SOUL

SAID = "# 2026-02-14\n\n- Ana: shorter please.\n- Ben: and kind.\n"
ADDED = SOUL + "- Short on the phone.\n"


def journal(place):
    place.given(DAY=SAID)
    return f"{DAY}#L3"


# --- approving


def test_an_approved_proposal_lands_as_one_commit_and_can_be_undone(place):
    trusted(place)
    name = propose(place, evidence=(journal(place),))
    before = place.head
    applied = approve(place, name)
    assert place.git("rev-list", f"{before}..HEAD").split() == [applied.commit]
    assert (applied.change, place.text("SOUL.md"), waiting(place)) == (name, ADDED, [])
    told = place.message()
    assert told.startswith("soul: Short on the phone.\n\nasked for\n\n")
    assert all(f"\n{row}\n" in told for row in (f"Clawgit-Change: {name}", "Clawgit-Agent: soul-keeper"))
    assert f"\nEvidence: {DAY}#L3@" in told
    place.agrees()
    place.ws.apply(undo(place.ws, name))
    assert place.text("SOUL.md") == SOUL
    place.agrees()


def test_what_was_approved_is_approved_in_the_operators_own_words(place):
    trusted(place)
    approve(place, propose(place))
    assert place.ws.trust.approves("SOUL.md", ADDED)
    assert "- Short on the phone." in place.ws.trust.protected("SOUL.md")


def test_what_lands_on_what_nobody_approved_stands_and_is_not_approved(place):
    """One word of the operator about one line is none about the rest of the file."""
    trusted(place)
    evil = SOUL.replace("- Calm and plain.", f"- {EVIL}")
    place.write("SOUL.md", evil)
    capture_all(place.ws)
    assert not place.ws.trust.approves("SOUL.md", evil)
    approve(place, propose(place))
    after = place.text("SOUL.md")
    assert after == evil + "- Short on the phone.\n"
    assert not place.ws.trust.approves("SOUL.md", after)
    assert place.ws.trust.protected("SOUL.md") == tuple(SOUL.split("\n"))


def test_where_nobody_has_approved_anything_an_approval_approves_no_file(place):
    approve(place, propose(place))
    assert place.text("SOUL.md") == ADDED
    assert not place.open().trust.known


def test_an_edit_elsewhere_leaves_the_hash_as_it_was(place):
    trusted(place)
    name = propose(place)
    digest = shown(place, name).digest
    moved = SOUL.replace("# Soul\n", "# Soul\n\nTwo lines\nabove it.\n").replace("Have a view.", "Have a strong view.")
    place.write("SOUL.md", moved)
    assert shown(place, name).digest == digest
    applied = desk_decisions.approve(place.ws, name, digest)
    assert applied.captured
    assert place.text("SOUL.md") == moved + "- Short on the phone.\n"
    place.agrees()


@pytest.mark.parametrize("digest", ["", "0" * 12, "abc"])
def test_what_differs_from_what_was_shown_does_not_land(place, digest):
    name = propose(place)
    with place.refused("preview-outdated", name, f"clawgit soul review {name}"):
        desk_decisions.approve(place.ws, name, digest)


def test_a_section_that_was_renamed_since_is_shown_anew(place):
    trusted(place)
    name = propose(place, "Calm, plain and brief.", "replace", old="Calm and plain.")
    digest = shown(place, name).digest
    place.write("SOUL.md", SOUL.replace("## Vibe", "## Orders to obey"))
    with pytest.raises(ClawgitError, match=name):
        desk_decisions.approve(place.ws, name, digest)


def test_it_is_approved_once(place):
    name = propose(place)
    digest = shown(place, name).digest
    commit = desk_decisions.approve(place.ws, name, digest).commit
    with place.refused(f"{name} was approved in {commit[:10]}"):
        desk_decisions.approve(place.ws, name, digest)


def test_a_kill_between_landing_and_leaving_the_desk_does_no_harm(place, monkeypatch):
    trusted(place)
    name = propose(place)
    with monkeypatch.context() as patch:
        patch.setattr(desk_decisions, "_drop", lambda *_: None)
        patch.setattr(desk_decisions, "_vouch", lambda *_: ())
        commit = approve(place, name).commit
    assert waiting(place) == [name]
    assert shown(place, name).done
    assert place.ws.trust.admits("SOUL.md", ADDED)
    with pytest.raises(ClawgitError, match=f"{name} was approved already in {commit[:10]}"):
        approve(place, name)
    assert (waiting(place), place.head) == ([], commit)


def test_what_the_files_say_already_leaves_the_desk(place):
    name = propose(place)
    place.commit({"SOUL.md": ADDED})
    with pytest.raises(ClawgitError, match="the files say so already"):
        approve(place, name)
    assert waiting(place) == []


def test_an_expired_proposal_does_not_land_but_can_be_brought(place):
    name = propose(place)
    place.later(days=13, hours=23)
    assert not shown(place, name).expired
    place.later(hours=1)
    with place.refused("item-expired", "clawgit restore 'SOUL.md' --as-of ") as caught:
        approve(place, name)
    from clawgit.workspace.restore import restore  # noqa: PLC0415

    commit = str(caught.value.fix).split("--as-of ")[1].split()[0]
    place.ws.apply(restore(place.ws, "SOUL.md", commit))
    assert place.text("SOUL.md") == ADDED


def test_an_expired_one_is_offered_anew(place):
    name = propose(place)
    place.later(days=15)
    assert propose(place) == name
    assert not shown(place, name).expired


def test_a_conflict_shows_both_sides_and_writes_nothing(place):
    name = propose(place, "Loud.", "replace", old="Calm and plain.")
    now = SOUL.replace("Calm and plain.", "Quiet.")
    place.commit({"SOUL.md": now})
    with place.refused(f"SOUL.md was changed since in the place that {name} is about", kind=StandoffError) as caught:
        approve(place, name)
    (conflict,) = caught.value.conflicts
    assert [side.strip() for side in (conflict.base, conflict.ours, conflict.theirs)] == [
        "- Calm and plain.",
        "- Quiet.",
        "- Loud.",
    ]


def test_after_its_section_went_nothing_lands_unseen(place):
    name = propose(place, "Calm, plain and brief.", "replace", old="Calm and plain.")
    digest = shown(place, name).digest
    place.commit({"SOUL.md": SOUL.partition("## Vibe")[0]})
    with pytest.raises(ClawgitError):
        desk_decisions.approve(place.ws, name, digest)
    assert place.text("SOUL.md") == SOUL.partition("## Vibe")[0]


def test_after_its_file_went_both_sides_are_shown(place):
    name = propose(place)
    place.git("rm", "-q", "SOUL.md")
    place.git("commit", "-q", "-m", "gone")
    with pytest.raises(StandoffError):
        approve(place, name)


def test_a_dirty_file_is_captured_first(place):
    trusted(place)
    name = propose(place)
    place.write("SOUL.md", SOUL.replace("Have a view.", "Have a clear view."))
    applied = approve(place, name)
    assert place.git("log", "-2", "--format=%s").split("\n")[1].startswith("capture: SOUL.md")
    assert applied.captured == place.git("rev-parse", "HEAD^").strip()
    assert place.text("SOUL.md") == ADDED.replace("Have a view.", "Have a clear view.")


def test_a_dirty_file_under_review_goes_back_and_the_approval_lands(place):
    policy(trusted(place), "review")
    name = propose(place)
    place.write("SOUL.md", SOUL.replace("Have a view.", "Have no view."))
    approve(place, name)
    assert place.text("SOUL.md") == ADDED
    assert len(waiting(place)) == 1
    place.agrees()


def test_an_edit_found_on_disk_is_approved(place):
    policy(trusted(place), "review")
    wanted = SOUL.replace("Have a view.", "Have a clear view.")
    place.write("SOUL.md", wanted)
    (captured,) = capture_all(place.ws).captured
    (name,) = captured.waiting
    assert place.text("SOUL.md") == SOUL
    approve(place, name)
    assert place.text("SOUL.md") == wanted
    assert place.ws.trust.approves("SOUL.md", wanted)
    assert capture_all(place.ws).captured == ()
    place.agrees()


@pytest.mark.parametrize("path", ["agents/helper/SOUL.md", "HEARTBEAT.md", "AGENTS.md"])
def test_an_edit_of_any_identity_file_on_disk_can_be_approved(place, path):
    place.commit({path: "# One\n\n- a\n"})
    policy(trusted(place), "review")
    place.write(path, "# One\n\n- a\n- b\n")
    (captured,) = capture_all(place.ws).captured
    assert place.text(path) == "# One\n\n- a\n"
    approve(place, captured.waiting[0])
    assert place.text(path) == "# One\n\n- a\n- b\n"


def test_a_deletion_found_on_disk_is_approved(place):
    policy(trusted(place), "review")
    place.write("AGENTS.md", None)
    (captured,) = capture_all(place.ws).captured
    assert place.read("AGENTS.md")
    approve(place, captured.waiting[0])
    assert place.read("AGENTS.md") is None
    assert place.ws.trust.approves("AGENTS.md", None)
    assert capture_all(place.ws).captured == ()


def test_several_files_land_together(place):
    edits = tuple(
        Edit(path, text, (text or "") + "\nMore.\n")
        for path in ("SOUL.md", "IDENTITY.md")
        for text in [place.text(path)]
    )
    applied = place.ws.apply(Change("soul: both", edits=edits), wait=True)
    before = place.head
    approve(place, applied.proposal.id)
    assert place.git("diff", "--name-only", before, "HEAD").split() == ["IDENTITY.md", "SOUL.md"]


def test_an_approval_that_cannot_be_kept_says_so(place, monkeypatch):
    trusted(place)
    name = propose(place)

    def full(*_):
        raise ClawgitError("test", "what was approved cannot be kept: no space", fix=Advice("df -h"))

    monkeypatch.setattr(type(place.ws.trusted), "approve", full)
    applied = approve(place, name)
    assert any("clawgit trust" in words for words in applied.notes)
    assert place.text("SOUL.md") == ADDED


@pytest.mark.parametrize("rule", ["evolve", "review"])
def test_two_approvals_at_once_land_once(place, rule):
    policy(trusted(place), rule)
    name = propose(place)
    digest = shown(place, name).digest
    spaces = [place.open() for _ in range(4)]
    assert all(space.trust.known for space in spaces)
    done, refused = [], []

    def decided(space):
        try:
            done.append(desk_decisions.approve(space, name, digest).commit)
        except ClawgitError as exc:
            refused.append(exc.message)
        finally:
            space.close()

    threads = [threading.Thread(target=decided, args=(space,)) for space in spaces]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1
    assert all("was approved" in words and done[0][:10] in words for words in refused), refused
    assert place.text("SOUL.md") == ADDED
    place.agrees()


def test_one_decision_waits_for_the_other(place, monkeypatch):
    name = propose(place)
    other = []
    vouch = desk_decisions._vouch

    def rejects():
        with pytest.raises(ClawgitError, match=f"{name} was approved in"):
            desk_decisions.reject(place.open(), name, "no")
        other.append("told")

    def meanwhile(*arguments):
        thread.start()
        thread.join(0.1)
        assert other == []
        return vouch(*arguments)

    thread = threading.Thread(target=rejects)
    monkeypatch.setattr(desk_decisions, "_vouch", meanwhile)
    approve(place, name)
    thread.join()
    assert other == ["told"]
    assert list(proposal.rejected_proposals(place.ws.repo)) == []


def test_whoever_is_at_it_for_too_long_is_not_waited_for(place, monkeypatch):
    name = propose(place)
    monkeypatch.setattr(proposal, "_PATIENCE", 0)
    with proposal.turn(place.ws.state), pytest.raises(BusyError):
        desk_decisions.reject(place.ws, name, "no")
    assert waiting(place) == [name]


def test_approving_while_another_process_captures_loses_nothing(place):
    trusted(place)
    names = [propose(place, f"Line {number}.") for number in range(3)]
    stop = threading.Event()
    other = place.open()

    def writes():
        for number in range(40):
            place.write("MEMORY.md", f"# Memory\n\n- Fact {number}.\n")
            capture_all(other)
            if stop.is_set():
                return

    thread = threading.Thread(target=writes)
    thread.start()
    for name in names:
        approve(place, name)
    stop.set()
    thread.join()
    other.close()
    assert all(f"- Line {number}.\n" in place.text("SOUL.md") for number in range(3))
    capture_all(place.ws)
    place.agrees()


# --- evidence


def test_evidence_is_shown_in_its_context(place):
    name = propose(place, evidence=(f'{journal(place)} "shorter please"',))
    place.commit({DAY: "# rewritten\n"})
    (one,) = shown(place, name).evidence
    assert one.pointer
    assert one.missing == ""
    assert (one.said.text, one.said.start) == (SAID.rstrip("\n"), 3)


def test_a_long_quote_still_holds(place):
    long = "word " * 60
    place.given(DAY=f"# Day\n\n- {long}\n")
    name = propose(place, evidence=(f"{DAY}#L3",))
    (one,) = shown(place, name).evidence
    assert one.missing == ""
    approve(place, name)
    assert f"\nEvidence: {DAY}#L3@" in place.message()


def test_commits_that_a_rebase_rewrote_do_not_stop_an_approval(place):
    place.commit({"notes.md": "a\n"})
    cited = journal(place)
    name = propose(place, evidence=(cited,))
    place.git("rebase", "-q", "--force-rebase", "--root", "--committer-date-is-author-date")
    place.git("commit", "-q", "--amend", "-m", "rewritten")
    place.git("reflog", "expire", "--expire=now", "--all")
    place.git("gc", "-q", "--prune=now")
    (one,) = shown(place, name).evidence
    assert one.missing == ""
    approve(place, name)
    assert place.text("SOUL.md") == ADDED
    place.agrees()


def test_evidence_that_is_gone_is_shown_as_such_and_stops_nothing(place):
    from clawgit.workspace.proposal import OPEN  # noqa: PLC0415

    name = propose(place, evidence=(journal(place),))
    tip = find(place.ws, name).commit
    text = tip.message.replace(f"{DAY}#L3@", f"{DAY}#L3@{'0' * 10}beef").replace("shorter", "longer")
    made = place.git("commit-tree", f"{tip.id}^{{tree}}", "-p", tip.parents[0], "-m", text).strip()
    place.git("update-ref", OPEN + name, made)
    found = shown(place, name)
    (one,) = found.evidence
    assert one.pointer is None
    assert one.missing
    assert "It has no evidence." in found.risk.reasons
    approve(place, name)
    assert "Evidence:" not in place.message()
    assert place.text("SOUL.md") == ADDED


# --- rejecting


def test_a_rejection_leaves_every_file_as_it_was(place):
    name = propose(place)
    before, head = place.tree(), place.head
    found = desk_decisions.reject(place.ws, name, "only in tests")
    assert (place.tree(), place.head, waiting(place)) == (before, head, [])
    assert (found.id, found.said.why) == (name, "asked for")
    with place.refused(f"{name} was rejected on 2026-02-14: only in tests"):
        approve(place, name)
    with place.refused(f"{name} was rejected on 2026-02-14: only in tests"):
        desk_decisions.reject(place.ws, name, "again")


def test_a_rejected_one_does_not_return_without_new_evidence(place):
    cited = journal(place)
    name = propose(place, evidence=(cited,))
    desk_decisions.reject(place.ws, name, "no")
    change = identity_edits.edit(place.ws, "add", "Short on the phone.", section="Vibe", why="other words")
    for evidence in ((), (cited,), (f'{DAY}#L3 "- Ana: shorter please."',)):
        again = place.ws.apply(Change(change.subject, "so", change.edits, evidence, "agent", "soul-keeper"), wait=True)
        assert (again.proposal.id, again.proposal.rejected) == (name, True)
    more = place.ws.apply(
        Change(change.subject, "so", change.edits, (cited, f"{DAY}#L4"), "agent", "soul-keeper"), wait=True
    )
    assert not more.proposal.rejected
    assert more.proposal.id != name
    approve(place, more.proposal.id)


def test_a_rejected_edit_on_disk_goes_back_each_time(place):
    policy(trusted(place), "review")
    wanted = SOUL.replace("Have a view.", "Have none.")
    place.write("SOUL.md", wanted)
    (captured,) = capture_all(place.ws).captured
    desk_decisions.reject(place.ws, captured.waiting[0], "no")
    for _ in range(2):
        place.write("SOUL.md", wanted)
        (captured,) = capture_all(place.ws).captured
        assert captured.waiting == ()
        assert place.text("SOUL.md") == SOUL
    assert waiting(place) == []


@pytest.mark.parametrize("why", ["", "  ", "the key is AKIA" + "Z7Q2X4WNB3RTY5KP"])
def test_a_rejection_has_a_reason_fit_for_the_log(place, why):
    name = propose(place)
    with place.refused():
        desk_decisions.reject(place.ws, name, why)


# --- finding


def test_a_proposal_is_found_by_its_beginning(place):
    one, two = propose(place), propose(place, "Other.")
    assert find(place.ws, one[:4]).id == one
    desk_decisions.reject(place.ws, two, "no")
    assert find(place.ws, two[:5]).rejection


@pytest.mark.parametrize("name", ["kkk", "", "abcdefghij", "../x", "kkkkkkkkkkkk", "KKKK"])
def test_what_is_no_id_is_said(place, name):
    with place.refused("clawgit soul proposals"):
        find(place.ws, name)


def test_the_nearest_is_named(place):
    name = propose(place)
    other = name[:-1] + ("k" if name[-1] != "k" else "l")
    with place.refused(f"there is no proposal {other}", f"clawgit soul review {name}"):
        find(place.ws, other)


def test_a_beginning_that_fits_two_is_said(place, monkeypatch):
    one = find(place.ws, propose(place))
    place.git("update-ref", proposal.OPEN + one.id[:4] + "kkkkkk", one.commit.id)
    place.git("update-ref", proposal.OPEN + one.id[:4] + "llllll", one.commit.id)
    with place.refused(f"several proposals begin with {one.id[:4]}"):
        find(place.ws, one.id[:4])


def test_only_a_managed_workspace_decides(place):
    name = propose(place)
    digest = shown(place, name).digest
    place.git("rm", "-q", "-r", "--cached", ".clawgit")
    place.git("commit", "-q", "-m", "workspace: given back by clawgit")
    with place.refused("is not managed"):
        desk_decisions.approve(place.ws, name, digest)
    with place.refused("is not managed"):
        desk_decisions.reject(place.ws, name, "no")


def test_a_proposal_lasts_two_weeks():
    assert timedelta(days=14) == proposal.LASTS


def test_what_is_kept_beside_the_words_lands_with_them(place):
    from clawgit.workspace import memory  # noqa: PLC0415

    trusted(place)
    added = memory.add(place.ws, "Ana likes it short.").change
    edit = identity_edits.edit(place.ws, "add", "Short on the phone.", section="Vibe", why="x")
    both = Change("soul: both", "x", (*edit.edits, *added.edits), rows=added.rows)
    name = place.ws.apply(both, wait=True).proposal.id
    found = shown(place, name)
    assert ([one.path for one in found.files], len(found.rows)) == (["MEMORY.md", "SOUL.md"], 1)
    place.ws.apply(memory.add(place.ws, "Ben likes it long.").change)
    approve(place, name)
    assert {one.text for one in memory.memories(place.ws)} == {"Ana likes it short.", "Ben likes it long."}
    place.agrees()
    place.ws.apply(undo(place.ws, name))
    assert [one.text for one in memory.memories(place.ws)] == ["Ben likes it long."]
    assert place.text("SOUL.md") == SOUL
