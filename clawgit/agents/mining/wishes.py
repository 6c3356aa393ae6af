"""Standing wishes: how the operator wants to be served."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re

_LONGEST = 160
_WISH = re.compile(
    r"^(?:(?:and|so|ok|okay|also|but|please|pls)\b[, ]*)*(?:"
    # from now on, use British spelling
    r"(?:from now on|from today on|going forward|in (?:the )?future|by default|whenever possible|as a rule)\b[, :]*(?:please )?(?:always |never |don't |do not )?(?:use|using|keep|answer|reply|respond|write|speak|format|prefer|avoid|stick|round|quote|cite|give|show|start|begin|end|ask|check|call me|address me|wake me|book|schedule|plan|put|add|make|wait|include|sign|i|we|my|our|all|the)\b"
    # always answer in German; never use emoji
    r"|(?:please )?(?:always|never)\b,? (?:use|using|keep|answer|reply|respond|write|speak|format|prefer|avoid|stick|round|quote|cite|give|show|start|begin|end|ask|check|call me|address me|wake me|book|schedule|plan|put|add|make|wait|include|sign)\b"
    # keep answers short
    r"|(?:please )?(?:keep|make) (?:your |the |all |my )?(?:answers?|replies|responses?|messages?|summaries|e?-?mails?|explanations|reports?|commits?|code comments)\b (?:\w+ ){0,3}?(?:short|brief|concise|formal|informal|simple|polite|small|plain|long|detailed|in \w+)\b"
    r"|(?:please )?(?:don't|do not) (?:use|call me|wake me|schedule|book|plan|put|add|include|sign|start|end|round) \b.{0,80}\b(?:any ?more|ever|again|before|after|in (?:my|your|the)|on (?:\w+days?|weekends?)|at night|unless)\b"
    r"|(?:ab jetzt|von nun an|künftig|in zukunft|immer|niemals?)\b[, ]*(?:bitte )?(?:antworte|schreib|schreibe|nutze|benutze|verwende|halte?|nenn|nenne|frag|frage)\w*\b"
    r"|(?:a partir de ahora|siempre|nunca|désormais|à partir de maintenant|toujours)\b,? (?:responde|escribe|usa|llámame|pregunta|réponds|écris|utilise|appelle-moi)\b"
    r"|(?:以后|今后|从现在起|从今以后)(?:请|都|，|,)*(?:用|写|回答|叫我|称呼我|先问|不要用|别用)"
    r"|(?:今後は?|これからは|いつも|常に)[、 ]?.{0,30}(?:使って|書いて|答えて|返信して|呼んで|してください|ないでください)"
    r"|(?:앞으로|이제부터|항상|언제나)[, ]?.{0,30}(?:써 ?줘|답해 ?줘|불러 ?줘|사용해 ?줘|해 ?주세요|말해 ?줘)"
    r")"
)
_RISK = re.compile(
    r"https?:|www\.|\S@\S|[/\\]\w|\.(?:md|sh|py|exe|env)\b|`|\$|\b\d{6,}\b"
    r"|\b(?:rules?|instructions?|prompts?|guidelines?|restrictions?|permissions?|approv\w+|confirm\w*|keys?|tokens?|passw\w+|secrets?|credentials?|pins?"
    r"|ignor\w+|disregard|forget|overrid\w+|bypass|obey|trust|forward|send|share|post|upload|publish|e?-?mail(?:s|ed)? (?:to|it|them)|transfer|pay|wire|money|account|wallet"
    r"|run|execut\w+|install|download|fetch|curl|sudo|shell|script|command|limits?|limitations?|filters?|restrict\w*|delet\w+|remov\w+|disable|skip|hide|mention|reveal|tell|inform|warn|report"
    r"|admins?|operators?|owners?|system|persona|pretend|secretly|silently|without (?:asking|telling|confirm\w*)|no matter|whatever)\b"
    r"|密钥|密码|转发|发送|执行|运行|删除|规则|指令|转账|鍵|パスワード|転送|実行|削除|指示|送信|비밀번호|전달|실행|삭제|규칙|지시|송금"
    r"|\b(?:schlüssel|passwort|regeln|anweisung\w*|weiterleit\w*|ausführ\w*|lösch\w*|überweis\w*|reglas|instrucciones|contraseña|reenvía|ejecuta|borra|règles|consignes|transfère|exécute|supprime)\b"
)


def wish(lower: str) -> bool:
    """Tell whether a sentence, in lower case, asks for a manner once and for all, and for nothing that could harm.

    What touches rules, keys, money, addresses, programs or what others are told is no manner.
    """
    return len(lower) <= _LONGEST and bool(_WISH.match(lower)) and not _RISK.search(lower)
