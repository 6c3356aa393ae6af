"""The refusals of the page: each rule of its security, from outside."""

import pytest

from clawgit.web.page_server import HEADERS
from tests.web.conftest import AUTHORITY, OURS

EVIL = "http://evil.example"
LOOKS = (
    (OURS, 200),
    ({"sec-fetch-site": "none"}, 200),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),  # another port of this machine, which SameSite=Strict alone would let in
    ({"sec-fetch-site": "same-origin, cross-site"}, 403),
    ({}, 403),
)
HOSTS = ("evil.example", "127.0.0.1", "localhost:8642", f"{AUTHORITY}.evil.example", "")
FORMS = (
    ({"sec-fetch-site": "cross-site", "origin": EVIL}, 403),
    ({"sec-fetch-site": "same-site", "origin": "http://127.0.0.1:9999"}, 403),
    ({"sec-fetch-site": "none"}, 403),
    ({"sec-fetch-site": "same-origin", "origin": EVIL}, 403),
    ({"origin": "null"}, 403),
    ({}, 403),
    ({"sec-fetch-site": "same-origin", "origin": "null"}, 409),  # as Chromium sends it; there is no such item
    ({"origin": f"http://{AUTHORITY}"}, 409),  # a browser that does not say who asks
)


def test_a_page_is_shown_to_its_own_browser_under_its_own_name_alone(browser):
    """No other name can be bound to this machine, and no other page can time the hits."""
    for headers, code in LOOKS:
        answer = browser.get("search", headers=headers, q="secret")
        assert (answer.status_code, "secret" in answer.text) == (code, code == 200), headers
    for host in HOSTS:
        answer = browser.get("today", headers={**OURS, "host": host})
        assert answer.status_code == 400
        assert "clawgit" not in answer.text.partition("alone")[2]
    two_hosts = [("host", AUTHORITY), ("host", "evil.example"), *OURS.items()]
    assert browser.client.get(browser.site.address("today"), headers=two_hosts).status_code == 400


def test_a_form_of_another_page_is_refused(browser):
    for headers, code in FORMS:
        assert browser.act("reject", headers, id="none").status_code == code, headers


def test_a_form_without_its_token_is_refused(browser):
    for form in ("", "wrong", browser.form[:-1]):
        answer = browser.act("reject", form=form, id="none")
        assert answer.status_code == 403
    assert browser.json("inbox")["parts"]["inbox"] == []


def test_other_methods_and_websockets_are_refused(browser):
    from starlette.websockets import WebSocketDisconnect  # noqa: PLC0415 - an extra

    for method in ("PUT", "DELETE", "OPTIONS"):
        assert browser.client.request(method, browser.site.address("today"), headers=OURS).status_code == 405
    with (
        pytest.raises(WebSocketDisconnect) as error_info,
        browser.client.websocket_connect(browser.site.address("today")),
    ):
        pass
    assert error_info.value.code == 1008


def test_every_answer_has_the_headers_also_a_refusal(browser):
    """The policy lets nothing run but our own files."""
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert HEADERS["cache-control"] == "no-store"
    assert HEADERS["cross-origin-resource-policy"] == HEADERS["cross-origin-opener-policy"] == "same-origin"
    answers = [
        browser.get("today"),
        browser.get("today", headers={"host": "evil.example"}),
        browser.get("nowhere"),
        browser.get("static/page.css"),
        browser.client.get("/favicon.ico"),
        browser.client.get("/open"),
        browser.client.options(browser.site.address("today")),
    ]
    for answer in answers:
        assert HEADERS.items() <= dict(answer.headers).items()
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


def test_a_body_that_is_too_long_or_without_a_length_is_not_read(browser):
    def parts():
        yield b"form=x"

    assert browser.act("correct", id="none", text="x" * 300_000).status_code == 413
    headers = {**OURS, "content-type": "application/x-www-form-urlencoded"}
    path = browser.site.address("act/reject")
    assert browser.client.post(path, content=parts(), headers=headers).status_code == 411


def test_beside_the_random_path_and_the_listed_files_there_is_nothing(browser):
    static = f"{browser.site.sessions.root}static"
    for path in ("/", "/today", "/static/page.css", "/../etc/passwd", f"{static}/..%2f..%2fpage_server.py"):
        assert browser.client.get(path, headers=OURS).status_code == 404
