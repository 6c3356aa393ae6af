"""A transcript file is read line by line, and on from where the last reading ended."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.sessions import transcript
from clawgit.sessions.transcript import Mark, Reader, RewrittenError


def read(place, mark=None, final=False):
    with transcript.opened(place) as file:
        reader = Reader(file, mark or Mark(), transcript.stamp(place), final=final)
        return [(line.number, line.data) for line in reader], reader.mark


@pytest.fixture
def place(tmp_path):
    return tmp_path / "x.jsonl"


def test_lines_have_numbers_and_empty_ones_and_line_ends_do_not_matter(place):
    place.write_bytes(b'\xef\xbb\xbf{"a":1}\r\n\n  {"b":2}\n')
    lines, mark = read(place)
    assert lines == [(1, b'{"a":1}'), (2, b""), (3, b'{"b":2}')]
    assert (mark.offset, mark.lines) == (place.stat().st_size, 3)


def test_half_a_line_waits_for_its_other_half(place):
    place.write_bytes(b'{"a":1}\n{"b":{"c":2}')
    lines, mark = read(place)
    assert lines == [(1, b'{"a":1}')]
    with place.open("ab") as file:
        file.write(b"}\n")
    assert read(place, mark)[0] == [(2, b'{"b":{"c":2}}')]


def test_a_whole_line_without_an_end_does_not_wait(place):
    place.write_bytes(b'{"a":1}\n{"b":2}')
    lines, mark = read(place)
    assert lines == [(1, b'{"a":1}'), (2, b'{"b":2}')]
    with place.open("ab") as file:
        file.write(b'\n{"c":3}\n')
    assert read(place, mark)[0] == [(2, b""), (3, b'{"c":3}')]


def test_of_a_file_that_nobody_writes_half_a_line_is_told(place):
    place.write_bytes(b'{"a":1}\n{"b"')
    assert read(place, final=True)[0] == [(1, b'{"a":1}'), (2, b'{"b"')]


def test_a_line_that_is_too_long_is_passed_over(place, monkeypatch):
    monkeypatch.setattr(transcript, "LONGEST", 100)
    place.write_bytes(b'{"a":1}\n' + b"x" * 1000 + b'\n{"b":2}\n')
    assert read(place)[0] == [(1, b'{"a":1}'), (2, None), (3, b'{"b":2}')]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-3],
        lambda data: b"",
        lambda data: data.replace(b"Monday", b"Friday"),  # of the same length
        lambda data: b'{"new":1}\n' + data,
        lambda data: data.replace(b"Monday", b"a day") + b'{"more":1}\n',
    ],
)
def test_what_changed_before_the_mark_is_noticed(change, place):
    place.write_bytes(b'{"a":"Monday"}\n{"b":2}\n')
    _, mark = read(place)
    place.write_bytes(change(place.read_bytes()))
    with pytest.raises(RewrittenError):
        read(place, mark)


@given(st.lists(st.binary(max_size=12).map(lambda data: data.replace(b"\n", b" ")), max_size=8), st.data())
def test_in_any_pieces_it_is_the_same_text(tmp_path_factory, parts, data):
    whole = b"".join(b'{"x":"' + part.hex().encode() + b'"}\n' for part in parts)
    place = tmp_path_factory.mktemp("pieces") / "x.jsonl"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4)))
    lines, mark = [], Mark()
    for cut in (*cuts, len(whole)):
        place.write_bytes(whole[:cut])
        more, mark = read(place, mark)
        lines += more
    place.write_bytes(whole)
    assert [line for line in lines if line[1]] == [line for line in read(place)[0] if line[1]]


def test_a_compressed_archive_is_read_as_it_is(tmp_path):
    zstandard = pytest.importorskip("zstandard", reason="zstandard; get it: pip install 'clawgit[openclaw]'")
    place = tmp_path / "x.jsonl.deleted.2026-03-01T10-20-30.123Z.zst"
    packed = zstandard.ZstdCompressor().compress(b'{"a":1}\n{"b":2}\n')
    place.write_bytes(packed)
    assert read(place, final=True)[0] == [(1, b'{"a":1}'), (2, b'{"b":2}')]
    place.write_bytes(b"no archive at all")
    with pytest.raises(OSError, match="is no whole archive"):
        read(place, final=True)


def test_a_large_file_needs_no_more_memory_than_a_small_one(tmp_path):
    script = (
        "import resource, sys; from pathlib import Path; from clawgit.sessions import session_messages, transcript\n"
        "from clawgit.sessions.envelope import Session\n"
        "place = Path(sys.argv[1])\n"
        "with transcript.opened(place) as file:\n"
        "    reader = transcript.Reader(file, transcript.Mark(), transcript.stamp(place), final=False)\n"
        "    entries = ((line.start, transcript.parse(line.data)) for line in reader)\n"
        "    print(sum(1 for _ in session_messages.read(entries, Session('s'), session_messages.State())))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = []
    for count in (1_000, 40_000):
        place = tmp_path / f"{count}.jsonl"
        line = (
            '{"type":"message","id":"%08x","parentId":null,"message":{"role":"user","content":"'
            + "word " * 100
            + '"}}\n'
        )
        with place.open("w") as file:
            file.writelines(line % n for n in range(count))
        done = subprocess.run([sys.executable, "-c", script, place], capture_output=True, text=True, check=True)
        read_, peak = map(int, done.stdout.split())
        assert read_ == count
        peaks.append(peak)
    assert peaks[1] - peaks[0] < 8_000  # kilobytes, of 24 million bytes
