"""A real Chromium before the real server."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from clawgit.cli.ui_command import ask_silently
from clawgit.web import web_site
from clawgit.web.web_site import Site

PATIENCE = 20_000
PLACES = os.environ.get("CLAWGIT_TEST_BROWSER", "")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all of these, and leave them out if no browser was named."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if not PLACES:
                item.add_marker(pytest.mark.skip(reason="a browser; get it: make browser"))


@dataclass
class Tab:
    """One tab at the page of a workspace: `asked` are its requests, `said` the lines of its console."""

    site: Site
    page: Any
    terminal: list[str]
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def go(self, name: str, **state: str) -> Any:
        answer = self.page.goto(f"http://{self.site.authority}{self.site.address(name, state)}")
        self.page.wait_for_selector(".pending", state="detached")
        return answer

    @property
    def code(self) -> str:
        """The digits that the terminal showed last."""
        return "".join(self.terminal[-1].split()[1:3])

    @property
    def main(self) -> str:
        return str(self.page.inner_text("main"))

    def accessible(self) -> list[str]:
        """Return axe-core's complaints about the page as it is."""
        self.page.evaluate(Path(PLACES.partition(":")[2]).read_text("utf-8"))
        result = self.page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})")
        return [
            f"{violation['id']}: {json.dumps([node['html'][:160] for node in violation['nodes']][:3])}"
            for violation in result["violations"]
        ]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One Chromium for all stories of a process."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an installation of its own

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PLACES.partition(":")[0], args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tabs(chromium: Any, space: Path) -> Iterator[Callable[..., Tab]]:
    """Start the page, enter as a person does, and open tabs at it."""
    from clawgit.web import page_server  # noqa: PLC0415 - an extra

    ends = []

    def build(root: Path = space, site: Site | None = None, *, enter: bool = True, **context: Any) -> Tab:
        lines: list[str] = []
        if site is None:
            listening = page_server.bind_socket(0)
            site = web_site.Site(
                partial(ask_silently, root),
                root,
                [root, root / ".git"],
                page_server.authority(listening),
                lines.append,
                date.today,
            )
            stop = threading.Event()
            until = {"is_over": stop.is_set}
            running = threading.Thread(target=page_server.serve, args=(site, listening), kwargs=until)
            running.start()
            ends.append((stop, running, listening))
        context_made = chromium.new_context(**context)
        context_made.set_default_timeout(PATIENCE)
        tab = Tab(site, context_made.new_page(), lines)
        ends.append(context_made)
        tab.page.on("request", lambda request: tab.asked.append(request.url))
        tab.page.on("console", lambda message: tab.said.append(f"{message.type}: {message.text}"))
        tab.page.on("pageerror", lambda problem: tab.said.append(f"error: {problem}"))
        if enter:
            tab.page.goto(page_server.address(site))
            tab.page.click("text=Open the page")
            tab.page.wait_for_selector("main h1:has-text('Today')")
        return tab

    yield build
    for end in reversed(ends):
        if not isinstance(end, tuple):
            end.close()
            continue
        stop, running, listening = end
        stop.set()
        running.join(20)
        listening.close()
