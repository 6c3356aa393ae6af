import errno
import math
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.outside.http_client import Patience
from clawgit.search import embedder
from clawgit.search.embedder import EmbeddingError, Endpoint, choose_embedder
from clawgit.text import tokens
from clawgit.workspace.settings import KEYS
from tests.search import embedders
from tests.search.embedders import serving

QUICK = Patience(20, pause=0.0)
KEY = "sk-very-secret-0123456789"


def endpoint(server: embedders.Endpoint, patience: Patience = QUICK, pauses: list[float] | None = None) -> Endpoint:
    return Endpoint("m", server.url, KEY, patience, (pauses if pauses is not None else []).append)


def refusal(server: embedders.Endpoint, texts: tuple[str, ...] = ("a", "b"), patience: Patience = QUICK) -> str:
    with pytest.raises(EmbeddingError) as caught:
        endpoint(server, patience).embed(texts)
    said = f"{caught.value.message} {caught.value.fix!s}"
    assert KEY not in said
    return said


def test_each_text_gets_its_vector_in_batches() -> None:
    texts = [f"text {at}" for at in range(70)]
    with serving(embedders.well()) as server:
        found = endpoint(server).embed(texts)
    assert found == [embedders.vector(text, 64) for text in texts]
    assert [len(body["input"]) for _, _, body in server.calls] == [32, 32, 6]
    path, headers, body = server.calls[0]
    assert (path, headers["Authorization"], body["model"]) == ("/v1/embeddings", f"Bearer {KEY}", "m")


def test_an_answer_in_another_order_is_put_right() -> None:
    with serving(embedders.shuffled) as server:
        assert endpoint(server).embed(["one", "two", "three"]) == [
            embedders.vector(text, 64) for text in ("one", "two", "three")
        ]


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again(code: int) -> None:
    pauses: list[float] = []
    with serving(embedders.failing(code), embedders.failing(code), embedders.well()) as server:
        assert endpoint(server, Patience(20), pauses).embed(["a"])
    assert pauses == [1.0, 2.0]


def test_the_endpoint_says_how_long_to_wait() -> None:
    pauses: list[float] = []
    with serving(embedders.failing(429, Retry_After="7"), embedders.well()) as server:
        assert endpoint(server, QUICK, pauses).embed(["a"])
    assert pauses == [7.0]


@pytest.mark.parametrize("asked", ["3600", "99999999999999999999", "Fri, 31 Dec 9998 23:59:59 GMT"])
def test_nobody_waits_for_an_hour(asked: str) -> None:
    with serving(embedders.failing(429, Retry_After=asked)) as server:
        assert "answered 429" in refusal(server)
        assert len(server.calls) == 1


@pytest.mark.parametrize("asked", ["soon", "-3", "", "Fri, 31 Dec 1999 23:59:59 GMT"])
def test_a_wait_that_means_nothing_is_none(asked: str) -> None:
    pauses: list[float] = []
    with serving(embedders.failing(429, Retry_After=asked), embedders.well()) as server:
        assert endpoint(server, Patience(20, pause=0.5), pauses).embed(["a"])
    assert pauses == [0.5]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (embedders.failing(429), "answered 429"),
        (embedders.failing(500), "answered 500"),
        (embedders.failing(401), "refuses the key"),
        (embedders.failing(404), "answered 404, asked for m"),
        (embedders.broken(math.nan), "NaN"),
        (embedders.broken(math.inf), "infinite"),
        (embedders.broken(1e300), "infinite"),
        (embedders.too_few, "gave 1 vectors for 2 texts"),
        (embedders.uneven, "vectors of 2 and 3 numbers"),
        (embedders.words, "no list of numbers"),
        (embedders.half, "half an answer"),
        (embedders.page, "no JSON"),
        (embedders.elsewhere("http://127.0.0.1:1/"), "sends us elsewhere"),
    ],
)
def test_a_bad_answer_is_refused_in_words(reply: embedders.Reply, words: str) -> None:
    with serving(reply) as server:
        said = refusal(server)
    assert words in said
    assert "127.0.0.1" in said


@pytest.mark.parametrize("reply", [embedders.slow(5), embedders.dripping])
def test_a_hanging_endpoint_is_not_waited_for(reply: embedders.Reply) -> None:
    with serving(reply) as server:
        assert "0.8 s" in refusal(server, patience=Patience(0.8, pause=0.0))
        assert len(server.calls) == 1


def test_nobody_at_home() -> None:
    with serving(embedders.well()) as server:
        pass
    assert os.strerror(errno.ECONNREFUSED) in refusal(server)


@pytest.mark.parametrize(
    ("url", "called"),
    [
        ("http://h:1234", "http://h:1234/v1/embeddings"),
        ("http://h:1234/v1/", "http://h:1234/v1/embeddings"),
        ("https://h/api/v3", "https://h/api/v3/embeddings"),
        ("https://h/v1/embeddings", "https://h/v1/embeddings"),
        ("https://h/openai?api-version=1", "https://h/openai/embeddings?api-version=1"),
    ],
)
def test_where_to_post_to(url: str, called: str) -> None:
    assert Endpoint("m", url, "", QUICK).to.url == called


@pytest.mark.parametrize(
    "url", ["ftp://h/v1", "h/v1", "http://", "http://h:x/", "file:///etc/passwd", "http://u:hunter2@h/", "http://h\n/"]
)
def test_a_bad_address_is_never_shown(url: str) -> None:
    with pytest.raises(EmbeddingError) as caught:
        Endpoint("m", url, "", QUICK)
    assert "hunter2" not in f"{caught.value.message} {caught.value.fix!s}"


def test_a_key_that_no_header_can_carry_is_never_shown() -> None:
    with pytest.raises(EmbeddingError) as caught:
        Endpoint("m", "http://h/", "hunter2\nX-Evil: 1", QUICK)
    assert "hunter2" not in f"{caught.value.message} {caught.value.fix!s}"


@pytest.mark.parametrize(
    "value", ["", "default", "openai:text-embedding-3-small", "openai:nomic-embed-text:latest", "ollama:bge-m3"]
)
def test_the_grammar_of_embedder(value: str) -> None:
    assert KEYS["embedder"].kind.fits(value)


@pytest.mark.parametrize("value", ["openai", "openai:", "openai: x", "Default", "cohere:x", "openai:a\nb", 3, None])
def test_what_no_embedder_is_called(value: object) -> None:
    assert not KEYS["embedder"].kind.fits(value)


def test_ollama_is_on_this_machine_unless_an_address_says_otherwise() -> None:
    assert choose_embedder("ollama:bge-m3", {}, hurry=True).to.url == "http://127.0.0.1:11434/v1/embeddings"  # type: ignore[attr-defined]


def test_without_an_address_the_way_out_is_told() -> None:
    with pytest.raises(EmbeddingError) as caught:
        choose_embedder("openai:m", {}, hurry=True)
    assert caught.value.key == "setting-missing"
    assert embedder.URL in caught.value.message
    assert str(caught.value.fix).startswith(f"export {embedder.URL}=")


@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_mean_is_a_direction(vectors: list[list[float]]) -> None:
    found = embedder.mean(vectors)
    assert len(found) == 3
    assert not any(found) or math.hypot(*found) == pytest.approx(1)


@given(st.text(max_size=400), st.integers(5, 60))
def test_a_long_text_is_shortened_to_what_an_embedder_sees(text: str, limit: int) -> None:
    said = embedder.shorten(text, limit)
    assert text.startswith(said)
    assert tokens.count(said) <= limit or len(said) <= limit
    assert said == text or len(said) >= 0.9 * limit - 1
