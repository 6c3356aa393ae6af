"""Vectors from the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.search import embedders
from tests.search.embedders import serving

embedders.need_chroma()

MEMORY = "# Memory\n\n- The physician moved our appointment.\n- Deploys happen on Tuesdays.\n"


@pytest.fixture
def server() -> Iterator[embedders.Endpoint]:
    with serving(embedders.well(256)) as found:
        yield found


@pytest.fixture
def call(write: Callable, commit: Callable, server: embedders.Endpoint) -> Callable[..., Any]:
    """Run a command on a workspace whose embedder is the server; return its document."""
    root = write({"MEMORY.md": MEMORY, "CONFIG.md": "# Config\n\n```yaml\nembedder: openai:m\n```\n"})
    commit()

    def act(*words: str, code: int = 0, url: str = server.url) -> Any:
        environ = os.environ | {"CLAWGIT_EMBED_URL": url, "CLAWGIT_EMBED_KEY": "sk-hidden-0123456789"}
        command = [Path(sys.executable).with_name("clawgit"), "-C", root, *words, "--json"]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert "sk-hidden" not in done.stdout + done.stderr
        return json.loads(done.stdout) if code == 0 else done.stderr

    return act


def test_from_nothing_to_an_answer(call: Callable[..., Any]) -> None:
    assert call("memory", "status")["search_tier"] == "core"
    before = call("search", "doctor")
    assert (before["mode"], before["results"]) == ("core", [])
    assert before["degraded"] == "vectors: none are built yet; clawgit memory index builds them"
    built = call("memory", "index")
    assert (built["search_tier"], built["embedder"], built["vectors"], built["fresh"]) == (
        "enhanced",
        "openai:m",
        2,
        True,
    )
    after = call("search", "doctor", "--explain")
    assert (after["mode"], after["provider"], after["model"], after["degraded"]) == ("enhanced", "openai", "m", None)
    assert after["results"][0]["snippet"] == "- The physician moved our appointment."
    assert after["results"][0]["explain"]["vector"] > 0
    assert call("search", "doctor", "--tier", "core")["mode"] == "core"


def test_asked_for_by_name(call: Callable[..., Any]) -> None:
    assert call("search", "doctor", "--tier", "enhanced")["mode"] == "enhanced"
    past = call("search", "deploys", "--tier", "enhanced", "--as-of", "HEAD")
    assert (past["mode"], len(past["results"])) == ("core", 1)
    assert past["degraded"] == "vectors know the present alone; the past was searched by words"


def test_without_the_endpoint_words_answer_and_the_index_says_what_is_wrong(call: Callable[..., Any]) -> None:
    call("memory", "index")
    nobody = "http://127.0.0.1:9/v1"
    answer = call("search", "deploys", url=nobody)
    assert (answer["mode"], len(answer["results"])) == ("core", 1)
    assert "cannot be reached" in answer["degraded"]


def test_a_broken_endpoint_fails_the_build(call: Callable[..., Any], server: embedders.Endpoint) -> None:
    server.replies = [embedders.failing(401)]
    said = call("memory", "index", code=1)
    assert "it refuses the key" in said
    assert "fix: export CLAWGIT_EMBED_KEY=" in said
