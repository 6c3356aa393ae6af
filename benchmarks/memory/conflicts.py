"""How many contradictions among 10,000 memories are found, and how many look-alikes are taken for one.

    python benchmarks/memory/conflicts.py   200 planted contradictions, 200 look-alikes, 10,000 memories
    python benchmarks/memory/conflicts.py --entries 2000   fewer
    python benchmarks/memory/conflicts.py --fresh   by the second set of templates
    python benchmarks/memory/conflicts.py --wrong   and each pair that was judged wrongly
    python benchmarks/memory/conflicts.py --pairs FILE   pairs of a corpus instead, as in corpora/sameness.toml
    python benchmarks/memory/conflicts.py --ablation   each family of rules left out in turn, and what reads a note
    python benchmarks/memory/conflicts.py --table   each family of rules left out in turn, on pairs of the corpora
    python benchmarks/memory/conflicts.py --table --talks FOLDER --ordinary LOCOMO.json
                                                    also on labelled conversations, and on ordinary memories
    python benchmarks/memory/conflicts.py --json

The memories are notes of many kinds in six languages, each about something of its own. Beside the detector stands what
is common elsewhere: a similarity of 0.8 and more by rapidfuzz's token_set_ratio. The templates were made up by whoever
wrote the rules, and the rules were mended where they failed: most for the first set, a few for that of --fresh. All of
these figures flatter; those of a corpus that was written blind to the rules are the ones to believe.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rapidfuzz import fuzz

from benchmarks.lib import families
from benchmarks.lib.families import Area, Family, Score
from benchmarks.lib.results import keep
from benchmarks.memory import sameness
from clawgit.agents import conflict_detector, running
from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.memory import contradictions as contradiction
from clawgit.text import conflict
from clawgit.text.similarity import NoteIndex, find_leftovers, is_same_note, read_note_words
from clawgit.workspace.bootstrap import init
from clawgit.workspace.change import Append
from clawgit.workspace.workspace import open_workspace

NOW = datetime(2026, 6, 1, 7, tzinfo=UTC)
SIMILAR = 80.0
MOST_PAIRS = 1_000_000
"""A run opens five items at most; all that it would find are counted here."""


def bag(text: str) -> list[str]:
    return text.split()


SYLLABLES = bag("ba be bi bo da de do du fa fe ga go ha he ka ke ko la le li lo ma me mi mo na ne ni no pa pe ra re ri")
PEOPLE = bag(
    "Ana Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kemal Lena Marta Nils Olga Pavel Rosa Sven Tessa Umar"
)
CITIES = bag("Porto Oslo Turin Graz Lyon Gdansk Malmö Bilbao Leiden Tartu Varna Split Bergen Ghent Kyoto Busan")
TOOLS = bag("Redis Memcached Postgres MySQL RabbitMQ Kafka Nginx Caddy Jenkins Drone Grafana Kibana Vault Consul")
DAYS = bag("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
TAGE = bag("Montag Dienstag Mittwoch Donnerstag Freitag Samstag")
DIAS = bag("lunes martes miércoles jueves viernes sábado")
WEEK = "一二三四五六"
WEEKDAYS = "月火水木金土"
YOIL = "월화수목금토"


@dataclass(frozen=True)
class Pair:
    """Two notes, and whether both cannot hold."""

    kind: str
    lang: str
    one: str
    other: str
    contradicts: bool


def thing(rng: random.Random, usage: set[str] = set()) -> str:  # noqa: B006 - no name is given twice
    while (name := "".join(rng.choice(SYLLABLES) for _ in range(4)).capitalize()) in usage:
        pass
    usage.add(name)
    return name


def two(rng: random.Random, group: Sequence[str]) -> tuple[str, str]:
    item, other = rng.sample(list(group), 2)
    return item, other


def numbers(rng: random.Random, low: int = 2, high: int = 900) -> tuple[str, str]:
    item, other = rng.sample(range(low, high), 2)
    return str(item), str(other)


def day(rng: random.Random) -> str:
    return f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def days(rng: random.Random) -> tuple[str, str]:
    item = day(rng)
    while (other := day(rng)) == item:
        pass
    return item, other


def always(item: str, other: str) -> Callable[[random.Random], tuple[str, str]]:
    return lambda _: (item, other)


Values = Callable[[random.Random], tuple[str, str]]

PLANTED: Sequence[tuple[str, str, str, Values]] = (
    ("number", "en", "The {t} relay listens on port {v}.", lambda r: numbers(r, 1000, 9999)),
    ("number", "en", "The {t} flat has {v} rooms.", lambda r: numbers(r, 2, 9)),
    ("number", "en", "Rent for the {t} office is {v} euros a month.", lambda r: numbers(r, 500, 3000)),
    ("number", "en", "{t} backups are kept for {v} days.", lambda r: numbers(r, 3, 90)),
    ("number", "de", "Der Server {t} hat {v} GB Speicher.", lambda r: numbers(r, 4, 512)),
    ("number", "es", "La oficina de {t} tiene {v} empleados.", lambda r: numbers(r, 3, 80)),
    ("number", "zh", "{t}服务器的端口是{v}。", lambda r: numbers(r, 1000, 9999)),
    ("number", "ja", "{t}の家賃は{v}円です。", lambda r: numbers(r, 1000, 9999)),
    ("number", "ko", "{t} 서버의 포트는 {v}이다.", lambda r: numbers(r, 1000, 9999)),
    ("date", "en", "The {t} contract ends on {v}.", days),
    ("date", "en", "{t}'s birthday is {v}.", days),
    ("date", "en", "The {t} standup is on {v}s.", lambda r: two(r, DAYS)),
    ("date", "en", "The train to {t} leaves at {v}.", lambda r: two(r, ("9:40", "10:15", "14:05", "17:30"))),
    ("date", "de", "Die Besprechung zu {t} ist am {v}.", lambda r: two(r, TAGE)),
    ("date", "es", "La reunión de {t} es el {v}.", lambda r: two(r, DIAS)),
    ("date", "zh", "{t}的会议在周{v}。", lambda r: two(r, WEEK)),
    ("date", "ja", "{t}の会議は{v}曜日です。", lambda r: two(r, WEEKDAYS)),
    ("date", "ko", "{t} 회의는 {v}요일이다.", lambda r: two(r, YOIL)),
    ("name", "en", "The owner of the {t} service is {v}.", lambda r: two(r, PEOPLE)),
    ("name", "en", "{t}'s manager is {v}.", lambda r: two(r, PEOPLE)),
    ("name", "en", "{t} lives in {v}.", lambda r: two(r, CITIES)),
    ("name", "en", "{t} reports to {v}.", lambda r: two(r, PEOPLE)),
    ("name", "de", "{t} wohnt in {v}.", lambda r: two(r, CITIES)),
    ("name", "es", "{t} vive en {v}.", lambda r: two(r, CITIES)),
    ("name", "zh", "{t}住在{v}。", lambda r: two(r, ("北京", "上海", "广州", "成都"))),
    ("name", "ja", "{t}は{v}に住んでいる。", lambda r: two(r, ("東京", "大阪", "京都", "札幌"))),
    ("name", "ko", "{t}는 {v}에 산다.", lambda r: two(r, ("서울", "부산", "대구", "인천"))),
    ("negation", "en", "{v} restart the {t} daemon by hand.", always("Do", "Do not")),
    ("negation", "en", "{t} {v} meat.", always("eats", "does not eat")),
    ("negation", "en", "The {t} job {v} run as root.", always("may", "must not")),
    ("negation", "en", "Logs of {t} are {v} to the cloud.", always("sent", "never sent")),
    ("negation", "de", "{t} trinkt {v}Kaffee.", always("", "keinen ")),
    ("negation", "es", "{t} {v}come carne.", always("", "no ")),
    ("negation", "zh", "{t}{v}吃肉。", always("", "不")),
    ("negation", "ja", "{t}は肉を{v}。", always("食べる", "食べない")),
    ("negation", "ko", "{t}는 고기를 {v}먹는다.", always("", "안 ")),
    ("order", "en", "For {t}, the operator prefers {v}.", always("tabs over spaces", "spaces over tabs")),
    ("order", "en", "In {t}, {v}.", always("lint before the tests", "the tests before lint")),
    ("order", "en", "The {t} data goes from {v}.", always("Kafka to Postgres", "Postgres to Kafka")),
    ("order", "en", "In the {t} team {v}.", always("Ana reports to Ben", "Ben reports to Ana")),
    ("order", "zh", "{t}更喜欢{v}。", always("茶而不是咖啡", "咖啡而不是茶")),
    ("attribute", "en", "The {t} project uses {v} for its cache.", lambda r: two(r, TOOLS)),
    ("attribute", "en", "The default branch of {t} is {v}.", lambda r: two(r, ("main", "trunk", "develop", "master"))),
    ("attribute", "en", "{t}'s favourite colour is {v}.", lambda r: two(r, ("green", "blue", "red", "orange"))),
    ("attribute", "en", "{t} runs on {v}.", lambda r: two(r, ("Debian", "Fedora", "Alpine", "NixOS"))),
    ("attribute", "en", "The {t} cache is {v}.", always("enabled", "disabled")),
    ("attribute", "de", "Das Projekt {t} nutzt {v} für Sitzungen.", lambda r: two(r, TOOLS)),
    ("attribute", "es", "El proyecto {t} usa {v} para las sesiones.", lambda r: two(r, TOOLS)),
    ("attribute", "zh", "{t}项目用{v}做缓存。", lambda r: two(r, TOOLS)),
    ("attribute", "ja", "{t}のエディタは{v}です。", lambda r: two(r, ("vim", "emacs", "nano", "helix"))),
    ("attribute", "ko", "{t} 팀은 {v}을 사용한다.", lambda r: two(r, TOOLS)),
)
ALIKE: Sequence[tuple[str, str, str, Values]] = (
    ("subject", "en", "The {v} relay of {t} listens on port 8080.", always("east", "west")),
    ("subject", "en", "{v} lives in Porto with the {t} band.", lambda r: two(r, PEOPLE)),
    ("subject", "en", "{v}'s flight to {t} leaves at 9:40.", lambda r: two(r, PEOPLE)),
    ("subject", "en", "Server {v} of {t} runs Debian.", lambda r: numbers(r, 1, 40)),
    ("subject", "en", "The {t} project uses Redis for {v}.", lambda r: two(r, ("sessions", "queues", "rate limits"))),
    ("subject", "de", "{v} wohnt in {t}.", lambda r: (thing(r), thing(r))),
    ("subject", "es", "{v} vive en {t}.", lambda r: (thing(r), thing(r))),
    ("subject", "zh", "{v}住在{t}。", lambda r: (thing(r), thing(r))),
    ("subject", "ja", "{v}は{t}に住んでいる。", lambda r: (thing(r), thing(r))),
    ("subject", "ko", "{v}는 {t}에 산다.", lambda r: (thing(r), thing(r))),
    ("several", "en", "{t} likes {v}.", lambda r: two(r, ("tea", "chess", "jazz", "hiking"))),
    ("several", "en", "{t} speaks {v}.", lambda r: two(r, ("Greek", "Dutch", "Korean"))),
    ("several", "en", "{t} is allergic to {v}.", lambda r: two(r, ("nuts", "cats", "pollen"))),
    ("several", "zh", "{t}喜欢{v}。", lambda r: two(r, ("喝茶", "爬山", "下棋"))),
    ("several", "ja", "{t}は{v}が好き。", lambda r: two(r, ("お茶", "将棋", "登山"))),
    ("detail", "en", "{t} lives in Porto{v}.", always("", ", near the river")),
    ("detail", "en", "The {t} standup is at 9:30{v}.", always("", " in the small room")),
    ("detail", "en", "The {t} project uses Postgres{v}.", always("", " 16 in production")),
    ("detail", "de", "Die Besprechung zu {t} ist am Montag{v}.", always("", " im großen Saal")),
    ("detail", "zh", "{t}住在北京{v}。", always("", "朝阳区")),
    ("event", "en", "{v}: deployed {t} to production.", days),
    ("event", "en", "{v}: the {t} backup took 25 minutes.", days),
    ("event", "en", "Visited {t} on {v}.", days),
    ("event", "en", "Paid {v} euros to {t}.", lambda r: numbers(r, 20, 900)),
    (
        "event",
        "en",
        "{v}.",
        lambda r: ((name := thing(r)) and f"Plan to move {name} to Oslo in June", f"Moved {name} to Oslo in July"),
    ),
    ("event", "de", "{v}: {t} ausgeliefert.", days),
    ("event", "zh", "{v}：部署了{t}。", days),  # noqa: RUF001 - as it is written there
)
FRESH: Sequence[tuple[str, str, str, Values]] = (
    ("number", "en", "{t} weighs {v} kilos.", lambda r: numbers(r, 3, 90)),
    ("number", "en", "The budget of {t} is capped at {v} dollars.", lambda r: numbers(r, 100, 9000)),
    ("number", "en", "{t}: {v} seats", lambda r: numbers(r, 4, 80)),
    ("number", "fr", "Le loyer de {t} est de {v} euros.", lambda r: numbers(r, 400, 2000)),
    ("number", "zh", "{t}团队有{v}个人。", lambda r: numbers(r, 3, 60)),
    ("date", "en", "Dentist for {t} at {v} on Friday.", lambda r: two(r, ("9:00", "10:30", "15:00"))),
    ("date", "en", "{t} is due {v}.", days),
    ("date", "en", "The {t} office closes every {v}.", lambda r: two(r, DAYS)),
    ("date", "ja", "{t}の締め切りは{v}月です。", lambda r: two(r, ("3", "5", "9"))),
    ("name", "en", "Call {v} when {t} breaks.", lambda r: two(r, PEOPLE)),
    ("name", "en", "{v} is responsible for {t}.", lambda r: two(r, PEOPLE)),
    ("name", "en", "The spare key to {t} is with {v}.", lambda r: two(r, PEOPLE)),
    ("name", "de", "{t} arbeitet in {v}.", lambda r: two(r, CITIES)),
    ("name", "ko", "{t}의 담당자는 {v}이다.", lambda r: two(r, ("민수", "지은", "현우"))),
    ("negation", "en", "{t} {v} a driving licence.", always("has", "has no")),
    ("negation", "en", "The {t} form {v} be signed.", always("must", "need not")),
    ("negation", "en", "{v} answer mails of {t}.", always("Always", "Never")),
    ("negation", "zh", "{t}{v}需要密码。", always("", "不")),
    ("order", "en", "{t} ranks {v}.", always("Oslo above Bergen", "Bergen above Oslo")),
    ("order", "en", "In {t}, {v}.", always("Ana trained Ben", "Ben trained Ana")),
    ("attribute", "en", "{t} is written in {v}.", lambda r: two(r, ("Rust", "Go", "Kotlin"))),
    ("attribute", "en", "The {t} repository is {v}.", always("public", "private")),
    ("attribute", "en", "{t} logs go to {v}.", lambda r: two(r, TOOLS)),
    ("attribute", "en", "Time zone of {t}: {v}", lambda r: two(r, ("Europe/Oslo", "Asia/Tokyo", "UTC"))),
    ("attribute", "es", "El color favorito de {t} es {v}.", lambda r: two(r, ("rojo", "verde", "azul"))),
    ("attribute", "ja", "{t}はデータを{v}に保存する。", lambda r: two(r, TOOLS)),
)
"""A second set, written when the rules stood: for `--fresh`."""
FRESH_ALIKE: Sequence[tuple[str, str, str, Values]] = (
    ("subject", "en", "The {v} door of {t} is locked.", always("front", "back")),
    ("subject", "en", "Invoice {v} of {t} is paid.", lambda r: numbers(r, 100, 900)),
    ("subject", "en", "{t} uses {v} at work, Debian at home.", always("Debian", "Debian and Fedora")),
    ("subject", "en", "Chapter {v} of {t} is finished.", lambda r: numbers(r, 2, 30)),
    ("subject", "en", "The {t} team meets {v}.", always("clients on Mondays", "suppliers on Fridays")),
    ("several", "en", "{t} plays {v}.", lambda r: two(r, ("the flute", "chess", "football"))),
    ("several", "en", "{t} has a {v}.", lambda r: two(r, ("dog", "cat", "boat"))),
    ("several", "en", "{t} supports {v}.", lambda r: two(r, ("IPv6", "TLS 1.3", "HTTP/2"))),
    ("several", "de", "{t} mag {v}.", lambda r: two(r, ("Tee", "Jazz", "Schach"))),
    ("several", "ko", "{t}는 {v}를 좋아한다.", lambda r: two(r, ("커피", "바둑", "재즈"))),
    ("detail", "en", "{t} works at the mill{v}.", always("", " as a welder")),
    ("detail", "en", "The {t} key is in the drawer{v}.", always("", " under the maps")),
    ("detail", "ja", "{t}は京都に住んでいる{v}。", always("", "、駅の近く")),
    ("event", "en", "{t} called on {v}.", days),
    ("event", "en", "Bought {v} litres of paint for {t}.", lambda r: numbers(r, 2, 40)),
    ("event", "en", "{v}: {t} restarted after an outage.", days),
    ("event", "en", "{v} reviewed the {t} change.", lambda r: two(r, PEOPLE)),
    ("event", "es", "{v}: visitamos {t}.", days),
)
PLAIN = (
    "{t} asked {p} about the {u} invoice.",
    "The {t} manual is in the {u} drawer.",
    "{p} keeps the keys of {t} at {u}.",
    "Use the {t} template for letters to {u}.",
    "{t} prints need the {u} paper.",
    "Die Akte {t} liegt bei {u}.",
    "El archivo {t} está con {u}.",
    "{t}的资料放在{u}那里。",
    "{t}の書類は{u}にある。",
    "{t} 자료는 {u}에 있다.",
    "When {t} is down, call {p} of {u}.",
    "{p} reviewed {t} for the {u} audit.",
)


def made(rng: random.Random, group: Sequence[tuple[str, str, str, Values]], count: int, *, yes: bool) -> list[Pair]:
    pairs = []
    for number in range(count):
        kind, lang, template, values = group[number % len(group)]
        item, other = values(rng)
        name = thing(rng)
        pairs.append(Pair(kind, lang, template.format(t=name, v=item), template.format(t=name, v=other), yes))
    return pairs


def plain(rng: random.Random) -> Iterator[str]:
    while True:
        yield rng.choice(PLAIN).format(t=thing(rng), u=thing(rng), p=rng.choice(PEOPLE))


def corpus(path: Path) -> list[Pair]:
    pairs = tomllib.loads(path.read_text("utf-8"))["pair"]
    return [Pair(row["kind"], row["lang"], row["a"], row["b"], row["kind"] == "contradiction") for row in pairs]


def table(pairs: Sequence[Pair], results: Callable[[Pair], bool], by: Callable[[Pair], str]) -> dict[str, list[int]]:
    """Return by group how many pairs were called a contradiction, of how many."""
    rows: dict[str, list[int]] = {}
    for pair in pairs:
        row = rows.setdefault(f"{'yes' if pair.contradicts else 'no '} {by(pair)}", [0, 0])
        row[0] += results(pair)
        row[1] += 1
    return dict(sorted(rows.items(), reverse=True))


def rates(pairs: Sequence[Pair], results: Callable[[Pair], bool], strangers: int = 0) -> dict[str, object]:
    """Return what was found and missed, and false alarms: among look-alikes, and between memories of the rest."""
    hits = [pair for pair in pairs if results(pair)]
    right = sum(pair.contradicts for pair in hits)
    alarms = len(hits) - right
    expected = sum(pair.contradicts for pair in pairs)
    return {
        "found": right,
        "missed": expected - right,
        "false alarms": alarms,
        "among others": strangers,
        "precision": round(right / max(1, right + alarms + strangers), 3),
        "recall": round(right / max(1, expected), 3),
    }


def peer(texts: Sequence[str], pairs: Sequence[Pair]) -> dict[str, object]:
    """Return the rates of `similar is a contradiction`, asked of the same neighbours."""
    neighbours: NoteIndex[int] = NoteIndex()
    for number, text in enumerate(texts):
        neighbours.add(number, text)
    planted = {frozenset((pair.one, pair.other)) for pair in pairs}
    others = {
        both
        for number, text in enumerate(texts)
        for other in neighbours.near(text, 20)
        if other != number
        and fuzz.token_set_ratio(text, texts[other]) >= SIMILAR
        and (both := frozenset((text, texts[other]))) not in planted
    }
    return rates(pairs, lambda pair: fuzz.token_set_ratio(pair.one, pair.other) >= SIMILAR, len(others))


def workspace(folder: Path, old: Sequence[str], new: Sequence[str]) -> None:
    """Make a workspace whose memories stood there for 40 days, but for the new ones."""
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        subprocess.run(["git", "config", key, value], cwd=folder, check=True)
    (folder / "SOUL.md").write_text("# Soul\n\n- Have a view.\n")
    init(folder).workspace.close()
    place = folder / "MEMORY.md"
    for texts, days_ago in ((old, 40), ([*old, *new], 0.1)):
        place.write_text("# Memory\n\n" + "".join(f"- {text} #knowledge\n" for text in texts), "utf-8")
        when = (NOW - timedelta(days=days_ago)).isoformat()
        moment = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
        subprocess.run(
            ["git", "commit", "-q", "--no-verify", "--allow-empty", "-m", "x"], cwd=folder, check=True, env=moment
        )


def run(folder: Path, start: datetime | None, *, really: bool) -> tuple[float, running.Result]:
    with open_workspace(folder) as index_store:
        index_store.clock = lambda: NOW
        begun = time.perf_counter()
        conflict_detector.MAX_OPEN_ITEMS = MOST_PAIRS
        agent = ConflictDetector(start=start.timestamp() if start else None)
        results = running.apply(agent, index_store) if really else running.preview(agent, index_store)
        return time.perf_counter() - begun, results


def measured(
    count: int, planted: int, seed: int, *, fresh: bool
) -> tuple[dict[str, object], list[Pair], Callable[[Pair], bool]]:
    rng = random.Random(seed)
    wrong, right = (FRESH, FRESH_ALIKE) if fresh else (PLANTED, ALIKE)
    pairs = made(rng, wrong, planted, yes=True) + made(rng, right, planted, yes=False)
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other)))
    rest = plain(rng)
    while len(texts) < count:
        texts.append(next(rest))
    rng.shuffle(texts)
    halves = [pair.other for pair in pairs[:25]] + [pair.other for pair in pairs[planted : planted + 25]]
    old = [text for text in texts if text not in set(halves)]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "ws"
        workspace(place, old, halves)
        all_rows, all_found = run(place, NOW - timedelta(days=60), really=False)
        window, _ = run(place, None, really=False)
        applied, result = run(place, None, really=True)
    blocks = (edit.block for change in all_found.proposed for edit in change.edits if isinstance(edit, Append))
    said = {frozenset((item.a.text, item.b.text)) for block in blocks for item in conflict.conflicts(block)}
    planted_pairs = {frozenset((pair.one, pair.other)) for pair in pairs}

    def found(pair: Pair) -> bool:
        return frozenset((pair.one, pair.other)) in said

    strangers = sorted(" | ".join(sorted(item)) for item in said - planted_pairs)
    figures: dict[str, object] = {
        "detector": rates(pairs, found, len(strangers)),
        "strangers": dict.fromkeys(strangers, ""),
        "similar is a contradiction": peer(texts, pairs),
        "seconds": {
            f"all {len(texts):,} compared": round(all_rows, 2),
            "50 changed, preview": round(window, 2),
            f"50 changed, applied ({len(result.applied)} commits)": round(applied, 2),
        },
    }
    return figures, pairs, found


def never(*given: object, **more: object) -> bool:
    del given, more
    return False


FAMILIES: dict[str, Family] = {
    "denials": Family([(contradiction, "_denies", never)], [contradiction._denies]),  # noqa: SLF001
    "values": Family([(contradiction, "_has_other_value", never)], [contradiction._has_other_value]),  # noqa: SLF001
}
"""What is left out of the rules."""


def contradictions() -> Score:
    """Score what is told of the pairs of notes."""
    pairs = corpus(Path(__file__).parents[2] / "corpora/sameness.toml")
    return families.score((by_rules(item), item.contradicts) for item in pairs)


AREA = Area("conflicts", FAMILIES | sameness.FAMILIES, contradictions)


@dataclass(frozen=True)
class Ground:
    """Pairs of a corpus; of conversations what replaces what, and other pairs; pairs of ordinary memories."""

    pairs: Sequence[Pair]
    replaced: Sequence[Pair]
    others: Sequence[Pair]
    ordinary: Sequence[Pair]

    def row(self) -> list[str]:
        """Return what the rules find of each."""
        wrong = [pair for pair in self.pairs if pair.contradicts]
        rest = [pair for pair in self.pairs if not pair.contradicts]
        group = (wrong, rest, self.replaced, self.others, self.ordinary)
        return [f"{sum(map(by_rules, part))} of {len(part)}" for part in group]


def ground(folder: Path | None, ordinary: Path | None) -> Ground:
    talks = list(told(folder)) if folder else []
    replaced = [Pair("replaced", "", item, other, contradicts=True) for group, _ in talks for item, other in group]
    others = [pair for _, texts in talks for pair in alike(texts)]
    facts = (
        [
            [row[0] for spoken in text.values() for rows in spoken.values() for row in rows]
            for text in (row["observation"] for row in json.loads(ordinary.read_text("utf-8")))
        ]
        if ordinary
        else []
    )
    return Ground(
        corpus(Path(__file__).parents[2] / "corpora/sameness.toml"),
        replaced,
        others,
        [pair for texts in facts for pair in alike(texts)],
    )


def told(folder: Path) -> Iterator[tuple[list[tuple[str, str]], list[str]]]:
    """Yield of each conversation what takes the place of what, and all that is to be remembered."""
    for place in sorted(folder.glob("*.labels.json")):
        labels = json.loads(place.read_text("utf-8"))
        talk = json.loads(place.with_name(place.name.replace(".labels", "")).read_text("utf-8"))
        replaced = [(row["gist"], row["replaces"]) for row in labels["keep"] if row.get("replaces")]
        yield replaced, [*talk["memory"], *(row["gist"] for row in labels["keep"])]


def alike(texts: Sequence[str]) -> list[Pair]:
    """Return the pairs of texts that the detector looks at."""
    neighbours: NoteIndex[int] = NoteIndex()
    for number, text in enumerate(texts):
        neighbours.add(number, text)
    both = {
        tuple(sorted((index, other)))
        for index, text in enumerate(texts)
        for other in neighbours.near(text)
        if index != other
    }
    results = (Pair("ordinary", "", texts[index], texts[other], contradicts=False) for index, other in sorted(both))
    return [pair for pair in results if not is_same_note(pair.one, pair.other) and _share_half(pair)]


def _share_half(pair: Pair) -> bool:
    item, other = read_note_words(pair.one), read_note_words(pair.other)
    return 2 * sum(map(len, find_leftovers(item, other))) <= len(item) + len(other)


def without(known_rows: Ground) -> Iterator[tuple[str, list[str]]]:
    """Yield what is found today, and with each family of rules left out."""
    yield "today", known_rows.row()
    for name, family in FAMILIES.items():
        with family.left_out():
            yield f"without {name}", known_rows.row()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--planted", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--talks", type=Path)
    parser.add_argument("--ordinary", type=Path)
    options = parser.parse_args()
    if options.ablation:
        keep(families.table([AREA]))
        return 0
    if options.table:
        print("| rules | contradictions found | false | replaced found | other pairs | ordinary |")
        for name, row in without(ground(options.talks, options.ordinary)):
            print(f"| {name} | {' | '.join(row)} |", flush=True)
        return 0
    if options.pairs:
        pairs = corpus(options.pairs)
        figures: dict[str, object] = {
            "detector": rates(pairs, by_rules),
            "similar is a contradiction": rates(
                pairs, lambda item: fuzz.token_set_ratio(item.one, item.other) >= SIMILAR
            ),
        }
        results: Callable[[Pair], bool] = by_rules
    else:
        figures, pairs, results = measured(options.entries, options.planted, options.seed, fresh=options.fresh)
    figures["by kind"] = table(pairs, results, lambda pair: pair.kind)
    figures["by language"] = table(pairs, results, lambda pair: pair.lang)
    keep(figures)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False, indent=2))
        return 0
    for name, rows in figures.items():
        print(name)
        for key, value in rows.items() if isinstance(rows, dict) else ():
            print(f"  {key:<34} {value}")
    if options.wrong:
        wrong = [pair for pair in pairs if results(pair) != pair.contradicts]
        counted: Counter[str] = Counter()
        for pair in wrong:
            counted[pair.kind] += 1
            print(f"  {'missed' if pair.contradicts else 'alarm '} {pair.kind} {pair.lang}: {pair.one} | {pair.other}")
    return 0


def by_rules(pair: Pair) -> bool:
    return bool(contradiction.find_contradiction(pair.one, pair.other))


if __name__ == "__main__":
    sys.exit(main())
