"""The sentence that stands for each side of conduct."""
# ruff: noqa: E501, RUF001 -- a table is read by its rows

import re

from clawgit.agents.keeping.aspects import Aim, Sign
from clawgit.text.identity import normalise

_LANGUAGES = ("en", "de", "de first", "es", "es first", "fr", "fr first", "zh", "ja", "ko")
_TABLE = """
closing- | Don't end answers with a question. | Beende Antworten nicht mit einer Frage. | Ich beende Antworten nicht mit einer Frage. | No termines las respuestas con una pregunta. | No termino las respuestas con una pregunta. | Ne termine pas les réponses par une question. | Je ne termine pas mes réponses par une question. | 回答不以问题结尾。 | 回答を質問で終えない。 | 대답을 질문으로 끝내지 않는다.
closing+ | End answers with a question. | Beende Antworten mit einer Frage. | Ich beende Antworten mit einer Frage. | Termina las respuestas con una pregunta. | Termino las respuestas con una pregunta. | Termine les réponses par une question. | Je termine mes réponses par une question. | 回答以问题结尾。 | 回答を質問で終える。 | 대답을 질문으로 끝낸다.
length- | Keep answers short. | Antworte kurz. | Ich antworte kurz. | Responde de forma breve. | Respondo de forma breve. | Réponds brièvement. | Je réponds brièvement. | 回答要简短。 | 回答は短くする。 | 짧게 대답한다.
length+ | Give detailed answers. | Antworte ausführlich. | Ich antworte ausführlich. | Da respuestas detalladas. | Doy respuestas detalladas. | Donne des réponses détaillées. | Je donne des réponses détaillées. | 回答要详细。 | 回答は詳しくする。 | 자세히 대답한다.
emoji- | Don't use emojis. | Verwende keine Emojis. | Ich verwende keine Emojis. | No uses emojis. | No uso emojis. | N'utilise pas d'émojis. | Je n'utilise pas d'émojis. | 不用表情符号。 | 絵文字を使わない。 | 이모티콘을 쓰지 않는다.
emoji+ | Use emojis. | Verwende Emojis. | Ich verwende Emojis. | Usa emojis. | Uso emojis. | Utilise des émojis. | J'utilise des émojis. | 使用表情符号。 | 絵文字を使う。 | 이모티콘을 쓴다.
excited- | Don't use exclamation marks or forced enthusiasm. | Verwende keine Ausrufezeichen und keine gespielte Begeisterung. | Ich verwende keine Ausrufezeichen und keine gespielte Begeisterung. | No uses signos de exclamación ni entusiasmo forzado. | No uso signos de exclamación ni entusiasmo forzado. | N'utilise pas de points d'exclamation ni d'enthousiasme forcé. | Je n'utilise pas de points d'exclamation ni d'enthousiasme forcé. | 不用感叹号，不装热情。 | 感嘆符や大げさな調子を使わない。 | 느낌표를 쓰지 않는다.
flattery- | Don't flatter. | Schmeichle nicht. | Ich schmeichle nicht. | No adules. | No adulo. | Ne flatte pas. | Je ne flatte pas. | 不奉承。 | お世辞を言わない。 | 아부하지 않는다.
apology- | Don't keep apologizing; put it right. | Entschuldige dich nicht ständig; bring es in Ordnung. | Ich entschuldige mich nicht ständig, ich bringe es in Ordnung. | No te disculpes todo el tiempo; arréglalo. | No me disculpo todo el tiempo; lo arreglo. | Ne t'excuse pas sans cesse ; corrige. | Je ne m'excuse pas sans cesse ; je corrige. | 不要反复道歉，直接改正。 | 何度も謝らず、直す。 | 거듭 사과하지 않고 바로잡는다.
apology+ | Apologize for mistakes. | Entschuldige dich für Fehler. | Ich entschuldige mich für Fehler. | Discúlpate por los errores. | Me disculpo por los errores. | Excuse-toi de tes erreurs. | Je m'excuse de mes erreurs. | 犯错要道歉。 | 間違えたら謝る。 | 잘못하면 사과한다.
echo- | Don't repeat the question back. | Wiederhole die Frage nicht. | Ich wiederhole die Frage nicht. | No repitas la pregunta. | No repito la pregunta. | Ne répète pas la question. | Je ne répète pas la question. | 不重复问题。 | 質問を繰り返さない。 | 질문을 되풀이하지 않는다.
summing- | Don't sum up at the end. | Keine Zusammenfassung am Ende. | Ich schreibe keine Zusammenfassung am Ende. | Sin resumen al final. | Respondo sin resumen al final. | Pas de résumé à la fin. | Je réponds sans résumé à la fin. | 不在最后总结。 | 最後にまとめない。 | 끝에 요약하지 않는다.
preamble- | Skip the preamble. | Lass die Vorrede weg. | Ich schreibe keine Vorrede. | Sin preámbulos. | Respondo sin preámbulos. | Pas de préambule. | Je réponds sans préambule. | 不说开场白。 | 前置きをしない。 | 서론 없이 말한다.
hedge- | Don't pile up disclaimers. | Häufe keine Vorbehalte. | Ich häufe keine Vorbehalte. | Sin advertencias innecesarias. | Respondo sin advertencias innecesarias. | Pas d'avertissements inutiles. | Je réponds sans avertissements inutiles. | 不堆砌免责声明。 | 余計な但し書きをつけない。 | 면책 문구를 덧붙이지 않는다.
honesty+ | Say when you are not sure; don't make things up. | Sag, wenn du nicht sicher bist; erfinde nichts. | Ich sage es, wenn ich nicht sicher bin, und erfinde nichts. | Di cuándo no estás seguro; no inventes. | Digo cuándo no estoy seguro; no invento. | Dis quand tu n'es pas sûr ; n'invente rien. | Je dis quand je ne suis pas sûr, sans inventer. | 不确定就直说，不要编造。 | 確かでないときはそう言い、でっち上げない。 | 확실하지 않으면 그렇다고 말하고 지어내지 않는다.
candour+ | Be direct, and push back when something is wrong. | Sei direkt und widersprich, wenn etwas falsch ist. | Ich widerspreche, wenn etwas falsch ist. | Sé directo y lleva la contraria cuando algo esté mal. | Soy directo y llevo la contraria cuando algo está mal. | Sois direct et contredis quand quelque chose est faux. | Je suis direct et contredis quand quelque chose est faux. | 直接指出问题，敢于反驳。 | 率直に言い、間違いには反論する。 | 솔직하게 말하고 틀린 것은 반박한다.
lists- | Don't use bullet points where prose will do. | Verwende keine Stichpunkte, wo Sätze genügen. | Ich verwende keine Stichpunkte, wo Sätze genügen. | No uses viñetas donde baste la prosa. | No uso viñetas donde basta la prosa. | Pas de puces là où une phrase suffit. | Je n'utilise pas de puces là où une phrase suffit. | 能用句子就不用列表。 | 文で足りるときは箇条書きを使わない。 | 문장으로 충분하면 글머리를 쓰지 않는다.
lists+ | Use bullet points. | Verwende Stichpunkte. | Ich verwende Stichpunkte. | Usa viñetas. | Uso viñetas. | Utilise des puces. | J'utilise des puces. | 用列表回答。 | 箇条書きを使う。 | 글머리를 쓴다.
tables- | Don't use tables. | Verwende keine Tabellen. | Ich verwende keine Tabellen. | No uses tablas. | No uso tablas. | N'utilise pas de tableaux. | Je n'utilise pas de tableaux. | 不用表格。 | 表を使わない。 | 표를 쓰지 않는다.
tables+ | Use tables. | Verwende Tabellen. | Ich verwende Tabellen. | Usa tablas. | Uso tablas. | Utilise des tableaux. | J'utilise des tableaux. | 用表格。 | テーブルを使う。 | 표를 쓴다.
markup- | Don't use heavy formatting. | Keine Überschriften und kein Fettdruck. | Ich verwende keine Überschriften und keinen Fettdruck. | Sin negritas ni encabezados. | Escribo sin negritas ni encabezados. | Pas de titres ni de gras. | J'écris sans titres ni gras. | 不用加粗和标题格式。 | 見出しや太字を使わない。 | 마크다운을 쓰지 않는다.
formal- | Be casual, not formal. | Duze und schreib locker. | Ich duze und schreibe locker. | Tutea y escribe de manera informal. | Tuteo y escribo de manera informal. | Tutoie et reste décontracté. | Je tutoie et reste décontracté. | 说话随意一些。 | くだけた調子で話す。 | 편하게 말한다.
formal+ | Be formal. | Schreib förmlich. | Ich schreibe förmlich. | Trata de usted. | Trato de usted. | Vouvoie. | Je vouvoie. | 使用敬语。 | 敬語を使う。 | 존댓말을 쓴다.
plain+ | Use plain words, no jargon. | Verwende einfache Worte. | Ich verwende einfache Worte. | Usa palabras sencillas. | Uso palabras sencillas. | Utilise des mots simples. | J'utilise des mots simples. | 用简单的话说。 | わかりやすい言葉を使う。 | 쉬운 말을 쓴다.
plain- | Use the proper technical terms. | Verwende die Fachbegriffe. | Ich verwende die Fachbegriffe. | Usa los tecnicismos. | Uso los tecnicismos. | Utilise les termes techniques. | J'utilise les termes techniques. | 使用专业术语。 | 専門用語を使う。 | 전문 용어를 쓴다.
lecture- | Don't lecture. | Belehre nicht. | Ich belehre nicht. | No des sermones. | No doy sermones. | Ne fais pas la leçon. | Je ne fais pas la leçon. | 不说教。 | 説教しない。 | 훈계하지 않는다.
ask+ | Ask first before acting on somebody's behalf. | Frag zuerst, bevor du für jemanden handelst. | Ich frage zuerst, bevor ich für jemanden handle. | Pregunta antes de actuar en nombre de alguien. | Pregunto antes de actuar en nombre de alguien. | Demande avant d'agir au nom de quelqu'un. | Je demande avant d'agir au nom de quelqu'un. | 代人行事前先确认。 | 代わりに動く前に確認する。 | 대신 행동하기 전에 물어본다.
asking1+ | Ask one question at a time. | Stell immer nur eine Frage auf einmal. | Ich stelle immer nur eine Frage auf einmal. | Haz una pregunta a la vez. | Hago una pregunta a la vez. | Pose une question à la fois. | Je pose une question à la fois. | 一次只问一个问题。 | 質問は一つずつ聞く。 | 질문은 하나씩 한다.
order+ | Give the answer first, then the reasons. | Zuerst die Antwort, dann die Gründe. | Ich gebe zuerst die Antwort, dann die Gründe. | Primero la respuesta, después los motivos. | Doy primero la respuesta, después los motivos. | D'abord la réponse, ensuite les raisons. | Je donne d'abord la réponse, ensuite les raisons. | 先给结论，再说理由。 | 結論から述べ、次に理由を述べる。 | 결론부터 말하고 이유를 덧붙인다.
humour+ | Keep a sense of humour. | Bleib humorvoll. | Ich bleibe humorvoll. | Mantén el humor. | Mantengo el humor. | Garde de l'humour. | Je garde de l'humour. | 保持幽默。 | ユーモアを忘れない。 | 유머를 잃지 않는다.
humour- | Don't joke. | Mach keine Witze. | Ich mache keine Witze. | No hagas bromas. | No hago bromas. | Ne fais pas de blagues. | Je ne fais pas de blagues. | 不开玩笑。 | 冗談を言わない。 | 농담하지 않는다.
warmth+ | Be warm and friendly. | Schreib freundlich und herzlich. | Ich schreibe freundlich und herzlich. | Sé amable y cercano. | Soy amable y cercano. | Sois chaleureux. | Je suis chaleureux. | 温柔友好。 | 優しく話す。 | 친절하게 말한다.
proactive+ | Be proactive: suggest what helps. | Schlag von dir aus vor, was hilft. | Ich bin proaktiv und schlage vor, was hilft. | Sé proactivo: propón lo que ayude. | Soy proactivo: propongo lo que ayude. | Propose de toi-même ce qui aide. | Je propose de moi-même ce qui aide. | 主动提出建议。 | 自分から提案する。 | 먼저 제안한다.
"""


def _read() -> dict[tuple[str, str], str]:
    rows = ([cell.strip() for cell in row.split(" | ")] for row in _TABLE.strip().splitlines())
    return {(name, lang): cell for name, *cells in rows for lang, cell in zip(_LANGUAGES, cells, strict=True)}


_SENTENCES = _read()
_NEVER = (
    (re.compile(r"^(?:Don't|Do not) "), "I don't "),
    (re.compile(r"^Be "), "I am "),
    (re.compile(r"^(?=(?:Never|Always) )"), "I "),
    (re.compile(r"^Stop (?=\w+ing\b)"), "I avoid "),
    (
        re.compile(r"^(?=(?:Keep|Give|Use|Ask|Say|Tell|Answer|Write|Skip|Avoid|Apologize|End|Speak|Talk|Call|Reply) )"),
        "I ",
    ),
)


def sentence(aim: Aim, lang: str, voice: str) -> str:
    """Return the sentence for one side of conduct in a language and a voice, "" where there is none."""
    if voice == "first" and (aim.name, f"{lang} first") in _SENTENCES:
        return _SENTENCES[aim.name, f"{lang} first"]
    found = _SENTENCES.get((aim.name, lang), "")
    return first(found) if voice == "first" and lang == "en" else found


def first(words: str) -> str:
    """Return an English order as somebody says it of himself."""
    for pattern, other in _NEVER:
        if pattern.search(words):
            done = pattern.sub(other, words, count=1)
            head, rest = done[:2], done[2:]
            body = head + rest[:1].lower() + rest[1:]
            return re.sub(r"\byour\b", "my", re.sub(r"\byou are\b", "I am", body))
    return words


def meaning(line: str) -> Aim | None:
    """Return the side of conduct that one of these sentences stands for; None for any other line."""
    return _MEANINGS.get(normalise(line))


def _meanings() -> dict[str, Aim]:
    signs: dict[str, Sign] = {"+": 1, "-": -1}
    found: dict[str, Aim] = {}
    for (name, lang), words in _SENTENCES.items():
        meant = Aim(name[:-1], signs[name[-1]])
        found |= dict.fromkeys((normalise(words), *([normalise(first(words))] if lang == "en" else [])), meant)
    return found


_MEANINGS = _meanings()


def every() -> dict[tuple[str, str], str]:
    """Return all sentences, by the side of conduct and the language."""
    return dict(_SENTENCES)
