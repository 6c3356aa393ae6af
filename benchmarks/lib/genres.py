"""Sets of questions that are made here, one for each kind of file that agents keep.

pools.py has the sentences. Sets of another seed or vocabulary tell whether something is tuned to a few questions.
"""

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.lib import pools
from benchmarks.lib.pools import Pool
from benchmarks.lib.suites import Suite

PAIRS = Path(__file__).resolve().parents[2] / "corpora/sameness.toml"
Slip = Callable[[str, random.Random], str]
TODAY = date(2026, 11, 20)
ENGLISH = pools.pool()
NAMES = ("Ana", "Boris", "Chloe", "Dmitri", "Elif", "Farid")
ROUTINE = tuple(
    f"{what} {how}"
    for what in ("Heartbeat", "Backup", "Inbox check", "Calendar check", "Weather check", "Sync", "Health check")
    for how in ("ran, nothing to report.", "OK.", "done.", "finished without errors.", "skipped, quiet hours.")
)


def sentences() -> tuple[str, ...]:
    """Return sentences of the standard library's docstrings, in an order that chance made."""
    return ENGLISH.sentences


def question(text: str, chance: random.Random) -> str:
    """Return a question that a sentence of these answers."""
    return ENGLISH.question(text, chance)


def some_of(questions: list[Any], limit: int, chance: random.Random) -> list[Any]:
    """Return questions from all of the files: the first would be about the oldest, and age must not decide."""
    return chance.sample(questions, min(limit, len(questions)))


def misspelt(question: str, chance: random.Random, slip: Slip | None = None) -> str:
    """Return a question with every third word of four letters and more misspelt, by one slip of a finger."""
    output, count = [], 0
    for word in question.split(" "):
        plain = word.strip("?!.,¿") if slip else word
        long = len(plain) >= 4 and plain.isalpha()
        count += long
        output.append(word.replace(plain, (slip or slipped)(plain, chance)) if long and count % 3 == 1 else word)
    return " ".join(output)


def slipped(word: str, chance: random.Random) -> str:
    """Swap, leave out, double or replace a letter."""
    index = chance.randint(1, len(word) - 2)
    return chance.choice(
        (
            word[:index] + word[index + 1] + word[index] + word[index + 2 :],
            word[:index] + word[index + 1 :],
            word[:index] + word[index] + word[index:],
            word[:index] + chance.choice("aeiourst") + word[index + 1 :],
        )
    )


def _left_out(word: str, chance: random.Random) -> str:
    index = chance.randint(1, len(word) - 1)
    return word[:index] + word[index + 1 :]


def _doubled(word: str, chance: random.Random) -> str:
    index = chance.randint(0, len(word) - 1)
    return word[:index] + word[index] + word[index:]


def _swapped(word: str, chance: random.Random) -> str:
    index = chance.randint(1, len(word) - 2)
    return word[:index] + word[index + 1] + word[index] + word[index + 2 :]


def _beside(word: str, chance: random.Random) -> str:
    """Hit the key to the left or to the right of the right one."""
    index = chance.randint(1, len(word) - 1)
    row = next((row for row in KEYS if word[index] in row[1:-1]), " e ")
    where = row.index(word[index]) if word[index] in row else 0
    return word[:index] + row[where + chance.choice((-1, 1))] + word[index + 1 :]


def _vowel(word: str, chance: random.Random) -> str:
    """Take another vowel; a word without any has two letters swapped."""
    group = [index for index, letter in enumerate(word) if index and letter in "aeiou"]
    if not group:
        return _swapped(word, chance)
    index = chance.choice(group)
    return word[:index] + chance.choice([item for item in "aeiou" if item != word[index]]) + word[index + 1 :]


KEYS = ("wqwertyuiopo", "sasdfghjklk", "xzxcvbnmn")
SLIPS: Mapping[str, Slip] = {
    "left out": _left_out,
    "doubled": _doubled,
    "swapped": _swapped,
    "the key beside": _beside,
    "another vowel": _vowel,
}


def written(root: Path, files: Mapping[str, list[str]]) -> None:
    for path, lines in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("\n".join(lines) + "\n", "utf-8")


def memories(work: Path, pool: Pool = ENGLISH) -> list[Suite]:
    """Make one-line memories under headings, 3,000 of them in six files."""
    chance, lines, files, questions = pool.chance(1), pool.sentences[:3000], {}, []
    for index, text in enumerate(lines):
        path = "MEMORY.md" if index < 500 else f"memory/topic-{index // 500}.md"
        here = files.setdefault(path, [f"# {path}", ""])
        if index % 25 == 0:
            here += ["", f"## {text.split()[0]} {index // 25}", ""]
        here.append(f"- {text}")
        if index % 10 == 0:
            questions.append((pool.question(text, chance), frozenset({(path, len(here))})))
    written(work / "memories", files)
    return [Suite("memories", work / "memories", questions, TODAY)]


def letters(work: Path, pool: Pool = ENGLISH) -> list[Suite]:
    """Make conversations with an assistant whose messages are long: a line of six to fourteen sentences each."""
    chance, text, files, questions, index = pool.chance(2), pool.sentences[3000:9000], {}, [], 0
    while index + 15 < len(text):
        path = f"memory/{TODAY - timedelta(400 - len(files))}.md" if len(files) < 400 else "memory/rest.md"
        here = files.setdefault(path, ["# Conversation", ""])
        for _ in range(12):
            count = chance.randint(6, 14)
            group = text[index : index + count]
            if len(group) < 3:
                break
            here += [f"user: {group[0]}", f"assistant: {' '.join(group[1:])}"]
            picked = chance.choice(group[1:])
            questions.append((pool.question(picked, chance), frozenset({(path, len(here))})))
            index += count
    written(work / "letters", files)
    return [Suite("letters", work / "letters", some_of(questions, 400, chance), TODAY)]


def answers(work: Path, pool: Pool = ENGLISH) -> list[Suite]:
    """Make the same with messages of several paragraphs and lists, as models write them."""
    chance, text, files, questions, index = pool.chance(12), pool.sentences[2000:8000], {}, [], 0
    while index + 15 < len(text):
        path = f"memory/{TODAY - timedelta(300 - len(files))}.md"
        here = files.setdefault(path, ["# Conversation", ""])
        for _ in range(8):
            group = text[index : index + chance.randint(6, 14)]
            if len(group) < 6:
                break
            here += ["", f"user: {group[0]}", "", f"assistant: {group[1]} {group[2]}", ""]
            here += [f"- {item}" for item in group[3:-1]]
            picked = chance.randrange(3, len(group) - 1)
            gold = len(here) - (len(group) - 1 - 3) + (picked - 3) + 1
            here += ["", group[-1]]
            questions.append((pool.question(group[picked], chance), frozenset({(path, gold)})))
            index += len(group)
    written(work / "answers", files)
    return [Suite("answers", work / "answers", some_of(questions, 400, chance), TODAY)]


def journals(work: Path, pool: Pool = ENGLISH, lines: int = 60_000) -> list[Suite]:
    """Make journals of 60,000 lines, a third of which say what other days say too."""
    chance, group = pool.chance(3), [*pool.sentences]
    days, files, asked = 500, {}, []
    for day in range(days):
        path = f"memory/{TODAY - timedelta(days - day)}.md"
        here = files.setdefault(path, [f"# {TODAY - timedelta(days - day)}"])
        while len(here) < lines // days:
            if len(here) % 15 == 1:
                here += ["", f"## {chance.randint(0, 23):02}:{chance.randint(0, 59):02}", ""]
            if chance.random() < 0.33:
                here.append(f"- {chance.choice(ROUTINE)}")
                continue
            text = f"{chance.choice(NAMES)}: {chance.choice(group)}" if chance.random() < 0.1 else _note(group, chance)
            here.append(f"- {text}")
            if chance.random() < 0.008:
                asked.append((text, path, len(here)))
    written(work / "journals", files)
    seen = Counter(line for rows in files.values() for line in rows)
    unique = some_of([item for item in asked if seen[files[item[1]][item[2] - 1]] == 1], 250, chance)
    questions = [(pool.question(text, chance), frozenset({(path, line)})) for text, path, line in unique]
    return [Suite("journals", work / "journals", questions, TODAY)]


def _note(pool: list[str], chance: random.Random) -> str:
    """Return a note that nobody else has: two halves of sentences."""
    item, second = chance.choice(pool).split(), chance.choice(pool).split()
    return " ".join([*item[: len(item) // 2 + 2], *second[len(second) // 2 :]])


def slips(work: Path, pool: Pool = ENGLISH, slip: Slip | None = None) -> list[Suite]:
    """Take the one-line memories, every third word of the questions misspelt."""
    clean, chance = memories(work, pool)[0], pool.chance(4)
    questions = [(misspelt(questions, chance, slip), gold) for questions, gold in clean.questions]
    return [Suite("slips", clean.root, questions, TODAY)]


CJK = {
    "zh": {
        "我们决定用{}来管理发布。": "部署 容器 脚本 流程 工具 平台 系统 模板",
        "小王每天早上喝一杯{}。": "绿茶 咖啡 豆浆 牛奶 红茶 果汁",
        "下周要和{}开会讨论预算。": "财务 法务 市场 销售 客户 律师",
        "{}的密码放在保险箱里。": "邮箱 银行 电脑 仓库 车库 办公",
        "妈妈的{}在三月十五日。": "生日 手术 考试 旅行 体检 婚礼",
    },
    "ja": {
        "来週は{}について会議をします。": "予算 採用 設計 品質 広告 契約 研修",
        "田中さんは{}が好きです。": "紅茶 将棋 野球 登山 料理 写真 音楽",
        "{}の設定を変更しました。": "端末 回線 画面 印刷 認証 通知",
        "父の{}は五月です。": "手術 退院 旅行 誕生 検査 引越",
    },
    "ko": {
        "우리는 {} 방식을 결정했다.": "배포 결제 인증 검색 백업 번역",
        "민수는 {}를 좋아한다.": "커피 축구 낚시 독서 영화 요리",
        "다음 주에 {} 회의가 있다.": "예산 채용 설계 품질 광고 계약",
        "{} 비밀번호를 바꿨다.": "은행 메일 창고 전화 서버 금고",
    },
}


def _cjk(language: str) -> Callable[[Path], list[Suite]]:
    def made(work: Path) -> list[Suite]:
        lines = [(frame.format(word), word) for frame, text in CJK[language].items() for word in text.split()]
        random.Random(7).shuffle(lines)
        rows = ["# 记忆", "", *(f"- {line}" for line, _ in lines)]
        written(work / language, {"MEMORY.md": rows})
        questions = [(word, frozenset({("MEMORY.md", index)})) for index, (_, word) in enumerate(lines, 3)]
        return [Suite(language, work / language, questions, TODAY)]

    return made


def paraphrases(work: Path, languages: str) -> list[Suite]:
    """Make notes of corpora/sameness.toml, each asked for in the other words that somebody found for it.

    The corpus says which pairs mean the same. Beside their first notes stand both of all other pairs, 40 in a file.
    """
    pairs = [row for row in tomllib.loads(PAIRS.read_text("utf-8"))["pair"] if row["lang"] in languages.split()]
    others = [text for row in pairs if row["kind"] != "same" for text in (row["a"], row["b"])]
    asked = {row["a"]: row["b"] for row in pairs if row["kind"] == "same"}
    notes = list(dict.fromkeys((*asked, *others)))
    random.Random(11).shuffle(notes)
    files: dict[str, list[str]] = {}
    questions = []
    for index, note in enumerate(notes):
        path = f"memory/notes-{index // 40}.md"
        files.setdefault(path, ["# Notes", ""]).append(f"- {note}")
        if note in asked:
            questions.append((asked[note], frozenset({(path, len(files[path]))})))
    name = f"paraphrased-{languages[:2]}"
    written(work / name, files)
    return [Suite(name, work / name, questions, TODAY)]


def each(languages: Mapping[str, object]) -> Iterator[tuple[str, Callable[[Path], list[Suite]]]]:
    for language in languages:
        yield f"{language}, two letters", _cjk(language)


GENRES: Mapping[str, Callable[[Path, Pool], list[Suite]]] = {
    "memories of one line": memories,
    "memories, misspelt": slips,
    "long messages": letters,
    "messages of paragraphs": answers,
    "journals of 60,000 lines": journals,
}
MISSPELT: Mapping[str, Callable[[Path, Pool], list[Suite]]] = {
    f"misspelt, {name}": partial(slips, slip=slip) for name, slip in SLIPS.items()
}
SCRIPTS: Mapping[str, Callable[[Path], list[Suite]]] = dict(each(CJK))
PARAPHRASED: Mapping[str, Callable[[Path], list[Suite]]] = {
    f"paraphrased, {languages}": partial(paraphrases, languages=languages) for languages in ("en de es", "zh ja ko")
}
ALL: Mapping[str, Callable[[Path], list[Suite]]] = {
    **{name: partial(build, pool=ENGLISH) for name, build in GENRES.items()},
    **SCRIPTS,
}
