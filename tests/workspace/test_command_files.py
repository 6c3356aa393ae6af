"""A pinned command is trusted together with the files of the workspace that it names."""

import json
from pathlib import Path

import pytest

from clawgit.findings.status import status
from clawgit.workspace import config, settings, trust_review
from clawgit.workspace.trust.approvals import Trust

SCRIPT = "print('[]')\n"


def command(place, *words, key="crm_command"):
    """Have CONFIG.md name a command, or a path."""
    value = json.dumps(list(words)) if key.endswith("command") else words[0]
    place.commit({"CONFIG.md": f"# Config\n\n```yaml\n{key}: {value}\n```\n"})


def trust(place):
    ws = place.open()
    trust_review.accept(ws, trust_review.review(ws))


def used(place, key="crm_command"):
    return place.open().config.value(key)


@pytest.fixture
def pinned(place):
    """A workspace whose CRM is a script in it, as the operator approved it."""
    place.write("crm/people.py", SCRIPT)
    command(place, "python3", "crm/people.py")
    trust(place)
    return place


@pytest.mark.parametrize("text", ["print('{}')\n", None])
def test_a_command_is_off_and_told_once_a_file_that_it_names_is_another(pinned, text):
    pinned.write("crm/people.py", text)
    assert used(pinned) == ""
    (told,) = status(pinned.open()).untrusted
    words = "CONFIG.md:4: crm_command names crm/people.py, which is not as you approved it; nothing is run"
    assert (told.message, str(told.fix)) == (words, "clawgit trust")


def test_what_is_approved_are_the_bytes_that_were_shown(pinned):
    pinned.write("crm/people.py", "print('{}')\n")
    ws = pinned.open()
    shown = trust_review.review(ws)
    pinned.write("crm/people.py", "print(7)\n")
    assert trust_review.review(pinned.open()).digest != shown.digest
    trust_review.accept(ws, shown)
    assert used(pinned) == ""
    pinned.write("crm/people.py", "print('{}')\n")
    assert used(pinned) == ["python3", "crm/people.py"]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("digest_command", ["bin/tool", "{text}"]),
        ("llm_command", ["sh", "-c", "exec bin/tool --quiet"]),
        ("crm_command", ["python3", "--script=bin/tool"]),
        ("recall_external_handler", ["bin/tool"]),
    ],
)
def test_every_key_that_runs_something_is_held_to_its_files(place, key, words):
    place.write("bin/tool", "#!/bin/sh\n")
    command(place, *words, key=key)
    trust(place)
    assert used(place, key)
    place.write("bin/tool", "#!/bin/sh\n/tmp/spy\n")
    assert used(place, key) == ""


def test_a_file_that_came_after_the_command_was_approved_was_not_approved_with_it(place):
    command(place, "python3", "people.py")
    trust(place)
    place.write("people.py", "print('{}')\n")
    assert used(place) == ""


def test_only_keys_that_run_something_are_held_to_files():
    runs = {key.name for key in settings.KEYS.values() if key.runs}
    assert runs == {"crm_command", "recall_external_handler", "llm_command", "digest_command"}
    trusted = config.Trusted(lambda: Trust(config={"extra_paths": ["a"]}), Path())
    assert config.read("```yaml\nextra_paths: [a]\n```\n", trusted).value("extra_paths") == ["a"]
