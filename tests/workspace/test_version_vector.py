"""Dots: every row that is written names its write, and what its writer had read."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.entries import Row, merge, read, render, said, with_rows
from clawgit.workspace.sidecar_rows import stamped
from clawgit.workspace.version_vector import Readings, dots

MACHINES = ("kkkkkkkk", "pppppppp", "zzzzzzzz")
KEYS = st.sampled_from(["kkkkkkkkkk", "llllllllll", "mmmmmmmmmm"])
MACHINE = st.sampled_from(range(3))
WRITE = st.tuples(st.just("write"), MACHINE, KEYS, st.sampled_from("abc"))
DROP = st.tuples(st.just("drop"), MACHINE, KEYS, st.none())
READ = st.tuples(st.just("read"), MACHINE, MACHINE, st.none())


class Clone:
    """One machine's file, with what it truly has read."""

    def __init__(self, name):
        self.name, self.text, self.knows, self.given = name, render({}), {}, 0

    def issue(self, there, count):
        self.given += count
        return self.name, self.given - count + 1

    def put(self, key, value):
        """Set a row, or take it out; return the dots that are new."""
        before, was = self.text, read(self.text)
        rows = {k: row for k, row in was.rows.items() if k != key}
        if value:
            rows[key] = Row(key, "MEMORY.md", value)
        self.text = stamped(before, with_rows(before, rows), self.issue)
        new = {row.dots for row in read(self.text).rows.values()} | set(read(self.text).gone.values())
        return new - {row.dots for row in was.rows.values()} - set(was.gone.values())


@given(st.lists(st.one_of(WRITE, DROP, READ), max_size=25))
def test_in_any_order_of_writes_and_merges_dots_grow_and_tell_just_what_was_read(acts):
    """A new dot for each write and no other; `seen` is what the writer had read, no less and no more."""
    clones, truly = [Clone(name) for name in MACHINES], {}
    for act, at, what, value in acts:
        one = clones[at]
        if act == "read":
            one.text = merge(render({}), one.text, clones[what].text)
            one.knows = {name: max(one.knows.get(name, 0), clones[what].knows.get(name, 0)) for name in MACHINES}
            continue
        before, was = one.text.split("\n"), read(one.text)
        new = one.put(what, value)
        now = read(one.text)
        changed = (was.rows.get(what)) != (now.rows.get(what))
        assert len(new) == (1 if changed else 0)
        for ((machine, n),) in new:
            assert machine == one.name
            assert n == one.knows.get(machine, 0) + 1
            seen = now.seen(what)
            assert all(seen.get(name, 0) >= top for name, top in was.highest.items())
            truly[machine, n] = {name: top for name, top in one.knows.items() if top}
            one.knows[machine] = n
        kept = [line for line in before if line and not line.startswith((what, "@"))]
        assert [line for line in one.text.split("\n") if line and not line.startswith((what, "@"))] == kept
        assert read(one.text) == read(render(now.rows, now)) or render(now.rows, now) == one.text
    for one in clones:
        found = read(one.text)
        for name, row in found.rows.items():
            if len(row.dots) == 1:
                assert found.seen(name) == truly[row.dots[0]]


@given(st.lists(st.one_of(WRITE, DROP), min_size=1, max_size=8), st.lists(st.one_of(WRITE, DROP), max_size=8))
def test_merging_keeps_the_dots_that_no_side_has_replaced_whatever_the_order(ours, theirs):
    left, right = Clone(MACHINES[0]), Clone(MACHINES[1])
    for one, acts in ((left, ours), (right, theirs)):
        for _, _, key, value in acts:
            one.put(key, value)
    both = merge(render({}), left.text, right.text)
    assert both == merge(render({}), right.text, left.text)
    assert merge(render({}), both, left.text) == both
    for key, row in read(both).rows.items():
        sides = [read(one.text).rows[key].dots for one in (left, right) if key in read(one.text).rows]
        assert {dot for dots_ in sides for dot in dots_} <= set(row.dots)


def test_a_write_after_a_merge_has_seen_both_sides():
    left, right = Clone(MACHINES[0]), Clone(MACHINES[1])
    left.put("kkkkkkkkkk", "a")
    right.put("kkkkkkkkkk", "b")
    left.text = merge(render({}), left.text, right.text)
    assert read(left.text).rows["kkkkkkkkkk"].dots == (("kkkkkkkk", 1), ("pppppppp", 1))
    left.put("kkkkkkkkkk", "c")
    found = read(left.text)
    assert found.rows["kkkkkkkkkk"].dots == (("kkkkkkkk", 2),)
    assert found.seen("kkkkkkkkkk") == {"kkkkkkkk": 1, "pppppppp": 1}


def test_what_somebody_brought_back_on_disk_is_a_new_write():
    """A checkout of an older file, or an edit by hand, brings no old dot back; a row from elsewhere keeps its own."""
    one, other = Clone(MACHINES[0]), Clone(MACHINES[1])
    one.put("kkkkkkkkkk", "a")
    old = one.text
    one.put("kkkkkkkkkk", "b")
    other.put("mmmmmmmmmm", "c")
    disk = merge(render({}), old, other.text)
    after = read(stamped(one.text, disk, one.issue))
    assert after.rows["kkkkkkkkkk"].dots == (("kkkkkkkk", 3),)
    assert after.rows["mmmmmmmmmm"].dots == (("pppppppp", 1),)
    assert said(stamped(one.text, disk, one.issue)) == said(disk)


def test_a_row_that_is_taken_out_leaves_its_id_with_the_write_that_did_so():
    one = Clone(MACHINES[0])
    one.put("kkkkkkkkkk", "a")
    one.put("kkkkkkkkkk", None)
    assert one.text.endswith("\nkkkkkkkkkk\tkkkkkkkk:2\n")
    assert read(one.text).rows == {}
    one.put("kkkkkkkkkk", "a")
    assert read(one.text).rows["kkkkkkkkkk"].dots == (("kkkkkkkk", 3),)
    assert read(one.text).gone == {}


@given(st.text("@kp:1,\t\n", max_size=80))
def test_any_text_is_read_without_an_end_to_the_circle(text):
    """Forged readings that name each other are walked once."""
    found = read(text)
    for name in (*found.rows, *found.gone):
        found.seen(name)
    assert read(render(found.rows, found)).gone == found.gone


def test_readings_that_name_each_other_end():
    text = "@\tkkkkkkkk\t1\tpppppppp:1\n@\tpppppppp\t1\tkkkkkkkk:1\n"
    assert read(text).readings.seen([("kkkkkkkk", 1)]) == {"pppppppp": 1, "kkkkkkkk": 1}


def test_what_is_no_dot_is_passed_over():
    odd = ("KKKKKKKK:1", "kkkkkkkk:0", "kkkkkkkk:01", "kkkkkkk:1", "kkkkkkkk:1e9", "kkkkkkkk:" + "9" * 5000)
    assert dots(",".join(("kkkkkkkk:1", *odd))) == (("kkkkkkkk", 1),)
    assert Readings().seen([]) == {}
