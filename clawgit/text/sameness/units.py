"""Names units in one way."""

import re

_ROWS = """
km: km kilometer kilometers kilometre kilometres kilómetros kilómetro kilomètres 公里 千米 킬로미터
m: m meter meters metre metres metros mètres
cm: cm centimeter centimeters centimetre centimetres
mm: mm
mi: mi mile miles
ft: ft feet foot
kg: kg kgs kilo kilos kilogram kilograms kilogramm kilogramos 公斤 千克 킬로그램
g: g gram grams gramm gramos grammes
lb: lb lbs
oz: oz ounce ounces
l: l L liter liters litre litres litros
ml: ml mL milliliter milliliters
ms: ms millisecond milliseconds msec millis
s: s sec secs seconds sekunden segundos secondes 秒 초
min: min mins minute minutes minuten minuto minutos 分钟 分鐘
h: h hr hrs hour hours std stunde stunden hora horas heure heures 小时 小時 시간
day: d day days tag tage tagen día días jour jours
week: week weeks wk wks woche wochen semana semanas semaine semaines
month: month months monat monate monaten mes meses mois
year: year years yr yrs jahr jahre jahren año años ans année années
B: B bytes
kB: KB kB kb kilobyte kilobytes
MB: MB mb megabyte megabytes
GB: GB gb gig gigs gigabyte gigabytes
TB: TB tb terabyte terabytes
MiB: MiB
GiB: GiB
Mbit: Mb Mbit mbit
Gbit: Gb Gbit gbit
kbit: Kb kbit Kbit
mbps: Mbps mbps Mbit/s
mhz: MHz mhz
ghz: GHz ghz
kw: kW kw
kwh: kWh kwh
€: € euro euros eur EUR 欧元 유로
$: $ dollar dollars usd USD 美元 달러
£: £ gbp GBP
¥: ¥ yen jpy JPY
%: % percent pct prozent 퍼센트
°C: °C celsius
°F: °F fahrenheit
"""
UNITS = {
    word: f"u:{name}"
    for row in _ROWS.strip().splitlines()
    for name, _, words in [row.partition(": ")]
    for word in words.split()
}
"""What stands behind a number, as `u:km`; the case of letters counts: a megabit is no megabyte."""

LENGTHS = {
    "u:ms": (0.001, "s"),
    "u:s": (1.0, "s"),
    "u:min": (60.0, "s"),
    "u:h": (3600.0, "s"),
    "u:day": (86_400.0, "s"),
    "u:week": (604_800.0, "s"),
    "u:month": (1.0, "month"),
    "u:year": (12.0, "month"),
}
UNIT_WORDS = frozenset(UNITS.values())
MONEY = frozenset("$€£¥")
ATTACHED = re.compile(r"([+-]?\d+(?:[.,]\d+)*)([a-zA-Zµ°/€$£¥%]+)")
_THOUSANDS = 1000


def measured(number: str, unit: str) -> list[str] | None:
    """Return what `5km` or `10k` says as words, None for what is a name: `3d`, `4b`."""
    if unit in {"k", "K"}:
        return [f"#{float(number.replace(',', '')) * _THOUSANDS:.12g}"]
    return [number, UNITS[unit]] if unit in UNITS and unit != "B" else None
