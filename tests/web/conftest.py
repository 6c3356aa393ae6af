"""The page of a workspace, asked as a browser asks it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from clawgit.cli.ui_command import ask_silently
from clawgit.git.repository import find
from clawgit.web import web_site
from clawgit.web.page_server import application
from clawgit.web.web_site import Answer, Site, command
from clawgit.workspace.approvals import TrustStore
from tests.mcp import conftest as managed

AUTHORITY = "127.0.0.1:8642"
OURS = {"sec-fetch-site": "same-origin"}
mould, space = managed.mould, managed.space


@pytest.fixture
def commands(space: Path) -> Callable[..., Answer]:
    """Ask a command of the workspace: `commands("memory add", "text", tag="decision")`."""
    return lambda name, *arguments, **options: ask_silently(space, command(name, *arguments, **options))


@dataclass
class Browser:
    """A browser that came by the printed address; `terminal` is the output there."""

    site: Site
    client: Any
    terminal: list[str] = field(default_factory=list)

    def get(self, page: str, headers: dict[str, str] | None = None, **state: str) -> Any:
        path = page if page.startswith("/") else self.site.address(page, state)
        return self.client.get(path, headers=OURS if headers is None else headers, follow_redirects=False)

    def json(self, page: str, **state: str) -> Any:
        """Return the document of a page."""
        answer = self.get(f"{page}.json", **state)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def form(self) -> str:
        return self.site.sessions.form

    def act(self, name: str, headers: dict[str, str] | None = None, **fields: str) -> Any:
        data = {"form": self.form, **fields}
        path = self.site.address(f"act/{name}")
        answer = self.client.post(path, data=data, headers=OURS if headers is None else headers, follow_redirects=False)
        if answer.status_code == 303:
            return self.get(answer.headers["location"])
        return answer

    @property
    def code(self) -> str:
        """The digits that the terminal showed last."""
        return "".join(self.terminal[-1].split()[1:3])

    def hidden(self, answer: Any, name: str) -> str:
        """Return a hidden field of the last form of an answer."""
        return answer.text.rpartition(f'name="{name}" value="')[2].partition('"')[0]

    def guarded(self, name: str, **fields: str) -> Any:
        """Do an act that takes a code, in its two steps."""
        answer = self.act(name, **fields)
        assert answer.status_code == 200, answer.text
        return self.act(name, shown=self.hidden(answer, "shown"), code=self.code, **fields)


@pytest.fixture
def open_page(space: Path) -> Iterator[Callable[..., Browser]]:
    """Open the page as `clawgit ui` does, with a terminal beside it unless `terminal` is False."""
    testclient = pytest.importorskip("starlette.testclient", reason="the page; get it: pip install 'clawgit[ui]'")
    sites = []

    def build(*, terminal: bool = True, patience: float = 120, root: Path = space, **options: Any) -> Browser:
        lines: list[str] = []
        repo = find(root)
        places = [root, repo.commondir, TrustStore(repo.commondir, os.environ).folder]
        tell = lines.append if terminal else None
        site = web_site.Site(
            partial(ask_silently, root), root, places, AUTHORITY, tell, date.today, patience=patience, **options
        )
        sites.append(site)
        client = testclient.TestClient(application(site), base_url=f"http://{AUTHORITY}")
        client.post("/open", data={"token": site.sessions.token}, headers=OURS, follow_redirects=False)
        return Browser(site, client, lines)

    yield build
    for site in sites:
        site.close()


@pytest.fixture
def browser(open_page: Callable[..., Browser]) -> Browser:
    """The page, opened."""
    return open_page()


@pytest.fixture
def full(space, commands):
    """A workspace in which there is something on every page."""
    commands("memory add", "The relay listens on port 8080.", tag="knowledge")
    commands("memory add", "The relay listens on port 9090.", tag="knowledge")
    commands("run", "conflict-detector", apply=True)
    commands("journal add", "Deploy moved to Tuesday.")
    commands("soul edit", "Be brief.", add=True, section="Vibe", why="asked for")
    commands("soul edit", "Be kind.", add=True, section="Vibe", why="asked for, too", propose=True)
    return space
