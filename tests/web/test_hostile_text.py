"""Memory is shown as text: nothing runs, leads away, hides, or tells a secret."""

import subprocess

from clawgit.web.page_server import PAGES

ATTACKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "<svg/onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![](http://evil.example/pixel.png)",
    "<a href=http://evil.example>x</a>",
    "{{ 7 * 7 }} {% raw %}",
    "<div hx-get=/x hx-trigger=load>",
    "<!-- --><iframe src=//evil.example>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "</script><script>alert(1)</script>",
)
FORBIDDEN = (
    "<script>alert",
    "<img",
    "<svg/onload",
    "<iframe",
    "<a href=http",
    "<div hx-get",
    "<!-- -->",
    'onerror=alert(1)>"',
)


def test_nothing_of_it_is_markup(browser, commands, space):
    soul = (space / "SOUL.md").read_text()
    body = "".join(f"- {attack}\n" for attack in ATTACKS)
    (space / "SOUL.md").write_text(f"{soul}\n## {ATTACKS[0]}\n\n{body}")
    (space / "MEMORY.md").write_text(f"# Memory\n\n## Knowledge\n\n{body}")
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory" / "a<script>alert(1)<b>.md").write_text(body)
    (space / "memory" / "'\"><img src=x>.md").write_text(body)
    (space / "memory" / "caf\udce9.md").write_bytes(b"# Caf\xe9\n\n- x\n")
    subprocess.run(["git", "add", "-A"], cwd=space, check=True)
    person = ["-c", "user.name=<script>alert(1)</script>", "-c", "user.email=<x@evil.example>"]
    subprocess.run(["git", *person, "commit", "-qm", f"{ATTACKS[0]}\n\n{ATTACKS[1]}"], cwd=space, check=True)
    (space / "SOUL.md").write_text((space / "SOUL.md").read_text() + f"- edit {ATTACKS[3]}\n")
    commands("memory add", ATTACKS[1])
    for page in PAGES:
        states = [
            {},
            {"file": ATTACKS[1]},
            {"q": "script alert"},
            {"q": ATTACKS[0], "story": "1"},
            {"text": ATTACKS[0]},
        ]
        states += [{"line": f"SOUL.md:{line}"} for line in (17, 18, 19)]
        if page == "memory/entry":
            states = [{"id": row["id"]} for row in commands("memory list").rows[:4]] + [{"id": ATTACKS[0]}]
        for state in states:
            answer = browser.get(page, **state)
            assert answer.status_code in (200, 400), page
            text = answer.text
            for forbidden in FORBIDDEN:
                assert forbidden not in text, state
            assert 'href="http' not in text
            assert "javascript:" not in text or 'href="javascript:' not in text


def test_hidden_characters_are_drawn_and_sent_nowhere(browser, space, commands):
    commands("config", "soul_policy", "review")
    soul = (space / "SOUL.md").read_text()
    (space / "SOUL.md").write_text(soul.replace("Have a view.", "Have a\u200b view\u202e.\U000e0041"))
    (space / "MEMORY.md").write_text("# Memory\n\n## Knowledge\n\n- One\u200btwo \u2066nihton.\n- \x1b[31mred\x07\n")
    identity = ("-c", "user.name=agent", "-c", "user.email=a@localhost")
    subprocess.run(["git", *identity, "commit", "-qm", "update", "SOUL.md"], cwd=space, check=True)
    commands("capture")
    shown = browser.get("inbox").text
    for number in ("U+200B", "U+202E", "U+E0041"):
        assert f">{number}</span>" in shown
    for page in ("inbox", "memory", "growth", "search", "context", "audit", "report", "today"):
        text = browser.get(page, q="two", text="two").text
        assert not set(text) & set("\u200b\u202e\u2066\U000e0041\x1b\x07"), page


def test_secrets_are_named_not_shown(browser, space):
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    (space / "MEMORY.md").write_text(f"# Memory\n\n## Knowledge\n\n- The token is {token}.\n")
    (space / "SOUL.md").write_text((space / "SOUL.md").read_text() + f"- Use {token}.\n")
    for page in PAGES:
        for state in ({}, {"q": "token", "story": "1", "all": "1"}, {"text": "token"}, {"line": "SOUL.md:13"}):
            assert token not in browser.get(page, **state).text, page
            assert token not in browser.get(f"{page}.json", **state).text, page
