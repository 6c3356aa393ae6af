import errno
import math
import os

import pytest

from clawgit.outside.http_client import Patience
from clawgit.search import embedder
from clawgit.search.embedder import EmbeddingError, Endpoint, choose_embedder
from tests.search import embedders
from tests.search.embedders import serving

QUICK = Patience(20, pause=0.0)
KEY = "sk-very-secret-0123456789"


def endpoint(server: embedders.Endpoint, patience: Patience = QUICK, pauses: list[float] | None = None) -> Endpoint:
    return Endpoint("m", server.url, KEY, patience, (pauses if pauses is not None else []).append)


def refusal(server: embedders.Endpoint, patience: Patience = QUICK) -> str:
    with pytest.raises(EmbeddingError) as caught:
        endpoint(server, patience).embed(("a", "b"))
    message = f"{caught.value.message} {caught.value.fix!s}"
    assert KEY not in message
    return message


def test_each_text_gets_its_vector_in_batches() -> None:
    texts = [f"text {number}" for number in range(70)]
    with serving(embedders.well(), embedders.shuffled) as server:
        assert endpoint(server).embed(texts) == [embedders.vector(text, 64) for text in texts]
    assert [len(body["input"]) for _, _, body in server.calls] == [32, 32, 6]
    path, headers, body = server.calls[0]
    assert (path, headers["Authorization"], body["model"]) == ("/v1/embeddings", f"Bearer {KEY}", "m")


@pytest.mark.parametrize(
    ("replies", "pauses"),
    [
        ((embedders.failing(503), embedders.failing(429)), [1.0, 2.0]),
        ((embedders.failing(429, Retry_After="7"),), [7.0]),
        ((embedders.failing(429, Retry_After="soon"),), [1.0]),
    ],
)
def test_a_busy_endpoint_is_asked_again(replies: tuple[embedders.Reply, ...], pauses: list[float]) -> None:
    waits: list[float] = []
    with serving(*replies, embedders.well()) as server:
        assert endpoint(server, Patience(20), waits).embed(["a"])
    assert waits == pauses


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (embedders.failing(401), "refuses the key"),
        (embedders.failing(404), "answered 404, asked for m"),
        (embedders.broken(math.nan), "NaN"),
        (embedders.answer_too_few, "gave 1 vectors for 2 texts"),
        (embedders.words, "no list of numbers"),
        (embedders.half, "half an answer"),
        (embedders.page, "no JSON"),
        (embedders.elsewhere("http://127.0.0.1:1/"), "sends us elsewhere"),
    ],
)
def test_a_bad_answer_is_refused_in_words(reply: embedders.Reply, words: str) -> None:
    with serving(reply) as server:
        message = refusal(server)
    assert words in message
    assert "127.0.0.1" in message


def test_an_endpoint_that_hangs_or_is_gone_is_not_waited_for() -> None:
    with serving(embedders.dripping) as server:
        assert "0.8 s" in refusal(server, Patience(0.8, pause=0.0))
        assert len(server.calls) == 1
    assert os.strerror(errno.ECONNREFUSED) in refusal(server)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://h:1234", "http://h:1234/v1/embeddings"),
        ("https://h/api/v3", "https://h/api/v3/embeddings"),
        ("https://h/openai?api-version=1", "https://h/openai/embeddings?api-version=1"),
    ],
)
def test_where_to_post_to(url: str, expected: str) -> None:
    assert Endpoint("m", url, "", QUICK).to.url == expected


@pytest.mark.parametrize(
    ("url", "key"), [("ftp://h/v1", ""), ("http://u:hunter2@h/", ""), ("http://h/", "hunter2\nX-Evil: 1")]
)
def test_a_bad_address_or_key_is_never_shown(url: str, key: str) -> None:
    with pytest.raises(EmbeddingError) as caught:
        Endpoint("m", url, key, QUICK)
    assert "hunter2" not in f"{caught.value.message} {caught.value.fix!s}"


def test_only_ollama_needs_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(embedder.URL, raising=False)
    assert choose_embedder("ollama:bge-m3").to.url == "http://127.0.0.1:11434/v1/embeddings"  # type: ignore[attr-defined]
    with pytest.raises(EmbeddingError) as caught:
        choose_embedder("openai:m")
    assert caught.value.key == "setting-missing"
    assert str(caught.value.fix).startswith(f"export {embedder.URL}=")
