"""Programs and files from outside add what they know, and harm nothing but their slot."""

import os
import sys

import pytest

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked

from .conftest import slot

CALM = "import json,sys; asked=json.load(sys.stdin); "


def crm(ground, body):
    """Have a real script answer for the CRM."""
    script = ground.root / "crm.py"
    script.write_text(f"#!{sys.executable}\n{body}\n")
    script.chmod(0o755)
    ground.config(f"crm_command: ['{script}']")
    ground.write("SOUL.md", "- Have a view.\n")
    return assemble(ground.ws, Asked("What would Ana Silva like from Boris?"))


def test_the_command_is_given_names_and_its_profiles_are_fenced(ground) -> None:
    found = crm(ground, CALM + "print(json.dumps([{'name': n, 'profile': 'likes pears'} for n in asked['entities']]))")
    assert "Ana Silva: likes pears" in found.text
    assert "Boris: likes pears" in found.text
    assert (
        found.text.index("<<<data")
        < found.text.index("likes pears")
        < found.text.index("data", found.text.index("likes"))
    )
    assert slot(found, "crm").sources == ("crm:crm.py:1", "crm:crm.py:2")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import sys; sys.stdout.write('x' * 10_000_000)", "more than"),
        ("import time; time.sleep(60)", "longer than"),
        ("import sys; sys.exit(3)", "ended with 3"),
    ],
    ids=["10 MB", "hangs", "exit 3"],
)
def test_what_fails_costs_its_slot_alone(ground, body, said) -> None:
    found = crm(ground, body)
    assert slot(found, "crm").kept == 0
    assert said in slot(found, "crm").cut[0].why
    assert any(said in words for words in found.warnings)
    assert "Have a view" in found.text


def test_a_command_that_nobody_approved_is_not_run(ground) -> None:
    ran = ground.root / "ran"
    ground.write("CONFIG.md", f"```yaml\ncrm_command: [touch, {ran}]\n```\n")
    found = assemble(ground.ws, Asked("What would Ana like?"))
    assert not ran.exists()
    assert any("clawgit trust" in words for words in found.warnings)


def test_a_script_that_changed_since_it_was_approved_is_not_run(ground) -> None:
    crm(ground, CALM + "print('[]')")
    ran = ground.root.parent / "ran"
    ground.write("crm.py", f"open({str(ran)!r}, 'w')\n")
    found = assemble(ground.ws, Asked("What would Ana like?"))
    assert not ran.exists()
    assert any("crm.py, which changed, and nobody approved it" in words for words in found.warnings)


def crowded(ground):
    """Fill every slot with more than it holds."""
    ground.write("USER.md", "# User\n\n" + "".join(f"- Likes tea number {n} best of all.\n" for n in range(200)))
    ground.write("MEMORY.md", "# Memory\n\n" + "".join(f"- The house number {n} is by the sea.\n" for n in range(900)))
    ground.write("memory/2026-11-20.md", "# 2026-11-20\n\n" + "".join(f"- Note {n} of the sea.\n" for n in range(900)))


@pytest.mark.parametrize(("size", "least", "most"), [(280, 255, 280)])
def test_a_file_from_outside_gets_what_its_key_says_where_all_is_full(ground, tmp_path, size, least, most) -> None:
    crowded(ground)
    place = tmp_path / "source"
    place.write_text("".join(f"The tide of day {n} comes at {n % 24} hours.\n" for n in range(2000)))
    ground.config(f"external_context_source: {place}", f"external_context_budget: {size}")
    found = assemble(ground.ws, Asked("the sea"))
    assert least <= slot(found, "external").kept <= most
    assert slot(found, "recall").kept >= 700
    assert found.tokens <= found.budget


@pytest.mark.parametrize("kind", ["pipe", "large"])
def test_a_file_that_cannot_be_taken_costs_its_slot_alone(ground, tmp_path, kind) -> None:
    place = tmp_path / "source"
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "large":
        place.write_text("more and more\n" * 100_000)
    ground.config(f"external_context_source: {place}", "external_context_budget: 200")
    ground.write("SOUL.md", "- Have a view.\n")
    found = assemble(ground.ws, Asked())
    assert slot(found, "external").kept == 0
    assert "Have a view" in found.text


def test_a_list_in_a_profile_is_told_in_words(ground) -> None:
    found = crm(ground, CALM + "print(json.dumps([{'name': 'Ana Silva', 'likes': ['pears', 'tea'], 'age': 7}]))")
    assert "Ana Silva: likes: pears, tea; age: 7" in found.text
