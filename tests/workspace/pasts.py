"""Memory files as they grow, and writers who come back late."""

import copy
import re
import textwrap
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import count
from random import Random

PEOPLE = ["Ana", "Bob", "Chidi", "Dora", "Emil", "Frau Krämer", "Göran", "田中さん", "小王", "Ines"]
THINGS = ["the REST API", "backups to the NAS", "the Berlin flat", "the release train", "GraphQL", "the cat's medicine"]
THINGS += ["dark roast coffee", "the tax papers", "pytest fixtures", "the garden fence", "the old Passat", "invoices"]
THINGS += ["the piano lessons", "kubernetes", "the Lisbon trip", "the router password policy", "school lunches"]
THINGS += ["the changelog", "type hints", "the spare key"]
ACTS = ["likes", "moved", "has to renew", "asked about", "decided against", "pays for", "wants to sell", "reviews"]
ACTS += ["plans", "forgot", "broke", "repaired", "documented", "paused", "compares"]
ENDS = ["because it was too slow", "after the call with the bank", "before the summer", "and told nobody"]
ENDS += ["as the lawyer said", "until further notice", "without asking first", "for the whole team"]
ENDS += ["if the weather holds", "since the last outage"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
TITLES = [
    "Decisions",
    "Knowledge",
    "Skills",
    "Events",
    "People",
    "家族と健康",
    "Über das Haus",
    "Projects: 2026",
    "Open ends",
]
CHINESE = ["服务器", "会议", "合同", "牛奶", "飞机票", "数据库", "花园", "手机", "发票", "钥匙"]
VERBS = ["放在", "搬到", "改在", "不要动", "下周检查", "已经付款给", "需要更新", "属于", "寄给", "等待"]
GERMAN = ["Die Heizung", "Der Mietvertrag", "Das Auto", "Die Katze", "Der Zahnarzt", "Die Schule", "Der Drucker"]


@dataclass
class Line:
    """One entry: `kind` is bullet, row, text or code. `name` stays when its words change."""

    name: int
    words: str
    kind: str = "bullet"
    box: bool | None = None
    under: list["Line"] = field(default_factory=list)


@dataclass
class Part:
    """A section: a title, and what stands under it."""

    title: str
    lines: list[Line] = field(default_factory=list)


Text = list[Part]


@dataclass(frozen=True)
class Style:
    """How somebody writes."""

    mark: str = "-"
    step: int = 2
    wide: int = 0
    setext: bool = False
    gap: bool = True
    bold: bool = False
    padded: bool = False
    end: str = "\n"
    bom: str = ""
    curly: bool = False
    full: bool = False
    trailing: str = ""
    boxes: bool = True


PLAIN = Style()


def sentence(random: Random) -> str:
    """Return something worth remembering, in one of several languages."""
    kind, number = random.random(), random.randrange(2, 4000)
    if kind < 0.12:
        one, two, three = (random.choice(CHINESE) for _ in range(3))
        return f"{one}{random.choice(VERBS)}{two}\uff0c第{number}号\uff0c{three}"
    if kind < 0.2:
        day, place = random.choice(["Montag", "Dienstag", "Freitag"]), random.choice(["München", "Köln", "Görlitz"])
        return f"{random.choice(GERMAN)} kommt am {day} aus {place} für {number} €, sagt {random.choice(PEOPLE)}"
    if kind < 0.25:
        return f"{random.choice(PEOPLE)}: {random.choice(THINGS)}"
    words = f"{random.choice(PEOPLE)} {random.choice(ACTS)} {random.choice(THINGS)}"
    if kind < 0.6:
        words += f" on {random.choice(DAYS)}, {random.choice(ENDS)}"
    elif kind < 0.8:
        words += f' at {number % 12 + 1}:{number % 60:02} ("{random.choice(ENDS)}")'
    return words + random.choice(["", "", ".", " #decision", " #knowledge"])


def corrected(random: Random, words: str) -> str:
    """Return the words with one thing set right."""
    days = [day for day in (*DAYS, "Montag", "Dienstag", "Freitag") if day in words]
    if days:
        other = [day for day in (DAYS if days[0] in DAYS else ["Montag", "Dienstag", "Freitag"]) if day != days[0]]
        return words.replace(days[0], random.choice(other), 1)
    if match := re.search(r"\d+", words):
        return words.replace(match[0], str(int(match[0]) + random.randrange(1, 50)), 1)
    return words + random.choice([", no longer", " (see the wiki)", ", but only at home"])


class Author:
    """Makes texts and changes them; `random` decides."""

    def __init__(self, random: Random, said: frozenset[str] = frozenset(), first: int = 0) -> None:
        self.random = random
        self.names = count(first)
        self.said = set(said)

    def words(self) -> str:
        while flat(words := sentence(self.random)) in self.said:
            pass
        self.said.add(flat(words))
        return words

    def correction(self, words: str) -> str:
        new = corrected(self.random, words)
        while any(said in flat(new) for said in self.said if said not in flat(words)):
            new = f"{words} ({self.random.randrange(10_000, 99_999)})"
        self.said.add(flat(new))
        return new

    def line(self, kind: str = "bullet") -> Line:
        box = self.random.choice([True, False]) if kind == "bullet" and self.random.random() < 0.15 else None
        words = f"{self.words()} | {self.words()}".replace('"', "") if kind == "row" else self.words()
        return Line(next(self.names), words, kind, box)

    def part(self, title: str, size: int) -> Part:
        part = Part(title, [self.line("text")] if self.random.random() < 0.3 else [])
        for _ in range(size):
            part.lines.append(self.line())
            if self.random.random() < 0.2:
                part.lines[-1].under = [self.line() for _ in range(self.random.randrange(1, 3))]
        if self.random.random() < 0.3:
            part.lines += [self.line("row") for _ in range(self.random.randrange(1, 4))]
        if self.random.random() < 0.15:
            part.lines.append(
                Line(next(self.names), f"run --fast {self.words()}\n# not a heading\n- not a bullet", "code")
            )
        return part

    def first(self) -> Text:
        titles = self.random.sample(TITLES, self.random.randrange(2, 6))
        return [self.part(title, self.random.randrange(1, 9)) for title in titles]

    def next(self, text: Text) -> Text:
        """Return the next version: something is added, corrected, deleted."""
        text = copy.deepcopy(text)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.change(text)
        return text

    def change(self, text: Text) -> None:
        kind, part = self.random.random(), self.random.choice(text)
        bullets = [line for line in part.lines if line.kind == "bullet"]
        if kind < 0.5 or not bullets:
            self.add(part)
        elif kind < 0.7:
            line = self.random.choice(bullets)
            line.words = self.correction(line.words)
        elif kind < 0.82 and len(part.lines) > 2:
            part.lines.remove(self.random.choice(bullets))
        elif kind < 0.88:
            self.random.choice(bullets).under.append(self.line())
        elif kind < 0.94:
            boxed = [line for line in bullets if line.box is False]
            for line in boxed[:1]:
                line.box = True
        else:
            left = [title for title in TITLES if title not in {part.title for part in text}]
            if left:
                text.insert(self.random.randrange(len(text) + 1), self.part(self.random.choice(left), 2))

    def add(self, part: Part) -> Line:
        line = self.line()
        bullets = [at for at, one in enumerate(part.lines) if one.kind == "bullet"]
        rows = [at for at, one in enumerate(part.lines) if one.kind == "row"]
        if rows and self.random.random() < 0.4:
            line = self.line("row")
            part.lines.insert(rows[-1] + 1, line)
        elif bullets:
            spot = bullets[-1] + 1 if self.random.random() < 0.7 else self.random.choice(bullets)
            part.lines.insert(spot, line)
        else:
            at = next((at for at, one in enumerate(part.lines) if one.kind != "text"), len(part.lines))
            part.lines.insert(at, line)
        return line

    def style(self) -> Style:
        """Return somebody's habits, most of which differ from what there was."""
        pick = self.random.choice
        setext = pick([False, True])
        return Style(
            mark=pick(["*", "+", "1.", "-"]),
            step=pick([2, 4]),
            wide=pick([0, 50, 72]),
            setext=setext,
            gap=setext or pick([True, False]),
            bold=pick([False, True]),
            padded=pick([False, True]),
            end=pick(["\n", "\n", "\r\n"]),
            bom=pick(["", "", "\ufeff"]),
            curly=pick([False, True]),
            full=pick([False, False, True]),
            trailing=pick(["", "  "]),
        )

    def habits(self) -> Style:
        """Return one habit alone."""
        style = self.style()
        name = self.random.choice(["mark", "step", "wide", "setext", "gap", "bold", "padded", "end", "curly", "full"])
        return replace(PLAIN, **{name: getattr(style, name)}) if not style.setext else replace(PLAIN, setext=True)


def everything(text: Text) -> list[Line]:
    """Return all entries of a text."""
    return [one for part in text for line in part.lines for one in (line, *line.under)]


def render(text: Text, style: Style = PLAIN) -> str:
    """Write a text in a style."""
    rows = _heading("Memory", 1, style)
    for part in text:
        rows += [*([""] if style.gap else []), *_heading(part.title, 2, style), *([""] if style.gap else [])]
        before = ""
        for at, line in enumerate(part.lines, 1):
            if before and (line.kind != before or line.kind in {"text", "code"}):
                rows.append("")
            rows += _rows(line, style, before, at)
            before = line.kind
    return style.bom + "".join(row + style.trailing + style.end for row in rows)


def _heading(title: str, level: int, style: Style) -> list[str]:
    return [title, "=-"[level - 1] * 9] if style.setext else [f"{'#' * level} {title}"]


def _rows(line: Line, style: Style, before: str, at: int) -> list[str]:
    if line.kind == "code":
        return ["```sh", *line.words.split("\n"), "```"]
    if line.kind == "row":
        cells = [cell.ljust(40) if style.padded else cell for cell in line.words.split(" | ")]
        head = [] if before == "row" else ["| who | what |", "|:-----|------|" if style.padded else "|---|---|"]
        return [*head, f"| {' | '.join(cells)} |"]
    words = _worn(line.words, style)
    if line.kind == "text":
        return textwrap.wrap(words, style.wide, break_long_words=False) if style.wide else [words]
    return _bullet(line, words, style, 0, at)


def _bullet(line: Line, words: str, style: Style, indent: int, at: int) -> list[str]:
    mark = f"{at}." if style.mark == "1." else style.mark
    box = {None: "", True: "[x] ", False: "[ ] "}[line.box] if style.boxes else ""
    column = " " * (indent + len(mark) + 1)
    parts = textwrap.wrap(words, style.wide, break_long_words=False) if style.wide else [words]
    rows = [" " * indent + f"{mark} {box}{parts[0]}", *(column + part for part in parts[1:])]
    deeper = max(style.step, len(mark) + 1)
    for number, child in enumerate(line.under, 1):
        rows += _bullet(child, _worn(child.words, style), style, indent + deeper, number)
    return rows


def _worn(words: str, style: Style) -> str:
    if style.bold:
        first, space, rest = words.partition(" ")
        words = f"**{first}**{space}{rest}"
    if style.curly:
        words = re.sub(r'"([^"]*)"', "“\\1”", words).replace("'", "’")  # noqa: RUF001
    if style.full:
        words = words.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"})
    return words


@cache
def flat(text: str) -> str:
    """Return letters and digits alone."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text) if letter.isalnum())


@dataclass
class Past:
    """Versions, the newest last, with all that was ever said in them."""

    seed: int
    said: frozenset[str]
    texts: list[Text]
    styles: list[Style]

    @cached_property
    def files(self) -> list[str]:
        """The versions as they were written."""
        return [render(text, style) for text, style in zip(self.texts, self.styles, strict=True)]

    @property
    def older(self) -> list[str]:
        """All but the newest, the newest of them first."""
        return self.files[-2::-1]


@cache
def past(seed: int) -> Past:
    """Return a history of 6 to 50 versions."""
    author = Author(Random(seed))
    texts = [author.first()]
    for _ in range(author.random.choice([6, 8, 12, 20, 50]) - 1):
        texts.append(author.next(texts[-1]))
    styles = [PLAIN]
    for _ in texts[1:]:
        styles.append(author.style() if author.random.random() < 0.03 else styles[-1])
    return Past(seed, frozenset(author.said), texts, styles)
