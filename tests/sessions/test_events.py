"""A line of a transcript is read for what it holds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.sessions.transcript import LONGEST_RESULT, Call, UnfitError, entry, moment, parse


def message(**more):
    return {"type": "message", "id": "a", "parentId": None, "message": more}


def test_a_users_words_are_text_or_pieces_and_pictures_are_left_out():
    parts = [
        {"type": "text", "text": "one"},
        {"type": "image", "data": "AAAA", "mimeType": "x"},
        {"type": "text", "text": "two"},
    ]
    assert entry(message(role="user", content="plain")).text == "plain"
    assert entry(message(role="user", content=parts)).text == "one\ntwo"


def test_of_the_agent_words_and_calls_are_kept_thoughts_are_not():
    parts = [
        {"type": "thinking", "thinking": "secret"},
        {"type": "text", "text": "I look"},
        {"type": "toolCall", "id": "1", "name": "exec", "arguments": {"command": "ls"}},
    ]
    found = entry(message(role="assistant", content=parts))
    assert (found.text, found.calls) == ("I look", (Call("exec", '{"command": "ls"}'),))


def test_of_a_tool_its_name_and_whether_it_failed():
    found = entry(
        message(role="toolResult", toolName="exec", isError=True, content=[{"type": "text", "text": "denied"}])
    )
    assert (found.role, found.tool, found.failed, found.text) == ("tool", "exec", True, "denied")


def test_a_long_answer_of_a_tool_keeps_its_ends():
    text = entry(message(role="toolResult", toolName="x", content="a" * 50_000 + "end")).text
    assert len(text) <= LONGEST_RESULT + 3
    assert text.startswith("aaa")
    assert text.endswith("end")


def test_a_command_of_the_operators_own_terminal():
    found = entry(message(role="bashExecution", command="false", output="nothing", exitCode=1))
    assert (found.role, found.tool, found.failed, found.calls) == ("tool", "bash", True, (Call("bash", "false"),))


@pytest.mark.parametrize("model", ["delivery-mirror", "gateway-injected"])
def test_a_copy_of_what_was_delivered_is_marked(model):
    assert entry(message(role="assistant", content="hi", provider="openclaw", model=model)).mirror


def test_who_sent_a_turn():
    assert entry(message(role="user", content="x", provenance={"kind": "inter_session"})).by == "inter_session"
    assert entry(message(role="user", content="x", provenance="odd")).by == ""


@pytest.mark.parametrize("kind", ["compaction", "custom", "label", "session_info", "something new", None, 7])
def test_what_is_no_message_has_a_place_and_no_role(kind):
    found = entry({"type": kind, "id": "b", "parentId": "a", "summary": "x"})
    assert (found.id, found.parent, found.role) == ("b", "a", "")


def test_a_parent_is_named_or_none_or_not_said():
    assert entry({"type": "label", "id": "b", "parentId": None}).parent is None
    assert entry({"type": "label", "id": "b"}).parent == ""


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (1_777_881_605_120, 1_777_881_605.12),
        (1_777_881_605, 1_777_881_605.0),
        ("1777881605", 1_777_881_605.0),
        ("2026-05-04T08:00:05.120Z", 1_777_881_605.12),
        ("2026-05-04T10:00:05+02:00", 1_777_881_605.0),
        ("2026-05-04 08:00:05", 1_777_881_605.0),
        *(
            (value, None)
            for value in (
                "",
                "soon",
                None,
                True,
                0,
                -5,
                1e300,
                float("nan"),
                float("inf"),
                "1e999",
                [],
                {},
                "0001-01-01",
            )
        ),
    ],
)
def test_a_time_is_read_however_it_is_written(value, seconds):
    assert moment(value) == seconds


def test_the_message_knows_its_time_better_than_the_line():
    one = {
        "type": "message",
        "id": "a",
        "timestamp": "2026-05-04T09:00:00Z",
        "message": {"role": "user", "content": "x"},
    }
    assert entry(one).time == 1_777_885_200.0
    one["message"]["timestamp"] = 1_777_881_600_000
    assert entry(one).time == 1_777_881_600.0


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"7", b'"x"', b"\xff\xfe", b"null", b"[" * 100_000, b'{"a":' * 50_000]
)
def test_a_line_that_is_no_object_is_unfit(line):
    with pytest.raises(UnfitError):
        parse(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "type",
        "id",
        "parentId",
        "timestamp",
        "message",
        "role",
        "content",
        "text",
        "provenance",
        "toolName",
        "arguments",
        "isError",
    ]
)


@given(st.dictionaries(FIELDS, JSON | st.dictionaries(FIELDS, JSON, max_size=5), max_size=6))
def test_no_object_breaks_the_reader(value):
    found = parse(json.dumps(value))
    found.text.encode("utf-8")
    assert "\0" not in found.text + found.id + (found.parent or "")


def test_bytes_that_are_no_utf8_are_replaced():
    assert (
        parse(b'{"type":"message","message":{"role":"user","content":"gr\xfc\xdfe \\u0000 \\ud800"}}').text
        == "gr\ufffd\ufffde \ufffd ?"
    )


def test_a_name_that_is_too_long_for_an_index_is_shortened_alike_everywhere():
    name = "n" * 5_000
    assert len(entry({"type": "label", "id": name}).id) <= 128
    assert entry({"type": "label", "id": name}).id == entry({"type": "label", "id": "x", "parentId": name}).parent
