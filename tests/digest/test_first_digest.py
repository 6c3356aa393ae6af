"""The first digest after a folder was adopted."""

from datetime import timedelta

from clawgit.digest import adoption, digest_waiting
from clawgit.digest.digest_delivery import since_last
from clawgit.digest.digest_document import render
from clawgit.workspace.report.report import report
from clawgit.workspace.run_ledger import Ran, note
from clawgit.workspace.status import status

from .space import START, Space

SIGNS = "We decided that Ana signs off every invoice above 2,000 euros."


def adopted(space: Space) -> None:
    adoption.save(space.ws.store, space.now, report(space.root, space.ws.repo))


def test_it_tells_what_was_lost_and_what_could_be_kept_however_late_it_comes(space: Space) -> None:
    day = START - timedelta(days=12)
    space.write(f"memory/{day:%Y-%m-%d}.md", f"# {day:%Y-%m-%d}\n\n- {SIGNS}\n- The key lies with Bo.\n")
    space.write(f"memory/{day:%Y-%m-%d}.md", f"# {day:%Y-%m-%d}\n\n- {SIGNS}\n")
    adopted(space)
    space.now += timedelta(days=6)
    found = since_last(space.ws, space.now)
    text = " ".join(render(found).split())
    assert found.since <= space.now - timedelta(days=6)
    assert "1 line of journals stands nowhere any more, taken by 1 commit `clawgit adopt --dry-run`" in text
    assert "1 note of the last 30 days could be kept for good" in text
    assert SIGNS in text
    later = since_last(space.ws, space.now + timedelta(days=60)).parts[0]
    assert later.items


def test_what_was_found_is_told_once(space: Space) -> None:
    adopted(space)
    assert list(adoption.items(space.ws, space.now + timedelta(minutes=1), space.now + timedelta(days=1))) == []
    space.ws.store.save_document(adoption.ADOPTION, {})
    assert list(adoption.items(space.ws, space.now - timedelta(days=1), space.now)) == []


def test_what_is_no_command_is_no_code_and_one_reason_is_told_once(space: Space) -> None:
    for day in (12, 13):
        space.put(f"memory/2098-01-{day}.md", '- FTP password = "Kx9v-Tr4t-Pq2m-88Lw"\n')
    (one,) = [item for item in digest_waiting.part(space.ws, status(space.ws)).items if item.details]
    assert [text.partition(" ")[0] for text in one.details[:2]] == ["memory/2098-01-12.md:1", "memory/2098-01-13.md:1"]
    assert one.details[2].startswith("Move it to a password store")
    assert "Kx9v" not in " ".join(one.details)
    (space.root / "memory/2098-01-13.md").unlink()
    (one,) = [item for item in digest_waiting.part(space.ws, status(space.ws)).items if item.details]
    assert not one.command
    assert one.text.startswith("memory/2098-01-12.md:1")


def test_agents_that_did_nothing_are_not_told(space: Space) -> None:
    after = (space.now + timedelta(minutes=1)).isoformat()
    note(space.ws.store, Ran("index", after, after))
    note(space.ws.store, Ran("capture", after, after, committed=("a" * 40,)))
    space.now += timedelta(minutes=9)
    cost = next(part for part in space.digest().parts if part.name == "cost")
    assert [one.text for one in cost.items] == ["capture: 1 run, 1 commit"]
