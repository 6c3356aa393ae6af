"""Codes of the terminal: for one act, as it was shown, five tries."""

import pytest

from clawgit.web.web_site import MAX_TRIES, Codes


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def terminal():
    return []


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def codes(terminal, clock):
    return Codes(terminal.append, clock)


def digits(terminal):
    return "".join(terminal[-1].split()[1:3])


def wrong(code):
    return f"{(int(code) + 1) % 1_000_000:06}"


def test_a_right_code_is_taken_once(codes, terminal):
    assert codes.issue("accept", "9b1c", "accept it kxqm")
    assert "accept it kxqm (9b1c)" in terminal[-1]
    code = digits(terminal)
    assert len(code) == 6
    assert codes.take("accept", "9b1c", f"{code[:3]} {code[3:]}") == "right"
    assert codes.take("accept", "9b1c", code) == "spent"


def test_who_guesses_on_gets_no_further_code(codes, terminal):
    for _ in range(4):
        codes.issue("accept", "9b1c", "accept")
        for _ in range(MAX_TRIES):
            codes.take("accept", "9b1c", wrong(digits(terminal)))
    assert not codes.possible
    assert not codes.issue("accept", "9b1c", "accept")


def test_a_new_code_ends_the_one_before(codes, terminal):
    codes.issue("accept", "9b1c", "accept")
    old = digits(terminal)
    codes.issue("accept", "9b1c", "accept")
    new = digits(terminal)
    if old != new:
        assert codes.take("accept", "9b1c", old) == "wrong"
    assert codes.take("accept", "9b1c", new) == "right"


def test_a_code_ends_after_ten_minutes(codes, terminal, clock):
    codes.issue("accept", "9b1c", "accept")
    clock.now = 601
    assert not codes.tries("accept", "9b1c")
    assert codes.take("accept", "9b1c", digits(terminal)) == "spent"
