"""Tells what is said of a program and its output."""
# ruff: noqa: E501 -- a table is read whole, in its own script

import re

_OBSERVED = re.compile(
    r"`[^`\n]+`|[<>=!]=|=>|\b(?:def|return|None|null|nil|undefined|NaN|ORDER BY|SELECT|stdout|stderr|stack ?trace|traceback|regex|linter?|ruff|mypy|eslint|pytest|compiler|off by one)\b"
    r"|\b(?:lines?|column|index|exit code|status(?: code)?|error code|HTTP|response|Zeile|Spalte|Rückgabe(?:wert)?|línea|columna|ligne|colonne)\s*[:=]?\s*\d+"
    r"|\bi(?:'m)? (?:get|got|getting|see|seeing|still get) (?:an? )?[\d\"']|\bit (?:returns?|returned|prints?|printed|throws?|threw|outputs?|exits?|exited)\b|\bshould (?:return|print|throw|output|exit|yield)\b"
    r"|\bthe (?:tests?|build|function|loop|query|output|diff|logs?|method|script|assertion|endpoint|array|test case) (?:is|are|should|returns?|says?|prints?|shows?|gives?|fails?|starts?)\b"
    r"|\b(?:ich (?:bekomme|kriege|sehe) (?:hier )?(?:eine? )?\d|gibt .{0,30}zurück|die (?:Ausgabe|Funktion|Schleife|Abfrage) )|\b(?:devuelve|imprime|me sale (?:un )?\d|la (?:función|salida|consulta) )|\b(?:renvoie|retourne|affiche|j'obtiens (?:une? )?\d|la (?:fonction|sortie|boucle|requête) )"
    r"|返回|报错|報錯|输出|輸出|下标|下標|代码|代碼|第\s?\d+\s?行|函数|函數|循环|状态码|\d+\s?行目|戻り値|返り値|返すべき|出力|エラー(?:コード)?|関数|ループ|昇順|降順|ステータス|반환|출력|에러|오류 코드|\d+\s?번째 줄|\d+\s?행|함수|반복문",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\b(?:returned|exited|printed|failed|threw)\b|\b\w+ says [`'\"]|\bdef \w+\(|\breturn \w|\bSELECT\b|[{};]\s*$|lambda|=> ?\{",
    re.IGNORECASE,
)


def observes(text: str, agent: str = "") -> bool:
    """Tell whether somebody speaks of code, or of what a tool shows: that is no memory."""
    return bool(_OBSERVED.search(text) or _TOOL.search(agent))
