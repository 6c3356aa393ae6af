"""What OpenClaw shows of the files that go into every prompt."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace import openclaw_limits


def cut(**sizes):
    return {
        one.path: one.size - one.shown
        for one in openclaw_limits.cuts({f"{name}.md": "x" * size for name, size in sizes.items()})
    }


def test_what_fits_is_shown_whole():
    assert cut(AGENTS=20_000, SOUL=20_000, USER=4_000, MEMORY=16_000) == {}
    assert cut(README=90_000) == {}


def test_a_long_file_keeps_its_head_and_tail():
    assert cut(AGENTS=20_001, USER=4_001) == {"AGENTS.md": 2_001, "USER.md": 401}


def test_all_share_the_whole_in_their_order():
    assert cut(AGENTS=20_000, SOUL=20_000, IDENTITY=19_000, MEMORY=2_000) == {"MEMORY.md": 2_000 - 900}
    assert cut(AGENTS=20_000, SOUL=20_000, IDENTITY=19_950, MEMORY=2_000) == {"MEMORY.md": 2_000}  # under 64: left out


def test_characters_are_counted_as_javascript_does():
    assert (
        openclaw_limits.length("a"),
        openclaw_limits.length("日"),
        openclaw_limits.length("👩"),
        openclaw_limits.length("\ud83d"),
    ) == (1, 1, 2, 1)


@given(st.dictionaries(st.sampled_from(openclaw_limits.ORDER), st.integers(0, 30_000)))
def test_never_more_than_the_whole_is_shown(sizes):
    texts = {path: "x" * size for path, size in sizes.items()}
    hidden = {one.path: one.size - one.shown for one in openclaw_limits.cuts(texts)}
    assert all(0 < lost <= sizes[path] for path, lost in hidden.items())
    assert sum(sizes.values()) - sum(hidden.values()) <= openclaw_limits.Limits().total
