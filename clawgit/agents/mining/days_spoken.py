"""How statements name days, weeks, months and years."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from clawgit.agents.mining.listed import listed
from clawgit.search import calendar_words as known

PAST = listed("last past letzten letzte vergangenen dernier pasado ultimo")
NEXT = listed("next nächsten nächste kommenden prochain próximo proximo")
THIS = listed("this diesen ce este")
BACK = listed("since last past seit letzten depuis desde")
AHEAD = listed("next by until till before nächsten bis prochain próximo")
SMALL = listed("few couple")
"""Counts that are none."""
TOWARDS = listed("by until till from to bis")
"""Before a day without a month that lies ahead."""
ARRANGED = ("booked", "scheduled", "rescheduled", "reserved", "postponed", "due ")
"""Past verbs whose day lies ahead."""

_PERIODS = (
    ("day", -2, "the day before yesterday,day before yesterday,vorgestern,avant-hier,anteayer,前天,一昨日,おととい,그저께,그제"),
    ("day", -1, "yesterday,last night,gestern,hier soir,ayer,ieri,ontem,gisteren,昨天,昨晚,昨日,昨夜,어제"),
    ("day", 0, "today,tonight,this morning,this afternoon,this evening,heute,aujourd'hui,hoy,oggi,hoje,vandaag,今天,今晚,今日,今朝,今夜,오늘"),
    ("day", 1, "tomorrow,morgen früh,demain,mañana por la mañana,明天,明日,내일"),
    ("day", 2, "the day after tomorrow,day after tomorrow,übermorgen,après-demain,pasado mañana,后天,後天,明後日,あさって,모레"),
    ("week", -1, "last week,past week,letzte woche,la semaine dernière,semaine dernière,la semana pasada,semana pasada,上周,上星期,上週,先週,지난주,지난 주"),
    ("week", 0, "this week,diese woche,cette semaine,esta semana,这周,本周,這週,今週,이번 주,이번주"),
    ("week", 1, "next week,nächste woche,la semaine prochaine,semaine prochaine,la próxima semana,próxima semana,下周,下星期,下週,来週,다음 주,다음주"),
    ("weekend", -1, "last weekend,past weekend,letztes wochenende,上周末,先週末,지난 주말"),
    ("weekend", 0, "this weekend,dieses wochenende,ce week-end,este fin de semana,这周末,今週末,이번 주말"),
    ("weekend", 1, "next weekend,nächstes wochenende,下周末,来週末,다음 주말"),
    ("month", -1, "last month,past month,letzten monat,le mois dernier,mois dernier,el mes pasado,mes pasado,上个月,上個月,先月,지난달,지난 달"),
    ("month", 0, "this month,diesen monat,ce mois-ci,este mes,这个月,本月,這個月,今月,이번 달,이번달"),
    ("month", 1, "next month,nächsten monat,le mois prochain,mois prochain,el próximo mes,próximo mes,下个月,下個月,来月,다음 달,다음달"),
    ("year", -1, "last year,past year,letztes jahr,l'année dernière,année dernière,el año pasado,año pasado,去年,昨年,작년,지난해"),
    ("year", 0, "this year,dieses jahr,cette année,este año,今年,올해"),
    ("year", 1, "next year,nächstes jahr,l'année prochaine,année prochaine,el próximo año,próximo año,明年,来年,내년"),
)  # fmt: skip
PERIOD = {word: (unit, away) for unit, away, words in _PERIODS for word in words.split(",")}


def _either(words: "list[str]") -> str:
    return "|".join(sorted(words, key=lambda one: (-len(one), one)))


_LATIN = [word for word in known.MONTHS if word[0] < "\u0370"]
_MONTHS = _either(_LATIN)
_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thurs": 3, "fri": 4, "sat": 5}
WEEKDAYS = {**known.WEEKDAYS, **_SHORT_DAYS}
_DAYS = _either([word for word in WEEKDAYS if word[0] < "\u0370"])
_UNITS = _either([word for word in known.UNITS if word[0] < "\u0370"])
_COUNTS = _either([word for word in known.NUMBERS if word[0] < "\u0370"])
_YEAR = r"((?:19|20)\d\d)"
_NTH = r"(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?"
_OF = r"(?:(?:of|de|del)\s+)?"
_ASIAN = [word for word in PERIOD if word[0] > "\u2fff"]
_WEEKS = _either([word for word in _ASIAN if PERIOD[word][0] == "week"])

PATTERNS = (
    ("iso", r"\b(?:19|20)\d\d-\d\d-\d\d\b"),
    ("dotted", rf"\b(\d{{1,2}})\.(\d{{1,2}})\.{_YEAR}\b"),
    ("day month", rf"\b{_NTH}\s+{_OF}({_MONTHS})\b(?:,?\s+{_OF}{_YEAR}\b)?"),
    ("month day", rf"\b({_MONTHS})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?![:%/]|\.\d)(?:,?\s+{_YEAR}\b)?"),
    ("numbered", r"(?:((?:19|20)\d\d)\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号號일]"),
    ("asian month", r"(\d{1,2}|[一二三四五六七八九十]{1,2})(?:月(?:份|[にからまで]|(?=[要去开就会，、]))|월(?=[에부까달 ]))(?![\d一二三四五六七八九十])"),
    ("of week", rf"({_WEEKS})の?\s*([一二三四五六日天月火水木金土월화수목금토일])(?:曜日?|요일|(?![\u4e00-\u9fff]))"),
    ("of week", r"(上周|下周|本周|这周|上週|下週|上星期|下星期)([一二三四五六日天])"),
    ("ago", rf"\b(?:a\s+)?(\d+|{_COUNTS})\s+(?:of\s+)?({_UNITS})\s+ago\b"),
    ("ago", rf"\b(?:vor|hace|il y a)\s+(\d+|{_COUNTS})\s+({_UNITS})\b"),
    ("ago", r"(\d+|[一二两三四五六七八九十])\s*(天|日|周|个星期|週間|个月|か月|ヶ月|年)(?:以)?前"),
    ("ago", r"(\d+|[한두세네]|다섯|여섯)\s*(일|주일|주|달|개월|년)\s*전"),
    ("ahead", rf"\bin\s+(?:a\s+)?(\d+|{_COUNTS})\s+(?:of\s+)?({_UNITS})\b"),
    ("ahead", rf"\b(?:dentro de|dans)\s+(\d+|{_COUNTS})\s+({_UNITS})\b"),
    ("period", _either(_ASIAN)),
    ("period", rf"\b(?:{_either([word for word in PERIOD if word[0] < chr(0x2FFF) and not word.isascii()])})\b"),
    ("period", rf"\b(?:{_either([word for word in PERIOD if word.isascii()])})\b"),
    ("weekday", rf"(?:\b(on|last|past|next|this|by|until|till|from|since|before|am|letzten|nächsten|diesen|el|le)\s+)(?:coming\s+)?({_DAYS})\b"),
    ("nth", r"\b(on|by|until|till|from|to|before|since|am|el|le)\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th|\.)(?!\w|\s+(?:floor|grade|century|time|birthday|anniversary|place|edition|street|avenue|try))"),
    ("month", rf"\b(in|since|last|past|next|by|until|till|this|early|late|mid|im|seit|letzten|nächsten|bis|en|desde|depuis)\s+({_MONTHS})\b(?:\s+(?:of\s+)?{_YEAR}\b)?"),
    ("end", r"\b(?:at |by |until |till )?(?:the )?end of (?:the |this )?(month|year|quarter)\b"),
    ("season", r"\b(last|this|next)\s+(?:summer|winter|spring|fall|autumn)\b"),
)  # fmt: skip
"""What names a time, with the name of what reads it; the most exact first."""
