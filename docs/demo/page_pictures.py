"""Draws the pictures of the page: a workspace that was lived in, in a real Chromium.

    pip install 'playwright>=1.65,<2'; apt-get install chromium
    python docs/demo/page_pictures.py [FOLDER]

Without FOLDER they are written to docs/demo. The workspace is the same each time; ids of changes are not.
"""

import os
import shutil
import sys
import tempfile
import threading
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import lived_in
import time_machine
from playwright.sync_api import Browser, sync_playwright

from clawgit.cli.ui_command import ask_silently
from clawgit.web import page_server, web_site
from clawgit.web.web_site import Site

HERE = Path(__file__).parent
PICTURES = {
    "page-soul": ("soul", {"at": "5"}, "light"),
    "page-inbox": ("inbox", {}, "dark"),
}
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


def main() -> None:
    """Make the workspace, show it, and take the pictures."""
    target = Path(sys.argv[1]) if sys.argv[1:] else HERE
    with tempfile.TemporaryDirectory(prefix="clawgit-pictures-") as folder:
        os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = folder
        root = lived_in.made(Path(folder).resolve() / "workspace")
        today = lived_in.at(150, 9)
        listening = page_server.bind_socket(0)
        where = page_server.authority(listening)
        site = web_site.Site(partial(ask_silently, root), root, [root], where, lambda _: None, today.date, patience=60)
        over = threading.Event()
        serving = threading.Thread(target=page_server.serve, args=(site, listening), kwargs={"over": over.is_set})
        with time_machine.travel(today.astimezone(UTC), tick=True):
            serving.start()
            try:
                drawn(site, target)
            finally:
                over.set()
                serving.join()
    print(*sorted(f"{name}.png" for name in PICTURES), f"at {datetime.now(UTC):%H:%M}")


def drawn(site: Site, target: Path) -> None:
    """Enter the page and take each picture."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        cookies = entered(browser, site)
        for name, (page, state, scheme) in PICTURES.items():
            size = {"width": 1180, "height": 760}
            context = browser.new_context(color_scheme=scheme, viewport=size, device_scale_factor=1.5)
            context.add_cookies(cookies)
            tab = context.new_page()
            tab.goto(f"http://{site.authority}{site.address(page, state)}")
            tab.screenshot(path=target / f"{name}.png")
            context.close()
        browser.close()


def entered(browser: Browser, site: Site) -> list[dict[str, object]]:
    """Come in by the printed address, and return the cookie."""
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(page_server.address(site))
    tab.click("button")
    tab.wait_for_selector("h1")
    return [dict(one) for one in context.cookies(f"http://{site.authority}{site.sessions.root}")]


if __name__ == "__main__":
    main()
