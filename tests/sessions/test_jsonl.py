"""A transcript file is read line by line, and on from where the last reading ended."""

import subprocess
import sys

import pytest

from clawgit.sessions import transcript
from clawgit.sessions.transcript import Mark, Reader, RewrittenError
from tests.amounts import amount


def read(place, mark=None, final=False):
    with transcript.open_transcript(place) as file:
        reader = Reader(file, mark or Mark(), transcript.stamp(place), final=final)
        return [(line.number, line.data) for line in reader], reader.mark


@pytest.fixture
def place(tmp_path):
    return tmp_path / "x.jsonl"


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


def test_a_large_file_needs_no_more_memory_than_a_small_one(tmp_path):
    script = (
        "import resource, sys; from pathlib import Path; from clawgit.sessions import session_messages, transcript\n"
        "from clawgit.sessions.envelope import Session\n"
        "place = Path(sys.argv[1])\n"
        "with transcript.open_transcript(place) as file:\n"
        "    reader = transcript.Reader(file, transcript.Mark(), transcript.stamp(place), final=False)\n"
        "    entries = ((line.start, transcript.parse(line.data)) for line in reader)\n"
        "    print(sum(1 for _ in session_messages.read(entries, Session('s'), session_messages.State())))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = []
    for count in (1_000, amount(40_000, 12_000)):
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
    assert peaks[1] - peaks[0] < 3_500  # kilobytes, of 7 million bytes or more
