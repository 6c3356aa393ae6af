"""Sentences that nobody chose for their words, and questions about them.

Those of the standard library's documentation, of the packages that are installed, and of the messages that programs of
this machine have in other languages. A question is made of some of a sentence's rarer words, in another
form and order, in the frame that people ask in.
"""

import ast
import gettext
import random
import re
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.lib.suites import STOP, words

VOCABULARIES = ("en", "packages", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv", "zh")
_FRAMES = {
    "en": (
        "What was it about {}?",
        "When did we talk about {}?",
        "Do you remember the {}?",
        "how does {} work",
        "{}",
        "What did I note on {}?",
    ),
    "de": (
        "Was war das mit {}?",
        "Wann haben wir über {} gesprochen?",
        "Erinnerst du dich an {}?",
        "wie geht {}",
        "{}",
        "Was habe ich zu {} notiert?",
    ),
    "es": (
        "¿Qué era lo de {}?",
        "¿Cuándo hablamos de {}?",
        "¿Te acuerdas de {}?",
        "cómo funciona {}",
        "{}",
        "¿Qué anoté sobre {}?",
    ),
    "fr": (
        "C'était quoi, {} ?",
        "Quand avons-nous parlé de {} ?",
        "Te souviens-tu de {} ?",
        "comment marche {}",
        "{}",
        "Qu'ai-je noté sur {} ?",
    ),
    "it": (
        "Cos'era {}?",
        "Quando abbiamo parlato di {}?",
        "Ti ricordi di {}?",
        "come funziona {}",
        "{}",
        "Cosa ho annotato su {}?",
    ),
    "nl": (
        "Wat was dat met {}?",
        "Wanneer hadden we het over {}?",
        "Weet je nog van {}?",
        "hoe werkt {}",
        "{}",
        "Wat heb ik over {} opgeschreven?",
    ),
    "pl": (
        "O co chodziło z {}?",
        "Kiedy rozmawialiśmy o {}?",
        "Pamiętasz {}?",
        "jak działa {}",
        "{}",
        "Co zapisałem o {}?",
    ),
    "pt": (
        "O que era {}?",
        "Quando falamos de {}?",
        "Você se lembra de {}?",
        "como funciona {}",
        "{}",
        "O que anotei sobre {}?",
    ),
    "ru": (
        "Что там было про {}?",
        "Когда мы говорили о {}?",  # noqa: RUF001 - as it is written
        "Ты помнишь {}?",
        "как работает {}",
        "{}",
        "Что я записал про {}?",
    ),
    "sv": (
        "Vad var det med {}?",
        "När pratade vi om {}?",
        "Minns du {}?",
        "hur fungerar {}",
        "{}",
        "Vad skrev jag om {}?",
    ),
    "zh": ("{}是什么？", "我们什么时候说过{}？", "你记得{}吗？", "{}怎么用", "{}", "关于{}我记了什么？"),  # noqa: RUF001 - as it is written
}
_SHORTEST, _LONGEST = 40, 200
_CATALOGS = {
    **{language: (language,) for language in ("de", "es", "fr", "it", "nl", "pl", "ru", "sv")},
    "pt": ("pt_BR", "pt"),
    "zh": ("zh_CN", "zh_CN.UTF-8"),
}
_HAN = re.compile(r"[\u4e00-\u9fff]{2,}")


@dataclass(frozen=True)
class Pool:
    """Sentences of one language in an order that chance made, and in how many of them each word stands."""

    language: str
    sentences: tuple[str, ...]
    common: Counter[str]
    seed: int = 0

    def chance(self, seed: int) -> random.Random:
        """Return what decides within one set."""
        return random.Random(seed + 1000 * self.seed)

    def question(self, text: str, chance: random.Random) -> str:
        """Return a question that a sentence answers."""
        if self.language == "zh":
            return self._asked_in_chinese(text, chance)
        known_rows = [
            word for word in dict.fromkeys(words(text)) if word not in STOP and word.isalpha() and len(word) > 3
        ]
        rare = sorted(known_rows, key=lambda word: self.common[word])[:6]
        sample = chance.sample(rare, min(len(rare), chance.randint(2, 4)))
        form = inflected if self.language == "en" else (lambda word, _: word)
        return chance.choice(_FRAMES[self.language]).format(" ".join(form(word, chance) for word in sample))

    def _asked_in_chinese(self, text: str, chance: random.Random) -> str:
        results = _HAN.findall(text)
        runs = chance.sample(results, min(len(results), chance.randint(2, 3)))
        parts = [run[index : index + 4] for run in runs for index in [chance.randint(0, max(len(run) - 4, 0))]]
        return chance.choice(_FRAMES["zh"]).format("".join(parts))


def inflected(word: str, chance: random.Random) -> str:
    if chance.random() < 0.6:
        return word
    return word[:-1] if word.endswith("s") else word + ("s" if not word.endswith("e") else "d")


@cache
def pool(vocabulary: str = "en", seed: int = 0) -> Pool:
    """Return the sentences of a vocabulary; another seed is another order, and other questions."""
    results: dict[str, None] = {}
    if vocabulary in _CATALOGS:
        results = dict.fromkeys(_of_catalogs(vocabulary))
    else:
        folder = Path(sysconfig.get_paths()["stdlib" if vocabulary == "en" else "purelib"])
        results = dict.fromkeys(_of_docstrings(sorted(folder.glob("*.py" if vocabulary == "en" else "*/*.py"))))
    product = list(results)
    random.Random(5 + seed).shuffle(product)
    text = tuple(product)
    language = vocabulary if vocabulary in _CATALOGS else "en"
    return Pool(language, text, Counter(word for item in text for word in set(words(item))), seed)


def _of_docstrings(places: Iterable[Path]) -> Iterator[str]:
    for place in places:
        try:
            tree = ast.parse(place.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                for text in re.split(r"(?<=[.])\s+(?=[A-Z])|\n\s*\n", ast.get_docstring(node) or ""):
                    plain = " ".join(text.split())
                    if _SHORTEST <= len(plain) <= _LONGEST and plain[0].isupper() and ">>>" not in plain:
                        yield plain


def _of_catalogs(language: str) -> Iterator[str]:
    folders = (Path("/usr/share/locale"), *Path("/usr/share/vim").glob("*/lang"))
    shortest = _SHORTEST if language != "zh" else 12
    for name in _CATALOGS[language]:
        for place in sorted(item for folder in folders for item in folder.glob(f"{name}/LC_MESSAGES/*.mo")):
            try:
                with place.open("rb") as file:
                    text = gettext.GNUTranslations(file)._catalog.values()  # type: ignore[attr-defined]  # noqa: SLF001
            except (OSError, UnicodeDecodeError, ValueError):
                continue
            for item in text:
                plain = " ".join(item.split())
                good = language != "zh" or len(_HAN.findall(plain)) > 1
                if shortest <= len(plain) <= _LONGEST and good and plain[0].isalpha() and "|" not in plain:
                    yield plain
