"""The way in: once, by the token; then by the cookie alone."""

from clawgit.web.web_site import Sessions
from tests.web.conftest import OURS


def test_without_the_cookie_there_is_nothing_to_see(browser):
    """Cookies are sent to every port: one of the same name from elsewhere opens nothing, and shuts nothing out."""
    browser.client.cookies.clear()
    ours = browser.site.sessions.cookie
    for header, code in (
        ("", 403),
        ("other=1; clawgit=evil", 403),
        (f"clawgit={ours[:-1]}", 403),
        (f"clawgit=evil; clawgit={ours}", 200),
        (f"clawgit={ours}; clawgit=evil", 200),
    ):
        answer = browser.get("soul", headers={**OURS, "cookie": header})
        assert (answer.status_code, "Have a view" in answer.text) == (code, code == 200), header


def test_the_token_opens_the_page_once_and_a_look_at_the_address_spends_none(open_page):
    """Programs that show previews ask for an address; only the button exchanges it."""
    from starlette.testclient import TestClient  # noqa: PLC0415

    from clawgit.web.page_server import application  # noqa: PLC0415

    site = open_page().site
    site.sessions = Sessions()
    client = TestClient(application(site), base_url="http://127.0.0.1:8642")
    token = site.sessions.token
    for _ in range(3):
        page = client.get("/open", params={"token": token})
        assert (page.status_code, "set-cookie" in page.headers) == (200, False)
        assert f'value="{token}"' in page.text
    for wrong in ("", "x", '"><script>alert(1)</script>', "%00"):
        assert client.post("/open", data={"token": wrong}, headers=OURS).status_code == 403
        assert "<script>alert" not in client.get("/open", params={"token": wrong}).text
    entered = client.post("/open", data={"token": token}, headers=OURS, follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, f"{site.sessions.root}today")
    cookie = f"clawgit={site.sessions.cookie}; Path={site.sessions.root}; HttpOnly; SameSite=Strict"
    assert entered.headers["set-cookie"] == cookie
    second_answer = client.post("/open", data={"token": token}, headers=OURS)
    assert (second_answer.status_code, "set-cookie" in second_answer.headers) == (403, False)


def test_its_root_leads_to_the_first_view(browser):
    answer = browser.client.get(browser.site.sessions.root, headers=OURS, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{browser.site.sessions.root}today")
