"""What clawgit made here is told as a fact, and what says so elsewhere as a claim."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from clawgit.git import own_commits, write_steps
from clawgit.memory import purge, purge_places
from clawgit.workspace import evidence_check, memory, records, undo

from .places import Place

CLAWGIT = Path(sys.executable).with_name("clawgit")
AGENT = "memory-miner"
LINE = "- The pump hums at night."
IDENTITY = {
    f"GIT_{who}_{key}": word
    for who in ("AUTHOR", "COMMITTER")
    for key, word in (("NAME", "clawgit"), ("EMAIL", "clawgit@localhost"))
}


def keep(place, text="The pump runs on weekdays."):
    """Make a genuine change of an agent; return its commit."""
    change = replace(memory.add(place.ws, text).change, agent=AGENT, origin="operator")
    return place.ws.apply(change, wait=False).commit


def log(root, *words):
    """Return what `clawgit log --json` says, by commit."""
    done = subprocess.run([CLAWGIT, "-C", root, "log", "--json", *words], capture_output=True, text=True, check=True)
    return {one["commit"]: one for one in json.loads(done.stdout)}


def told(place, commit):
    """Return what tells who made a commit."""
    with place.open() as workspace:
        one = next(one for one in records.log(workspace) if one.commit == commit)
        return one.claimed, one.agent, one.origin


def forge(place, message, **identity):
    """Commit a line beside clawgit under a message and an identity."""
    place.write("MEMORY.md", f"{place.text('MEMORY.md').rstrip()}\n{LINE}\n")
    subprocess.run(
        ["git", "commit", "-q", "-am", message], cwd=place.root, env=os.environ | IDENTITY | identity, check=True
    )
    return place.head


def by_commit(place, genuine):
    return forge(place, place.message(genuine))


def by_trailer_of_the_operator(place, _):
    return forge(place, "memory: x\n\nOrigin: operator", GIT_COMMITTER_EMAIL="ada@example.org")


def by_mail(place, genuine):
    mail = place.git("format-patch", "-1", "--stdout", genuine)
    place.git("reset", "-q", "--hard", f"{genuine}^")
    place.commit({"a.txt": "a\n"})
    place.git("am", "-q", stdin=mail)
    return place.head


def by_amending(place, _):
    place.git("commit", "-q", "--amend", "--no-edit", "--date", "2026-02-01T00:00:00Z")
    return place.head


WAYS = [by_commit, by_trailer_of_the_operator, by_mail, by_amending]


@pytest.mark.parametrize("way", WAYS)
def test_a_commit_that_clawgit_did_not_make_makes_a_claim(place, way):
    genuine = keep(place)
    assert told(place, genuine) == (False, AGENT, "operator")
    forged = way(place, genuine)
    claimed, agent, origin = told(place, forged)
    assert (claimed, agent in (AGENT, None), origin) == (True, True, None)
    assert forged not in log(place.root, "--origin", "operator")
    text = subprocess.run([CLAWGIT, "-C", place.root, "log"], capture_output=True, text=True, check=True).stdout
    assert text.count("claims: ") == 1


def test_why_and_evidence_tell_a_forged_line_from_a_genuine_one(place):
    genuine = keep(place)
    forged = by_commit(place, genuine)
    rows = place.text("MEMORY.md").splitlines()
    found = {}
    for commit, text in ((genuine, "- The pump runs on weekdays."), (forged, LINE)):
        number = next(at for at, row in enumerate(rows, 1) if row.startswith(text))
        done = subprocess.run(
            [CLAWGIT, "-C", place.root, "why", f"MEMORY.md:{number}", "--json"], capture_output=True, check=True
        )
        found[commit] = json.loads(done.stdout)[0] | {"number": number}
    assert [found[one]["claimed"] for one in (genuine, forged)] == [False, True]
    cited = [f"MEMORY.md@{one[:10]}#L{found[one]['number']}" for one in (genuine, forged)]
    with place.open() as workspace:
        assert list(evidence_check.find_origins(workspace, cited))[1] == "unknown"


def test_a_clone_claims_all_and_undoes_it_all_the_same(place, tmp_path):
    genuine = keep(place)
    place.git("clone", "-q", place.root, tmp_path / "clone")
    clone = Place(tmp_path / "clone")
    for key, value in (("user.name", "Bob"), ("user.email", "bob@example.org")):
        clone.git("config", key, value)
    assert told(clone, genuine) == (True, AGENT, None)
    with clone.open() as workspace:
        done = workspace.apply(undo.undo(workspace, genuine))
    assert told(clone, done.commit)[0] is False
    assert told(clone, genuine)[0] is True
    assert b"weekdays" not in clone.read("MEMORY.md")


def test_a_purge_gives_the_record_the_new_ids(place):
    pytest.importorskip("git_filter_repo")
    secret = "kq7-passphrase/44"
    keep(place, f"The vault opens with {secret} today.")
    genuine = keep(place)
    forged = by_commit(place, genuine)
    with place.open() as workspace:
        purge.purge(workspace, purge_places.find(workspace, purge_places.read_phrase(secret)), None)
    found = log(place.root)
    assert {genuine, forged} & set(found) == set()
    assert [one["claimed"] for one in found.values() if one["agent"] == AGENT] == [True, False, False]
    assert sum(one["claimed"] for one in found.values()) == 1
    assert genuine not in place.text(f".git/clawgit/state/{own_commits.NAME}")


@pytest.mark.parametrize("step", ["pending", "branch"])
def test_a_write_that_was_killed_is_no_claim_once_it_landed(place, step):
    def die(reached):
        if reached == step:
            raise KeyboardInterrupt

    before = place.head
    write_steps.observe(die)
    try:
        keep(place)
    except KeyboardInterrupt:
        pass
    finally:
        write_steps.forget(die)
    with place.open() as workspace:
        workspace.apply(memory.add(workspace, "Something else.").change)
        made = [one for one in records.log(workspace) if one.commit != before]
    assert not any(one.claimed for one in made)


@pytest.mark.parametrize("kind", ["link", "bytes"])
def test_a_record_that_is_none_makes_claims_of_all(place, kind, tmp_path):
    genuine = keep(place)
    record = place.root / ".git/clawgit/state" / own_commits.NAME
    (tmp_path / "other").write_bytes(record.read_bytes())
    record.unlink()
    if kind == "link":
        record.symlink_to(tmp_path / "other")
    elif kind == "folder":
        record.mkdir()
    else:
        record.write_bytes(b"\0\xff" * 100)
    assert told(place, genuine)[0] is True
