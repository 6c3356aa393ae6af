"""Finds units that are named without an amount."""
# ruff: noqa: E501 -- a table is read whole, in its own script

import re
from collections.abc import Iterable, Iterator

from clawgit.agents.validating.values import Value

_UNITS = {
    "mass": "kilograms?|kilogrammes?|kilos?|kg|grams?|pounds|lbs?|ounces?|stones?|Kilogramm|Kilo|Pfund|Gramm|kilogramos?|libras?|livres?|公斤|斤|克|磅|キロ|ポンド|グラム|킬로|파운드|그램",
    "length": "kilomet(?:er|re)s?|km|miles?|met(?:er|re)s?|feet|inch(?:es)?|centimet(?:er|re)s?|cm|yards?|Kilometer|Meilen?|Zoll|kilómetros?|millas?|kilomètres?|milles|公里|英里|厘米|英寸|マイル|インチ|센티|마일|인치",
    "temperature": "celsius|fahrenheit|kelvin|°C|°F|摄氏度?|华氏度?|摂氏|華氏|섭씨|화씨",
    "currency": "euros?|dollars?|francs?|yen|EUR|USD|GBP|CHF|JPY|Franken|dólares|欧元|美元|人民币|日元|ユーロ|ドル|円|유로|달러|엔",
    "volume": "litres?|liters?|gallons?|pints?|millilit(?:er|re)s?|ml|Liter|litros?|升|加仑|リットル|ガロン|리터|갤런",
    "relation": "nieces?|nephews?|cousins?|aunts?|uncles?|sisters?|brothers?|mothers?|fathers?|daughters?|sons?|husbands?|wife|boyfriend|girlfriend|fiancée?|grandmother|grandfather|step\\w+|Nichte|Neffe|Cousine?|Tante|Onkel|Schwester|Bruder|sobrin[oa]|prim[oa]|tí[oa]|nièce|neveu|cousine?|姪|甥|いとこ|叔母|侄女|表妹|堂妹|表哥|外甥|조카|사촌",
    "clock": "UTC|GMT|CET|CEST|EST|EDT|PST|PDT|BST|JST|KST|IST",
}
_DENSE = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FORMS = {
    kind: re.compile(
        rf"(?<![^\W_])(?:{'|'.join(one for one in row.split('|') if not _DENSE.search(one))})(?![^\W_])|{'|'.join(one for one in row.split('|') if _DENSE.search(one)) or '(?!)'}",
        re.IGNORECASE,
    )
    for kind, row in _UNITS.items()
}


def units(text: str, taken: Iterable[Value] = ()) -> Iterator[Value]:
    """Yield the units of a text that stand alone, or behind an amount, beside the values that are known."""
    spans = [(one.start, one.end) for one in taken]
    for kind, form in _FORMS.items():
        for match in form.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end in spans):
                yield Value(f"unit {kind}", match[0].casefold().removesuffix("s"), *match.span(), match[0])
