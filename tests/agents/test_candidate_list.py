"""What could be a memory and is none is listed, a dozen of a week, until the operator decides."""

from datetime import UTC, datetime, timedelta

from clawgit.agents import memory_candidates
from clawgit.digest import digest_waiting
from clawgit.sessions import chat_store_choice

from .talk import DAY, NOON, Talk

START = datetime.fromtimestamp(NOON, UTC) - timedelta(hours=1)
STOVE = "The stove gets its new door on 12 May, the fitter has the key."


def listed(talk: Talk, days: int = 7) -> list[memory_candidates.Candidate]:
    with chat_store_choice.opened(talk.workspace.state, {}) as store:
        return memory_candidates.unkept(talk.workspace, store, START, START + timedelta(days=days))


def test_a_statement_with_a_date_or_a_number_is_listed_with_its_source(talk: Talk) -> None:
    event = talk.say(f"Morning! {STOVE} Can you look it up?")
    (one,) = listed(talk)
    assert one.text == STOVE.replace("12 May", "12 May (2026-05-12)")
    assert one.source.startswith(f"session:s1#{event}")


def test_talk_questions_others_words_and_secrets_are_not(talk: Talk) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    talk.say("What a long and tiring evening that was, honestly.")
    talk.say("Does the stove get its new door on 12 May?")
    talk.say(f"The token of the stove is {key} since May 12.")
    talk.say(f"> {STOVE}")
    talk.say(f"Note that {STOVE} Scrap that.")
    talk.say(STOVE, origin="untrusted")
    talk.say(STOVE, origin="agent")
    assert listed(talk) == []


def test_what_triage_flags_comes_first_and_a_week_has_a_dozen(talk: Talk) -> None:
    for number in range(20):
        talk.say(f"The relay number {number} stands in the rack by the door.", at=NOON + number)
    talk.say("Well, the plan is that Ana takes the keys of the house.", at=NOON + 60)
    talk.say("The other relay stands in rack 7 by the long wall.", at=NOON + 7 * DAY)
    assert len(listed(talk)) == memory_candidates.A_WEEK
    assert listed(talk)[-1].text.startswith("Well, the plan is")
    assert len(listed(talk, 30)) == memory_candidates.A_WEEK + 1


def test_what_is_kept_or_decided_on_is_listed_no_longer(talk: Talk) -> None:
    talk.say(f"fact: {STOVE}")
    talk.say("The relay stands in rack 7 by the long wall.", at=NOON + 60)
    assert len(listed(talk)) == 2
    talk.mine()
    (one,) = listed(talk)
    memory_candidates.settle(talk.workspace, one, keep=False)
    assert listed(talk) == []


def test_the_first_digest_of_a_week_tells_of_the_list_and_no_other_does(talk: Talk) -> None:
    talk.say(STOVE)
    monday = START + timedelta(days=7) - timedelta(hours=3)  # NOON is one, too
    (item,) = digest_waiting.said(talk.workspace, monday - timedelta(days=1), monday)
    assert item.command.startswith("clawgit memory keep ")
    assert STOVE.partition(" on ")[0] in item.details[0]
    assert list(digest_waiting.said(talk.workspace, monday, monday + timedelta(days=1))) == []


def test_what_made_a_correction_is_not_listed(talk: Talk) -> None:
    event = talk.say("No, the backup runs on Saturdays at 6, not on Sundays.")
    assert len(listed(talk)) == 1
    record = (
        f'## plrklomlyt 2026-05-04 12:00\n\n- Said: Sundays\n- True: Saturdays\n- Source: session:s1#{event} "No"\n'
    )
    talk.write("CORRECTIONS.md", talk.text("CORRECTIONS.md") + record)
    assert listed(talk) == []
