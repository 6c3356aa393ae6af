"""What English words tell of a sentence."""

from collections.abc import Mapping

from clawgit.agents.mining.listed import listed
from clawgit.agents.mining.weights import BIT, HINT

_WORDS: Mapping[str, str] = {
    "self": "i i'm i've i'd i'll im ive my me mine myself",
    "us": "we we're we've we'd we'll our us ours ourselves",
    "you": "you you're you've you'll you'd your yours yourself u ur y'all",
    "kin": (
        "husband wife son sons daughter daughters kid kids child children mom mum mother dad father parents sister"
        " brother cousin uncle aunt grandma grandpa grandmother grandfather nephew niece family fiance fiancee partner"
        " girlfriend boyfriend dog dogs cat cats puppy pup pet pets baby"
    ),
    "past": (
        "was were had did went came got took made met saw bought brought found gave told said felt kept left lost won"
        " began broke built chose drove ate fell flew forgot grew heard held knew led paid ran sold sent sang sat"
        " slept spent spoke stood taught thought threw understood woke wore wrote drew quit swam rode hung lent became"
        " caught hid shot stuck swore tore gone done seen taken given written beaten born"
    ),
    "perfect": "i've we've have has had been he's she's they've",
    "change": (
        "started start starting began begin beginning moved moving switched switching changed changing joined joining"
        " quit left launched launching opened opening signed buy bought buying got sold adopt adopted adopting"
        " finished finishing completed graduated graduating won lost broke hired fired laid replaced replacing"
        " upgraded migrated migrating cancelled canceled renewed booked expires expired expire rotates rotated retired"
        " married engaged pregnant born died promoted accepted rejected offered received ordered paid scheduled"
        " registered enrolled volunteered volunteering applied applying published released shipped deployed closed"
        " closing injured diagnosed recovered installed removed stopped stopping planning organizing organized hosting"
        " hosted building working creating created made designed"
    ),
    "decide": (
        "decided decide decision choose chose chosen agreed plan plans planned planning settled opted commit committed"
    ),
    "taste": (
        "prefer prefers preferred favorite favourite favorites favourites hate hates hated dislike dislikes allergic"
        " vegetarian vegan intolerant hobby fan passion"
    ),
    "stance": (
        "glad happy sorry sure bet agree hear know understand see imagine hope appreciate grateful thankful proud"
        " wait forward guess mean think excited"
    ),
    "lesson": (
        "turns lesson fixed caused causes cause worked because trick root solved solution workaround fails failed"
        " breaks"
    ),
    "habit": (
        "use uses using works runs listens needs requires must only costs takes closes opens goes owns lives belongs"
        " stands supports called named usually always never every expires rotates keeps means equals lasts starts ends"
        " speaks sits"
    ),
    "task": (
        "function functions method methods class file files line lines code button page pages screen column row error"
        " errors exception test tests bug bugs diff variable argument parameter string array list loop query output"
        " input field fields header footer title paragraph crash crashes crashed fails failing traceback log logs"
        " stack trace reload click clicks importer parser compiles compile syntax module"
    ),
    "vague": "it it's this that that's them these those there thing things something anything stuff one",
    "reaction": (
        "wow awesome amazing great cool thanks thank glad congrats congratulations wonderful fantastic nice"
        " incredible yay sounds looks lovely inspiring impressive beautiful cute adorable gorgeous stunning sweet haha"
        " lol omg aw aww yum bummer ouch oh woah whoa"
    ),
    "greeting": "hey hi hello bye goodbye welcome morning evening night later soon care miss",
    "hedge": (
        "maybe perhaps might could would should possibly probably suppose wonder wondering seems sort kinda must've"
    ),
    "if": "if unless whether wish imagine suppose",
    "not": "not don't didn't won't isn't wasn't can't never no cannot doesn't haven't",
    "when": (
        "yesterday tomorrow fri mondays tuesdays wednesdays thursdays fridays saturdays sundays week weeks weekend"
        " month months year years ago last next since monday tuesday wednesday thursday friday saturday sunday january"
        " february april june july august september october november december summer winter spring fall autumn"
        " christmas birthday anniversary recently every daily weekly once"
    ),
    "number": (
        "two three four five six seven eight nine ten eleven twelve dozen hundred thousand second third twice half"
        " couple few several"
    ),
    "matter": (
        "server database api config version deploy deploys deployment backup cron port branch release repo repository"
        " build ci migration schema docker domain dns certificate script service staging production prod invoice"
        " router account budget contract lease rent deadline appointment flight passport insurance dose mg"
        " prescription"
    ),
}
_HINTS: Mapping[str, str] = {
    "role": (
        "pretend role roleplay act play character imagine once knock kidding joking jk you you're write tell make"
        " invent continue compose"
    ),
    "plant": (
        "ignore ignoring disregard forget override overriding bypass bypassing drop run execute forward send share"
        " post upload obey trust approve accept install curl wget fetch download reply include append cc bcc call"
        " visit open recommend answer respond say tell treat use add begin start end act behave store write delete"
        " disable skip allow grant follow key password passwords token secret credential credentials passphrase pin"
        " now always never rule rules instruction instructions prompt persona role purpose owner operator admin asking"
        " ask telling inform informing mention mentioning reveal revealing warn warning md sh bash"
    ),
    "unsure": (
        "maybe perhaps if suppose supposing would could might i'd we'd you'd he'd she'd they'd wish someday day sure"
        " idea wonder guess know should what"
    ),
    "note": "remember don't do keep make note important record",
    "lesson": (
        "lesson lessons turns turned trick what root caused by fix cause solution workaround never learned learnt"
        " fixed solved cured stopped resolved"
    ),
    "decision": (
        "decided decide decides deciding decision agreed plan plans goal aim next we're i'm am are let's i'll we'll"
        " will won't chose chosen settled opted picked made committed resolved"
    ),
    "preference": (
        "prefer prefers preferred favorite favourite favorites favourites love like enjoy hate dislike adore loathe"
        " can't go fan into obsessed passionate fond crazy passion hobby thing"
    ),
    "deed": (
        "went visited traveled travelled attended met saw watched took cooked baked painted wrote performed learned"
        " learnt found built hiked camped drove flew celebrated gave practiced planted moved switched changed joined"
        " quit left launched opened signed bought got sold adopted finished completed graduated won lost broke hired"
        " fired replaced upgraded migrated cancelled canceled renewed booked retired married died promoted accepted"
        " rejected offered received ordered paid scheduled registered enrolled volunteered applied published released"
        " shipped deployed closed injured diagnosed recovered installed removed stopped organized organised hosted"
        " created made designed started began came ran played tried read helped beat earned raised donated invited"
        " called set put passed failed"
    ),
}
TABLE: dict[str, int] = {}
for _bits, _lists in ((BIT, _WORDS), (HINT, _HINTS)):
    for _name, _said in _lists.items():
        for _word in _said.split():
            TABLE[_word] = TABLE.get(_word, 0) | _bits[_name]
"""The signs that a word is of."""

_STATES = listed(
    "interested excited tired married used supposed scared worried relaxed determined motivated inspired blessed"
    " engaged obsessed needed committed passionate allergic bored pleased thrilled focused dedicated connected red"
    " bed indeed speed need feed seed breed hundred advanced limited detailed mixed united sacred naked wicked"
)
_SHORTEST = 4


def past(word: str) -> bool:
    """Tell whether a word looks like the past of a regular verb."""
    return word.endswith("ed") and len(word) >= _SHORTEST and word not in _STATES


for _word in TABLE:
    TABLE[_word] |= BIT["past"] if past(_word) else 0

SMALL = listed(
    "a an the and or but of to in on at by for with from as about is are was were be been am do does did have has"
    " had can could will would should may might i you he she it we they me him her us them my your his its our"
    " their this that these those what which who when where why how not so there here just really very too also"
    " then than if it's i'm i've that's you're we're don't all some any more much many lot lots up out into get"
    " got"
)
"""Words that are no content."""
