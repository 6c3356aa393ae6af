"""Tells what a text is about."""

import re
from collections.abc import Iterable

from clawgit.agents.validating.value_finder import LANGUAGES, Value, names, units, values
from clawgit.language.lexicon import stem
from clawgit.text.sameness.note import bag

_WORD = re.compile(r"[^\W\d_]{2,}|\d+")
_DENSE = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
_STOP = bag(
    "the an and or but is are was were be been am in on at to of for from by with as it its that this these"
    " those there here not no yes my your our his her their me you we they he she him them us do does did has"
    " have had will would can could should said say told tell meant mean already just now then so if when what"
    " which who how about again still also too any more than user users operator actually really remember"
    " forgot correct wrong right okay sure thanks sorry please one ones got get let lets ll ve re isn wasn don"
    " didn doesn called named instead changed moved switched updated want wants need needs like new old set"
    " sets noted note got use uses using used every each last next time day week der die das ein eine einen"
    " einem einer und oder aber ist sind war im am um an in zu von mit für auf nicht kein doch ich du er sie es"
    " wir ihr mein meine dein deine hab habe hast gesagt sagte meinte schon nein heißt jetzt statt sondern el"
    " la los las un una y o pero es son fue en a de con por para no sí mi tu su yo te le que se lo ya dije le"
    " les des du et ou mais est sont dans au aux pour avec sur pas non mon ma mes ton ta tes je il elle on nous"
    " vous ce c'est j'ai dit que qui years year months month weeks hours hour minutes minute ago jahr jahre año"
    " años ans since started start starting began long right great good really lot time first"
    " haben hatten hatte wir unser unsere unseren unserem hemos han nos nuestra nuestro avons notre nos"
    " finally last night"
    " always usually got gets been wurde wird worden immer siempre toujours heads fyi note hat had officially"
)
_KIN = {
    word: row.split()[0]
    for row in (
        "mother mom mum mama mamá mutter madre mère maman",
        "father dad papa papá vater padre père",
        "brother bruder hermano frère",
        "sister schwester hermana sœur",
        "grandma oma abuela grand-mère grandmother",
        "grandpa opa abuelo grand-père grandfather",
        "aunt tante tía",
        "uncle onkel tío",
        "wife frau esposa femme",
        "husband mann marido mari",
        "daughter tochter hija fille",
        "son sohn hijo fils",
    )
    for word in row.split()
}
"""One word for one of the family, in whatever language."""
_LIGHT = re.compile(
    "[的了是在我你他她它们們说說不对對没有也就都和与跟吗呢吧啊这那個个要把被从到改成现在應该应其实忘记"
    "はがをにでのともへやかねよだですます言っいてしるたなんこれそれあの私僕]"
)
_PARTICLES = re.compile(r"(?:은|는|이|가|을|를|에|의|로|으로|와|과|도|에서|이야|야|예요|이에요|입니다|요)$")
_GLOSS = re.compile(r" \(\d{4}-\d\d-\d\d[^()]{0,16}\)")


def words(text: str, without: Iterable[str] = ()) -> frozenset[str]:
    """Return what a text is about: stems of its words, pairs of letters where they are dense."""
    for said in without:
        text = re.sub(re.escape(said), " ", text, flags=re.IGNORECASE) if said else text
    low = text.casefold()
    found = {
        stem(word, LANGUAGES)
        for word in _WORD.findall(_DENSE.sub(" ", low))
        if word not in _STOP and not word.isdigit()
    }
    found |= {_KIN[word] for word in _WORD.findall(low) if word in _KIN}
    for run in _DENSE.findall(low):
        if "\uac00" <= run[0] <= "\ud7a3":
            found |= {bare for bare in (_PARTICLES.sub("", run),) if len(bare) > 1}
        else:
            found |= {piece[at : at + 2] for piece in _LIGHT.split(run) for at in range(len(piece) - 1)}
    return frozenset(found)


def kin(word: str) -> str:
    """Return the one word for somebody of the family, "" for anybody else."""
    return _KIN.get(word.casefold(), "")


def alike(one: Value, other: Value) -> bool:
    """Tell whether two values are of one kind: `12` and `10 people` are."""
    return one.kind == other.kind or ("number" in (one.kind, other.kind) and _counted(one) and _counted(other))


def _counted(one: Value) -> bool:
    return one.kind == "money" or one.kind.startswith("number")


def equal(one: Value, other: Value) -> bool:
    """Tell whether two values of one kind name the same."""
    if one.kind == other.kind == "date":
        return one.canon == other.canon or one.canon in other.canon.split("-") or other.canon in one.canon.split("-")
    return one.canon == other.canon


def past_gloss(text: str, end: int) -> int:
    """Return where a value that ends at `end` is past: a date in brackets behind a day only says which day it is."""
    gloss = _GLOSS.match(text, end)
    return gloss.end() if gloss else end


def without_glosses(text: str) -> str:
    """Return a text without the dates in brackets that only say which day is meant."""
    return _GLOSS.sub("", text)


def read(said: str) -> Value | None:
    """Return the value that `said` is as a whole, None where it is other words."""
    for one in values(said):
        rest = (said[: one.start] + said[one.end :]).casefold()
        if not words(rest) or one.kind.startswith("number "):
            return one
    alone = [one for one in units(said) if one.text == said]
    found = alone or list(names(said, opening=True))
    return found[0] if len(found) == 1 and found[0].text == said else None


def places(text: str, said: str) -> list[tuple[int, int]]:
    """Return where `said` stands in a text, letter for letter or, for a day or an amount, in other writing."""
    edge = (r"(?<![^\W_])", r"(?![^\W_])") if said and not _DENSE.search(said) else ("", "")
    found = [match.span() for match in re.finditer(f"{edge[0]}{re.escape(said)}{edge[1]}", text, re.IGNORECASE)]
    value = read(said)
    if found or value is None or value.kind == "name" or value.kind.startswith("unit "):
        return found
    return [(one.start, one.end) for one in values(text) if alike(one, value) and equal(one, value)]
