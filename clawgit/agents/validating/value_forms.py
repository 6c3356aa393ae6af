"""Says how days, times, amounts are written."""
# ruff: noqa: E501, ISC004 -- a pattern is read whole, in its own script

from clawgit.agents.validating.calendar_words import COUNTS, MONTHS, WEEKDAYS

HAN = {letter: at for at, letter in enumerate("〇一二三四五六七八九十")} | {"两": 2, "兩": 2, "零": 0}
KOREAN = {
    word: at
    for at, row in enumerate(
        ["한|하나", "두|둘", "세|셋", "네|넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두"], 1
    )
    for word in row.split("|")
}

ANY_MONTH = "|".join(sorted("|".join(MONTHS).split("|"), key=len, reverse=True))
ANY_COUNT = "|".join("|".join(COUNTS).split("|"))
_DAYS = [day for row in WEEKDAYS for day in row.split("|")]
_LATIN_DAYS = "|".join(sorted((day for day in _DAYS if day[0] < "\u0250"), key=len, reverse=True))
_ASIAN_DAYS = "|".join(day for day in _DAYS if day[0] >= "\u0250")
B, E = r"(?<![^\W_])", r"(?![^\W_])"
KO = "|".join(sorted(KOREAN, key=len, reverse=True))
_H = rf"(?:\d{{1,2}}|[〇一二三四五六七八九十两兩]{{1,3}}|(?:{KO}))"
_HALF = "早上|上午|中午|下午|晚上|午前|午後|朝|夜|오전|오후|아침|저녁|밤"

FORMS = (
    ("path", r"https?://[^\s,;)\"'`]+[^\s.,;:!?)\"'`]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    (
        "path",
        r"(?<![\w./~-])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*\w|(?<![\w./~-])[~.]?/[\w-][\w./-]*\w"
        r"|(?<![\w./-])[\w-]+\.(?:py|md|txt|json|ya?ml|toml|sh|js|ts|tsx|go|rs|csv|xlsx?|pdf|docx?|log|cfg|conf|env|db|sql|html|css|png|jpe?g|zip|java|rb|ini)(?![A-Za-z0-9_])"
        r"|(?<![\w./-])\.[a-z]\w+(?![\w/])",
    ),
    (
        "format",
        r"(?-i:(?<![A-Za-z])(?:[YMDTJA]{2,4}[-/. ]){1,2}[YMDTJA]{2,4}(?![A-Za-z])|(?<![A-Za-z])HH:MM(?::SS)?(?![A-Za-z]))",
    ),
    (
        "phone",
        r"(?<![\w.,-])(?:\+|00)\d[\d ()-]{6,16}\d(?![\w-])|(?<![\w.,-])\(?\d{2,5}\)?[ -]\d{3,4}-\d{4}(?![\w-])|(?<![\w.,-])\d{3}-\d{4}(?![\w-])",
    ),
    (
        "address",
        r"(?<![\w.,])\d{1,4}[a-z]? (?:(?-i:[A-Z])[\w']+ ){1,2}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Wharf|Way|Drive|Square|Court|Place|Close|Gardens|Terrace|Row|Hill|Boulevard|Blvd)(?!\w)|(?<!\w)[A-ZÄÖÜ][\wäöüß-]*(?:straße|strasse|weg|platz|gasse|allee|damm|ufer) \d{1,4}[a-z]?(?!\w)|(?<!\w)(?:[Cc]alle|[Aa]venida|[Pp]laza|[Rr]ue|[Aa]venue) (?:de (?:la |los )?)?[A-ZÁÉÍÓÚ]\w+,? \d{1,4}(?!\w)",
    ),
    (
        "date",
        rf"{B}\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}{E}|{B}\d{{1,2}}(?:st|nd|rd|th|\.|er)?(?: of| de)? (?:{ANY_MONTH}){E}(?:,? (?:de )?\d{{4}}{E})?"
        rf"|{B}(?:{ANY_MONTH})\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?![\d:%]| ?[ap]\.?m|[.,]\d)(?:,? \d{{4}}{E})?|{B}\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?{E}"
        rf"|{B}\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}{E}|(?<=\b(?:am|em|um|im) )\d{{1,2}}\.\d{{1,2}}\.|(?:\d{{4}}[年년] ?)?\d{{1,2}}[月월] ?\d{{1,2}}[日号號일]|(?<!\d)\d{{1,2}}[号號](?![线線楼樓])"
        rf"|{B}(?:the|am|le|el) \d{{1,2}}(?:st|nd|rd|th|\.|er){E}(?! (?:floor|time|year|week|version|place))|{B}\d{{1,2}}(?:st|nd|rd|th){E}(?! (?:floor|time|year|week|version|place|street|avenue))",
    ),
    (
        "time",
        rf"{B}\d{{1,2}}(?:[:.][0-5]\d)? ?(?:[ap]\.m\.|[ap]m\b)|{B}(?:[01]?\d|2[0-4]):[0-5]\d(?: ?uhr)?{E}|{B}\d{{1,2}}(?:[.:][0-5]\d)? uhr{E}(?: \d\d{E})?"
        rf"|{B}(?:\d{{1,2}}|{ANY_COUNT}) o'?clock{E}|{B}half past (?:\d{{1,2}}|{ANY_COUNT}){E}|{B}halb (?:\d{{1,2}}|{ANY_COUNT}){E}"
        rf"|{B}\d{{1,2}} ?h(?:eures?)?(?: ?[0-5]\d)?{E}|{B}(?:noon|midnight|midday){E}|(?<=\blas )(?:\d{{1,2}}|{ANY_COUNT}){E}"
        rf"|(?:(?:{_HALF}) ?)?{_H} ?(?:点钟|点整|点|點|時|时|시)(?!間|间|간|期|代|候)(?: ?(?:半|반|[0-5]?\d ?[分분]))?|(?:{_HALF}) ?\d{{1,2}}:\d\d",
    ),
    ("month", rf"{B}(?:{ANY_MONTH}){E}|(?<!\d)\d{{1,2}}[月월](?!間)"),
    ("weekday", rf"{B}(?:{_LATIN_DAYS})(?:'?s)?{E}|{_ASIAN_DAYS}"),
    (
        "money",
        r"[$€£¥₩] ?\d(?:[\d.,]*\d)?(?:k|m|bn)?\b|(?<![\d.,])\d(?:[\d.,]*\d)?(?:k|m)? ?(?:€|\$|£|₩|(?:dollars?|euros?|eur|usd|pounds?|bucks|gbp|chf|francs?|yen|won)\b)|(?<![\d.,])\d(?:[\d.,]*\d)?(?:[万萬만] ?\d+)?[万萬만千천]? ?(?:元|块|塊|円|원|美元)",
    ),
    ("version", rf"{B}v\d+(?:\.\d+)*{E}|(?<![A-Za-z0-9_.,$€£])\d+\.\d+\.\d+(?:-[A-Za-z0-9.]+)?(?![A-Za-z0-9_])"),
    ("percent", r"\d+(?:[.,]\d+)? ?(?:%|percent\b|prozent\b|パーセント|퍼센트)"),
    (
        "number",
        rf"(?<![A-Za-z0-9_.,])\d+(?:[.,]\d+)*(?![A-Za-z_]*\d)|{B}(?:{ANY_COUNT}){E}|[一二三四五六七八九十两兩](?=[个個人名位件次天周週年月本台杯只岁歳歲小分])|(?:{KO})(?= ?(?:명|개|번|달|살|마리|잔|권|병|대|시간))",
    ),
)
