"""No model is a choice; half a configuration is told; a command is as good as an endpoint."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.llm import choose
from clawgit.llm.budget import Budget, BudgetError
from clawgit.llm.model import ModelError, Prompt

from .server import says, serving
from .shapes import GOOD, WRONG, Facts

NOWHERE = Path("/nonexistent/clawgit/state")
PROMPT = Prompt("# Miner\n\nKeep what lasts.", "The team chose Rust.", 500)


def model(name="", command="", environ=None, budget=None, seconds=120.0, state=NOWHERE, voice="auto"):
    keys = {"llm_model": name, "llm_command": command, "voice": voice}
    return choose.model(keys.__getitem__, environ or {}, state, budget or Budget(), seconds)


def program(folder: Path, name: str, script: str) -> Path:
    place = folder / name
    place.write_text(f"#!{sys.executable}\n{script}")
    place.chmod(0o755)
    return place


def pathed(folder: Path, **more: str) -> dict[str, str]:
    return {"PATH": f"{folder}:/usr/bin:/bin", "OPENAI_TOKEN": "not yours", **more}


def test_nothing_configured_is_no_model():
    assert model("", "", {}, Budget()) is None
    assert model("", [], {"CLAWGIT_LLM_URL": "http://localhost/v1"}, Budget()) is None


@pytest.mark.parametrize(
    ("name", "command", "environ", "words"),
    [
        ("tiny", "", {}, "llm_model is tiny, but CLAWGIT_LLM_URL is not set"),
        ("tiny", "", {"CLAWGIT_LLM_URL": "ftp://host/"}, "no address of the web"),
        ("tiny", "", {"CLAWGIT_LLM_URL": "http://me:secret@host/"}, "holds a name or password"),
        ("tiny", "", {"CLAWGIT_LLM_URL": "http://host:99999/"}, "no address of the web"),
        ("", "rm -rf /", {}, "no argument list"),
    ],
)
def test_half_a_configuration_is_told(name, command, environ, words):
    with pytest.raises(ModelError) as caught:
        model(name, command, environ, Budget())
    assert words in caught.value.message
    assert "secret" not in caught.value.message
    assert caught.value.fix


def test_a_missing_extra_is_named(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pydantic" else find(name))
    assert model("", "", {}, Budget()) is None
    with pytest.raises(ModelError) as caught:
        model("", ["my-model"], {}, Budget())
    assert caught.value.fix == "pip install 'clawgit[llm]'"


def test_configuring_a_model_loads_no_pydantic():
    script = (
        "import sys; from pathlib import Path\n"
        "from clawgit.llm import answers, choose; from clawgit.llm.budget import Budget\n"
        "choose.model({'voice': 'auto', 'llm_model': 'tiny', 'llm_command': ''}.get,"
        "{'CLAWGIT_LLM_URL': 'http://localhost'}, Path('/nonexistent/state'), Budget());"
        "sys.exit('pydantic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    script = "import sys; from clawgit.cli.main import main; main(['--help']); sys.exit('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_endpoint_is_found():
    with serving(says(GOOD)) as endpoint:
        found = model("tiny", "", endpoint.environ, Budget())
        assert found is not None
        assert found.ask(PROMPT, Facts).found.facts


def test_a_command_is_asked_on_stdin_and_answers_on_stdout(tmp_path):
    ask = program(tmp_path, "my-model", "import sys; text = sys.stdin.read(); open(sys.argv[1], 'a').write(text)\n"
    f"print({WRONG!r} if 'You answered before' not in text else {GOOD!r})")  # fmt: skip
    found = model("", [str(ask), str(tmp_path / "heard")], {}, Budget())
    assert found is not None
    answer = found.ask(PROMPT, Facts)
    heard = (tmp_path / "heard").read_text()
    assert (answer.tries, answer.usage.calls, answer.usage.estimated) == (2, 2, True)
    assert heard.startswith(PROMPT.rules)
    assert "You answered before:\n<<<data " in heard
    assert "facts.0.tag" in heard


def test_a_command_sees_neither_our_place_nor_what_it_is_not_given(tmp_path):
    script = "import json, os; print(json.dumps({'text': os.getcwd() + ' ' + ' '.join(sorted(os.environ))}))"
    ask = program(tmp_path, "my-model", script)
    environ = pathed(tmp_path, CLAWGIT_LLM_KEY="k", GITHUB_SECRET="s", HOME="/root", LC_ALL="C.UTF-8")
    found = model("", ["my-model"], environ, Budget())
    assert ask.exists()
    assert found is not None
    folder, *names = json.loads(found.ask(PROMPT).text)["text"].split()
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
    ask = program(tmp_path, "my-model", script)
    found = model("", [str(ask)], {}, Budget(), seconds=1 if "sleep" in script else 20)
    assert found is not None
    with pytest.raises(ModelError) as caught:
        found.ask(PROMPT)
    assert words in caught.value.message
    assert "sk-proj" not in caught.value.message
    assert caught.value.fix


def test_a_command_that_is_not_there_is_told():
    found = model("", ["/no/such/model"], {}, Budget())
    assert found is not None
    with pytest.raises(ModelError, match="/no/such/model cannot be run: No such file"):
        found.ask(PROMPT)


def test_a_command_counts_as_a_request(tmp_path):
    found = model("", ["/bin/echo", "yes"], {}, Budget(calls=1))
    assert found is not None
    assert found.ask(PROMPT).text == "yes"
    with pytest.raises(BudgetError):
        found.ask(PROMPT)
