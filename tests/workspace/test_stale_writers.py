"""Whoever writes a whole file back from an old version takes nothing away; whoever edits the newest is left alone."""

from collections import Counter
from functools import cache

import pytest

from clawgit.text.entry import digest, entries, entry_id
from clawgit.workspace.entries import Row, render
from clawgit.workspace.entry_association import associate
from clawgit.workspace.sidecar_rows import Table
from clawgit.workspace.stale_write import heal
from tests.amounts import amount

from .late import HONEST, STALE, honest, stale
from .pasts import everything, flat, past

SEEDS = range(amount(20, 10))  # with eleven kinds of writers
PATH = "MEMORY.md"


def healed(one, written):
    return heal(one.files[-1], written.disk, iter(one.older), grows=False)


@cache
def written_by(writer, kind, seed):
    """Return what a writer writes, and what is made of it."""
    one = past(seed)
    written = writer(one, kind)
    return written, healed(one, written)


def faults(one, written, found):
    """Return what is wrong with a healed text, seen from what everybody meant and not from how it was healed."""
    if found.went_back:  # in the very style of the old version
        return
    now = {line.name: line for line in everything(one.texts[-1])}
    base = {line.name: line for line in everything(one.texts[written.base])}
    asked = [words for doubt in found.doubts for words in (doubt.ours, doubt.theirs)]
    told = "\n".join((*found.missing, *asked))
    text, disk, committed, told = map(flat, (found.text, written.disk, one.files[-1], told))
    own = flat("".join(written.new))
    for name, line in now.items():
        words = flat(line.words)
        young = name not in base or flat(base[name].words) != words
        if young and words not in text and words not in told:
            yield "lost", line.words
        if text.count(words) > max(disk.count(words), committed.count(words)) and words not in told:
            yield "doubled", line.words
    for name, line in base.items():
        kept = name in written.edited or any(child.name in written.edited for child in line.under)
        words = flat(line.words)
        if found.text != written.disk and not kept and words in text and words not in committed + own:
            if name not in now and flat(line.words.partition(" #")[0]) not in told:
                yield "undeleted", line.words
            elif name in now and flat(now[name].words.partition(" #")[0]) not in told:
                yield "uncorrected", line.words
    yield from (("the writer's are gone", words) for words in written.new if flat(words) not in text)


@pytest.mark.parametrize("kind", STALE)
def test_nothing_younger_is_lost_and_what_everybody_meant_stays(kind):
    """Younger entries stand in the text or are told; corrections win, deletions stay, nothing is doubled."""
    for seed in SEEDS:
        one = past(seed)
        written, found = written_by(stale, kind, seed)
        assert list(faults(one, written, found)) == [], seed
        assert all(words in found.text for words in found.back), seed
        assert healed(one, type(written)(found.text, written.base)).text == found.text, seed


@pytest.mark.parametrize("kind", ["adds", "reordered", "reformatted", "reordered and reformatted"])
def test_who_only_adds_moves_and_restyles_is_healed_not_just_told(kind):
    kinds = Counter(found_kind(*written_by(stale, kind, seed)) for seed in SEEDS)
    assert kinds["told"] <= 1
    assert kinds["healed"] >= len(SEEDS) - 2


def found_kind(written, found):
    if found.text != written.disk:
        return "healed"
    return "told" if found.missing else "nothing to do"


@pytest.mark.parametrize("kind", HONEST)
def test_who_works_on_the_newest_version_is_left_alone(kind):
    """Or is asked, or gets back what the newest version brought, where all of that is gone with other things.

    That is rare, but for whoever drops whole sections in which something is young.
    """
    alone = 0
    for seed in SEEDS:
        one = past(seed)
        written, found = written_by(honest, kind, seed)
        back = [flat(words).lstrip("0123456789") for words in found.back]
        fresh = all(words in flat(one.files[-1]) and words not in flat(one.older[0]) for words in back)
        assert found.text == written.disk or found.doubts or fresh, seed
        alone += found.text == written.disk
    assert alone >= (len(SEEDS) // 2 if "drops" in kind else len(SEEDS) - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_healed_text_written_again_from_the_same_old_version_is_healed_again(seed):
    one = past(seed)
    written, first = written_by(stale, "reordered and reformatted", seed)
    once_more = written.disk.rstrip() + "\n\nSomething else came to mind.\n"
    again = heal(first.text, once_more, [written.disk, one.files[-1], *one.older], grows=False)
    gone = [line.words for line in everything(one.texts[-1]) if flat(line.words) not in flat(again.text)]
    assert [words for words in gone if flat(words) in flat(first.text)] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_what_goes_back_stays_back(seed):
    """Also with other line ends, and white space at their ends."""
    one = past(seed)
    back = next((version for version in one.older if flat(version) != flat(one.files[-1])), None)
    if back is None or not Counter(one.files[-1].split("\n")) - Counter(back.split("\n")):
        return  # nothing was ever taken away or changed
    for disk in (back, back.replace("\n", "\r\n"), back.replace("\n", "  \n")):
        found = heal(one.files[-1], disk, one.older, grows=False)
        assert (found.text, found.back, found.missing, found.went_back) == (disk, (), (), True)


def known(rows, text):
    """Return id and confidence of each bullet by its words, as a reader of the file sees them."""
    by = {(row.file, row.hash): row for row in sorted(rows.values(), reverse=True)}
    found = {}
    for one in entries(text):
        row = by.get((PATH, digest(one.text)), Row(entry_id(PATH, one.text, one.ordinal), PATH, ""))
        found[flat(one.text)] = (row.id, row.confidence)
    return found


@pytest.mark.parametrize("seed", range(amount(10, 4)))
def test_entries_keep_id_and_confidence_whatever_happens_to_their_words(seed):
    """Through all versions, and through every stale writer: at least 95 of 100."""
    one = past(seed)
    texts, files = one.texts, one.files
    some = [line for line in everything(texts[0]) if line.kind == "bullet"][::2]
    rows = {}
    for at, line in enumerate(some):
        key = entry_id(PATH, line.words)
        rows[key] = Row(key, PATH, digest(line.words), confidence=at / len(some))
    tally = Counter()
    for at in range(1, len(files)):
        after = rows | associate(Table(render(rows)), {PATH: files[at - 1]}, {PATH: files[at]})
        compare(tally, (texts[at - 1], known(rows, files[at - 1])), (texts[at], known(after, files[at])))
        rows = after
    last = known(rows, files[-1])
    for kind in STALE:
        written, found = written_by(stale, kind, seed)
        after = rows | associate(Table(render(rows)), {PATH: files[-1]}, {PATH: found.text})
        seen = [part for source in (texts[-1], written.text) for part in source]
        compare(tally, (texts[-1], last), (seen, known(after, found.text)))
    assert tally["kept"] >= 0.95 * tally["all"] > 0


def compare(tally, before, after):
    (text, old), (later, new) = before, after
    words = {line.name: flat(line.words) for line in everything(later) if flat(line.words) in new}
    for line in everything(text):
        if line.kind == "bullet" and line.name in words and flat(line.words) in old:
            tally["all"] += 1
            tally["kept"] += old[flat(line.words)] == new[words[line.name]]
    ids = [key for key, _ in new.values()]
    assert len(ids) == len(set(ids))
