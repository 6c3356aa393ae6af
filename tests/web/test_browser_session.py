"""Who gets in: once, by the token; then by the cookie alone."""

from clawgit.web.web_site import Sessions
from tests.web.conftest import OURS


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(opened):
    browser = opened()
    other = Sessions()
    cookie = other.exchange(other.token)
    assert cookie == f"clawgit={other.cookie}; Path=/{other.prefix}/; HttpOnly; SameSite=Strict"
    assert browser.get("today").status_code == 200


def test_a_cookie_of_another_port_is_none_of_ours(browser):
    """Cookies are sent to every port: one of the same name from elsewhere opens nothing, and shuts nothing out."""
    browser.client.cookies.clear()
    ours = browser.site.sessions.cookie
    for header, code in (
        ("clawgit=evil", 403),
        ("clawgit=", 403),
        ("other=1; clawgit=evil", 403),
        (f"clawgit=evil; clawgit={ours}", 200),
        (f"clawgit={ours}; clawgit=evil", 200),
        (f"clawgit={ours[:-1]}", 403),
        ('clawgit="', 403),
    ):
        assert browser.get("today", headers={**OURS, "cookie": header}).status_code == code, header


def test_without_a_cookie_there_is_nothing_to_see(browser):
    browser.client.cookies.clear()
    answer = browser.get("soul")
    assert answer.status_code == 403
    assert "Have a view" not in answer.text


def test_a_replayed_token_opens_nothing(browser):
    browser.client.cookies.clear()
    answer = browser.client.post("/open", data={"token": browser.site.sessions.token}, headers=OURS)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_a_look_at_the_address_spends_no_token(opened, space):
    """Programs that show previews ask for an address; only the button exchanges it."""
    from starlette.testclient import TestClient  # noqa: PLC0415

    from clawgit.web.page_server import application  # noqa: PLC0415

    site = opened().site
    site.sessions = Sessions()
    client = TestClient(application(site), base_url="http://127.0.0.1:8642")
    address = f"/open?token={site.sessions.token}"
    for _ in range(3):
        page = client.get(address)
        assert page.status_code == 200
        assert f'value="{site.sessions.token}"' in page.text
        assert "set-cookie" not in page.headers
    entered = client.post("/open", data={"token": site.sessions.token}, headers=OURS, follow_redirects=False)
    assert entered.status_code == 303
    assert entered.headers["location"] == f"{site.sessions.root}today"
    assert "token" not in entered.headers["location"]


def test_from_a_file_the_next_step_is_a_page_of_ours(opened):
    """Along a redirection that began elsewhere a browser sends no strict cookie."""
    from starlette.testclient import TestClient  # noqa: PLC0415

    from clawgit.web.page_server import application  # noqa: PLC0415

    site = opened().site
    site.sessions = Sessions()
    client = TestClient(application(site), base_url="http://127.0.0.1:8642")
    entered = client.post(
        "/open", data={"token": site.sessions.token}, headers={"sec-fetch-site": "cross-site", "origin": "null"}
    )
    assert entered.status_code == 200
    assert f"url={site.sessions.root}today" in entered.text
    assert site.sessions.token not in entered.text


CASES_OF_WHAT_IS_NO_TOKEN_IS_ = [
    "",
    "x",
    '"><script>alert(1)</script>',
    "%00",
]


def test_what_is_no_token_is_refused_and_shown_as_text(browser):
    for token in CASES_OF_WHAT_IS_NO_TOKEN_IS_:
        assert browser.client.post("/open", data={"token": token}, headers=OURS).status_code == 403
        assert "<script>alert" not in browser.client.get("/open", params={"token": token}).text
