"""Sentences worth remembering, in three languages, of which no two resemble each other."""

import random
import unicodedata
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

MAX_LIKENESS = 57.0
"""Per cent of equal letters up to which two sentences are about different things."""
MAX_TRIES = 60

WHO = ["Ana", "Bob", "Chidi", "Dora", "Emil", "Frau Krämer", "Göran", "Ines", "Kofi", "Lena", "Tomás", "Yuki"]
THINGS = [
    *("the boiler", "the Berlin flat", "GraphQL", "dark roast", "the tax papers", "an invoice", "the garden fence"),
    *("the old Passat", "kubernetes", "the router", "school lunches", "the van", "pytest fixtures", "the bee hives"),
    *("a violin", "the cellar key", "oat milk", "the ferry", "solar panels", "the choir", "a passport", "the sauna"),
]
PLACES = ["in Porto", "behind the shed", "at the notary", "on the NAS", "upstairs", "next to the station", "by post"]
TIMES = ["before Easter", "every other week", "since the outage", "until further notice", "at half past six", "in May"]
REASONS = [
    *("because it was too slow", "after a call with the bank", "if the weather holds", "and told nobody"),
    *("although Yuki warned of it", "to save two hundred euros", "for the whole team", "as the doctor advised"),
]
SHAPES = [
    "{who} moved {thing} {place} {reason}",
    "{thing} costs {number} euros {time}",
    "Ask {who} about {thing} {time}",
    "{number} is the code of {thing} {place}",
    "Nobody repairs {thing} {reason}",
    "{time}, {who} waits for {thing} {place}",
    "Decided against {thing}: {who} would have needed {number} hours",
    "{who} ({number}) knows who has {thing}",
    "Whoever needs {thing} writes to {who} {reason}",
    "The contract on {thing} ends {time}, clause {number}",
    "{place} there are {number} boxes with papers on {thing}",
    "No meetings about {thing} {time}",
    "Wifi password for {who}'s guests: tulip-{number}-{place}",
    "{who} prefers short answers when it is about {thing}",
    "Renew the insurance of {thing} {time} with {who}",
    "Last year {thing} broke {number} times {reason}",
    "Please never mention {thing} to {who}",
    "Spare parts for {thing} are ordered {time}, {number} euros",
    "The plumber came {place}, and {thing} works again",
    "Flight {number} leaves {time}; {who} brings {thing}",
    "If {who} calls, say that {thing} is {place}",
    "Photos of {thing} belong into album {number}",
    "We agreed on {number} days of leave {reason}",
    "Backup {number} failed {reason}; look {place}",
    "{who} was born {time} and collects stamps of {thing}",
    "Interest on the loan for {thing} is {number} a year",
    "Do not water {thing} {time}",
]
GERMAN = [
    "{thing}: {who} holt es am Montag ab, {number} Euro",
    "Der Zahnarzt will {who} im Mai sehen, Zimmer {number}",
    "Die Heizung wird {number} Stunden lang geprüft, sagt {who}",
    "{who} zahlt die Miete ab jetzt allein, Konto {number}",
]
CHINESE = ["服务器", "会议", "合同", "牛奶", "飞机票", "数据库", "花园", "手机", "发票", "钥匙", "打印机", "护照"]
VERBS = ["放在", "搬到", "改在", "不要动", "下周检查", "需要更新", "属于", "寄给", "等待", "换成"]


def flat(text: str) -> str:
    """Return letters and digits alone, in lower case."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


@dataclass
class Author:
    """Says nothing twice, and nothing that resembles what was said before."""

    pick: random.Random
    sentences: list[str] = field(default_factory=list)

    def words(self) -> str:
        """Return a new sentence."""
        sentence = ""
        for _ in range(MAX_TRIES):
            sentence = self._sentence()
            if not process.extractOne(sentence, self.sentences, scorer=fuzz.ratio, score_cutoff=MAX_LIKENESS):
                break
        self.sentences.append(sentence)
        return sentence

    def _sentence(self) -> str:
        pick, kind = self.pick, self.pick.random()
        number = pick.randrange(11, 9000)
        if kind < 0.1:
            item, second, three = pick.sample(CHINESE, 3)
            return f"{item}{pick.choice(VERBS)}{second}，第{number}号，{pick.choice(VERBS)}{three}"  # noqa: RUF001
        shape = pick.choice(GERMAN if kind < 0.2 else SHAPES)
        words = {"who": WHO, "thing": THINGS, "place": PLACES, "time": TIMES, "reason": REASONS}
        sentence = shape.format(number=number, **{name: pick.choice(group) for name, group in words.items()})
        return sentence[0].upper() + sentence[1:] + pick.choice(["", "", "."])
