"""A command is as good as an endpoint, and sees no more than it is given."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.llm import voices
from clawgit.llm.asking import Asked, Said, ask_within_budget
from clawgit.llm.model import Budget, ModelError
from clawgit.store.database import StateStore

NOWHERE = StateStore(Path("/nonexistent/clawgit"))
RULES, MATERIAL = "# Miner\n\nKeep what lasts.", "The team chose Rust."


def ask(*words: str, environ: dict[str, str] | None = None, budget: Budget | None = None, seconds: float = 20) -> Said:
    keys = {"voice": "auto", "llm_model": "", "llm_command": [*words]}
    voice = voices.find(keys.__getitem__, environ or {}, NOWHERE)
    assert voice is not None
    budget = budget or Budget()
    return ask_within_budget(voice, budget, Asked(RULES, MATERIAL, 500, seconds))


def program(folder: Path, name: str, script: str) -> Path:
    place = folder / name
    place.write_text(f"#!{sys.executable}\n{script}")
    place.chmod(0o755)
    return place


def test_a_command_is_asked_on_stdin_and_answers_on_stdout(tmp_path):
    script = "import sys; text = sys.stdin.read(); open(sys.argv[1], 'a').write(text); print('Fine.')"
    budget = Budget()
    said = ask(str(program(tmp_path, "my-model", script)), str(tmp_path / "heard"), budget=budget)
    assert said.text.strip() == "Fine."
    assert (tmp_path / "heard").read_text() == f"{RULES}\n\n{MATERIAL}\n"
    assert (budget.used.calls, budget.used.estimated) == (1, True)


def test_a_command_sees_neither_our_place_nor_what_it_is_not_given(tmp_path):
    script = "import json, os; print(json.dumps({'text': os.getcwd() + ' ' + ' '.join(sorted(os.environ))}))"
    program(tmp_path, "my-model", script)
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin", "OPENAI_TOKEN": "not yours", "GITHUB_SECRET": "s"}
    environ |= {"CLAWGIT_LLM_KEY": "k", "HOME": "/root", "LC_ALL": "C.UTF-8"}
    folder, *names = json.loads(ask("my-model", environ=environ).text)["text"].split()
    assert folder == "/"
    assert set(names) == {"CLAWGIT_LLM_KEY", "CLAWGIT_LLM_READING", "HOME", "LC_ALL", "PATH"}


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import sys; sys.exit('no credit: sk-proj-Zx81kfLq92MmaPoQ7w3dTbVrAb12Cd34')", "exit code 1: no credit"),
        ("import time; time.sleep(30)", "took longer than 1 s"),
        ("while True: print('x' * 9999)", "gave more than 4 MB"),
    ],
)
def test_a_command_that_fails_is_told(tmp_path, script, words):
    with pytest.raises(ModelError) as caught:
        ask(str(program(tmp_path, "my-model", script)), seconds=1 if "sleep" in script else 20)
    assert words in caught.value.message
    assert "sk-proj" not in caught.value.message
    assert str(caught.value.fix)


def test_a_voice_needs_no_package_that_core_does_not_bring():
    script = (
        "import sys; sys.modules['pydantic'] = None; from pathlib import Path\n"
        "from clawgit.llm import asking, asking, voices; from clawgit.cli.main import main\n"
        "from clawgit.store.database import StateStore\n"
        "keys = {'voice': 'auto', 'llm_model': 'tiny', 'llm_command': ''}\n"
        "voices.find(keys.get, {'CLAWGIT_LLM_URL': 'http://localhost'}, StateStore(Path('/nonexistent')))\n"
        "sys.exit(main(['--help']))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
