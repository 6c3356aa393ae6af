"""What could be a memory and is none is listed, five of a day, until the operator decides."""

from datetime import UTC, datetime, timedelta

from clawgit.agents import inbox_items, memory_candidates
from clawgit.sessions import chat_store_choice
from clawgit.store.item import Item
from clawgit.workspace import inbox_list

from .talk import NOON, Talk

START = datetime.fromtimestamp(NOON, UTC) - timedelta(hours=1)
STOVE = "The stove gets its new door on 12 May, the fitter has the key."


def listed(talk: Talk, days: int = 7) -> list[memory_candidates.Candidate]:
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        return memory_candidates.list_candidates(talk.workspace, store, START, START + timedelta(days=days))


def test_a_statement_with_a_date_or_a_number_is_listed_with_its_source(talk: Talk) -> None:
    event = talk.say(f"Morning! {STOVE} Can you look it up?")
    (one,) = listed(talk)
    assert one.text == STOVE
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


def waiting(talk: Talk) -> list[Item]:
    memory_candidates.refresh(talk.workspace)
    return inbox_list.list_items(talk.workspace, "candidate")


def test_what_is_kept_or_decided_on_waits_no_longer(talk: Talk) -> None:
    talk.say(f"fact: {STOVE}")
    talk.say("The relay stands in rack 7 by the long wall.", at=NOON + 60)
    talk.workspace.clock = lambda: START + timedelta(hours=2)
    assert len(waiting(talk)) == 2
    talk.mine()
    (item,) = waiting(talk)
    inbox_items.reject(talk.workspace, item)
    assert waiting(talk) == []
    talk.say("And so it is.", at=NOON + 120)
    assert waiting(talk) == []
