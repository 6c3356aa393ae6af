"""Tells a forgotten ability from a forgotten memory."""
# ruff: noqa: E501 -- a table is read whole, in its own script

import re

_ABILITY = re.compile(
    r"\byou (?:can|could|may|already can|do|also) (?:just |simply |always )?(?:use|run|call|access|read|open|do that with|browse|search)\b"
    r"|\byou (?:do )?have (?:a|an|the|access to|your) (?:[\w-]+ ){0,3}(?:tool|script|skill|command|access|plugin|integration|server|browser|terminal|camera|api)\b"
    r"|\b(?:use|run|try|forgot(?: about)?|remember) (?:the|your|that) (?:[\w-]+ ){0,3}(?:tool|script|skill|command|plugin|integration)\b"
    r"|\byou know how to\b|\bdu (?:kannst|hast) .{0,40}(?:Werkzeug|Skript|Tool|Befehl|Zugriff)"
    r"|你(?:可以|能)(?:用|使用|调用|运行)|你有.{0,12}(?:工具|脚本|技能|权限)|.{0,12}(?:ツール|スクリプト|スキル)(?:が|を)(?:使え|ある)|(?:도구|스크립트|스킬).{0,6}(?:있|쓸 수|사용)",
    re.IGNORECASE,
)


def about_ability(text: str) -> bool:
    """Tell whether somebody is reminded of a tool, a script or a skill (spec §5.3: no memory)."""
    return _ABILITY.search(text) is not None
