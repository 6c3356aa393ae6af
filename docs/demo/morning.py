"""A morning of an operator with their agent."""

import re
from pathlib import Path

from stage import Stage, change

CONVERSATION = Path(__file__).resolve().with_name("conversation.md")

PHONE = "On the phone: the answer first, in one sentence."
OPTIONS = "With every question, bring two options."
OLD_TONE = "Humour is welcome, flattery is not."
NEW_TONE = "Dry humour is welcome, flattery and exclamation marks are not."
ACTS, PROOFS = 13, 4
KEPT = "We stay on SQLite until a second site signs."


def play(stage: Stage) -> None:
    """Play the whole story."""
    first = birth(stage)
    journal = converse(stage)
    memories(stage, journal)
    options = identity(stage, journal)
    look_back(stage)
    take_back(stage, options, first)
    lost_and_found(stage)
    mistake(stage, journal)
    stage.scene("It is a git repository", "Each act above is one commit, and nothing is left lying about.")
    log = stage.run("git", "log", "--oneline")
    status = stage.run("clawgit", "status")
    stage.check("one commit for each act", holds=log.count("\n") == ACTS)
    quiet = all(re.search(rf"^{name} +none$", status, re.MULTILINE) for name in ("alarms", "uncommitted"))
    stage.check("nothing is uncommitted, nothing alarms", holds=quiet)


def birth(stage: Stage) -> str:
    """Make the workspace; return its first commit."""
    stage.scene("A workspace", "One command makes a folder, the files an agent wakes up with, and a commit.")
    made = stage.run("clawgit", "init", "workspace")
    stage.show("cd", "workspace")
    stage.place /= "workspace"
    return re.findall(r"^commit +(\w+)", made, re.MULTILINE)[0]


def converse(stage: Stage) -> Path:
    """Note the conversation; return the journal."""
    stage.scene("A conversation", "Mira and her agent Fen talked this morning; the journal keeps it word for word.")
    stage.run("clawgit", "journal", "add", "-", "--title", "On the train", source=CONVERSATION)
    (journal,) = (stage.place / "memory").glob("*.md")
    stage.run("clawgit", "read", name(journal), "--from", str(line(journal, "A yes")), "--lines", "5")
    return journal


def memories(stage: Stage, journal: Path) -> None:
    """Keep what was decided and learnt."""
    stage.scene("Memories", "Each one names the line of the journal that it comes from.")
    stage.run("clawgit", "remember", KEPT, "--tag", "decision", "--evidence", cite(journal, "We stay on SQLite"))
    said = "Halden has one writer and eleven users."
    stage.run("clawgit", "remember", said, "--evidence", cite(journal, "one writer, eleven users"))


def identity(stage: Stage, journal: Path) -> str:
    """Change who the agent is, three times; return the first change."""
    stage.scene("Identity", "Three edits of SOUL.md. Mira asked for the second twice, so it has two proofs.")
    edit = ("clawgit", "soul", "edit")
    truths = ("--section", "Core Truths")
    first = stage.run(
        *(*edit, "--add", OPTIONS, *truths, "--evidence", cite(journal, "bring me two options")),
        *("--why", "Mira likes to choose."),
    )
    stage.run(
        *(*edit, "--add", PHONE, *truths, "--evidence", cite(journal, "A yes would have done.")),
        *("--evidence", cite(journal, "The answer first, one sentence"), "--why", "Asked for twice in one morning."),
    )
    stage.run(
        *(*edit, "--replace", OLD_TONE, NEW_TONE, "--evidence", cite(journal, "spare me the exclamation marks")),
        *("--why", "She counted them."),
    )
    return change(first)


def look_back(stage: Stage) -> None:
    """Show the log and the last change."""
    stage.scene("Who it is, and why", "Newest first: the change, its reason, and the words that prove it.")
    log = stage.run("clawgit", "log", "--file", "SOUL.md", "-n", "3")
    stage.check("three changes stand on four quotes", holds=log.count("evidence: ") == PROOFS)
    marks = "green came, red went" if stage.colour else "{+this+} came, [-this-] went"
    stage.scene("What changed", f"The last change, word by word: {marks}.")
    diff = stage.run("clawgit", "soul", "diff")
    stage.check("a few words changed, on one line", holds=diff.count("\n- ") == diff.count("\n+ ") == 1)


def take_back(stage: Stage, options: str, first: str) -> None:
    """Revert the oldest of the three changes."""
    stage.scene("Second thoughts", "Mira no longer wants two options: the oldest edit goes, the later ones stay.")
    stage.run("clawgit", "soul", "revert", options)
    stage.run("clawgit", "soul", "diff", first)
    soul = (stage.place / "SOUL.md").read_text("utf-8")
    stage.check("the two options are gone", holds=OPTIONS not in soul)
    stage.check("what was changed after them still stands", holds=PHONE in soul and NEW_TONE in soul)


def lost_and_found(stage: Stage) -> None:
    """Find a decision, ask where it came from, lose it to a tool, and bring it back."""
    stage.scene("Lost and found", "A decision is found and explained. Then a tool writes the file without it.")
    found = stage.run("clawgit", "search", "SQLite until when", "--top", "1")
    stage.check("the decision is found", holds=KEPT in " ".join(found.split()))
    memory = stage.place / "MEMORY.md"
    told = stage.run("clawgit", "why", f"MEMORY.md:{line(memory, KEPT)}")
    stage.check("its reason is what Mira said", holds="We stay on SQLite until a second site signs. And I like" in told)
    rows = memory.read_text("utf-8").splitlines(keepends=True)
    memory.write_text("".join(row for row in rows if KEPT not in row), "utf-8")
    captured = stage.run("clawgit", "capture")
    stage.run("clawgit", "accept", re.findall(r"^waiting +(\w+)", captured, re.MULTILINE)[0])
    stage.check("the decision is back where it stood", holds=KEPT in memory.read_text("utf-8"))


def mistake(stage: Stage, journal: Path) -> None:
    """Keep a wrong date, take it back, and keep the right one."""
    stage.scene("A wrong date", "Fen kept the day of the contract. Taken back, then written as Mira corrected it.")
    wrong, right = (f"The pilot at Halden starts on {day} March." for day in (12, 19))
    add = ("clawgit", "remember")
    stage.run(*add, wrong, "--tag", "event", "--evidence", cite(journal, "starts on 12 March"))
    stage.run("clawgit", "undo")
    stage.run(*add, right, "--tag", "event", "--evidence", cite(journal, "starts on 19 March"))
    listed = stage.run("clawgit", "memory", "list")
    stage.check("the right date is remembered, the wrong one is not", holds=right in listed and wrong not in listed)


def cite(journal: Path, words: str) -> str:
    """Return a pointer to the line of the journal that says `words`."""
    return f'{name(journal)}#L{line(journal, words)} "{words}"'


def line(journal: Path, words: str) -> int:
    """Return the number of the first line that says `words`."""
    rows = journal.read_text("utf-8").splitlines()
    return next(number for number, row in enumerate(rows, 1) if words in row)


def name(journal: Path) -> str:
    """Return the path of a journal within the workspace."""
    return f"memory/{journal.name}"
