"""No model is a choice; half a configuration is told; a command is as good as an endpoint."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.llm import choose
from clawgit.llm.budget import Budget, BudgetError
from clawgit.llm.model import ModelError, Prompt, UnfitError

from .server import says, serving
from .shapes import GOOD, WRONG, Facts

PROMPT = Prompt("# Miner\n\nKeep what lasts.", "The team chose Rust.", 500)


def program(folder: Path, name: str, script: str) -> Path:
    place = folder / name
    place.write_text(f"#!{sys.executable}\n{script}")
    place.chmod(0o755)
    return place


def pathed(folder: Path, **more: str) -> dict[str, str]:
    return {"PATH": f"{folder}:/usr/bin:/bin", "OPENAI_TOKEN": "not yours", **more}


def test_nothing_configured_is_no_model():
    assert choose.model("", "", {}, Budget()) is None
    assert choose.model("", [], {"CLAWGIT_LLM_URL": "http://localhost/v1"}, Budget()) is None


@pytest.mark.parametrize(
    ("name", "command", "environ", "words"),
    [
        ("tiny", "", {}, "llm_model is tiny, but CLAWGIT_LLM_URL is not set"),
        ("tiny", "", {"CLAWGIT_LLM_URL": "ftp://host/"}, "no address of the web"),
        ("tiny", "", {"CLAWGIT_LLM_URL": "http://me:secret@host/"}, "holds a name or password"),
        ("tiny", "", {"CLAWGIT_LLM_URL": "http://host:99999/"}, "no address of the web"),
        ("", "rm -rf /", {}, "neither openclaw nor an argument list"),
    ],
)
def test_half_a_configuration_is_told(name, command, environ, words):
    with pytest.raises(ModelError) as caught:
        choose.model(name, command, environ, Budget())
    assert words in caught.value.message
    assert "secret" not in caught.value.message
    assert caught.value.fix


def test_a_missing_extra_is_named(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pydantic" else find(name))
    assert choose.model("", "", {}, Budget()) is None
    with pytest.raises(ModelError) as caught:
        choose.model("", "openclaw", {}, Budget())
    assert caught.value.fix == "pip install 'clawgit[llm]'"


def test_configuring_a_model_loads_no_pydantic():
    script = (
        "import sys; from clawgit.llm import answers, choose; from clawgit.llm.budget import Budget;"
        "choose.model('tiny', '', {'CLAWGIT_LLM_URL': 'http://localhost'}, Budget());"
        "sys.exit('pydantic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    script = "import sys; from clawgit.cli.main import main; main(['--help']); sys.exit('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_endpoint_is_found():
    with serving(says(GOOD)) as endpoint:
        model = choose.model("tiny", "", endpoint.environ, Budget())
        assert model is not None
        assert model.ask(PROMPT, Facts).found.facts


def test_a_command_is_asked_on_stdin_and_answers_on_stdout(tmp_path):
    ask = program(tmp_path, "my-model", "import sys; text = sys.stdin.read(); open(sys.argv[1], 'a').write(text)\n"
    f"print({WRONG!r} if 'You answered before' not in text else {GOOD!r})")  # fmt: skip
    model = choose.model("", [str(ask), str(tmp_path / "heard")], {}, Budget())
    assert model is not None
    answer = model.ask(PROMPT, Facts)
    heard = (tmp_path / "heard").read_text()
    assert (answer.tries, answer.usage.calls, answer.usage.estimated) == (2, 2, True)
    assert heard.startswith(PROMPT.rules)
    assert "You answered before:\n<<<data " in heard
    assert "facts.0.tag" in heard


def test_a_command_sees_neither_our_place_nor_what_it_is_not_given(tmp_path):
    script = "import json, os; print(json.dumps({'text': os.getcwd() + ' ' + ' '.join(sorted(os.environ))}))"
    ask = program(tmp_path, "my-model", script)
    environ = pathed(tmp_path, CLAWGIT_LLM_KEY="k", GITHUB_SECRET="s", HOME="/root", LC_ALL="C.UTF-8")
    model = choose.model("", ["my-model"], environ, Budget())
    assert ask.exists()
    assert model is not None
    folder, *names = json.loads(model.ask(PROMPT).text)["text"].split()
    assert folder == "/"
    assert set(names) == {"CLAWGIT_LLM_KEY", "HOME", "LC_ALL", "PATH"}


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
    model = choose.model("", [str(ask)], {}, Budget(), seconds=1 if "sleep" in script else 20)
    assert model is not None
    with pytest.raises(ModelError) as caught:
        model.ask(PROMPT)
    assert words in caught.value.message
    assert "sk-proj" not in caught.value.message
    assert caught.value.fix


def test_a_command_that_is_not_there_is_told():
    model = choose.model("", ["/no/such/model"], {}, Budget())
    assert model is not None
    with pytest.raises(ModelError, match="/no/such/model cannot be run: No such file"):
        model.ask(PROMPT)


OPENCLAW = """
import json, sys
words = sys.argv[1:]
assert words[:4] == ["infer", "model", "run", "--json"], words
prompt = words[words.index("--prompt") + 1]
model = words[words.index("--model") + 1] if "--model" in words else "own"
print("[info] plugins loaded {3}")
print(json.dumps({"ok": True, "capability": "model.run", "model": model, "outputs": [ANSWER], "error": None}))
"""


def openclaw(folder: Path, answer: str) -> dict[str, str]:
    program(folder, "openclaw", OPENCLAW.replace("ANSWER", answer))
    return pathed(folder)


def test_openclaw_is_asked_for_one_completion(tmp_path):
    environ = openclaw(tmp_path, f"{{'text': {GOOD!r}}}")
    model = choose.model("", "openclaw", environ, Budget())
    assert model is not None
    assert model.name == "openclaw"
    assert model.ask(PROMPT, Facts).found.facts[0].tag == "decision"


def test_openclaw_is_told_which_model_and_all_of_the_prompt(tmp_path):
    environ = openclaw(tmp_path, "{'text': model + ': ' + prompt}")
    model = choose.model("lab/large", "openclaw", environ, Budget())
    assert model is not None
    text = model.ask(Prompt("-rules", 'it\'s "so" $HOME `id`\0')).text
    assert text.startswith("lab/large: -rules")
    assert text.endswith('it\'s "so" $HOME `id`\ufffd')


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('print(\'{"ok": false, "outputs": [], "error": "no auth profile"}\')', "no auth profile"),
        ("import sys; sys.exit('error: unknown command infer')", "exit code 1: error: unknown command infer"),
        ("print('')", "gave no answer"),
        ('print(\'{"ok": true, "outputs": [\')', "gave no answer"),
    ],
)
def test_openclaw_that_cannot_is_told(tmp_path, script, words):
    program(tmp_path, "openclaw", script)
    model = choose.model("", "openclaw", pathed(tmp_path), Budget())
    assert model is not None
    with pytest.raises(ModelError) as caught:
        model.ask(PROMPT)
    assert words in caught.value.message


def test_openclaw_that_says_nothing_is_of_no_use(tmp_path):
    model = choose.model("", "openclaw", openclaw(tmp_path, "{'text': ''}"), Budget())
    assert model is not None
    with pytest.raises(UnfitError):
        model.ask(PROMPT)


def test_a_prompt_that_no_command_line_takes_is_told(tmp_path):
    model = choose.model("", "openclaw", openclaw(tmp_path, "{'text': 'x'}"), Budget())
    assert model is not None
    with pytest.raises(ModelError, match="longer than a command line"):
        model.ask(Prompt("r", "word " * 30_000))


def test_a_command_counts_as_a_request(tmp_path):
    model = choose.model("", ["/bin/echo", "yes"], {}, Budget(calls=1))
    assert model is not None
    assert model.ask(PROMPT).text == "yes"
    with pytest.raises(BudgetError):
        model.ask(PROMPT)
