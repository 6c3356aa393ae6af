"""How much OpenClaw shows of the files of a workspace."""

import re

from clawgit.openclaw import blank_forms


def read_from_prompt(openclaw, path: str) -> str:
    """Return the part of a file in the prompt."""
    parts = re.split(r"^## (/\S+)$", openclaw.say("Well?").request.text("system"), flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    return next(text for name, text in texts.items() if name.endswith(f"/{path}")).strip()


def test_of_a_long_file_so_much_is_shown_as_clawgit_says(connected):
    long = "".join(f"- Point {number} of the long list.\n" for number in range(2_000))
    for path in ("SOUL.md", "USER.md", "AGENTS.md"):
        place = connected.workspace / path
        before = place.read_text()
        place.write_text(before + long)
        texts = {name: (connected.workspace / name).read_text() for name in ("AGENTS.md", "SOUL.md", "USER.md")}
        (cut,) = (cut_file for cut_file in blank_forms.find_unseen(texts) if cut_file.path == path)
        prompt = read_from_prompt(connected, path)
        place.write_text(before)
        mark = f"kept {cut.head}+"
        assert mark in prompt
        tail = cut.size - cut.hidden - cut.head
        assert f"+{tail} chars of {cut.size})" in prompt
        text = (before + long).rstrip()
        assert prompt.startswith(text[: cut.head].strip())
        assert text[len(text) - tail :].strip() in prompt
