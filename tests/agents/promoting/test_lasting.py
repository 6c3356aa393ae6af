"""What holds on is told from what belongs to its day."""

import subprocess

import pytest

from clawgit.agents.promoting import whose
from clawgit.agents.promoting.candidates import LEAST
from clawgit.agents.promoting.weighing import Said, weigh
from clawgit.git import repository
from clawgit.workspace.workspace import Workspace

# Each pair names the same things; the first holds on, the second is over when the day is.
PAIRS = [
    (
        "From now on Mia approves every travel request above 300 euros.",
        "Mia approves of the new coffee, 4 euros a bag.",
    ),
    ("We dropped Jenkins for good.", "Dropped the parcel for Jenkins at the post office."),
    ("The ledger table is append-only; nobody updates a row.", "Looked at the ledger table for an hour, row by row."),
    ("Rent for the studio is $1,400 as of March 2027.", "Paid $14 for lunch near the studio."),
    (
        "The contract with Acme ends on 2028-03-31, in writing only.",
        "Printed the contract of Acme twice, toner is low.",
    ),
    ("Ana is our contact at Acme now.", "Ana had contact lenses fitted, back at 14:30."),
    ("Ben is allergic to penicillin and takes no aspirin.", "Ben took an aspirin this morning."),
    ("Our first paying customer signed today.", "First coffee with a customer at 09:10."),
    ("Lena and Tom are married since last week.", "Lena and Tom are late, traffic."),
    ("We want to be in three countries by 2029.", "We want pizza tonight."),
    ("No advertising for Luma, not even when it would pay.", "No advertising in today's newsletter."),
    ("Never forget: the vault opens from the left only.", "Never mind the umbrella, the weather holds."),
    ("Künftig unterschreibt nur Mia Verträge über 5000 Euro.", "Mia unterschreibt die Geburtstagskarte um 14:30."),
    ("Ben isst kein Schweinefleisch und trinkt keinen Alkohol.", "Ben hat zu Mittag Nudeln gegessen."),
    ("A partir de mayo Mia firma todos los contratos.", "Mia firma la tarjeta de cumpleaños esta tarde."),
    ("今后所有合同都由米娅签字。", "今天和米娅吃了午饭。"),
    ("契約書は今後必ず美咲が確認する。", "美咲とランチを食べた。"),
    ("앞으로 모든 계약은 미나가 승인한다.", "미나와 점심 먹음."),
]
SAID = [
    "Mia wonders whether we should drop Jenkins for good.",
    "Someone in the forum says rent is $1,400 a month there.",
    "Ana asked what the contract says.",
    "Mia joked that from now on she approves every cake.",
    "Maria values her family and believes in her friends.",
    "★★★★ for the noodles at the station.",
]


@pytest.mark.parametrize(("lasting", "passing"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_sense_decides_and_not_the_word(lasting: str, passing: str) -> None:
    assert weigh(Said(lasting)).confidence >= LEAST
    assert weigh(Said(passing)).confidence < LEAST


@pytest.mark.parametrize("text", SAID)
def test_what_is_asked_told_of_others_felt_or_rated_stays_where_it_is(text: str) -> None:
    assert weigh(Said(text)).confidence < LEAST


def test_a_confidence_names_the_sign_that_it_holds_on_by_its_words() -> None:
    found = weigh(Said("From now on Mia signs every invoice, nobody else does."))
    assert ("from now on: “From now on”", 0.2) in found.parts
    assert ("a rule: “nobody”", 0.1) in found.parts


def test_of_a_file_that_one_commit_brought_every_line_is_of_it(tmp_path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    def write(name: str, text: str) -> None:
        place = tmp_path / "memory" / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(place.read_text() + text if place.exists() else text)

    git("init", "-q", "-b", "main")
    names = ("once.md", "twice.md", "moved.md", "dirty.md", "M", "größe\n.md")
    for name in names:
        write(name, f"- {name} was here\n" * 9)
        git("add", ".")
        git("commit", "-qm", name)
    write("twice.md", "- more\n")
    git("mv", "memory/moved.md", "memory/new.md")
    git("commit", "-qam", "two")
    write("dirty.md", "- mine\n")
    write("loose.md", "- new\n")
    write("moved.md", "- another\n")
    with Workspace(repository.find(tmp_path)) as workspace:
        found = whose._whole(workspace)
        assert set(found) == {"memory/once.md", "memory/M", "memory/größe\n.md"}
        for path, commit in found.items():
            assert {one.commit for one in whose._blamed(workspace, path)} == {commit}
