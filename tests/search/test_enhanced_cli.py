"""Vectors from the command line."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clawgit.search import embedder
from tests.search import embedders
from tests.search.embedders import serving

embedders.need_chroma()

DOCTOR = "- The physician moved our appointment."
MEMORY = f"# Memory\n\n{DOCTOR}\n- Deploys happen on Tuesdays.\n"


@pytest.fixture
def server() -> Iterator[embedders.Endpoint]:
    with serving(embedders.well(256)) as found:
        yield found


@pytest.fixture
def call(write: Callable, commit: Callable, server: embedders.Endpoint) -> Callable[..., Any]:
    """Run a command on a workspace whose embedder is the server; return its document, or that of its error."""
    root = write({"MEMORY.md": MEMORY, "CONFIG.md": "# Config\n\n```yaml\nembedder: openai:m\n```\n"})
    commit()

    def act(*words: str, code: int = 0, url: str = server.url) -> Any:
        environ = os.environ | {"CLAWGIT_EMBED_URL": url, "CLAWGIT_EMBED_KEY": "sk-hidden-0123456789"}
        command = [Path(sys.executable).with_name("clawgit"), "-C", root, *words, "--json"]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert "sk-hidden" not in done.stdout + done.stderr
        return json.loads(done.stdout)

    return act


def test_from_nothing_to_an_answer(call: Callable[..., Any]) -> None:
    assert call("memory", "status")["search_tier"] == "core"
    before = call("search", "doctor")
    assert (before["mode"], before["results"]) == ("core", [])
    assert before["degraded"].startswith("vectors: ")
    assert "memory index" in before["degraded"]
    built = call("memory", "index")
    assert (built["search_tier"], built["embedder"], built["vectors"], built["fresh"]) == (
        "enhanced",
        "openai:m",
        2,
        True,
    )
    after = call("search", "doctor", "--explain")
    assert (after["mode"], after["provider"], after["model"], after["degraded"]) == ("enhanced", "openai", "m", None)
    assert after["results"][0]["snippet"] == DOCTOR
    assert after["results"][0]["explain"]["vector"] > 0
    assert call("search", "doctor", "--tier", "core")["mode"] == "core"


def test_asked_for_by_name(call: Callable[..., Any]) -> None:
    assert call("search", "doctor", "--tier", "enhanced")["mode"] == "enhanced"
    past = call("search", "deploys", "--tier", "enhanced", "--as-of", "HEAD")
    assert (past["mode"], len(past["results"])) == ("core", 1)
    assert "vectors" in past["degraded"]
    assert call("search", "deploys", "--as-of", "HEAD")["degraded"] is None


def test_without_the_endpoint_words_answer_and_the_index_says_what_is_wrong(call: Callable[..., Any]) -> None:
    call("memory", "index")
    nobody = "http://127.0.0.1:9/v1"
    answer = call("search", "deploys", url=nobody)
    assert (answer["mode"], len(answer["results"])) == ("core", 1)
    assert all(words in answer["degraded"] for words in ("127.0.0.1:9", os.strerror(errno.ECONNREFUSED)))


def test_a_broken_endpoint_fails_the_build(call: Callable[..., Any], server: embedders.Endpoint) -> None:
    server.replies = [embedders.failing(401)]
    error = call("memory", "index", code=1)
    assert error["key"] == "embedder-refused"
    assert error["fix"].startswith(f"export {embedder.KEY}=")
