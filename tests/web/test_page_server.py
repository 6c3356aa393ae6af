"""The server itself: one address, no log, an end; and the command that starts it."""

import http.client
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

from clawgit.web import page_server

CLAWGIT = str(Path(sys.executable).with_name("clawgit"))


@contextmanager
def started(space, *options, terminal=True):
    """Run `clawgit ui` as a process, at a terminal of its own or without one; yields its address and its words."""
    ours, theirs = pty.openpty()
    ends = {"stdin": theirs, "stdout": subprocess.PIPE, "stderr": theirs}
    if not terminal:
        ends = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    command = [CLAWGIT, "-C", str(space), "ui", "--no-open", *options]
    process = subprocess.Popen(command, **ends, text=True)
    try:
        yield process, process.stdout.readline().strip(), ours
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()
        os.close(theirs)
        os.close(ours)


def talk(address, method, path, body="", **headers):
    connection = http.client.HTTPConnection(address, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.getheaders()), text


def entered(address):
    """Enter by a printed address; returns host:port, the root path and the cookie."""
    host, token = re.fullmatch(r"http://([\d.]+:\d+)/open\?token=([\w-]+)", address).groups()
    headers_sent = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    status, headers, _ = talk(host, "POST", "/open", f"token={token}", **headers_sent)
    assert status == 303
    return host, headers["location"].removesuffix("today"), headers["set-cookie"].partition(";")[0]


def test_the_command_prints_an_address_that_opens_the_page_once_and_writes_no_look_down(space):
    with started(space) as (process, address, terminal):
        host, root, cookie = entered(address)
        assert host.startswith("127.0.0.1:")
        own = {"Cookie": cookie, "Sec-Fetch-Site": "none"}
        status, headers, text = talk(host, "GET", f"{root}today", **own)
        assert (status, "Today" in text, "server" in {name.lower() for name in headers}) == (200, True, False)
        arguments = Path(f"/proc/{process.pid}/cmdline")
        if arguments.exists():
            assert address.partition("=")[2] not in arguments.read_text()
        talk(host, "GET", f"{root}search?q=verysecretquestion", **own)
        process.terminate()
        rest = process.stdout.read()
        os.set_blocking(terminal, False)
        rest += os.read(terminal, 65536).decode()
    assert "verysecret" not in rest
    assert "GET" not in rest


def test_a_code_is_shown_at_the_terminal(space):
    with started(space) as (_, address, terminal):
        host, root, cookie = entered(address)
        headers_sent = {
            "Cookie": cookie,
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        form = re.search(r'name="form" value="([\w-]+)"', talk(host, "GET", f"{root}schedule", **headers_sent)[2])[1]
        status, _, text = talk(host, "POST", f"{root}act/run", f"form={form}&job=capture", **headers_sent)
        assert status == 200
        assert "six digits" in text
        text_read = ""
        while "code " not in text_read:
            text_read += os.read(terminal, 4096).decode()
        code = "".join(re.search(r"code (\d{3}) (\d{3})", text_read).groups())
        digest = re.findall(r'name="shown" value="(\w+)"', text)[-1]
        body = f"form={form}&job=capture&shown={digest}&code={code}"
        assert talk(host, "POST", f"{root}act/run", body, **headers_sent)[0] == 303


def test_a_port_that_is_taken_is_named(space):
    with page_server.bind_socket(0) as server_socket:
        port = str(server_socket.getsockname()[1])
        command = [CLAWGIT, "-C", str(space), "ui", "--no-open", "--port", port]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert f"port {port} " in answer.stderr
    assert "fix: clawgit ui" in answer.stderr


def test_it_ends_when_nobody_looks(open_page):
    site = open_page().site
    listening = page_server.bind_socket(0)
    site.authority = page_server.authority(listening)
    running = threading.Thread(target=page_server.serve, args=(site, listening), kwargs={"idle": 0.1})
    running.start()
    running.join(30)
    assert not running.is_alive()
    listening.close()


def test_the_file_that_opens_it_is_for_its_owner_alone_and_goes(open_page):
    site = open_page().site
    with page_server.opening_file(site) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert site.sessions.token in path.read_text()
        assert site.sessions.token not in str(path)
        assert 'method="post"' in path.read_text()
    assert not path.exists()


def test_an_export_is_one_file_for_its_owner(space, tmp_path):
    target = tmp_path / "page.html"
    command = [CLAWGIT, "-C", str(space), "ui", "--export", str(target)]
    subprocess.run(command, capture_output=True, check=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    text = target.read_text()
    assert "Have a view." in text
    assert "<form" not in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "src=" not in text
    assert "<script" not in text
    second_run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second_run.returncode == 1
    assert target.read_text() == text


def test_without_the_extra_the_way_to_get_it_is_said(space):
    code = (
        "import sys; sys.modules['starlette'] = None\n"
        f"from clawgit.cli.main import main; sys.exit(main(['-C', {str(space)!r}, 'ui']))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "fix: pip install 'clawgit[ui]'" in result.stderr


def test_the_report_of_adopt_opens_as_a_page(space):
    """With --dry-run alone; of a folder that is not adopted nothing can be done on it."""
    result = subprocess.run([CLAWGIT, "adopt", str(space), "--open"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "--dry-run --open" in result.stderr
    command = [CLAWGIT, "adopt", str(space), "--dry-run", "--open"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        host, token = re.fullmatch(
            r"http://([\d.]+:\d+)/open\?token=([\w-]+)", process.stdout.readline().strip()
        ).groups()
        headers_sent = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        _, headers, _ = talk(host, "POST", "/open", f"token={token}", **headers_sent)
        assert headers["location"].endswith("/report")
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def test_told_to_end_it_leaves_nothing_behind(space, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with started(space) as (process, address, _):
        entered(address)
        assert len(list(tmp_path.glob("clawgit-*.html"))) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert list(tmp_path.glob("clawgit-*.html")) == []
