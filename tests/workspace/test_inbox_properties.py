"""What holds for any file and any change that waits."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.workspace import identity_edits
from tests.amounts import amount

from .inboxes import accept
from .places import another

SOULS = [
    "# Soul\n\n## Vibe\n\n- Calm.\n",
    "# 魂\n\n## 核心\n\n- 短く答える。\n- 秘密は守る。\n\n## Vibe\n\n- 落ち着いて。\n",
    "no section at all\n\nwords\n",
    "## Vibe\r\n\r\n- Calm.\r\n- Plain.\r\n",
    "\ufeff# Soul\n\n## Vibe\n\n- Calm.\n",
    "## Vibe\n\n<div hidden>\n<b>x</b>\n</div>\n\n<!-- note -->\n- Calm.",
    "## Vibe\n\n| who | what |\n|---|---|\n| Ana | tea |\n",
    "",
]
WORDS = [
    "Short on the phone.",
    "短く。",
    "<script>alert(1)</script>",
    "a `b` | c",
    "x" * 300,
    "Ends in space ",
    "\ufeffBOM",
]
STEPS = st.lists(st.sampled_from([*WORDS, "Calm.", "Plain."]), min_size=1, max_size=3)
MANY = settings(max_examples=amount(25, 4), suppress_health_check=list(HealthCheck))


def change(place, text, act):
    """Return an edit of the soul, None where it cannot be made."""
    try:
        return identity_edits.edit(place.ws, act, text, section="Vibe", why="x", old="Calm.")
    except ClawgitError:
        return None


def _without_log(place):
    """Return the files of a workspace without those that name its commits."""
    ours = ("CHANGELOG.md", "COMPACTION_LOG.md", ".clawgit/")
    return {path: data for path, data in place.tree().items() if not path.startswith(ours)}


@given(base=st.sampled_from(SOULS), texts=STEPS, act=st.sampled_from(["add", "replace", "remove"]))
@MANY
def test_an_item_that_is_accepted_is_what_would_have_landed_at_once(mould, base, texts, act):
    with another(mould) as one, another(mould) as two:
        for place in (one, two):
            place.given(SOUL=base)
        for text in texts:
            wanted = change(one, text, act)
            if wanted is None:
                continue
            try:
                two.ws.apply(wanted)
            except ClawgitError:
                with pytest.raises(ClawgitError):
                    one.ws.apply(wanted, wait=True)
                continue
            waits = one.ws.apply(wanted, wait=True).proposal
            if waits:
                assert one.read("SOUL.md") != two.read("SOUL.md")
                accept(one, waits.id)
            assert one.read("SOUL.md") == two.read("SOUL.md")
        assert _without_log(one) == _without_log(two)
        one.agrees()
