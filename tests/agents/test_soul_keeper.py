"""The soul keeper, on conversations with its operator."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.store.item import Item
from clawgit.text.tokens import count
from clawgit.workspace import decide, evidence_check, records, undo
from clawgit.workspace.item_view import view

from .keeping.kept import LINE, STOP, adopt, exchange, keep, preview, soul
from .talk import DAY, NOON, Talk


def commits(talk: Talk) -> list[str]:
    return talk.git("log", "--format=%s", "--", "SOUL.md").splitlines()


def waiting(talk: Talk) -> list[Item]:
    return talk.workspace.store.read_items("open")


def policy(talk: Talk, value: str) -> None:
    text = talk.text("CONFIG.md").replace("soul_max_tokens:", f"soul_policy: {value}\nsoul_max_tokens:")
    talk.write("CONFIG.md", text)
    talk.workspace.close()
    talk.workspace = talk.opened()


def test_a_standing_wish_becomes_one_line_that_cites_it(talk: Talk) -> None:
    """Covers P2."""
    event = talk.say(STOP)
    result = keep(talk)
    assert soul(talk) == ["- Have a view.", "- Look before asking.", LINE]
    said = talk.git("log", "-1", "--format=%B")
    assert f'Evidence: session:s1#{event} "{STOP}"' in said
    assert "Clawgit-Agent: soul-keeper" in said
    assert "Origin: operator" in said
    assert "Risk: low" in said
    assert [one.act for one in result.learnt] == ["add"]


def test_a_preview_writes_nothing_and_shows_what_would_be_written(talk: Talk) -> None:
    talk.say(STOP)
    before = talk.git("rev-parse", "HEAD")
    shown = preview(talk)
    assert talk.git("rev-parse", "HEAD") == before
    keep(talk)
    assert shown.texts["SOUL.md"][1] == talk.text("SOUL.md")


def test_the_same_talk_gives_nothing_the_second_time(talk: Talk) -> None:
    talk.say(STOP)
    keep(talk)
    before = talk.git("rev-parse", "HEAD")
    again = keep(talk)
    assert (again.read, again.learnt) == (0, [])
    assert keep(talk, start=0.0).learnt == []
    talk.say("Stop ending your answers with questions.", at=NOON + DAY)
    assert keep(talk).skipped["known"] == 1
    assert talk.git("rev-parse", "HEAD") == before


def test_what_was_undone_returns_only_when_it_is_said_again(talk: Talk) -> None:
    talk.say(STOP)
    keep(talk)
    talk.workspace.apply(undo.undo(talk.workspace))
    assert LINE not in soul(talk)
    assert keep(talk).learnt == []
    assert keep(talk, start=0.0).learnt == []
    talk.say(STOP, at=NOON + 5 * DAY)
    keep(talk)
    assert LINE in soul(talk)


def test_what_the_operator_took_out_by_hand_stays_out(talk: Talk) -> None:
    talk.say(STOP)
    keep(talk)
    talk.write("SOUL.md", talk.text("SOUL.md").replace(f"{LINE}\n", ""))
    keep(talk, start=0.0)
    assert LINE not in soul(talk)


def test_of_two_wishes_against_each_other_the_newer_wins(talk: Talk) -> None:
    talk.say("Never use emojis.")
    talk.say("From now on please use emojis in your answers.", at=NOON + 3 * DAY)
    keep(talk)
    assert soul(talk)[2:] == ["- From now on please use emojis in your answers."]
    keep(talk, start=0.0)
    assert soul(talk)[2:] == ["- From now on please use emojis in your answers."]


def test_a_newer_correction_takes_the_place_of_the_line_that_it_contradicts(talk: Talk) -> None:
    talk.say("Never use emojis.")
    keep(talk)
    assert soul(talk)[2:] == ["- Never use emojis."]
    talk.say("From now on please use emojis in your answers.", at=NOON + 3 * DAY)
    keep(talk)
    assert soul(talk)[2:] == ["- From now on please use emojis in your answers."]
    assert 'In place of "Never use emojis."' in talk.git("log", "-1", "--format=%B")


def test_a_line_that_the_operator_approved_is_changed_by_him_alone(talk: Talk) -> None:
    talk.say("From now on, always keep your answers short.")
    adopt(talk, "# Soul\n\n- Give detailed answers.\n- Look before asking.\n")
    talk.workspace.follow({"SOUL.md": talk.text("SOUL.md")})
    talk.workspace.trusted.approve({"SOUL.md": talk.text("SOUL.md")})
    talk.workspace.approvals()
    keep(talk)
    assert soul(talk) == ["- Give detailed answers.", "- Look before asking."]
    (found,) = waiting(talk)
    assert (
        found.texts["SOUL.md"][1] == "# Soul\n\n- From now on, always keep your answers short.\n- Look before asking.\n"
    )


@pytest.mark.parametrize("origin", ["untrusted", "agent"])
def test_only_the_operator_is_heard(talk: Talk, origin: str) -> None:
    talk.say(STOP, origin=origin)
    keep(talk)
    assert len(soul(talk)) == 2
    assert waiting(talk) == []


def test_locked_means_that_nothing_is_proposed_and_that_is_said(talk: Talk) -> None:
    policy(talk, "locked")
    talk.say(STOP)
    result = keep(talk)
    assert (result.applied, waiting(talk)) == ([], [])
    assert result.notes == ["soul_policy is locked: soul-keeper proposes nothing"]


def test_under_review_everything_waits_and_what_was_rejected_needs_new_evidence(talk: Talk) -> None:
    policy(talk, "review")
    talk.say(STOP)
    keep(talk)
    (found,) = waiting(talk)
    keep(talk)
    assert [one.id for one in waiting(talk)] == [found.id]
    decide.reject(talk.workspace, found.id, "I like questions")
    assert keep(talk).skipped["rejected before"] == 1
    assert waiting(talk) == []
    talk.say("Stop ending every message to me with a question!", at=NOON + 9 * DAY)
    keep(talk)
    assert len(waiting(talk)) == 1
    assert LINE not in soul(talk)


def test_two_that_wait_can_both_be_approved(talk: Talk) -> None:
    policy(talk, "review")
    talk.say(STOP)
    talk.say("Never use emojis.", at=NOON + DAY)
    keep(talk)
    for one in waiting(talk):
        decide.accept(talk.workspace, one.id, view(talk.workspace, one).digest)
    assert set(soul(talk)[2:]) == {LINE, "- Never use emojis."}
    assert keep(talk).learnt == []


def test_without_a_soul_nothing_is_made(talk: Talk) -> None:
    talk.git("rm", "--quiet", "SOUL.md")
    talk.git("commit", "--quiet", "-m", "no soul")
    talk.say(STOP)
    (note,) = keep(talk).notes
    assert note.startswith("there is no SOUL.md here")
    assert not (talk.root / "SOUL.md").exists()


def test_a_second_agent_has_a_soul_of_its_own(talk: Talk) -> None:
    adopt(talk, "# Ada\n\n- Be kind.\n", "agents/main/SOUL.md")
    talk.say(STOP)
    keep(talk)
    assert len(soul(talk)) == 2
    keep(talk, path="agents/main/SOUL.md")
    assert talk.bullets("agents/main/SOUL.md")[-1] == LINE
    with pytest.raises(ClawgitError):
        keep(talk, path="agents/memory-miner/SOUL.md")
    with pytest.raises(ClawgitError):
        keep(talk, path="USER.md")


def test_months_without_a_remark_leave_no_commit(talk: Talk) -> None:
    for day in range(5):
        exchange(talk, "Thanks, see you tomorrow.", day)
    before = talk.git("rev-parse", "HEAD")
    assert keep(talk).learnt == []
    assert talk.git("rev-parse", "HEAD") == before


def test_how_work_is_done_goes_to_the_lessons_and_never_to_the_soul(talk: Talk) -> None:
    wish = "Always run the tests before you push to main."
    talk.say(wish)
    assert keep(talk).skipped["about work, and lessons_file is not set"] == 1
    talk.write(
        "CONFIG.md", talk.text("CONFIG.md").replace("soul_max_tokens:", "lessons_file: AGENTS.md\nsoul_max_tokens:")
    )
    talk.workspace.close()
    talk.workspace = talk.opened()
    keep(talk)
    assert len(soul(talk)) == 2
    (found,) = waiting(talk)
    assert f"## Lessons\n\n- {wish}\n" in (found.texts["AGENTS.md"][1] or "")
    decide.accept(talk.workspace, found.id, view(talk.workspace, found).digest)
    assert f"## Lessons\n\n- {wish}\n" in talk.text("AGENTS.md")
    assert keep(talk).learnt == []


def test_a_full_soul_is_never_grown_silently(talk: Talk) -> None:
    rows = "".join(f"- Principle {number}: think before acting on matter {number}.\n" for number in range(90))
    adopt(talk, f"# Soul\n\n{rows}")
    size = count(talk.text("SOUL.md"))
    talk.say(STOP)
    result = keep(talk)
    assert count(talk.text("SOUL.md")) <= max(size, 800)
    assert result.skipped["no room"] == 1
    (found,) = waiting(talk)
    assert found.title.startswith("soul: drop: Principle")


def test_a_full_soul_makes_two_same_lines_one(talk: Talk) -> None:
    rows = "".join(f"- Principle {number}: think before acting on matter {number}.\n" for number in range(90))
    adopt(talk, f"# Soul\n\n{rows}- Never lie to your human.\n- Never lie to your human!\n- Be kind to all, always.\n")
    talk.say(STOP)
    keep(talk)
    assert talk.text("SOUL.md").count("Never lie") == 1


def test_evidence_holds_when_its_file_is_gone_or_its_line_moved_and_not_when_its_words_changed(talk: Talk) -> None:
    talk.write("memory/2026-05-01.md", "# 2026-05-01\n\nShorter, please.\n")
    talk.git("add", "memory")
    talk.git("commit", "--quiet", "-m", "a journal")
    then = talk.git("rev-parse", "HEAD").strip()
    talk.git("rm", "--quiet", "memory/2026-05-01.md")
    talk.git("commit", "--quiet", "-m", "gone")
    cited = f'memory/2026-05-01.md#L3@{then[:10]} "Shorter, please."'
    (found,) = evidence_check.resolve(talk.workspace.repo, talk.workspace.head, (cited,))
    assert found.pointer.quote == "Shorter, please."
    talk.write("memory/2026-05-01.md", "# 2026-05-01\n\nOne more line.\n\nShorter, please.\n")
    talk.git("add", "memory")
    talk.git("commit", "--quiet", "-m", "moved")
    assert evidence_check.resolve(talk.workspace.repo, talk.workspace.head, (cited,)) == (found,)
    with pytest.raises(ClawgitError):
        evidence_check.resolve(talk.workspace.repo, talk.workspace.head, (cited.replace("Shorter", "Longer"),))


def test_conduct_against_a_principle_is_told_and_changes_no_line(talk: Talk) -> None:
    adopt(talk, "# Soul\n\n- Don't end answers with a question.\n")
    before = talk.git("rev-parse", "HEAD")
    for day in range(6):
        talk.say("and now?", session=f"d{day}", at=NOON + (20 + day) * DAY)
        talk.say("Done. Anything else?", session=f"d{day}", at=NOON + (20 + day) * DAY + 5, origin="agent")
    (note,) = keep(talk).notes
    assert note.startswith("drift: 100 % of 6 occasions of late contradict")
    assert talk.git("rev-parse", "HEAD") == before


def test_the_log_of_a_soul_names_its_keeper(talk: Talk) -> None:
    talk.say(STOP)
    keep(talk)
    (found, *_) = records.log(talk.workspace, "SOUL.md")
    assert (found.agent, found.origin, found.why) == ("soul-keeper", "operator", "The operator asked for it.")


def test_a_note_of_memory_that_nobody_can_vouch_for_waits(talk: Talk) -> None:
    from clawgit.workspace import memory  # noqa: PLC0415

    talk.workspace.apply(memory.add(talk.workspace, "Never use emojis.").change)
    keep(talk)
    assert len(soul(talk)) == 2
    (found,) = waiting(talk)
    assert any(one.startswith("MEMORY.md#L") for key, one in found.trailers if key == "Evidence")


def test_what_is_doubtful_waits_with_its_words_and_is_never_a_line_by_itself(talk: Talk) -> None:
    talk.say("Never use emojis when I am at work.")
    keep(talk)
    assert len(soul(talk)) == 2
    (found,) = waiting(talk)
    assert found.texts["SOUL.md"][1] == talk.text("SOUL.md") + "- Never use emojis when I am at work.\n"
    assert "It waits: it holds in one case only." in found.reason


def test_no_more_than_ten_doubtful_rules_wait_at_a_time(talk: Talk) -> None:
    words = ["red", "blue", "green", "pink", "grey", "black", "white", "brown", "beige", "amber", "olive", "coral"]
    for day, word in enumerate(words):
        talk.say(f"Never say {word} in your answers when it rains.", at=NOON + day * DAY)
    talk.say(STOP, at=NOON + 20 * DAY)
    result = keep(talk)
    assert len(waiting(talk)) == 10
    assert result.skipped["others wait already"] == 2
    assert soul(talk)[-1] == LINE
    keep(talk)
    assert len(waiting(talk)) == 10


def test_a_line_that_the_keeper_did_not_write_is_never_replaced_by_itself(talk: Talk) -> None:
    adopt(talk, "# Soul\n\n- Use emojis.\n")
    talk.say("Never use emojis.")
    keep(talk)
    assert soul(talk) == ["- Use emojis."]
    (found,) = waiting(talk)
    assert found.texts["SOUL.md"][1] == "# Soul\n\n- Never use emojis.\n"
