"""Synonyms, opposites and the ways in which people repeat themselves."""

from collections.abc import Iterator

from clawgit.language import logic
from clawgit.text.sameness.note import bag, temporal
from clawgit.text.sameness.note_values import LANGUAGES, length

_FILLERS = {
    "en": "a an the are am be please currently presently now actually basically also too there really very own"
    " per simply we our",
    "de": "der die das den dem des ein eine einen einem einer eines ist sind bitte auch derzeit aktuell momentan"
    " gerade"
    " jetzt eigentlich",
    "es": "el la los las lo un una unos unas es son está están también actualmente ahora yo nosotros",
    "fr": "le la les l un une est sont aussi actuellement maintenant c'est s'il plaît ne n",
}
FILLERS = {lang: frozenset(row.split()) for lang, row in _FILLERS.items()}
"""Words that carry nothing by themselves, by language."""

_SAME = """
db=database|dbs=databases|prod=production|stage=staging|repo=repository|repos=repositories|config=configuration
configs=configurations|env=environment|envs=environments|k8s kube=kubernetes|js=javascript|ts=typescript|py=python
pg postgresql psql=postgres|docs=documentation|info=information|app=application|apps=applications|pic picture=photo
pics pictures=photos|mom mum mommy=mother|dad daddy=father|bike=bicycle|bikes=bicycles|tv=television
fridge=refrigerator|flat=apartment|flats=apartments|e-mail mail=email|mails=emails|dir directory=folder
dirs directories=folders|pwd passwd=password|passwords=passwords|msg=message|msgs=messages|temp=temporary|max=maximum
min.=minimum|approx approximately roughly around circa ca=about|till til=until|thru=through|via=through|onto=on
whilst=while|although though=although|colour colours=color|favourite fav favorites=favorite|centre=center|grey=gray
programme=program|organisation=organization|licence=license|behaviour=behavior|tyre=tire|catalogue=catalog
cheque=check|theatre=theater|metre=meter|labour=labor|neighbour=neighbor|travelling=traveling|cancelled=canceled
analyse=analyze|organise=organize|optimise=optimize|prioritise=prioritize|realise=realize|authorise=authorize
summarise=summarize|customise=customize|initialise=initialize|minimise=minimize|serialise=serialize
normalise=normalize|ok okay=ok|times=time|vs versus=against|tel telephone=phone|vacation=holiday|vacations=holidays
gym=gym|begin begins start starts commence commences=start|begun started began=started|beginning starting=starting
buy buys purchase purchases=buy|bought purchased=bought|like likes love loves enjoy enjoys=like
liked loved enjoyed=liked|dislike dislikes hate hates detest detests=dislike
choose chooses pick picks select selects=choose|chose picked selected=chose|big large=big|quick fast=fast
delete deletes remove removes=delete|deleted removed=deleted|fix fixes repair repairs=fix|fixed repaired=fixed
kid=child|kids=children|spouse=spouse|wife=wife|dr=doctor|colleague coworker=colleague|must=must|shall=must
use uses utilize utilizes=use|used=used|using=using|utilise=use|switched changed=switched|each=every|meet meets=meet
has have=have|does do=do|goes go=go|wants want=want|needs need=need|reply replies answer answers=answer
reside resides=live|lives live=live|works work=work|owner=owner|i user operator=§user|me=§user|mine=§users|my=§users
user's operator's=§users|2day=today|w/=with|w/o=without|bc b/c cause since_=because|thx=thanks|pls plz=please|&=and
re regarding concerning=about|when whenever=if|relocated=moved|relocate=move|quit=stopped|quits=stops
monatlich mensual mensuellement=monthly|wöchentlich=weekly|täglich diariamente=daily|jährlich=yearly|whose_=whose
renewed extended=renewed|straight directly=directly|brief short=short|replies answers=answers|favors prefers=prefers
annually annual=yearly|~ ≈=about|-> =>=to|adress=address|sever's=server's|prefere=prefer|midday=noon|ltd=limited
inc=incorporated|dept=department|mgr=manager|mgmt=management|asap=asap|appt=appointment|apptmt=appointment
bday birthdate=birthday|yrs=years|hq headquarters=headquarters|auth=authentication|ci=ci|perf=performance
prefs=preferences|num=number|no.=number|nr nr.=number|lang=language|lib=library|libs=libraries|deps=dependencies
ver=version|v=version|doc=document|refs=references|spec=specification|specs=specifications|admin=administrator
devs=developers|perms=permissions|cert=certificate|certs=certificates|creds=credentials|notiz=notiz
nutzt verwendet benutzt=nutzt|nutzen verwenden benutzen=nutzen|lebt wohnt=wohnt|utiliza usa=usa
utilizamos usamos=usamos|lieu=lieu|niemals=nie|bzw=beziehungsweise|ca.=about|celular móvil=móvil
ordenador computadora=ordenador|auto=wagen|handy=mobiltelefon|besprechung treffen=meeting|reunión reunion=reunión
rdv=rendez-vous
"""
SAME: dict[str, str] = {}
"""Words that stand for one another, with the one that is taken for all."""

for _row in _SAME.replace("\n", "|").split("|"):
    _said, _, _meant = _row.rpartition("=")
    if _said:
        SAME |= dict.fromkeys(_said.split(), _meant)
        SAME.setdefault(_meant, _meant)

_NEAR = """
prefer favor|preference choice|like fond|dislike loathe abhor despise|big huge|happy glad|job role position|job work
purchase buy acquire|begin start launch|show display present|help assist|get receive obtain|repair fix|speak talk
doctor physician|car vehicle automobile|house home|child kid|film movie|shop store|company firm business
choose opt decide|call phone ring|require need|mistake error|error bug|ill sick|quick rapid|large big
small little tiny|build construct|end finish conclude|error failure|contact reach|store save keep|send deliver
tool utility|buddy friend|trip journey travel|answer response reply|check verify|allow permit|forbid prohibit ban
rent lease|boss manager supervisor|gift present|clever smart|wage salary pay|machine server|team group
website site page|nightly night|instruct tell|relocated moved|quit resigned|hired employed|picked chosen
adopted chosen|replaced swapped|postponed delayed deferred|finished completed done|scheduled planned
agreed decided resolved|married wed|residing living|operates runs|runs executes|stays remains|hosted located
lasts takes|canceled aborted|crashes fails|broken defective faulty|unwell sick ill|expensive pricey costly
cheap inexpensive|quickly fast rapidly|often frequently|seldom rarely|sometimes occasionally
usually normally generally|almost nearly|enough sufficient|difficult hard tough|easy simple
important crucial essential|strange odd weird|angry mad|sad unhappy|afraid scared|lawyer attorney|physician doctor
couch sofa|garbage trash rubbish|elevator lift|autumn fall|truck lorry|cellphone mobile smartphone|laptop notebook
monitor screen display|photo image|folder directory|ticket issue|feature functionality|employee worker|salary pay
purchase buy|own possess|seek search|hide conceal|discuss talk|explain clarify|suggest propose recommend
enlarge expand|lower reduce decrease|raise increase lift|erase wipe delete|combine merge unite|divide split separate
gather collect|examine inspect|alter change modify|substitute replace swap|obtain get acquire|allow let permit
stop halt cease|continue proceed|depart leave|reside live|prefers favors favours|wants desires
hates loathes despises abhors|likes fancies|dislikes loathes|loves adores|cooks prepares|grandma grandmother granny
grandpa grandfather|bunny rabbit|error fault|outage downtime|secret credential|vulnerability weakness|alert alarm
holiday vacation|apartment flat|pavement sidewalk|petrol gasoline|trousers pants|pharmacy chemist
"""
NEAR: dict[str, frozenset[int]] = {}
"""Words that may stand for one another where a model finds the sentences alike, by the groups that they are in."""

for _at, _line in enumerate(_NEAR.replace("\n", "|").split("|")):
    for _word in _line.split():
        NEAR[_word] = NEAR.get(_word, frozenset()) | {_at}

_OPPOSITES = """
always never|before after|enable disable|enabled disabled|more less|like dislike|allow forbid|allowed forbidden
allow deny|first last|start stop|start end|open close|open closed|on off|increase decrease|increased decreased
add remove|buy sell|bought sold|accept reject|accepted rejected|approve reject|approved rejected|public private
hot cold|left right|up down|in out|early late|earlier later|cheap expensive|slow fast|big small|long short|old new
high low|good bad|win lose|won lost|pass fail|passed failed|internal external|import export|upload download|push pull
read write|encrypt decrypt|lock unlock|locked unlocked|attach detach|include exclude|included excluded|with without
single married|alive dead|present absent|online offline|manual automatic|manually automatically|required optional
mandatory optional|ascending descending|inbound outbound|upstream downstream|light dark|morning evening|mother father
brother sister|wife husband|son daughter|north south|east west|upgrade downgrade|upgraded downgraded|safe unsafe
available unavailable|stable unstable|supported unsupported|able unable|healthy ill|married divorced|arrive depart
arrives departs|lend borrow|teach learn|send receive|all none|both neither|everyone nobody|atleast atmost
morethan lessthan|minimum maximum|ja nein|immer nie|vor nach|mit ohne|mag hasst|an aus|siempre nunca|antes después
con sin|más menos|toujours jamais|avant après|avec sans|plus moins|must may|must can|prefer avoid|use avoid|keep drop
kept dropped
"""
OPPOSITES: dict[str, frozenset[str]] = {}
for _row in _OPPOSITES.replace("\n", "|").split("|"):
    if _row:
        _one, _other = _row.split()
        OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
        OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}

NEGATIONS = logic.denial_words(LANGUAGES) | bag("nolonger nichtmehr yano neplus ¬ \ue000 \ue001 \ue002")
QUANTIFIERS = bag(
    "all some only both either every any most many few several atleast atmost morethan lessthan half couple just"
    " except"
    " alle alles nur manche einige jeder jede jedes beide mindestens höchstens todos todas todo algunos solo sólo"
    " ambos"
    " tous toutes seulement certains 都 全 只 仅 所有 每 有些 一些 至少 最多 だけ すべて 全部 のみ 모두 모든 만"
    " 일부 최소 최대"
)
MODALS = bag("must may can should might could would will need shall muss darf kann soll debe puede doit peut")
CONDITIONS = logic.condition_words(LANGUAGES)
RELATIONS = bag(
    "over than before after from to ratherthan against under above below by for vor nach von zu anstatt über"
    " unter antes"
    " después envezde avant après"
)


LIGHT = bag("'s of for at in on was have")
"""Words that a turn brings in or leaves out."""
_LINKS = bag("of for at in on")
_MARKS = bag(", and")
_LONGEST = 3
_DONE = bag(
    "moved migrated changed renewed started stopped merged deployed updated switched closed opened finished ended"
    " cancelled canceled postponed shut scheduled rescheduled upgraded restored rotated"
)
"""What happens to a thing whether or not it is said who did it: it moved, it was moved."""
_CONVERSE = {
    ("lent", "to"): ("borrowed", "from"),
    ("sold", "to"): ("bought", "from"),
    ("lends", "to"): ("borrows", "from"),
    ("sells", "to"): ("buys", "from"),
}
_PASSING = frozenset(word for pair in _CONVERSE.items() for words in pair for word in words) | {"every"}
_FRONTED_GERMAN = bag("für in bis seit mit bei auf nach ab während")
_CLAUSES = bag("if unless because while after before")
_FRONTED = bag("in on at for during since with")


def converse(left: list[str], right: list[str]) -> bool:
    """Tell whether what two notes differ in is one act seen from both ends."""
    pairs = {(tuple(sorted(one)), tuple(sorted(other))) for one, other in _CONVERSE.items()}
    here, there = tuple(sorted(left)), tuple(sorted(right))
    return (here, there) in pairs or (there, here) in pairs


def passing(word: str) -> bool:
    """Tell whether a note that says the same may be without a word, or say it wholly otherwise."""
    return word in LIGHT or word in _PASSING or word[0] == "D" or length(word) is not None


def reached(one: list[str], other: list[str], things: frozenset[str]) -> bool:
    """Tell whether one turn, or two, make one row of words the other; `things` are words that are no verbs."""
    one, other = (_owning([word for word in words if word not in _MARKS]) for words in (one, other))
    if one.count("=") != 1 or other.count("=") != 1:
        one, other = (_said_of(words, here) for words, here in ((one, "=" in other), (other, "=" in one)))
    return _reached(one, other, things) or _reached(other, one, things)


def _reached(one: list[str], other: list[str], things: frozenset[str]) -> bool:
    goals = _bare(other)
    first = [turn for words in _bare(one) for turn in (words, *_turns(words, things))]
    if any(turn in goals for turn in first):
        return True
    return len(one) < 2 * _LONGEST + 6 and any(turn in goals for words in first[1:] for turn in _turns(words, things))


def _owning(words: list[str]) -> list[str]:
    """Return `there are 3 nodes in the cluster` as `the cluster has 3 nodes`."""
    if words[:1] != ["="] or words.count("in") != 1 or words.count("=") != 1:
        return words
    at = words.index("in")
    return [*words[at + 1 :], "have", *words[1:at]]


def _said_of(words: list[str], copula: bool) -> list[str]:  # noqa: FBT001 - in the other note
    """Return words without a copula, and where only they have one without the `in` behind it."""
    return [
        word
        for at, word in enumerate(words)
        if word != "=" and (copula or not at or words[at - 1] != "=" or word not in {"in", "on", "at"})
    ]


def _bare(words: list[str]) -> list[list[str]]:
    """Return the words as they are, and without `'s` between a thing and what it belongs to."""
    return [words] + ([[word for word in words if word != "'s"]] if "'s" in words else [])


def _turns(words: list[str], things: frozenset[str]) -> Iterator[list[str]]:
    yield from _compounds(words, things)
    yield from _passives(words, things)
    yield from _converses(words)
    if words.count("=") == 1 and things and not {*NEGATIONS, *RELATIONS} & set(words):
        at = words.index("=")
        yield [*words[at + 1 :], "=", *words[:at]]
    if words and words[0] in _FRONTED:
        behind = next((at for at, word in enumerate(words) if word in _CLAUSES and at > _LONGEST), len(words))
        for end in (2, 3):
            yield words[end:behind] + words[:end] + words[behind:]
    if words and words[0] in _FRONTED_GERMAN:
        for end in (2, 3):
            yield [*words[end + 1 : end + 2], *words[end : end + 1], *words[end + 2 :], *words[:end]]


def _compounds(words: list[str], things: frozenset[str]) -> Iterator[list[str]]:
    """Turn `contact at the bank` into `bank contact`."""
    for at, word in enumerate(words):
        if word not in _LINKS:
            continue
        for before in range(1, min(_LONGEST, at) + 1):
            for behind in range(1, min(_LONGEST, len(words) - at - 1) + 1):
                thing, owner = words[at - before : at], words[at + 1 : at + 1 + behind]
                if thing[0] in things and not any(_bound(part) for part in (*thing, *owner)):
                    yield words[: at - before] + owner + thing + words[at + 1 + behind :]


def _bound(word: str) -> bool:
    return word in NEGATIONS or word in RELATIONS or word in _LINKS or temporal(word) or word[0] == "#"


def _passives(words: list[str], things: frozenset[str]) -> Iterator[list[str]]:
    """Turn `the wiki was moved to B` into `moved the wiki to B`."""
    for at, word in enumerate(words[:-1]):
        if word == "was" and at and words[at + 1].endswith(("ed", "t", "n")):
            yield [words[at + 1], *words[:at], *words[at + 2 :]]
            if words[at + 2 : at + 3] and words[at + 2] in {"down", "up", "off", "out"}:
                yield [*words[at + 1 : at + 3], *words[:at], *words[at + 3 :]]
            if words[at + 1] in _DONE and things & set(words[:at]):
                yield words[:at] + words[at + 1 :]


def _converses(words: list[str]) -> Iterator[list[str]]:
    """Turn `A lent B to C` into `C borrowed B from A`."""
    for (verb, link), (turned, back) in _CONVERSE.items():
        if words.count(verb) == words.count(link) == 1 and 0 < words.index(verb) < words.index(link):
            at, to = words.index(verb), words.index(link)
            yield [*words[to + 1 :], turned, *words[at + 1 : to], back, *words[:at]]
