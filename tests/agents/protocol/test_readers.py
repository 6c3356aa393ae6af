"""Agents that read with a voice, with the checks as they are."""

import re

import pytest

from clawgit.agents.protocol import reader_runs
from clawgit.agents.protocol.batch_run import Outcome
from clawgit.errors import UsageError
from clawgit.llm.asking import Asked
from clawgit.sessions import chat_store_choice
from clawgit.workspace import memory, run_ledger, undo
from tests.agents.protocol.scripted import Scripted, add, answer
from tests.agents.talk import DAY, NOON, Talk

LATE = NOON + 27 * DAY


def wholly(asked: Asked) -> str:
    """Call each claim wholly borne out that stands in its source, and nothing else."""
    text = asked.material
    sources = dict(re.findall(r"^(S\d+): (.*)$", text, re.MULTILINE))
    pairs = re.findall(r"^(\d+) \[(S\d+)\] (.*)$", text, re.MULTILINE)
    return "\n".join(
        f"{n} {'wholly' if claim.rstrip('.').casefold() in sources[one].casefold() else 'not'}"
        for n, one, claim in pairs
    )


def replying(*replies: str) -> Scripted:
    """Return a voice that answers batches in turn, and judges what it is asked to."""
    left = list(replies)

    def reply(asked: Asked) -> str:
        if "Judge each claim" in asked.rules:
            return wholly(asked)
        return left.pop(0) if len(left) > 1 else left[0]

    return Scripted(reply)


def run(talk: Talk, agent: str, voice: Scripted, **more: object) -> Outcome:
    with chat_store_choice.opened(talk.workspace.state, {}) as store:
        return reader_runs.reading(talk.workspace, store, agent, voice, **more).run()


def test_a_claim_lands_when_its_words_bear_it_out_and_an_invention_does_not(talk: Talk) -> None:
    talk.say("The relay listens on port 8080.", at=LATE)
    good = {"act": "add", "turns": [1], "text": "The relay listens on port 8080.", "tag": "knowledge"}
    bad = {"act": "add", "turns": [1], "text": "The relay listens on port 9090.", "tag": "knowledge"}
    found = run(talk, "memory-miner", replying(answer(good, bad), answer()))
    assert [one.state for one in found.verdicts] == ["landed", "refused"]
    assert talk.bullets() == ["- The relay listens on port 8080. #knowledge"]


def test_what_was_asked_for_lands_by_itself_when_the_voice_is_lazy(talk: Talk) -> None:
    talk.say("Remember that the kettle in the office is blue.", at=LATE)
    found = run(talk, "memory-miner", replying(answer()))
    assert [one.state for one in found.verdicts] == ["landed"]
    assert talk.bullets() == ["- Remember that the kettle in the office is blue. #knowledge"]


def test_a_correction_mends_the_entry_and_leaves_a_record(talk: Talk) -> None:
    talk.workspace.apply(memory.add(talk.workspace, "The launch is on Monday.").change)
    (key,) = (one.id for one in memory.memories(talk.workspace))
    talk.say("The launch is on Monday, as you know.", at=LATE, origin="agent")
    talk.say("No, it's Tuesday. The launch is on Tuesday.", at=LATE + 60)
    said = answer({"act": "correct", "turns": [2], "entries": [key], "wrong": "Monday", "right": "Tuesday"})
    found = run(talk, "recall-validator", replying(said))
    assert [(one.state, one.why) for one in found.verdicts] == [("landed", "")]
    assert talk.bullets()[0].startswith("- The launch is on Tuesday. #knowledge #correction")
    assert "Monday" in talk.text("CORRECTIONS.md")
    (row,) = (one for one in talk.workspace.rows().values() if one.file == "MEMORY.md")
    assert row.confidence == 1.0
    for commit in run_ledger.standing(talk.workspace).commits:
        talk.workspace.apply(undo.undo(talk.workspace, commit))
    assert talk.bullets() == ["- The launch is on Monday. #knowledge"]


CORRECTED = {
    "The kickoff with Acme is on Monday.": ("No sorry, Thursday, not Monday.", "Monday", "Thursday"),
    "Remember that the dentist is at 14:00.": ("No, I said 15:00, not 14:00.", "14:00", "15:00"),
    "Der Serverraum ist in Raum 214.": ("Nein, Raum 241, nicht 214.", "214", "241"),
    "Mi hermana vive en Sevilla.": ("No, no vive en Sevilla, sino en Segovia.", "Sevilla", "Segovia"),
    "Le budget du salon est de 168 euros.": ("Non, 186 euros, pas 168 euros.", "168", "186"),
    "The fence is 40 m long.": ("No, it's 46 m, not 40 m.", "40 m", "46 m"),
    "The printer is in room Elm.": ("No, in room Oak, not Elm.", "Elm", "Oak"),
    "The standup is on Friday.": ("Wrong, I said Saturday, not Friday.", "Friday", "Saturday"),
}


def _kept(said: str) -> str:
    return said.removeprefix("Remember that ")


def reading_corrections(asked: Asked) -> str:
    """Answer a batch as one who reads turn by turn: keep what is stated, correct what is corrected."""
    text = asked.material
    if "Judge each claim" in asked.rules:
        true = {f'[{said}] Not "{wrong}" but "{right}"' for said, wrong, right in CORRECTED.values()}
        true |= {f"[{words}] {_kept(said).replace(wrong, right)}" for said, (words, wrong, right) in CORRECTED.items()}
        true |= {f"[{said}] {_kept(said)}" for said in CORRECTED}
        sources = dict(re.findall(r'^(S\d+): \S+ "(.*)"$', text, re.MULTILINE))
        pairs = re.findall(r"^(\d+) \[(S\d+)\] (.*)$", text, re.MULTILINE)
        return "\n".join(f"{n} {'wholly' if f'[{sources[one]}] {claim}' in true else 'not'}" for n, one, claim in pairs)
    turns = {said: int(n) for n, said in re.findall(r"^(\d+) O\S* (.*)$", text, re.MULTILINE)}
    found = []
    for said, (words, wrong, right) in CORRECTED.items():
        line = _kept(said)
        if "# Memory Miner" in asked.rules:
            found += [add(line, turns[said])] if said in turns else []
        elif words in turns:
            key = re.search(rf"^(\w{{10}}) .*{re.escape(wrong)}.*$", text, re.MULTILINE)
            more = {"entries": [key[1]]} if key else {"text": line.replace(wrong, right)}
            found.append({"act": "correct", "turns": [turns[words]], "wrong": wrong, "right": right, **more})
    return answer(*found)


@pytest.mark.parametrize("order", ["VM", "MV", "VMVM", "MVMV"])
def test_corrections_of_one_day_end_right_whoever_reads_first(talk: Talk, order: str) -> None:
    for at, (said, (words, _, _)) in enumerate(CORRECTED.items()):
        talk.say(said, at=LATE + at * 600, session=f"s{at}")
        talk.say("Noted.", at=LATE + at * 600 + 30, session=f"s{at}", origin="agent")
        talk.say(words, at=LATE + at * 600 + 60, session=f"s{at}")
    for job in order:
        run(talk, {"V": "recall-validator", "M": "memory-miner"}[job], Scripted(reading_corrections))
    said = re.sub(r"<!--.*?-->", "", talk.text())
    assert [one for one in CORRECTED.values() if one[1] in said or said.count(one[2]) != 1] == []


def test_the_validator_is_asked_only_where_something_sounds_like_a_correction(talk: Talk) -> None:
    talk.say("Good morning.", at=LATE)
    voice = replying(answer())
    assert run(talk, "recall-validator", voice).batches == 0
    assert not voice.asked


def test_a_rule_of_conduct_becomes_a_line_of_the_soul(talk: Talk) -> None:
    talk.workspace.trusted.approve({"SOUL.md": talk.text("SOUL.md")})
    talk.workspace.approvals()
    talk.say("From now on, never use emojis in mails to clients.", at=LATE)
    line = {"act": "soul", "turns": [1], "file": "SOUL.md", "line": 0, "text": "Never use emojis in mails to clients."}
    first = run(talk, "soul-keeper", replying(answer(line)))
    assert [one.state for one in first.verdicts] == ["waits"]
    assert "emojis" not in talk.text("SOUL.md")
    talk.say("Again emojis! From now on, never use emojis in mails to clients.", at=LATE + DAY / 2)
    voice = replying(answer(line))
    second = run(talk, "soul-keeper", voice)
    assert "Heard before:\n2026-05-31 From now on, never use emojis" in voice.asked[0].material
    assert [(one.state, one.why) for one in second.verdicts] == [("landed", "")]
    assert "- Never use emojis in mails to clients." in talk.text("SOUL.md")


def test_memories_that_changed_are_compared(talk: Talk) -> None:
    for text in ("The launch of the relay is on Monday.", "The launch of the relay is on Tuesday."):
        talk.workspace.apply(memory.add(talk.workspace, text).change)
    voice = replying(answer())
    found = run(talk, "conflict-detector", voice)
    assert found.batches == 1
    material = voice.asked[0].material
    assert "The launch of the relay is on Monday." in material
    assert run(talk, "conflict-detector", voice).batches == 0


def test_a_locked_soul_is_not_even_read_for(talk: Talk) -> None:
    talk.write("CONFIG.md", "```yaml\nsoul_policy: locked\n```\n")
    talk.workspace.__dict__.pop("config", None)
    talk.say("From now on, be brief.", at=LATE)
    voice = replying(answer())
    assert run(talk, "soul-keeper", voice).notes == ["soul_policy is locked: soul-keeper proposes nothing"]
    assert not voice.asked


def test_only_a_soul_is_kept(talk: Talk) -> None:
    with pytest.raises(UsageError, match="is no soul"):
        run(talk, "soul-keeper", replying(answer()), path="README.md")
