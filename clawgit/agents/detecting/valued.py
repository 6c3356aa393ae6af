"""Tells whether one thing is given two values."""

import re

from clawgit.agents.detecting import lexicon
from clawgit.agents.detecting.sentence import SUBJECTS, Sentence, before_predicate, kind, telling
from clawgit.text.sameness.reading import read
from clawgit.text.sameness.synonyms import RELATIONS

_MARKS = frozenset((",", "and"))
_MOST = 6
_FEW = 3
_ASIAN = "\u2e80"
_TAKES = re.compile("(?:叫|是|为|用|住在|选|选择|由|使用|采用|搬到|位于|设为|改为|存在|部署在|放在|在)$")
_TAKEN = re.compile(
    "[^にでがを]{0,4}?(?:"
    "(?:を|·object|을|를)(?:使|选|采|사용|쓰|선택|이용|채택)"
    "|(?:に|で|が|에|에서|로|으로)(?:住|あ|い|있|决|动|担|保|置|働|变|移|살|사$|저장|일하)"
    "|(?:살|사용|저장|일하|근무|결정))"
)
_COPULAS = SUBJECTS | {"="}


def valued(mine: Sentence, theirs: Sentence, left: list[str], right: list[str]) -> bool:
    """Tell whether one thing has two values."""
    left, right = _undated(left, right), _undated(right, left)
    (typed, told), (measured, said) = _sorted(left), _sorted(right)
    if typed and measured and not (told and said) and all(_added(one) for one in (mine, theirs)):
        return _measured(mine, theirs, typed, measured)
    if typed or measured or not told or not said or max(len(told), len(said)) > _MOST:
        return False
    named = {_named(mine, told), _named(theirs, said)}
    return len(named) == 1 and _chosen(mine, told) and _chosen(theirs, said)


def _named(one: Sentence, told: list[str]) -> bool:
    """Tell whether a value is written as a name: a town is no other value for a state."""
    return any(word in one.reading.names or not word.isascii() for word in told)


def _undated(words: list[str], others: list[str]) -> list[str]:
    """Return words without a time from when on, which the others do not tell."""
    if any(kind(word) for word in others):
        return words
    rest = [word for word in words if kind(word) not in {"calendar", "time"} and word not in lexicon.SINCE]
    return rest or words


def _sorted(words: list[str]) -> tuple[list[str], list[str]]:
    """Divide words into measures and others."""
    return [word for word in words if kind(word)], [word for word in words if not kind(word)]


def _added(one: Sentence) -> bool:
    """Tell whether what else a note says besides its value leaves the matter the same."""
    places = [at for at in one.own if not kind(one.words[at]) and telling([one.words[at]])]
    if len(places) > _FEW:
        return False
    return not any(
        before_predicate(one, at)
        or not at
        or one.words[at] in lexicon.SCOPES
        or (one.words[at - 1] in lexicon.SCOPES | lexicon.LINKS and one.words[at - 1] not in lexicon.SINCE)
        for at in places
    )


def _measured(mine: Sentence, theirs: Sentence, left: list[str], right: list[str]) -> bool:
    kinds, others = ({kind(word) for word in words} for words in (left, right))
    if not kinds & others - {"unit"} and not kinds == others == {"unit"}:
        return False
    if kinds == others == {"name"} and sorted(map(_shape, left)) != sorted(map(_shape, right)):
        return False  # both may be so, as of two protocols
    if "calendar" in kinds & others and "number" in kinds & others:
        return False  # another period, and what was so in it
    sites = [(one, at) for one in (mine, theirs) for at in one.own if kind(one.words[at])]
    return not any(_names_a_thing(one, at) for one, at in sites)


def _shape(word: str) -> str:
    """Return how a name is built: versions, addresses and keys alike."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", word))


def _names_a_thing(one: Sentence, at: int) -> bool:
    """Tell whether a number or day belongs to what is spoken of, not to what is said of it."""
    words = one.words
    if words[at - 1 : at] and words[at - 1] in lexicon.COUNTED:
        return True
    if at + 1 < len(words) and words[at + 1] in {"号", "번", "番", "号机", "층"} and at + 2 < len(words):
        return True
    if words[at - 1 : at] and words[at - 1] in lexicon.SCOPES and kind(words[at]) == "calendar":
        return True
    return at > 0 and before_predicate(one, at)


def _chosen(one: Sentence, told: list[str]) -> bool:
    """Tell whether words that differ are in one piece, and are what the subject has one of."""
    places = [at for at in one.own if one.words[at] in told]
    asian = any(word >= _ASIAN for word in one.words)
    if not places or places[-1] - places[0] > len(places) - 1 + asian:
        return False
    start, end = places[0], places[-1] + 1
    if asian:
        return _chosen_asian(one, start, end)
    before = one.words[:start]
    linked = bool(before) and before[-1] in lexicon.LINKS
    while before and before[-1] in lexicon.LINKS and before[-1] not in lexicon.SCOPES:
        before = before[:-1]
    if not before or {"over", "than", "ratherthan"} & set(one.words[end:]):
        return False
    if before[-1] == "=":
        return _attribute(one, before[:-1], told)
    if before[-1] in lexicon.DIRECT or (linked and before[-1] in lexicon.LINKED):
        return True
    return one.labelled and _behind_label(one, start)


def _attribute(one: Sentence, subject: list[str], told: list[str]) -> bool:
    """Tell whether the subject is an attribute, of which there is one, rather than something of which much is true."""
    return len(subject) > 1 or (bool(subject) and subject[-1] in one.reading.single and _named(one, told))


def _behind_label(one: Sentence, start: int) -> bool:
    """Tell whether a value is all that stands behind a label."""
    label = one.note.text.partition(":")[0]
    size = sum(word not in _MARKS for word in read(label).marked)
    return size in {start, start - 1} and not RELATIONS & set(one.words[:start])


def _chosen_asian(one: Sentence, start: int, end: int) -> bool:
    words = one.words
    if not start:
        return False
    before = "".join(words[:start])
    rest = "".join(words[end:]).removeprefix("さん").removeprefix("氏")
    copula = words[start - 1] in _COPULAS or ("是" in one.note.text and start >= _FEW)
    return (not rest and copula) or bool(_TAKES.search(before) or _TAKEN.match(words[end - 1][-1:] + rest))
