"""What becomes of files that are written back from an old reading, with an edit.

    python benchmarks/writes/stale.py                     200 writes of the kinds that are listed first
    python benchmarks/writes/stale.py --seeds 100 110     ten seeds, from 100 on
    python benchmarks/writes/stale.py --kinds later       kinds that were made up after the code was finished
    python benchmarks/writes/stale.py --verbose           and what was wrong with each

A workspace is made with a hand-written MEMORY.md of some shape and size; clawgit adds memories in several commits; a
writer who read the file in between writes it back whole, in one of many ways; `clawgit capture` does the rest. Sound
is a write after which every memory that the writer cannot have read stands, whatever it deleted is gone, its edit is
in, nothing is doubled, and a second capture has nothing to do. What it deleted may stand where the command names it,
or asks: that is counted as back, and as asked. Kept is the share of entries that have the id and the confidence that
they had. Exits with 1 when one write is not sound.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.git.repository import find
from clawgit.text import confidence
from clawgit.text.conflict import conflicts
from clawgit.text.entry import digest, entry_id
from clawgit.workspace import memory
from clawgit.workspace.bootstrap import init
from clawgit.workspace.capture_and_enforce import Outcome, capture_all
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace

PATH = "MEMORY.md"
DUMP = False
SHAPES = ("bullets", "headed", "mixed", "nested", "long")
SIZES = (5, 8, 12, 20, 35, 60, 110, 300)

WHO = ["Ana", "Bob", "Chidi", "Dora", "Emil", "Frau Krämer", "Göran", "Ines", "Kofi", "Lena", "Tomás", "Yuki"]
DOES = ["likes", "moved", "has to renew", "asked about", "decided against", "pays for", "reviews", "repaired", "paused"]
WHAT = ["the REST API", "backups to the NAS", "the Berlin flat", "GraphQL", "dark roast", "the tax papers", "invoices"]
WHAT += [
    "pytest fixtures",
    "the garden fence",
    "the old Passat",
    "kubernetes",
    "the router",
    "school lunches",
    "the van",
]
WHEN = ["because it was too slow", "after the call with the bank", "before the summer", "until further notice"]
WHEN += ["for the whole team", "if the weather holds", "since the last outage", "and told nobody", "every other week"]
GERMAN = ["Die Heizung", "Der Mietvertrag", "Das Auto", "Der Zahnarzt", "Die Schule", "Der Drucker", "Das Dach"]
TUT = ["kommt aus Köln", "wird am Montag geprüft", "kostet zu viel", "läuft wieder", "gehört Emil", "bleibt bis Mai"]
CHINESE = ["服务器", "会议", "合同", "牛奶", "飞机票", "数据库", "花园", "手机", "发票", "钥匙", "打印机", "护照"]
VERBS = ["放在", "搬到", "改在", "不要动", "下周检查", "需要更新", "属于", "寄给", "等待", "换成"]
TITLES = ["Decisions", "Knowledge", "People", "Open ends", "Über das Haus", "家族と健康", "Events", "Projects: 2026"]


def sentence(pick: random.Random, shape: str) -> str:
    """Return something worth remembering, in one of three languages."""
    kind, number = pick.random(), pick.randrange(2, 9000)
    if kind < 0.15:
        one, two, three = (pick.choice(CHINESE) for _ in range(3))
        return f"{one}{pick.choice(VERBS)}{two}，第{number}号，{pick.choice(VERBS)}{three}"  # noqa: RUF001
    if kind < 0.3:
        return f"{pick.choice(GERMAN)} {pick.choice(TUT)}, {number} Euro, sagt {pick.choice(WHO)}"
    if kind < 0.4:
        return f"{pick.choice(WHO)}: {pick.choice(WHAT)} {number}"
    words = f"{pick.choice(WHO)} {pick.choice(DOES)} {pick.choice(WHAT)} {pick.choice(WHEN)}"
    if kind < 0.6:
        words += f" ({number})"
    if shape == "long":
        words += "; " + ", ".join(f"{pick.choice(WHO)} {pick.choice(DOES)} {pick.choice(WHAT)}" for _ in range(4))
    return words + pick.choice(["", ".", ""])


@dataclass
class Author:
    """Says nothing twice."""

    pick: random.Random
    shape: str
    said: set[str] = field(default_factory=set)

    def words(self) -> str:
        while True:
            words = sentence(self.pick, self.shape)
            if not any(flat(words) in known or known in flat(words) for known in self.said):
                self.said.add(flat(words))
                return words


def flat(text: str) -> str:
    """Return letters and digits alone, in lower case."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def base_file(author: Author, shape: str, size: int) -> str:
    """Return a file that somebody wrote by hand, with about `size` entries."""
    pick = author.pick
    rows = [] if shape == "bullets" and pick.random() < 0.5 else ["# Memory", ""]
    titles = iter(pick.sample(TITLES, min(len(TITLES), max(2, size // 12))))
    headed = shape in ("headed", "mixed") or (shape in ("nested", "long") and pick.random() < 0.5)
    left = size
    while left > 0:
        title = next(titles, None) if headed else None
        if title:
            rows += [f"## {title}", ""]
        part = left if title is None else min(left, max(2, size // 4 + pick.randrange(3)))
        if shape == "mixed" and pick.random() < 0.5:
            rows += [f"What {author.words()} was about.", ""]
        for at in range(part):
            rows.append(f"- {author.words()}")
            if shape == "nested" and at % 3 == 1:
                rows.append(f"  - {author.words()}")
        left -= part
        if shape == "mixed" and pick.random() < 0.6:
            rows += [
                "",
                "| who | what |",
                "|---|---|",
                *(f"| {one} | {pick.choice(WHAT)} {at}{len(rows)} |" for at, one in enumerate(WHO[:3])),
            ]
        rows.append("")
    return "\n".join(rows).rstrip("\n") + "\n"


@dataclass
class Written:
    """What a writer wrote, and what is theirs in it, as words."""

    text: str
    new: list[str] = field(default_factory=list)
    edited: dict[str, str] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # what went into other words, and need not stand any more


_BULLET = re.compile(r"([ \t]*)([-*+]|\d+[.)])[ \t]+(.*)")


class Writer:
    """Has read a text, and changes its copy."""

    def __init__(self, text: str, author: Author) -> None:
        self.rows = text.split("\n")[:-1]
        self.author, self.pick = author, author.pick
        self.done = Written("")

    @property
    def bullets(self) -> list[int]:
        return [at for at, row in enumerate(self.rows) if _BULLET.match(row)]

    @property
    def tops(self) -> list[int]:
        """The bullets with nothing under them, and under nothing."""
        found = self.bullets
        below = [*self.rows[1:], ""]
        return [
            at for at in found if not self.rows[at].startswith((" ", "\t")) and not below[at].startswith((" ", "\t"))
        ]

    def words(self, at: int) -> str:
        match = _BULLET.match(self.rows[at])
        assert match
        return match[3]

    def mine(self) -> str:
        words = self.author.words()
        self.done.new.append(words)
        return words

    def finish(self, end: str = "\n") -> Written:
        self.done.text = "".join(row + end for row in self.rows)
        return self.done

    # one thing at a time
    def append(self) -> None:
        self.rows += [f"- {self.mine()}"]

    def prepend(self) -> None:
        at = self.bullets[0]
        self.rows[at:at] = [f"- {self.mine()}"]

    def middle(self) -> None:
        at = self.pick.choice(self.tops)
        self.rows[at:at] = [f"- {self.mine()}"]

    def delete(self) -> None:
        own = {*self.done.edited.values(), *self.done.new}
        at = self.pick.choice([at for at in self.tops if self.words(at) not in own])
        self.done.deleted.append(self.words(at))
        del self.rows[at]

    def edit(self) -> None:
        at = self.pick.choice(self.tops)
        old = self.words(at)
        new = self.pick.choice(
            [
                f"{old} (checked)",
                f"{old}, as agreed",
                re.sub(r"^(\S+)", r"\1 now", old),
                old + " " + self.pick.choice(WHEN),
            ]
        )
        self.rows[at] = self.rows[at].replace(old, new)
        self.done.edited[old] = new

    def marks(self) -> None:
        mark = self.pick.choice("*+")
        self.rows = [re.sub(r"^([ \t]*)[-*+] ", rf"\1{mark} ", row) for row in self.rows]

    def wrap(self) -> None:
        rows: list[str] = []
        for row in self.rows:
            match = _BULLET.match(row)
            if match:
                lead = f"{match[1]}{match[2]} "
                parts = textwrap.wrap(match[3], 44, break_long_words=False) or [""]
                rows += [lead + parts[0], *(" " * len(lead) + part for part in parts[1:])]
            else:
                rows.append(row)
        self.rows = rows

    def squeeze(self) -> None:
        self.rows = [row for row in self.rows if row.strip()]

    def upper(self) -> None:
        self.rows = [row.upper() if row.startswith("#") else row for row in self.rows]

    def sort(self) -> None:
        start = 0
        while start < len(self.rows):
            end = start
            while end < len(self.rows) and _BULLET.match(self.rows[end]):
                end += 1
            groups: list[list[str]] = []
            for row in self.rows[start:end]:
                if row[0] in " \t" and groups:
                    groups[-1].append(row)
                else:
                    groups.append([row])
            self.rows[start:end] = [row for group in sorted(groups) for row in group]
            start = max(end, start + 1)

    def renumber(self) -> None:
        number = 0
        for at, row in enumerate(self.rows):
            if row[:2] in ("- ", "* ", "+ "):
                number += 1
                self.rows[at] = f"{number}. {row[2:]}"
            elif row[:1] in (" ", "\t"):
                self.rows[at] = "  " + row
            elif not row.strip():
                number = 0

    def move(self) -> None:
        at = self.pick.choice(self.tops)
        row = self.rows.pop(at)
        to = self.pick.choice([*self.tops, self.bullets[-1] + 1])
        self.rows.insert(to, row)

    def header(self) -> None:
        self.rows[:0] = [f"> {self.mine()}", ""]

    def front(self) -> None:
        self.rows[:0] = ["---", f"updated: 2026-03-{self.pick.randrange(10, 28)}", "---", ""]

    def tabs(self) -> None:
        self.rows = [
            re.sub(r"^([ ]*)([-*+]) ", lambda m: "\t" * (len(m[1]) // 2) + m[2] + "\t", row) for row in self.rows
        ]

    def translate(self) -> None:
        at = self.pick.choice(self.tops)
        old = self.words(at)
        new = f"{self.pick.choice(GERMAN)} {self.pick.choice(TUT)}, {self.pick.randrange(10_000, 99_999)}"
        self.rows[at] = self.rows[at].replace(old, new)
        self.done.new.append(new)
        self.done.deleted.append(old)

    def join(self) -> None:
        tops = [at for at in self.tops if at + 1 in self.tops]
        if not tops:
            return self.append()
        at = self.pick.choice(tops)
        one, two = self.words(at), self.words(at + 1)
        self.rows[at : at + 2] = [f"- {one.rstrip('.')}; {two}"]
        self.done.gone += [one, two]
        self.done.new.append(f"{one.rstrip('.')}; {two}")
        return None

    def nest(self) -> None:
        tops = self.tops
        at = self.pick.choice(tops)
        self.rows[at] = "  " + self.rows[at]
        self.rows[at:at] = [f"- {self.mine()}"]

    def double(self) -> None:
        at = self.pick.choice(self.tops)
        self.rows.insert(at, self.rows[at])

    def note(self) -> None:
        self.rows += ["", "---", "", f"*Last updated by the agent: {self.mine()}*"]

    def emphasise(self) -> None:
        self.rows = [re.sub(r"^([ \t]*[-*+] )(\S+)", r"\1**\2**", row) for row in self.rows]

    def truncate(self) -> None:
        keep = max(3, len(self.rows) * self.pick.randrange(50, 95) // 100)
        self.done.deleted += [self.words(at) for at in self.bullets if at >= keep]
        del self.rows[keep:]

    def first_rows(self) -> None:
        """Rewrite only what stands first, in another style, with one more line."""
        head = min(200, max(2, len(self.rows) // 2))
        self.rows[:head] = [re.sub(r"^([ \t]*)- ", r"\1* ", row) for row in self.rows[:head]]
        at = next((at for at in self.bullets if at >= 1), self.bullets[0])
        self.rows.insert(at, f"* {self.mine()}")

    def typos(self) -> None:
        for at in self.tops[::2]:
            old = self.words(at)
            words = old.split(" ")
            if len(words) > 3:
                new = " ".join([*words[:2], "really", *words[2:]])
                self.rows[at] = self.rows[at].replace(old, new)
                self.done.edited[old] = new

    def split(self) -> None:
        found = [at for at in self.tops if len(self.words(at).split()) > 5]
        if not found:
            return self.append()
        at = self.pick.choice(found)
        whole = self.words(at)
        words = whole.split()
        half = len(words) // 2
        one, two = " ".join(words[:half]), " ".join(words[half:])
        self.rows[at : at + 1] = [f"- {one}", f"- {two}"]
        self.done.gone.append(whole)
        self.done.new += [one, two]
        return None

    def summarise(self) -> None:
        for at in self.tops[::-3]:
            self.done.deleted.append(self.words(at))
            del self.rows[at]
        self.append()

    def retitle(self) -> None:
        heads = [at for at, row in enumerate(self.rows) if row.startswith("## ")]
        if not heads:
            return self.header()
        at = self.pick.choice(heads)
        self.rows[at] = "## " + self.mine()
        return None


Act = Callable[[Writer], None]
W = Writer
FIRST: dict[str, tuple[Act, ...]] = {
    "append": (W.append,),
    "prepend": (W.prepend,),
    "middle": (W.middle,),
    "other marks": (W.marks,),
    "re-wrapped": (W.wrap,),
    "squeezed": (W.squeeze, W.append),
    "upper-case headings": (W.upper, W.append),
    "sorted": (W.sort, W.append),
    "line deleted": (W.delete,),
    "line edited": (W.edit,),
    "deleted and edited": (W.delete, W.edit),
    "marks and deleted": (W.marks, W.delete),
    "wrapped and edited": (W.edit, W.wrap),
    "renumbered": (W.renumber,),
    "moved": (W.move, W.edit),
    "header": (W.header,),
    "front matter": (W.front,),
    "CRLF": (W.edit,),
    "tabs": (W.tabs,),
    "translated": (W.translate,),
    "two joined": (W.join,),
    "nested": (W.nest,),
    "doubled": (W.double,),
    "agent note": (W.note,),
    "emphasised": (W.emphasise,),
    "truncated": (W.truncate,),
    "first lines": (W.first_rows,),
    "many edited": (W.typos,),
    "split": (W.split,),
    "summarised": (W.summarise,),
    "retitled": (W.retitle,),
    "twice": (W.append, W.delete),
    "all at once": (W.sort, W.edit, W.delete, W.append, W.marks, W.wrap),
}


class Later(Writer):
    """Ways to rewrite a file that were thought of once the code was finished."""

    def each(self, change: Callable[[str], str], every: int = 1) -> None:
        """Reword every so manieth bullet, which makes an edit of each."""
        for at in self.tops[::every]:
            old = self.words(at)
            new = change(old)
            if new != old:
                self.rows[at] = self.rows[at].replace(old, new)
                self.done.edited[old] = new

    def boxes(self) -> None:
        self.rows = [re.sub(r"^([ \t]*[-*+] )", r"\1[ ] ", row) for row in self.rows]

    def dated(self) -> None:
        self.each(lambda words: f"2026-03-01: {words}", 3)

    def stops(self) -> None:
        self.rows = [re.sub(r"(?<=[\w)])$", ".", row) if _BULLET.match(row) else row for row in self.rows]

    def lower(self) -> None:
        self.rows = [row.lower() if _BULLET.match(row) else row for row in self.rows]

    def deeper(self) -> None:
        self.rows = ["#" + row if row.startswith("#") else row for row in self.rows]

    def loose(self) -> None:
        self.rows = [part for row in self.rows for part in ([row, ""] if _BULLET.match(row) else [row])]

    def comment(self) -> None:
        self.rows[:0] = ["<!-- kept by the agent -->", ""]

    def drop_section(self) -> None:
        heads = [at for at, row in enumerate(self.rows) if row.startswith("## ")]
        if len(heads) < 2:
            return self.delete()
        at = self.pick.randrange(len(heads) - 1)
        self.done.deleted += [self.words(one) for one in self.bullets if heads[at] < one < heads[at + 1]]
        del self.rows[heads[at] : heads[at + 1]]
        return None

    def tagged(self) -> None:
        self.rows = [f"{row} #knowledge" if _BULLET.match(row) and "#" not in row else row for row in self.rows]

    def emoji(self) -> None:
        self.rows = [re.sub(r"^([ \t]*[-*+] )", "\\1\u2705 ", row) for row in self.rows]

    def indented(self) -> None:
        self.rows = [f"  {row}" if _BULLET.match(row) else row for row in self.rows]

    def between(self) -> None:
        for at in self.tops[::-5]:
            self.rows.insert(at, f"- {self.mine()}")

    def backwards(self) -> None:
        heads = [at for at, row in enumerate(self.rows) if row.startswith("## ")]
        if len(heads) < 2:
            return self.append()
        ends = [*heads[1:], len(self.rows)]
        parts = [self.rows[a:b] + ([""] if b == len(self.rows) else []) for a, b in zip(heads, ends, strict=True)]
        self.rows[heads[0] :] = [row for part in reversed(parts) for row in part]
        return None

    def linked(self) -> None:
        self.rows = [re.sub(r"^([ \t]*[-*+] )(\w+)", r"\1[\2](notes.md)", row) for row in self.rows]

    def one_for_three(self) -> None:
        tops = self.tops
        runs = [at for at in tops if at + 1 in tops and at + 2 in tops]
        if not runs:
            return self.delete()
        at = self.pick.choice(runs)
        self.done.deleted += [self.words(one) for one in (at, at + 1, at + 2)]
        self.rows[at : at + 3] = [f"- {self.mine()}"]
        return None


L = Later
LATER: dict[str, tuple[Act, ...]] = {
    "boxes": (L.boxes, L.append),
    "dated": (L.dated,),
    "full stops": (L.stops, L.append),
    "lower case": (L.lower, L.append),
    "deeper headings": (L.deeper, L.edit),
    "loose": (L.loose, L.delete),
    "comment": (L.comment, L.append),
    "section dropped": (L.drop_section, L.append),
    "tagged": (L.tagged, L.delete),
    "emoji": (L.emoji,),
    "indented": (L.indented, L.append),
    "in between": (L.between,),
    "sections reversed": (L.backwards, L.edit),
    "linked": (L.linked,),
    "one for three": (L.one_for_three,),
    "twice removed": (L.delete, L.delete, L.edit, L.edit, L.middle, L.sort),
}


@dataclass
class Result:
    """What became of one write."""

    kind: str
    seed: int
    faults: list[str]
    asked: int
    returned: int
    kept: int
    entries: int
    seconds: float


class Stage:
    """A managed workspace, made once and copied for each write."""

    def __init__(self) -> None:
        shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="clawgit-stale-", dir=shm))
        self.mould = self.folder / "mould"
        self.mould.mkdir()
        os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
        os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
        subprocess.run(["git", "init", "--quiet", "-b", "main", "--template=", self.mould], check=True)
        with (self.mould / ".git/config").open("a") as config:
            config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
        (self.mould / "SOUL.md").write_text("# Soul\n\n- Calm and plain.\n")
        init(self.mould).workspace.close()
        self.count = 0

    def copy(self) -> Path:
        self.count += 1
        return Path(shutil.copytree(self.mould, self.folder / f"ws{self.count}", symlinks=True))

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Played:
    """A workspace with a history, of which somebody read one version."""

    def __init__(self, stage: Stage, kind: str, seed: int) -> None:
        self.kind, self.seed = kind, seed
        self.pick = random.Random(f"{seed} {kind}")
        shape, size = self.pick.choice(SHAPES), self.pick.choice(SIZES)
        self.author = Author(self.pick, shape)
        self.root = stage.copy()
        self.place = self.root / PATH
        self.moment = datetime(2026, 2, 14, 9, 30, tzinfo=UTC)
        self.young: list[str] = []
        self.place.write_text(base_file(self.author, shape, size))
        self.capture()
        self.read = self._history()

    def opened(self) -> Workspace:
        self.moment += timedelta(minutes=7)
        now = self.moment
        return Workspace(find(self.root), lambda: now)

    def capture(self) -> Outcome:
        with self.opened() as ws:
            return capture_all(ws)

    def _history(self) -> str:
        """Let memories come, some before the file is read, and return it as it was read."""
        before, after = self.pick.randrange(0, 3), self.pick.choice([1, 1, 1, 2, 3, 5])
        read = ""
        for number in range(before + after):
            read = self.place.read_text() if number == before else read
            words = [self.author.words() for _ in range(self.pick.choice([1, 1, 1, 2]))]
            with self.opened() as ws:
                ours(ws, words, self.pick)
            self.young += words if number >= before else []
        return read

    def written(self, acts: Iterable[Act]) -> Written:
        """Return what the reader makes of it; one kind has written it back once before."""
        writer = Later(self.read, self.author)
        if self.kind == "twice":
            writer.append()
            self.place.write_text("".join(row + "\n" for row in writer.rows))
            self.capture()
        for act in acts:
            act(writer)
        return writer.finish("\r\n" if self.kind == "CRLF" else "\n")

    def known(self) -> dict[str, tuple[str, float]]:
        with self.opened() as ws:
            return known(ws)


def play(stage: Stage, kind: str, acts: Iterable[Act], seed: int, *, honest: bool = False) -> Result:
    """Make a workspace, let somebody write into it from an old reading, and return what became of it."""
    one = Played(stage, kind, seed)
    if honest:
        one.read, one.young = one.place.read_text(), []
    written = one.written(acts)
    head, was = one.place.read_text(), one.known()
    one.place.write_bytes(written.text.encode())
    begun = time.perf_counter()
    outcome = one.capture()
    seconds = time.perf_counter() - begun
    told = "\n".join(words for captured in outcome.captured for words in note_words(captured))
    faults = list(judged(one, head, written, told))
    if honest and one.place.read_bytes().decode() != written.text:
        faults.append("a writer of the newest version was not left alone: " + told.replace("\n", " / "))
    kept, every = identity(was, one.known(), written)
    if one.capture().captured:
        faults.append("a second capture had something to do")
    became, records = one.place.read_text(), (one.root / "CONFLICTS.md").read_text()
    if faults and DUMP:
        texts = {"read": one.read, "HEAD": head, "written": written.text, "became": became, "told": told}
        print("\n".join(f"----- {kind} {seed} {name}\n{text}" for name, text in texts.items()))
    returned = sum(flat(words) in flat(became) for words in written.deleted)
    shutil.rmtree(one.root)
    asked = sum(record.open for record in conflicts(records))
    return Result(kind, seed, faults, asked, returned, kept, every, seconds)


def note_words(one: object) -> Iterator[str]:
    yield from one.notes  # type: ignore[attr-defined]
    yield from (alarm.words for alarm in one.alarms)  # type: ignore[attr-defined]


def ours(ws: Workspace, words: list[str], pick: random.Random) -> None:
    """Add memories: as the command does, or in the middle of a list, as an agent of ours does."""
    origin = pick.choice(["operator", "agent", "untrusted"])
    if len(words) == 1 and pick.random() < 0.6:
        tag = pick.choice(["knowledge", "knowledge", "decision", "event"])
        ws.apply(memory.add(ws, words[0], tag=tag, origin=origin).change)
        return
    text = ws.read(PATH) or ""
    rows = text.split("\n")
    at = pick.choice([at for at, row in enumerate(rows) if row.startswith("- ")]) + 1
    while rows[at : at + 1] and rows[at].startswith(" "):
        at += 1
    rows[at:at] = [f"- {one}" for one in words]
    some = tuple(
        Row(entry_id(PATH, one), PATH, digest(one), origin=origin, confidence=confidence.base(origin)) for one in words
    )
    ws.apply(Change("memory: two more", edits=(Edit(PATH, text, "\n".join(rows)),), rows=some, origin=origin))


def known(ws: Workspace) -> dict[str, tuple[str, float]]:
    """Return id and confidence of each entry by what it says."""
    return {
        flat(one.text): (one.id, ws.rows()[one.id].confidence if one.id in ws.rows() else 0.95)
        for one in memory.memories(ws, PATH)
    }


def identity(was: dict[str, tuple[str, float]], now: dict[str, tuple[str, float]], written: Written) -> tuple[int, int]:
    """Return how many entries have id and confidence as before, and of how many that still stand."""
    moved = {flat(old): flat(new) for old, new in written.edited.items()}
    kept = every = 0
    for words, known_as in was.items():
        here = moved.get(words, words)
        if here in now:
            every += 1
            kept += now[here] == known_as
    return kept, every


def judged(one: Played, head: str, written: Written, told: str) -> Iterator[str]:
    """Yield what is wrong, seen from what everybody meant and not from how it was done."""
    text = one.place.read_bytes().decode()
    show = ["git", "show", f"HEAD:{PATH}"]
    if subprocess.run(show, cwd=one.root, capture_output=True, check=True).stdout.decode() != text:
        yield "disk and HEAD differ"
    if "went back to an older version" in told:  # by its deletions it is one again, which is a decision
        return
    here, records = flat(text), flat((one.root / "CONFLICTS.md").read_text())
    yield from (f"lost: {words}" for words in one.young if flat(words) not in here)
    yield from (f"doubled: {words}" for words in one.young if here.count(flat(words)) > 1)
    yield from (f"the writer's own is gone: {words}" for words in written.new if flat(words) not in here)
    for old, new in written.edited.items():
        if flat(new) not in here:
            yield f"the writer's edit is gone: {new}"
        elif here.count(flat(old)) > here.count(flat(new)) * flat(new).count(flat(old)) and flat(old) not in records:
            yield f"an edit came undone: {old}"
    for words in (flat(words.partition(" #")[0]) for words in written.deleted):
        if words in here and words not in records and words[:40] not in flat(told):
            yield f"came back: {words}"
    read = [match[3] for match in map(_BULLET.match, one.read.split("\n")) if match]
    undecided = [words for words in read if flat(words.partition(" #")[0]) in records]
    decided = [words for words in read if words not in undecided]
    yield from shared(decided, here, (flat(written.text), flat(head)), {*map(flat, written.gone)})


def shared(read: Iterable[str], here: str, sides: tuple[str, str], gone: Container[str]) -> Iterator[str]:
    """Yield what is wrong with entries that the writer had read."""
    wrote, stood = sides
    for entry_words in read:
        words = flat(entry_words)
        if here.count(words) > max(wrote.count(words), stood.count(words)):
            yield f"doubled: {entry_words}"
        if words in wrote and words not in here and words not in gone:
            yield f"lost though everybody has it: {entry_words}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 6), metavar=("FROM", "TO"))
    parser.add_argument("--kinds", choices=("first", "later"), default="first")
    parser.add_argument("--only", help="one kind alone")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--honest", action="store_true", help="writers who read the newest version instead")
    parser.add_argument("--dump", action="store_true", help="and all texts of what was not sound")
    arguments = parser.parse_args()
    global DUMP  # noqa: PLW0603
    DUMP = arguments.dump
    os.fsync = lambda _: None  # type: ignore[assignment] - what a crash would do is measured elsewhere
    kinds = FIRST if arguments.kinds == "first" else LATER
    stage = Stage()
    found: defaultdict[str, list[Result]] = defaultdict(list)
    try:
        for seed in range(*arguments.seeds):
            for kind, acts in kinds.items():
                if arguments.only in (None, kind):
                    found[kind].append(play(stage, kind, acts, seed, honest=arguments.honest))
    finally:
        stage.close()
    return told(found, verbose=arguments.verbose)


def told(found: dict[str, list[Result]], *, verbose: bool) -> int:
    print(f"{'kind':22}{'writes':>8}{'sound':>8}{'asked':>8}{'back':>8}{'kept':>9}{'ms':>8}")
    total: Counter[str] = Counter()
    for kind, rows in found.items():
        one = Counter(
            writes=len(rows),
            sound=sum(not row.faults for row in rows),
            asked=sum(row.asked for row in rows),
            returned=sum(row.returned for row in rows),
        )
        one += Counter(kept=sum(row.kept for row in rows), entries=sum(row.entries for row in rows))
        slow = max(row.seconds for row in rows)
        total += one
        counts = "".join(f"{one[name]:8}" for name in ("writes", "sound", "asked", "returned"))
        print(f"{kind:22}{counts}{share(one):>9}{slow * 1000:8.0f}")
        if verbose:
            for row in rows:
                for fault in row.faults:
                    print(f"    seed {row.seed}: {fault}")
    print(f"{'all':22}{total['writes']:8}{total['sound']:8}{total['asked']:8}{total['returned']:8}{share(total):>9}")
    return 0 if total["sound"] == total["writes"] else 1


def share(one: Counter[str]) -> str:
    return f"{100 * one['kept'] / one['entries']:.2f} %" if one["entries"] else "-"


if __name__ == "__main__":
    sys.exit(main())
