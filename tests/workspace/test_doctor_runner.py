"""Checks that end no other check."""

from clawgit.errors import Advice, ClawgitError
from clawgit.workspace.doctor_runner import REPAIR, Check, Finding, Result, examine


def raising(error):
    def look():
        yield Finding("test", "before", Advice("do"))
        raise error

    return look


def test_a_check_that_finds_nothing_says_that_all_is_well():
    assert list(examine([Check("a", list, "fine")])) == [Result("a", ok=True, message="fine")]


def test_every_finding_is_a_line_once():
    found = [
        Finding("test", "one", Advice("do")),
        Finding("test", "one", Advice("do")),
        Finding("test", "two", ok=True),
    ]
    assert list(examine([Check("a", lambda: found, "fine")])) == [
        Result("a", ok=False, message="one", fix="do", key="test"),
        Result("a", ok=True, message="two", key="test"),
    ]


def test_an_error_is_a_finding_after_those_that_came_before_it():
    (before, error), (fine,) = (
        [*examine([Check("a", raising(ClawgitError("test", "x\nmore", fix=Advice("do that"))), "")])],
        [*examine([Check("b", list, "fine")])],
    )
    assert (before.message, error.message, error.fix, fine.ok) == ("before", "x", "do that", True)


def test_a_mistake_of_ours_or_of_the_system_is_told_and_nothing_ends():
    checks = [
        Check("a", raising(ZeroDivisionError("no")), ""),
        Check("b", raising(PermissionError(13, "Permission denied", "/x")), ""),
        Check("c", list, "fine"),
    ]
    messages = [(one.check, one.message) for one in examine(checks)]
    assert any(check == "a" and "ZeroDivisionError" in message for check, message in messages)
    assert ("b", "/x: Permission denied") in messages
    assert messages[-1] == ("c", "fine")


def test_one_cause_is_told_once():
    checks = [Check(name, raising(ClawgitError("test", "locked", fix=Advice("unlock"))), "") for name in "abc"]
    messages = [(one.check, one.message) for one in examine(checks) if one.message != "before"]
    assert messages == [("a", "locked"), ("b", "not looked at: see “a”"), ("c", "not looked at: see “a”")]


def test_what_needs_a_check_that_broke_is_not_looked_at():
    checks = [
        Check("a", raising(ClawgitError("test", "x")), ""),
        Check("b", raising(ValueError()), "", needs="a"),
    ]
    assert [one.message for one in examine(checks)] == ["before", "x", "not looked at: see “a”"]


def broken(repairs):
    """A check of something that is broken until it is repaired."""
    state = {"broken": True}

    def repair():
        repairs.append(1)
        state["broken"] = False

    def look():
        return [Finding("test", "broken", Advice("by hand"), repair=repair)] if state["broken"] else []

    return Check("a", look, "fine")


def test_nothing_is_repaired_unasked():
    repairs = []
    assert list(examine([broken(repairs)])) == [Result("a", ok=False, message="broken", fix=str(REPAIR), key="test")]
    assert repairs == []


def test_what_is_repaired_is_looked_at_again():
    repairs = []
    assert list(examine([broken(repairs)], fix=True)) == [Result("a", ok=True, message="broken", repaired=True)]
    assert repairs == [1]


def test_a_repair_that_fails_leaves_the_finding_and_says_why():
    def repair():
        raise ClawgitError("test", "busy", fix=Advice("wait"))

    check = Check("a", lambda: [Finding("test", "broken", repair=repair)], "fine")
    assert list(examine([check], fix=True)) == [
        Result("a", ok=False, message="busy", fix="wait", key="test"),
        Result("a", ok=False, message="broken", fix=str(REPAIR), key="test"),
    ]
