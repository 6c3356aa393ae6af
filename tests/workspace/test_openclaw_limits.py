"""What OpenClaw shows of the files that go into every prompt."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.openclaw import openclaw_limits


def cut(**sizes):
    return {
        one.path: one.hidden
        for one in openclaw_limits.find_unseen({f"{name}.md": "x" * size for name, size in sizes.items()})
    }


def test_a_long_file_keeps_its_head_and_tail():
    """Of 2026.9.6, as tests/live compares it with a prompt: the note on the cut takes its part of the room."""
    texts = {"SOUL.md": "x" * 20_001, "USER.md": "x" * 4_001 + "\n" * 9}
    found = [
        (one.path, one.size, one.head, one.size - one.hidden - one.head) for one in openclaw_limits.find_unseen(texts)
    ]
    assert found == [("SOUL.md", 20_001, 14_920, 4_973), ("USER.md", 4_001, 2_922, 974)]


def test_the_file_of_one_user_is_shown_whole_or_not_at_all():
    texts = {"users/ines/USER.md": "x" * 4_001, "users/tom/USER.md": "x" * 4_000}
    assert [(one.path, one.size - one.hidden) for one in openclaw_limits.find_unseen(texts)] == [
        ("users/ines/USER.md", 0)
    ]


def test_all_share_the_whole_in_their_order():
    assert cut(AGENTS=20_000, SOUL=20_000, IDENTITY=19_000, MEMORY=2_000) == {"MEMORY.md": 2_000 - 893}
    assert cut(AGENTS=20_000, SOUL=20_000, IDENTITY=19_950, MEMORY=2_000) == {"MEMORY.md": 2_000}  # under 64: left out


@given(
    st.dictionaries(
        st.sampled_from([name for name in openclaw_limits.ORDER if name not in openclaw_limits.RETIRED]),
        st.integers(0, 30_000),
    )
)
def test_never_more_than_the_whole_is_shown(sizes):
    texts = {path: "x" * size for path, size in sizes.items()}
    hidden = {one.path: one.hidden for one in openclaw_limits.find_unseen(texts)}
    assert all(0 < lost <= sizes[path] for path, lost in hidden.items())
    assert sum(sizes.values()) - sum(hidden.values()) <= openclaw_limits.Limits().total
