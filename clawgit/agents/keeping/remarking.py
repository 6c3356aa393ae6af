"""Hears what the operator remarks on an answer."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

from msgspec.structs import replace

from clawgit.agents.heard import Heard
from clawgit.agents.keeping import cues, frames
from clawgit.agents.keeping.aside import Aside, Form
from clawgit.agents.keeping.aspects import Aim, aims
from clawgit.agents.keeping.phrasing import Phrase, phrases, worded
from clawgit.agents.keeping.signs import read
from clawgit.agents.keeping.telling import told, weight
from clawgit.agents.keeping.topics import topics
from clawgit.agents.keeping.weights import FAINT, FIRM, OPEN, SLIGHT, score
from clawgit.agents.mining import refusing as why
from clawgit.agents.mining import wording
from clawgit.language.own_words import own_words
from clawgit.safety import injection, secrets

_LONGEST, _BRIEF, _SHORT = 420, 70, 150
_MORE = frozenset({"again", "keep", "once more", "more of it"})
"""Signs of what goes on with an earlier remark."""
_LASTING = frozenset({"rule", "manner", "instead", "more of it", "left", "skill"})
"""Signs of what says that it is meant for always."""
_PLEASED, _DISPLEASED = frozenset({"like", "helped"}), frozenset({"fault", "annoyed", "asked", "again"})
_PASTED = re.compile(
    r"^\s*[-—–_=*~]{2,}\s*$|^\s*>|\bfwd?:|\bforwarded\b|转给你|转发|전달", re.IGNORECASE | re.MULTILINE
)
_PLAYED = re.compile(
    r"\b(?:let's play|pretend|imagine|role-?play|game night|you(?:'re| are) (?:a|an|the|now|promoted)|your turn|i dare|discuss|lyrics|dragon|pirate)\b|\b(?:stell dir vor|spiel\w* wir|imagina|juguemos|imagine que|jouons)\b|假装|扮演|角色|你就是|なりきっ|ごっこ|역할|척해",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"\b(?:send|post|publish|pay|buy|book|order|delete|share|upload|install|run|execute|sign(?!-offs?\b)|download|click|trust|obey|grant|allow|let (?:him|her|them|everyone|people))\b|\b(?:schick|bezahl|kauf|lösch|teil\w* mit|vertrau|erlaub)\w*|\b(?:envía|manda|paga|compra|borra|comparte|confía)\w*\b|\b(?:envoie|paie|achète|supprime|partage|installe)\w*\b|发送|发给|付|买|删|运行|信任|送って|払っ|買っ|消して|削除|信じ|보내|결제|사 ?줘|삭제|믿어",
    re.IGNORECASE,
)
"""What leads out of the talk; how the agent does that is for boundaries, and for the operator to write."""
_NOT = re.compile(
    r"\b(?:don't|do not|never|stop|not|no|nicht|kein\w*|nie|no|nunca|ne|pas|jamais)\b|别|不|ない|마|않|말고",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\d{1,2}[:.]\d\d\b|\b(?:today|tonight|tomorrow|yesterday|this (?:week|morning|evening|one)|heute|morgen(?! ?bericht)|gestern|hoy|mañana|ayer|aujourd'hui|demain|hier)\b|今天|明天|昨天|今日|明日|昨日|오늘|내일|어제",
    re.IGNORECASE,
)


_LEAVE = re.compile(
    r"\b(?:you may|allowed to|go ahead and|you have (?:my )?(?:leave|permission)|without (?:asking|me))\b|\b(?:darf(?:st)?|dürfen|erlaub\w*)\b|\b(?:tienes permiso|te dejo|te permito|sin (?:preguntar|mí))\b|\b(?:tu as le droit|je te permets|sans (?:demander|moi))\b|允许|准许|可以(?:直接|自己)|不用问|(?:しても|でも)(?:いい|構わ)|許可|해도 (?:돼|됩|좋)|허락",
    re.IGNORECASE,
)


def aside(heard: Heard) -> Aside | None:
    """Return what a message remarks on the answer before it, None where nothing.

    Its signs tell: whom it addresses, what it is about, for how long, and how it pleases. A task, the world, others'
    words and play give nothing.
    """
    text = heard.text
    if heard.origin != "operator" or len(text) > _LONGEST:
        return None
    signs, brief = read(text), len(text) <= _BRIEF
    if score(signs) < SLIGHT and not brief:
        return None
    every = phrases(text)
    signs |= told(text, every)
    heavy = score(signs)
    plain = heavy >= FAINT or "skill" in signs
    if not every or not (plain or (brief and not signs.isdisjoint(_MORE))) or _foreign(text):
        return None
    form = _form(signs)
    best = _best(form, text, every)
    if best is None and form == "order":
        form, best = "said", _best("said", text, every)
    if best is None and form not in ("again", "keep"):
        return None
    start, end = (best.start, best.end) if best else (every[-1].start, every[-1].end)
    words = best.words if best else ""
    quote = wording.quote(text, start, end)
    mute = not (plain and ("about talk" in signs or form in ("lapse", "able")))
    sure = not mute and _sure(form, signs, heavy)
    guessed = sure and signs.isdisjoint(_LASTING)
    bids = bool(best and best.orders)
    return Aside(form, words, quote, sure, topics(text), heard, bids=bids, mute=mute, guessed=guessed)


def _sure(form: Form, signs: frozenset[str], heavy: float) -> bool:
    """Tell whether a remark counts alone."""
    if form in ("welcome", "said"):
        return heavy >= OPEN
    return heavy >= FIRM or not signs.isdisjoint(_LASTING)


def _foreign(text: str) -> bool:
    """Tell whether a message is not, or not only, its sender's own word on the agent."""
    own = own_words(text)
    signs = (_PASTED, frames.LETTER, frames.DICTATED)
    pasted = any(sign.search(text) for sign in signs) or frames.REPORTED.search(own)
    others = frames.OTHERS.search(own) and not frames.ADDRESSED.search(own)
    unsafe = frames.PERILS.search(own) or _LEAVE.search(own) or injection.scan(f"- {text}") or secrets.scan(text)
    return bool(pasted or others or unsafe or _PLAYED.search(own) or why.material(own) or frames.WORKS.search(text))


def _form(signs: frozenset[str]) -> Form:
    """Return what a remark does."""
    liked = "welcome" in signs or not signs.isdisjoint(_PLEASED)
    blamed = not signs.isdisjoint(_DISPLEASED)
    found: tuple[tuple[Form, bool], ...] = (
        ("lapse", "left" in signs),
        ("able", "skill" in signs),
        ("keep", "more of it" in signs or ("welcome" in signs and not signs.isdisjoint(_MORE))),
        ("welcome", "welcome" in signs or (liked and not blamed and "order" not in signs)),
        ("again", "again" in signs and not liked),
        ("order", "order" in signs),
        ("blame", blamed and not liked),
    )
    return next((form for form, holds in found if holds), "said")


def _best(form: Form, text: str, every: list[Phrase]) -> Phrase | None:
    """Return the words of a message that may stand in a soul, None where none do."""
    if form == "order" or (form == "again" and any(one.orders for one in every)):
        best = worded(every, ordering=True)
    elif form == "able":
        best = _skill(every)
    else:
        best = _whole(text, every)
    told_so = best and (len(every) == 1 or form == "able" or weight(best.words, [best]) >= FAINT)
    return best if best and told_so and _may_stand(best, form) else None


def _skill(every: list[Phrase]) -> Phrase | None:
    able = [one for one in every if cues.ABLE.search(one.words) and cues.YOU.search(one.words)]
    return next(iter((*able, *(one for one in every if cues.RELIES.search(one.words)))), None)


def _whole(text: str, every: list[Phrase]) -> Phrase | None:
    """Return a short message as one, of a long one the sentence that weighs most."""
    if len(text) > _SHORT:
        return max(every, key=lambda one: weight(one.words, [one]))
    return replace(every[-1], start=every[0].start, words=" ".join(text.split()), topics=topics(text))


def _may_stand(best: Phrase, form: Form) -> bool:
    """Tell whether words may be kept: nothing that leads out, loosens, or holds for one time only."""
    loosens = Aim("ask", -1) in aims(best.words)
    leads = any(_ACTS.search(one.words) and not _NOT.search(one.words) for one in phrases(best.words))
    passing = frames.LOCAL.search(best.words) or (form == "order" and _DATED.search(best.words))
    return not (loosens or leads or passing or frames.DOUBTS.search(best.words) or best.asks)
