"""What days, months, and counts are called."""

WEEKDAYS = (
    "monday|mon|montag|lunes|lundi|星期一|周一|週一|礼拜一|月曜日?|월요일",
    "tuesday|tues|tue|dienstag|martes|mardi|星期二|周二|週二|礼拜二|火曜日?|화요일",
    "wednesday|wed|mittwoch|miércoles|mercredi|星期三|周三|週三|礼拜三|水曜日?|수요일",
    "thursday|thurs|thur|thu|donnerstag|jueves|jeudi|星期四|周四|週四|礼拜四|木曜日?|목요일",
    "friday|fri|freitag|viernes|vendredi|星期五|周五|週五|礼拜五|金曜日?|금요일",
    "saturday|sat|samstag|sonnabend|sábado|samedi|星期六|周六|週六|礼拜六|土曜日?|토요일",
    "sunday|sun|sonntag|domingo|dimanche|星期日|星期天|周日|周天|週日|礼拜天|日曜日?|일요일",
)
MONTHS = (
    "january|jan|januar|enero|janvier",
    "february|feb|februar|febrero|février",
    "march|mar|märz|marzo|mars",
    "april|apr|abril|avril",
    "may|mai|mayo",
    "june|jun|juni|junio|juin",
    "july|jul|juli|julio|juillet",
    "august|aug|agosto|août",
    "september|sept|sep|septiembre|septembre",
    "october|oct|oktober|okt|octubre|octobre",
    "november|nov|noviembre|novembre",
    "december|dec|dezember|dez|diciembre|décembre",
)
COUNTS = (
    "one|ein|eins|uno|un",
    "two|zwei|dos|deux",
    "three|drei|tres|trois",
    "four|vier|cuatro|quatre",
    "five|fünf|cinco|cinq",
    "six|sechs|seis",
    "seven|sieben|siete|sept",
    "eight|acht|ocho|huit",
    "nine|neun|nueve|neuf",
    "ten|zehn|diez|dix",
    "eleven|elf|onze",
    "twelve|zwölf|doce|douze",
)
