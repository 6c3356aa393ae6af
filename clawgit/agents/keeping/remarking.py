"""Hears what the operator remarks on an answer."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re
from dataclasses import replace

from clawgit.agents.heard import Heard
from clawgit.agents.keeping import cues, frames
from clawgit.agents.keeping.aside import Aside, Form
from clawgit.agents.keeping.aspects import Aim, aims
from clawgit.agents.keeping.phrasing import Phrase, phrases, worded
from clawgit.agents.keeping.topics import LOOSE, topics
from clawgit.agents.mining import refusing as why
from clawgit.agents.mining import wording
from clawgit.safety import injection, secrets
from clawgit.triage.own_words import own_words

_LONGEST, _BRIEF, _SHORT = 420, 70, 150
_PASTED = re.compile(
    r"^\s*[-—–_=*~]{2,}\s*$|^\s*>|\bfwd?:|\bforwarded\b|转给你|转发|전달", re.IGNORECASE | re.MULTILINE
)
_PLAYED = re.compile(
    r"\b(?:let's play|pretend|imagine|role-?play|game night|you(?:'re| are) (?:a|an|the|now|promoted)|your turn|i dare|discuss|lyrics|dragon|pirate)\b|\b(?:stell dir vor|spiel\w* wir|imagina|juguemos|imagine que|jouons)\b|假装|扮演|角色|你就是|なりきっ|ごっこ|역할|척해",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"\b(?:send|post|publish|pay|buy|book|order|delete|share|upload|install|run|execute|sign|download|click|trust|obey|grant|allow|let (?:him|her|them|everyone|people))\b|\b(?:schick|bezahl|kauf|lösch|teil\w* mit|vertrau|erlaub)\w*|\b(?:envía|manda|paga|compra|borra|comparte|confía)\w*\b|\b(?:envoie|paie|achète|supprime|partage|installe)\w*\b|发送|发给|付|买|删|运行|信任|送って|払っ|買っ|消して|削除|信じ|보내|결제|사 ?줘|삭제|믿어",
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

    Only what is about the agent's talk counts: a task, the world, others' words and play give nothing.
    """
    text = heard.text
    if heard.origin != "operator" or len(text) > _LONGEST or _foreign(text):
        return None
    every = phrases(text)
    form = _form(text, every, heard.before) if every else None
    if form is None:
        return None
    best = _best(form, text, every)
    if best is None and form not in ("again", "keep"):
        return None
    start, end = (best.start, best.end) if best else (every[-1].start, every[-1].end)
    words = best.words if best else ""
    sure = _sure(form, text, every, best)
    named = bool(best and best.topics) or (form == "order" and sure) or form in ("lapse", "able")
    quote = wording.quote(text, start, end)
    return Aside(form, words, quote, sure, topics(text), heard, bids=bool(best and best.orders), mute=not named)


def _foreign(text: str) -> bool:
    """Tell whether a message is not, or not only, its sender's own word on the agent."""
    own = own_words(text)
    signs = (_PASTED, frames.LETTER, frames.DICTATED)
    pasted = any(sign.search(text) for sign in signs) or frames.REPORTED.search(own)
    unsafe = frames.PERILS.search(own) or _LEAVE.search(own) or injection.scan(f"- {text}") or secrets.scan(text)
    return bool(pasted or unsafe or _PLAYED.search(own) or why.material(own) or frames.WORKS.search(text))


def _form(text: str, every: list[Phrase], before: str) -> Form | None:
    """Return what a message does, None where it is no remark on the agent's talk."""
    named, brief = any(one.topics for one in every), len(text) <= _BRIEF
    firm = any(one.topics - LOOSE for one in every)
    standing = bool(cues.STANDING.search(text))
    pleased = any(cues.WELCOMES.search(one.words) and not cues.FOILS.search(one.words) for one in every)
    bidden = any(one.orders and one.topics for one in every)
    ruled = any(one.orders and standing and cues.SPEECH.search(one.words) for one in every)
    repeated = any(cues.AGAIN.search(one.words) and not cues.WELCOMES.search(one.words) for one in every)
    pointed = named or any(sign.search(text) for sign in (cues.THIS_WAY, cues.YOU))
    faulty = any(one.orders for one in every) or (cues.FOILS.search(text) and cues.YOU.search(text))
    told: tuple[tuple[Form, object], ...] = (
        ("lapse", cues.LAPSES.search(text) and (firm or cues.AGREED.search(text))),
        ("able", before and cues.ABLE.search(text) and cues.RELIES.search(text)),
        ("keep", before and cues.LASTING.search(text) and (named or brief) and (pleased or not bidden)),
        ("again", before and repeated and (named or brief)),
        ("welcome", before and not repeated and pleased and pointed),
        ("order", (bidden or ruled) and (before or standing)),
        ("blame", before and faulty and len(text) <= _SHORT),
    )
    return next((form for form, holds in told if holds), None)


def _best(form: Form, text: str, every: list[Phrase]) -> Phrase | None:
    """Return the words of a message that may stand in a soul, None where none do."""
    if form == "lapse":
        return _whole(text, every)
    if form == "able":
        told = [one for one in every if cues.ABLE.search(one.words) and cues.YOU.search(one.words)]
        counted = [one for one in every if cues.RELIES.search(one.words)]
        return next((one for one in (*told, *counted) if _may_stand(one, form)), None)
    best = worded(every, ordering=form in ("order", "again", "blame"))
    told_so = best and (best.topics or best.orders or form not in ("again", "keep"))
    return best if best and told_so and _may_stand(best, form) else None


def _whole(text: str, every: list[Phrase]) -> Phrase | None:
    """Return a short message as one, of a long one the sentence that says what was left."""
    if len(text) > _SHORT:
        return next((one for one in every if cues.LAPSES.search(one.words)), None)
    return replace(every[-1], start=every[0].start, words=" ".join(text.split()), topics=topics(text))


def _may_stand(best: Phrase, form: Form) -> bool:
    """Tell whether words may be kept: nothing that leads out, loosens, or holds for one time only."""
    loosens = Aim("ask", -1) in aims(best.words)
    leads = _ACTS.search(best.words) and not _NOT.search(best.words)
    passing = form == "order" and (frames.LOCAL.search(best.words) or _DATED.search(best.words))
    return not (loosens or leads or passing or frames.DOUBTS.search(best.words) or best.asks)


def _sure(form: Form, text: str, every: list[Phrase], best: Phrase | None) -> bool:
    """Tell whether a remark says that it is meant for always."""
    if form != "order" or best is None:
        return form in ("lapse", "able", "keep")
    if cues.STANDING.search(text) or (best.general and best.topics) or "toward" in best.topics:
        return True
    if best.topics and cues.CONTRASTS.search(best.words):
        return not frames.ARTEFACT.search(best.words)
    firm = bool(best.topics - LOOSE) and not frames.ARTEFACT.search(best.words)
    return firm and any(cues.FOILS.search(one.words) for one in every if one is not best)
