"""How months, days and times past are called."""

from collections.abc import Mapping


def _numbered(*rows: str, start: int = 0) -> dict[str, int]:
    return {word: at for row in rows for at, words in enumerate(row.split(), start) for word in words.split("/")}


MONTHS: Mapping[str, int] = _numbered(
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct "
    "november/nov december/dec",
    "januar/jänner februar märz april mai juni juli august september oktober november dezember",
    "janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre décembre/decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março/marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    start=1,
)
_AMBIGUOUS = ("may", "march", "mar", "mars", "jan", "jun", "sep", "dec", "oct", "mai", "mei", "marco")
PLAIN_MONTHS: Mapping[str, int] = {month: at for month, at in MONTHS.items() if month not in _AMBIGUOUS}
"""Months that are nothing else: `may` and `march` need a word before them or a number after."""

ENGLISH_MONTHS = tuple(next(word for word in MONTHS if MONTHS[word] == at).capitalize() for at in range(1, 13))

WEEKDAYS: Mapping[str, int] = _numbered(
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles/miercoles jueves viernes sábado/sabado domingo",
    "lunedì/lunedi martedì/martedi mercoledì/mercoledi giovedì/giovedi venerdì/venerdi sabato domenica",
    "segunda-feira terça-feira/terca-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
    "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
)

ENGLISH_DAYS = tuple(day.capitalize() for day in WEEKDAYS)[:7]

NUMBERS: Mapping[str, int] = {
    **_numbered(
        "a/an/one two three four five six seven eight nine ten",
        "einem/einer/eine zwei drei vier fünf sechs sieben acht neun zehn",
        "un/une deux trois quatre cinq six sept huit neuf dix",
        "una/un dos tres cuatro cinco seis siete ocho nueve diez",
        "一 二/两 三 四 五 六 七 八 九 十",
        "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열",
        start=1,
    ),
    "couple": 2,
    "few": 3,
}

UNITS: Mapping[str, int] = {
    word: days
    for days, words in (
        (1, "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen 天 日 일"),
        (7, "week weeks woche wochen semaine semaines semana semanas settimana settimane weken 周 个星期 週間 주일 주"),
        (30, "month months monat monate monaten mois mes meses mese mesi maand maanden 个月 か月 ヶ月 달 개월"),
        (365, "year years jahr jahre jahren an ans année années año años anno anni ano anos jaar 年 년"),
    )
    for word in words.split()
}
AGO = r"ago|back|earlier|geleden|fa|atrás"
BEFORE = r"vor|il y a|hace|há"
IN = (
    r"in|on|during|since|of|from|last|this|early|late|mid|until|till|by|before|after|around|im|seit|letzten|en"
    r"|au mois de|depuis|durante|desde|nel|a|em|vanaf"
)

DAYS_AGO: Mapping[str, int] = {
    word: days
    for days, words in (
        (0, "today,tonight,this morning,heute,aujourd'hui,hoy,oggi,hoje,vandaag,今天,今日,오늘"),
        (1, "yesterday,last night,gestern,hier soir,ayer,ieri,ontem,gisteren,昨天,昨日,어제"),
        (2, "day before yesterday,vorgestern,avant-hier,anteayer,anteontem,eergisteren,前天,一昨日,그저께"),
    )
    for word in words.split(",")
}

_PERIODS = (
    ("week", 0, "this week,diese woche,cette semaine,esta semana,questa settimana,deze week,这周,本周,今週,이번 주"),
    ("week", 1, "last week,letzte woche,semaine dernière,semana pasada,settimana scorsa,semana passada,vorige week"),
    ("week", 1, "上周,上星期,先週,지난주,지난 주"),
    ("month", 0, "this month,diesen monat,ce mois,este mes,questo mese,este mês,deze maand,这个月,本月,今月,이번 달"),
    ("month", 1, "last month,letzten monat,mois dernier,mes pasado,mese scorso,mês passado,vorige maand"),
    ("month", 1, "上个月,先月,지난달,지난 달"),
    ("year", 0, "this year,dieses jahr,cette année,este año,quest'anno,este ano,dit jaar,今年,올해"),
    ("year", 1, "last year,letztes jahr,année dernière,año pasado,anno scorso,ano passado,vorig jaar,去年,昨年,작년"),
)
PERIODS: Mapping[str, tuple[str, int]] = {
    word: (unit, back) for unit, back, words in _PERIODS for word in words.split(",")
}
