"""Turns of phrase that say the same."""

_CONTRACTED = """
don't dont>do not|doesn't doesnt>does not|didn't didnt>did not|isn't isnt>is not|aren't arent>are not
wasn't wasnt>was not|weren't werent>were not|won't wont>will not|can't cant cannot>can not|couldn't couldnt>could not
shouldn't shouldnt>should not|wouldn't wouldnt>would not|mustn't mustnt>must not|hasn't hasnt>has not
haven't havent>have not|hadn't hadnt>had not|needn't>need not|mightn't>might not|ain't>is not|i'm im>i am
i've ive>i have|i'd>i would|i'll>i will|we're>we are|we've>we have|we'd>we would|we'll>we will|you're>you are
you've>you have|you'll>you will|they're>they are|they've>they have|they'll>they will|they'd>they would|he's>he is
she's>she is|it's its'>it is|that's>that is|there's>there is|what's>what is|who's>who is|let's>let us|he'll>he will
she'll>she will|it'll>it will|here's>here is|where's>where is|im>in|am>an|zum zur>zu|vorm>vor|fürs>für|aufs>auf|ans>an
ums>um|vom>von|beim>bei|ins>in|al>a|del>de|du>de|des>de|au aux>à
"""
_FOREIGN_FROM = "im>in"

_PHRASES = """
no longer>nolonger|not any more>nolonger|not anymore>nolonger|any longer>anymore|no more than>atmost
not more than>atmost|at most>atmost|a maximum of>atmost|maximum of>atmost|up to>atmost|at least>atleast
no less than>atleast|no fewer than>atleast|not less than>atleast|a minimum of>atleast|minimum of>atleast
more than>morethan|greater than>morethan|less than>lessthan|fewer than>lessthan|have to>must|has to>must|need to>must
needs to>must|ought to>should|is required to>must|are required to>must|is supposed to>should|are supposed to>should
is allowed to>may|are allowed to>may|is able to>can|are able to>can|is going to>will|are going to>will
am going to>will|in order to>to|so as to>to|because of>because|due to>because|as well as>and|along with>with
together with>with|instead of>ratherthan|rather than>ratherthan|in place of>ratherthan|every day>daily|each day>daily
every week>weekly|each week>weekly|every month>monthly|each month>monthly|every year>yearly|each year>yearly
once a year>yearly|once a month>monthly|once a week>weekly|once a day>daily|once per week>weekly|once per day>daily
once per month>monthly|once per year>yearly|every night>nightly|each night>nightly|every hour>hourly
once an hour>hourly|every morning>mornings|every evening>evenings|every weekday>weekdays|on weekdays>weekdays
every weekend>weekends|on weekends>weekends|at weekends>weekends|on the weekend>weekends|at the weekend>weekends
a week>weekly|per week>weekly|a day>daily|per day>daily|a month>monthly|per month>monthly|an hour>hourly
per hour>hourly|a year>yearly|per year>yearly|pro monat>monthly|in monat>monthly|pro woche>weekly|pro tag>daily
pro jahr>yearly|al mes>monthly|a el mes>monthly|por mes>monthly|cada mes>monthly|cada día>daily|todos los días>daily
cada semana>weekly|par mois>monthly|par jour>daily|par semaine>weekly|jeden tag>daily|jede woche>weekly
jeden monat>monthly|tous les jours>daily|is based in>in|are based in>in|is located in>in|is located at>in
is situated in>in|lives in>live in|living in>live in|resides in>live in|is living in>live in|are living in>live in
works for>work at|works at>work at|work for>work at|working for>work at|is employed by>work at|is employed at>work at
is scheduled for>is|is planned for>is|is set for>is|takes place on>is|takes place at>is|takes place>is|is held on>is
is held>is|happens on>is|starts at>start at|begins at>start at|is due on>is due|is due by>is due
is allergic to>allergy|has an allergy to>allergy|allergic to>allergy|has a allergy to>allergy|allergy to>allergy
is called>is named|is known as>is named|name is>named|is afraid of>fear|is scared of>fear|is fond of>like
are fond of>like|is a fan of>like|does not like>dislike|do not like>dislike|can not stand>dislike
does not enjoy>dislike|do not enjoy>dislike|am not fond of>dislike|is not fond of>dislike|would rather>prefer
do not forget to>remember to|make sure to>must|be sure to>must|gets up>wake up|get up>wake up|wakes up>wake up
is responsible for>owns|in charge of>owns|is in charge of>owns|switched over to>switched to|changed over to>changed to
by default>default|per default>default|as soon as>when|in case of>if|in case>if|as long as>if|provided that>if
ice cream>icecream|e mail>email|check in>checkin|set up>setup|log in>login|sign in>login|back up>backup
code base>codebase|data base>database|time zone>timezone|web site>website|on call>oncall|stand up>standup
work flow>workflow|pre commit>precommit|phone number>phone|mobile phone>mobile|cell phone>mobile|pull request>pr
pull requests>pr|merge request>mr|user interface>ui|command line>cli|two factor>2fa|post code>postcode|zip code>zip
half an hour>#30 u:min|half hour>#30 u:min|a dozen>#12|dozen>#12|a couple of>couple|a few>few|a lot of>many
lots of>many|once>#1 time|twice>#2 time|thrice>#3 time|every other day>#2nd daily|every second day>#2nd daily
degrees celsius>celsius|degrees fahrenheit>fahrenheit|by means of>with|the same as>like|in addition>
in addition to>and|not ever>never|do never>never|do not ever>never|nobody except>only|no one except>only
nobody but>only|no one but>only|nadie más que>solo|niemand außer>nur|not a single>no|not one>no|not enabled>disabled
not disabled>enabled|not locked>unlocked|not available>unavailable|not allowed>forbidden|not permitted>forbidden
not paid>unpaid|turned off>disabled|switched off>disabled|turned on>enabled|switched on>enabled|turn off>disable
switch off>disable|turn on>enable|switch on>enable|stopped using>nolonger use|has stopped using>nolonger use
have stopped using>nolonger use|decided to>|have decided to>|has decided to>|agreed to>|opted to>|apart from>except
except for>except|other than>except|whenever>if|bis zu>bis|in the future>|going forward>|from now on>|has been>was
have been>was|had been>was|please note that>|please note>|note that>|keep in mind that>|remember that>
it turns out that>|turns out>|as of now>|at the moment>|right now>|at present>|for now>fornow|of course>|and also>and
but also>and|not only>|statt>anstatt|an stelle von>anstatt|kein mehr>nichtmehr|nicht mehr>nichtmehr|mehr als>mehrals
weniger als>wenigerals|ya no>yano|más de>másde|menos de>menosde|más que>másque|en lugar de>envezde|en vez de>envezde
al menos>almenos|por lo menos>almenos|tiene que>debe|tienen que>deben|hay que>debe|au lieu de>aulieude|il faut>doit
moins de>moinsde
"""


def _rows(text: str) -> list[tuple[str, str]]:
    pairs = (row.partition(">") for line in text.strip().splitlines() for row in line.split("|"))
    return [(said.strip(), meant.strip()) for said, _, meant in pairs]


CONTRACTED: dict[str, list[str]] = {}
ELIDED: dict[str, list[str]] = {}
"""The same for what German, Spanish and French run together."""

for _said, _meant in _rows(_CONTRACTED):
    _into = ELIDED if ELIDED or f"{_said}>{_meant}" == _FOREIGN_FROM else CONTRACTED
    _into |= dict.fromkeys(_said.split(), _meant.split())

_MISSPELT = """
recieve>receive|recieved>received|recieves>receives|reciept>receipt|reciepts>receipts|alergic>allergic|alergy>allergy
adress>address|definately>definitely|seperate>separate|seperated>separated|occured>occurred|wich>which|teh>the
enviroment>environment|calender>calendar|accomodation>accommodation|untill>until|begining>beginning|prefered>preferred
succesful>successful|neccessary>necessary|reccomend>recommend|recomend>recommend|maintainance>maintenance|acces>access
wierd>weird|freind>friend|thier>their|alot>many|goverment>government|depoly>deploy|deplyo>deploy|vegitarian>vegetarian
resturant>restaurant|restaraunt>restaurant|diffrent>different|tomorow>tomorrow|tommorow>tomorrow|tommorrow>tomorrow
tmrw>tomorrow|liason>liaison
"""
SPELLED = dict(_rows(_MISSPELT))
"""Common slips, as they are meant."""

PHRASES: dict[str, list[tuple[list[str], list[str]]]] = {}
"""Turns of phrase by their first word, the longest first."""

for _said, _meant in sorted(_rows(_PHRASES), key=lambda row: -len(row[0].split())):
    PHRASES.setdefault(_said.split()[0], []).append((_said.split(), _meant.split()))


def plain(words: list[str]) -> list[str]:
    """Return words with each turn of phrase put in one way."""
    out: list[str] = []
    at = 0
    while at < len(words):
        for said, meant in PHRASES.get(words[at], ()):
            if words[at : at + len(said)] == said:
                out += meant
                at += len(said)
                break
        else:
            out.append(words[at])
            at += 1
    return out
