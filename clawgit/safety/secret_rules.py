"""The patterns of secrets, most specific first."""
# ruff: noqa: RUF001 -- quotes and dashes are meant as they are

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from clawgit.safety.secret_formats import FORMATS

Shape = Literal["token", "mixed", "marked", "named", "block", "url", "password", "brief", "key"]

VENDORED = Path(__file__).parent / "data" / "secrets" / "gitleaks.json"
"""gitleaks' rules, as docs/gitleaks_rules.py takes them over; their licence lies beside them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret, in re2's syntax.

    `hint` is cheap and decides whether `pattern` runs at all; the secret is the first group that matched, or the whole;
    `shape` says which test of `safety.shape` it must pass. It has at least `entropy` bits a character, and does not
    match `allow`.
    """

    name: str
    hint: str
    pattern: str
    shape: Shape = "token"
    entropy: float = 0
    allow: str = ""


def _token(name: str, hint: str, body: str, shape: Shape = "token") -> Rule:
    return Rule(name, hint, rf"(?:^|[^A-Za-z0-9])({body})", shape)


_WORDS = (
    "password|passwd|passphrase|passcode|pass[-_]?word|kennwort|pa(?:ss|sz)wort|contraseña|mot de passe|mdp|pwd"
    "|senha|palavra-passe|parola d['’]ordine|wachtwoord|hasło|lösenord|adgangskode|şifre|парол[ья]|كلمة (?:المرور|السر)"
    "|密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드|비번"
)
_KEYS = (
    r"(?:api|access|private|secret|account|auth|encryption|signing)[-_ ]?key|apikey|client[-_ ]?secret"
    r"|(?:api|zugriffs|zugangs|geheim)[- ]?schlüssel|clave (?:de )?(?:api|acceso|secreta)"
    r"|clé (?:d['’]|de )?(?:l['’])?(?:api|accès|secrète)"
    r"|api[-_ ]?密[钥鑰]|密[钥鑰]|令牌|api[-_ ]?キー|秘密鍵|アクセスキー|トークン|api[-_ ]?키|토큰|시크릿"
    r"|token|jeton|secret|credentials?|[A-Z0-9]_key|\bclave"
)
_SUFFIX = r"(?:[-_ ]?(?:prod|production|dev|staging|live|test|main|old|new|\d{1,2}))?"
_BRIEF = r"(?i)(?:^|[^A-Za-z])(?:pass|pw)[ \t\"'\x60*]{0,4}[:=]"  # a verb elsewhere
_CLOSE = r"""[ \t"'\x60*_\]\\”“’」»)]{0,6}"""
_OPEN = r"""[ \t"'\x60*_\[\\“„‘’「『«(\x{FF08}~]{0,8}"""
# As in: password for the staging database; Password (guest wifi); contraseña del router.
_ABOUT = r"(?:[ \t]*[(\x{FF08}][^()\n\x{FF09}]*[)\x{FF09}])?(?:[ \t]+[^\s:=|<>;,]*[^\s:=|<>.;,!?]){0,6}?"
_LATER = r"(?:[ \t]+(?:now|set to|changed to|been|just|still|always|simply|jetzt|ahora|maintenant))*"
_IS = (
    rf"[ \t]+(?:is|was|ist|lautet|war|es|era|est|était|é|è|to|هي|هو){_LATER}[ \t:]|['’]s[ \t]"
    r"|[ \t]+(?:changed|set|reset|updated|rotated|switched)[ \t]to[ \t]"
    r"|[ \t]?(?:是|为|為|は|が|を|은|는|이|가|를|을)[ \t]?"
)
_ASSIGN = r"(?::=|=>|->|→|==|[:=|>\x{FF1A}\x{FF1D}]|[ \t][-–—][ \t])"
_VALUE = r"([!#$%&*+\-./0-9:=?@A-Z\[\]^_a-z{}~()À-ɏ]{6,})"


def _assigned(words: str) -> str:
    """Build the pattern of a value that follows one of `words`: `--password X`, `password = X`, `password is X`."""
    flag = rf"--[a-z\-]*(?:{words})[ \t=]"
    said = rf"(?:{words}){_SUFFIX}{_CLOSE}(?:{_ABOUT}(?:[ \t]*{_ASSIGN}|{_IS})|[ \t]to[ \t])"
    return rf"(?i)(?:{flag}|{said}){_OPEN}{_VALUE}"


_PEM = (
    r"(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-]){0,300}?[A-Za-z0-9+/=]{32,}"
    r"""(?:[\s\\nr>"',+]{1,12}[A-Za-z0-9+/=]{20,})*(?:[\s\\nr>"',+]{1,12}[A-Za-z0-9+/=]{1,64})?"""
    r"""(?:[\s\\nr>"',+]{0,12}-----END [A-Z0-9 ]{1,40}-----)?)"""
)
_URL = (
    r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s:@/\"'\x60<>]{0,64}:([^\s@/\"'\x60]{3,})"
    r"@(?:[A-Za-df-z0-9\[]|e[^x]|ex[^a]|exa[^m])"  # not at example.com
)
_AWS = (
    r"(?i)(?:aws[\w .\-]{0,20}(?:secret|key)|secret[_ \-]?access[_ \-]?key)[\w \t\"'\x60*:=>|\\]{1,16}?"
    r"[^A-Za-z0-9/+]([A-Za-z0-9/+]{40})"
)
_AZURE = (  # the signature of a link is base64, of 32 bytes; others sign links as well
    r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/%]{40,128}={0,2})|(?i:[?&]sig)=([A-Za-z0-9+/%]{40,128}(?:%3[Dd]|=))"
)
_TEAMS = r"(https://\w+\.webhook\.office\.com/webhookb2/[\w@\-]{70,}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9\-]{36})"
_NETRC = r"(?i)\b(?:machine[ \t]+\S+|default)\s+login[ \t]+\S+\s+password[ \t]+([^\s]{4,})"
_PGPASS = r"(?m)^[\w.*\-]+:(?:\d{2,5}|\*):[\w.*\-]+:[\w.*\-]+:([^\s:]{4,})\r?$"
_HASHED = r"(?:^|[^$])([$](?:apr1|2[aby]|5|6|y|argon2id?)[$][\w./$=,+]{24,})"
_NAMED_UUID = (  # a bare one is an identifier
    r"(?i:api[_\-]?key|auth[_\-]?token|[a-z]_token|[a-z]_secret)[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})"
)
_DOCKER = r"[\"']auth[\"'][ \t]*:[ \t]*[\"']([A-Za-z0-9+/]{20,}={0,2})[\"']"
_BEARER = r"(?i)(?:\bbearer[ \t]+|authorization[\"']?[ \t]*[:=][ \t]*[\"']?(?:basic|token)[ \t]+)([\w.~+/=\-]{16,})"

_WHOLE = r"(?:[_\-]*(?:[^\w\-]|$))"  # after a token of one length that may hold these; emphasis may follow

# Formats: the vendors' documentation, and gitleaks' public rules for what they leave open.
_RULES = (
    Rule("private-key", "PRIVATE KEY", _PEM, "block"),
    Rule("jwt", r"eyJ[\w\-]+\.eyJ", r"(?:^|[^A-Za-z0-9])(eyJ[\w\-]{10,}\.eyJ[\w\-]{10,}\.[\w\-]{16,})"),
    _token("aws-access-key", "A[KSBC][ICS]A", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    Rule("aws-secret-key", r"(?i)secret|aws", _AWS),
    _token(
        "github", "gh[pousr]_|github_pat_", r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"
    ),
    _token(
        "gitlab",
        "gl[a-z]{2,5}-",
        r"gl(?:pat|ptt|cbt|dt|rt|ft|imt|agent|soat|oas|ffct)-[\w\-]{20,}(?:\.[0-9a-z]{2}\.\w{8,10})?",
    ),
    _token("anthropic", "sk-ant-", r"sk-ant-[\w\-]{24,}"),
    _token("openai", "sk-(?:proj|svcacct|admin|None|or-v1)-", r"sk-(?:proj|svcacct|admin|None|or-v1)-[\w\-]{20,}"),
    _token("openai", "sk-[A-Za-z0-9]{20}", "sk-[A-Za-z0-9]{20,}", "mixed"),
    _token("google", "GOCSPX-|ya29", r"GOCSPX-[\w\-]{28}|ya29\.[\w\-]{20,}"),
    _token("slack", "xox[a-z]|xapp-", r"xox[abeoprs]-[A-Za-z0-9\-]{10,}|xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+", "mixed"),
    Rule(
        "slack-webhook",
        r"hooks\.slack",
        r"(https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,})",
    ),
    Rule(
        "discord-webhook",
        "/api/webhooks/",
        r"(https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{16,20}/[\w\-]{50,})",
    ),
    _token("stripe", "[sr]k_live_|[sr]k_prod_|whsec_", r"(?:[sr]k_(?:live|prod)_|whsec_)[A-Za-z0-9+/]{16,}"),
    Rule("telegram", r"\d:A[\w\-]{3}", rf"(?:^|[^A-Za-z0-9]|bot)(\d{{6,12}}:A[\w\-]{{34}}){_WHOLE}"),
    _token("discord", r"[MNO][\w\-]{20,30}\.[\w\-]{6}\.", r"[MNO][\w\-]{22,28}\.[\w\-]{6}\.[\w\-]{27,40}", "mixed"),
    _token("twilio", "SK[0-9a-f]", "SK[0-9a-f]{32}"),
    _token("pypi", "pypi-AgE", r"pypi-AgE[\w\-]{40,}"),
    _token("huggingface", "hf_", "hf_[A-Za-z0-9]{30,}"),
    _token("groq", "gsk_", "gsk_[A-Za-z0-9]{40,}"),
    _token("replicate", "r8_", "r8_[A-Za-z0-9]{37,}"),
    _token("notion", "ntn_|secret_", "ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}", "mixed"),
    *(_token(name, hint, body, shape) for name, hint, body, shape in FORMATS),
    Rule("sourcegraph", "sgp_", r"(?:^|[^A-Za-z0-9])(sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40})", entropy=3),
    Rule("teams-webhook", r"webhook\.office", _TEAMS),
    Rule("docker-auth", r"[\"']auth[\"']", _DOCKER, "mixed"),
    Rule("password-hash", r"[$](?:apr1|2[aby]|5|6|y|argon2id?)[$]", _HASHED),
)
_PROSE = (  # what only the words around it give away
    Rule("password", r"(?i)\blogin\b", _NETRC, "password"),
    Rule("password", r":\d{2,5}:|:\*:", _PGPASS, "password"),
    Rule("api-key", "(?i)key|token|secret", _NAMED_UUID),
    Rule("azure-key", "(?i)AccessKey=|AccountKey=|[?&]sig=", _AZURE),
    Rule("url-password", r"://[^\s/@]*:[^\s/@]+@", _URL, "url"),
    Rule(
        "url-password",
        "(?i)curl",
        r"(?i)\bcurl\b[^\n]*?[ \t](?:-u|--user)[ =]?[\"']?[^\s:\"']+:([^\s\"'\x60]{3,})",
        "url",
    ),
    Rule("bearer", r"(?i)bearer|authorization", _BEARER, "mixed"),
    Rule("password", rf"(?i){_WORDS}", _assigned(_WORDS), "password"),
    Rule("password", _BRIEF, rf"{_BRIEF}{_OPEN}{_VALUE}", "brief"),
    Rule("api-key", rf"(?i){_KEYS}", _assigned(_KEYS), "key"),
)


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule: ours that know a format, gitleaks', then those for prose."""
    kept = json.loads(VENDORED.read_bytes())
    return (*_RULES, *(_vendored(one, kept["allow"]) for one in kept["rules"]), *_PROSE)


def _vendored(row: dict[str, str | float], allow: str) -> Rule:
    also = row.pop("allow", "")
    return Rule(**row, allow=f"{allow}|{also}" if also else allow)  # type: ignore[arg-type] # as the script writes it
