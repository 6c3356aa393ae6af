"""Secrets and look-alikes. Every secret here is made up when the test runs, from pieces."""
# ruff: noqa: E501 -- lists of samples

import base64
import hashlib
import random
import string
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.safety.secrets import Finding, find_secrets
from tests.amounts import amount

dice = random.Random(20260204)  # the same made-up secrets in every run
HEX, UPPER, ALNUM = "0123456789abcdef", string.ascii_uppercase + "234567", string.ascii_letters + string.digits
URLSAFE = ALNUM + "_-"


def pick(alphabet, length):
    """Random text that starts and ends on a letter or digit, with a digit in it."""
    edge = [c for c in alphabet if c.isalnum()]
    middle = "".join(dice.choices(alphabet, k=length - 3))
    return dice.choice(edge) + "7" + middle + dice.choice(edge)


def jwt():
    def part(text):
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    head, body = part('{"alg":"HS256","typ":"JWT"}'), part('{"sub":"1234567890","iat":1516239022}')
    return f"{head}.{body}.{pick(URLSAFE, 43)}"


def pem(kind, newline="\n"):
    body = [pick(ALNUM + "+/", 64) for _ in range(4)]
    return newline.join([f"-----BEGIN {kind}PRIVATE " + "KEY-----", *body, "x9==", f"-----END {kind}PRIVATE KEY-----"])


SNOWFLAKE = base64.b64encode(b"108462913377120034").decode()
TOKENS = [
    ("aws-access-key", "AKIA" + pick(UPPER, 16)),
    ("aws-access-key", "ASIA" + pick(UPPER, 16)),
    ("github", "ghp_" + pick(ALNUM, 36)),
    ("github", "ghs_" + pick(ALNUM, 36)),
    ("github", "github_pat_" + pick(ALNUM, 22) + "_" + pick(ALNUM, 59)),
    ("gitlab", "glpat-" + pick(URLSAFE, 20)),
    ("gitlab", "glpat-" + pick(URLSAFE, 27) + ".01." + pick(ALNUM, 9)),
    ("openai", "sk-" + pick(ALNUM, 20) + "T3BlbkFJ" + pick(ALNUM, 20)),
    ("openai", "sk-proj-" + pick(URLSAFE, 74) + "T3BlbkFJ" + pick(URLSAFE, 74)),
    ("openai", "sk-svcacct-" + pick(URLSAFE, 60)),
    ("openai", "sk-or-v1-" + pick(HEX, 64)),
    ("openai", "sk-" + pick(HEX, 32)),
    ("anthropic", "sk-ant-api03-" + pick(URLSAFE, 93) + "AA"),
    ("google", "AIza" + pick(URLSAFE, 35)),
    ("google", "GOCSPX-" + pick(URLSAFE, 28)),
    ("slack", "xoxb-" + "812345678901-812345678902-" + pick(ALNUM, 24)),
    ("slack", "xapp-1-A" + pick(UPPER, 9) + "-8123456789012-" + pick(HEX, 64)),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/T" + pick(UPPER, 8) + "/B" + pick(UPPER, 8) + "/" + pick(ALNUM, 24),
    ),
    ("discord-webhook", "https://discord.com/api/webhooks/108462913377120034/" + pick(URLSAFE, 68)),
    ("stripe", "sk_live_" + pick(ALNUM, 24)),
    ("stripe", "rk_live_" + pick(ALNUM, 99)),
    ("telegram", "7123456789:AA" + pick(URLSAFE, 33)),
    ("discord", SNOWFLAKE + "." + pick(URLSAFE, 6) + "." + pick(URLSAFE, 38)),
    ("sendgrid", "SG." + pick(URLSAFE, 22) + "." + pick(URLSAFE, 43)),
    ("twilio", "SK" + pick(HEX, 32)),
    ("npm", "npm_" + pick(ALNUM, 36)),
    ("pypi", "pypi-AgEIcHlwaS5vcmc" + pick(URLSAFE, 140)),
    ("huggingface", "hf_" + pick(ALNUM, 34)),
    ("groq", "gsk_" + pick(ALNUM, 52)),
    ("replicate", "r8_" + pick(ALNUM, 37)),
    ("digitalocean", "dop_v1_" + pick(HEX, 64)),
    ("azure-ad", pick(ALNUM, 3) + "8Q~" + pick(ALNUM + "_~.-", 34)),
    ("jwt", jwt()),
]
CONTEXT = [  # a secret that only its surroundings give away
    ("aws-secret-key", "aws_secret_access_key = {}", pick(ALNUM + "+/", 40)),
    ("aws-secret-key", '"SecretAccessKey": "{}",', pick(ALNUM + "+/", 40)),
    (
        "azure-key",
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};Suffix=x",
        pick(ALNUM + "+/", 86) + "==",
    ),
    ("azure-key", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey={}", pick(ALNUM + "+/", 43) + "="),
    ("azure-key", "https://shop.blob.core.windows.net/x?sv=2024-11-04&sr=b&sig={}", pick(ALNUM, 43) + "%3D"),
    ("telegram", "https://api.telegram.org/bot{}/getMe", "712345678:AA" + pick(URLSAFE, 33)),
    ("url-password", "postgres://shop:{}@db.internal:5432/shop", "Tr0ub4dor3"),
    ("url-password", "the cache is redis://:{}@10.0.0.4:6379/0.", "qwe8871zz"),
    ("url-password", "git clone https://ana:{}@git.internal/x.git", pick(ALNUM, 20)),
    ("url-password", "curl -s -u ana:{} https://x.internal", "Katze77x"),
    ("password", "my password's {}", "hunter2"),
    ("password", "router password - {}", "szSTjyeR"),
    ("password", "비밀번호를 {}로 변경", "goyangi88"),
    ("api-key", "OPENWEATHER_KEY={}", pick(HEX, 32)),
    ("api-key", "api_key: {}", pick(HEX, 16)),
    ("bearer", "curl -H 'Authorization: Bearer {}' https://x.internal", pick(ALNUM, 40)),
    ("bearer", "Authorization: Basic {}", base64.b64encode(b"ana:Tr0ub4dor3-and-more").decode().rstrip("=")),
    ("password", "The wifi pass: {}", "hunter2"),
    ("password", "pass: **{}**", "Xk9#mmq2"),
    ("api-key", "The wallet's private key: {}", "0x" + pick(HEX, 64)),
    ("password", "The wifi password is {}", "hunter2"),
    ("password", "the password for the staging database is {}.", "Xk9mmq2z"),
    ("password", "We changed the router password to {}, tell Ana", "Blau3Katze"),
    ("password", "password: {}", "hunter2!"),
    ("password", "- **Password:** {}", "Xk9#mmq2"),
    ("password", "| NAS password | {} |", "Xk9mmq2z"),
    ("password", "MYSQL_ROOT_PASSWORD={}", "s3cr3tR00t"),
    ("password", '{{"db_password": "{}"}}', "s3cr3tR00t"),
    ("password", "mysql --password={} shop", "s3cr3tR00t"),
    ("password", "<password>{}</password>", "s3cr3tR00t"),
    ("password", "Password (guest wifi): {}", "Blau3Katze"),
    ("password", "Das Passwort lautet {}", "Blau3Katze"),
    ("password", "Das Kennwort für den Router ist „{}“.", "Blau3Katze"),
    ("password", "La contraseña del router es «{}».", "gato4Azul"),
    ("password", "Le mot de passe est {}", "chat5Bleu"),
    ("password", "密码是{}。", "Lan3Mao9"),
    ("password", "数据库密码\uff1a{}\uff0c别忘了", "Lan3Mao9"),
    ("password", "密码\uff08测试\uff09\uff1a{}\uff01", "Lan3Mao9"),
    ("password", "パスワードは「{}」です", "aoi7Neko"),
    ("password", "비밀번호는 {}입니다", "goyangi8Parang"),
    ("password", "비번: {}", "goyangi8Parang"),
    ("api-key", "api_key = {}", pick(ALNUM, 32)),
    ("api-key", "- **API Key:** {}", "moltbook_sk_" + pick(ALNUM, 32)),
    ("api-key", 'const apiKey = "{}";', pick(ALNUM, 24)),
    ("api-key", "The API key for weather is {}, free tier", pick(HEX, 32)),
    ("api-key", "client_secret: '{}'", pick(ALNUM, 32)),
    ("api-key", "Home Assistant token: {}", pick(URLSAFE, 40)),
    ("api-key", "- Token: {}", str(uuid.UUID(int=dice.getrandbits(128)))),
    ("api-key", "//registry.example/:_authToken={}", pick(ALNUM, 36)),
    ("api-key", "Der API-Schlüssel ist {}", pick(ALNUM, 32)),
    ("api-key", "API密钥:{}", pick(ALNUM, 32)),
    ("api-key", "APIキーは {} です", pick(ALNUM, 32)),
    ("api-key", "API 키: {}", pick(ALNUM, 32)),
    ("api-key", "la clave de API es {}", pick(ALNUM, 32)),
]
KEYS = [pem(""), pem("RSA "), pem("EC "), pem("OPENSSH "), pem("ENCRYPTED "), pem("RSA ", "\r\n"), pem("", "\\n")]
WRAPPED = (
    "{}", "({})", "'{}'", '"{}"', "`{}`", "**{}**", "*{}*", "_{}_", "__{}__", "it is {}.", "is it {}?", "{}!", "a,{},b", "<{}>",
    "[{}]", "x={}\r\n", "- {}\n- next", "\u201c{}\u201d", "「{}」", "密钥{}。", "key:{};", "\t{}\t", '\\"{}\\"', "a {}\\n", "| {} |", "~~{}~~", "…{}…",
)  # fmt: skip

NOTHING = [  # ordinary lines, in a journal, in code, in documents
    "The password is in the vault.",
    "password: ********",
    "Password: ${DB_PASSWORD}",
    "password = os.environ['PASS1']",
    "password: {{ vault_db_password_1 }}",
    "password: !vault 1",
    "def login(user: str, password: str) -> Token1:",
    "password=settings.db1.password2",
    "The password is required to have 12 characters and 2 digits",
    "The password was rotated on 2026-02-04.",
    "password rotated: 2026-02-04T10:00:00Z",
    "Password hashing is argon2id, not bcrypt.",
    "password: sha256",
    "password is stored in 1Password",
    "password: changeme123",
    "password=password1",
    "Passwort ist im Tresor, Fach 2b",
    "La contraseña está en 1Password",
    "パスワードは金庫の中",
    "비밀번호는 금고에 있다",
    "Reset the password at https://id.example.com/reset2fa",
    "password: see docs/passwords2.md",
    "password: memory/2026-01-20.md#L45-L52",
    "api_key = YOUR_API_KEY_GOES_HERE_12345",
    "api_key: ${OPENAI_API_KEY}",
    "export OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "Set ANTHROPIC_API_KEY=sk-ant-your-key-goes-here-please-now",
    "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
    "token: " + "ghp_" + "x" * 36,
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "tokens: 1234567890123456",
    "max_tokens=4096, token_type=bearer",
    "The token is a short-lived-session-token-v2",
    "token: claude-sonnet-4-20250514",
    "secret: projects/shop-prod-1/secrets/db/versions/3",
    "the secret is patience",
    "secret_ref = op://Private/db2/password",
    "key: memory-2026-01-20-standup",
    "sk-fading-circle-loader-animation-wrapper",
    "risk-assessment-of-the-2026-programme-office",
    "task-1234567890abcdef1234567890 done",
    "ASIAPACIFICREGIONALHEADQUARTERS",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "postgres://user:password@localhost/db",
    "postgres://USER:${PASS}@host/db",
    "https://user:<token>@github.com/x/y.git",
    "http://localhost:8080/@scope/package",
    "http://ana:***@host/",
    "NotImplementedErrorHandlers.module.some_function_name_longer_than_that",
    "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "-----BEGIN " + "PUBLIC KEY-----\n" + pick(ALNUM, 64) + "\n-----END PUBLIC KEY-----",
    "Bearer ${ACCESS_TOKEN}",
    "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE_PLEASE",
    "He is the bearer of extraordinarily-good-news-about-2026",
    str(uuid.UUID(int=dice.getrandbits(128))),
    "token id: " + str(uuid.UUID(int=dice.getrandbits(128))),
    "commit " + pick(HEX, 40),
    "blob sha256:" + pick(HEX, 64),
    '"integrity": "sha512-' + base64.b64encode(dice.randbytes(64)).decode() + '"',
    'hash = "sha256:' + pick(HEX, 64) + '"',
    "![x](data:image/png;base64," + base64.b64encode(dice.randbytes(30_000)).decode() + ")",
    base64.urlsafe_b64encode(dice.randbytes(30_000)).decode(),
    'Evidence: memory/2026-02-13.md#L12-L14@1f3c9ab "shorter please" sha256:9b1c07aa42de',
    "- Key decision: REST over GraphQL v2 for the public API. #decision",
    "bypass: route66highway",
    "Ana's birthday is 1990-04-12, keyboard layout is de-latin1",
    "compare_digest(token, expected_token1)",
    "secret santa is on 2026-12-06 at Ana4's",
    "api_key: " + "0123456789abcdef" * 2,
    "api_key = abcdefghij-1234567890",
    'curl -u "xxx:yyy" https://x.internal',
    "http://aaa:bbbb@db.internal/",
    "7123456789:AA" + pick(URLSAFE, 33) + "-and-more-of-it",  # longer than any
    "The pass phrase: correct horse battery staple",
    f"The shop's token (contract: `0x{pick(HEX, 40)}`) is on the main chain.",  # an address that everybody may see
    f"session_key: agent:main:subagent:{uuid.UUID(int=dice.getrandbits(128))}",
    f"https://vote.internal/rate?item=7&sig={pick(ALNUM, 43)}",  # signs one link, of nobody that is known
    f"- Token: github_pat_{pick(ALNUM, 22)}_*** (in the keyring)",  # its writer blotted it out
    f"password: {pick(ALNUM, 6)}***",
    f"401: no such api key (request_id: {pick(HEX, 32)})",  # the last name before a value says what it is
    f"They sent the shared password in a chat message (message_id: {pick('0123456789ABCDEF', 32)})",
    "smoke.py ALL PASS: fast+quiet mode holds",  # a verdict
    "- bench.py PASS: mean_error=0.1423, as wanted",
    "Next step once both gates pass: **Grow the list",
    f"Renew the token or leave the old token.,request_id: req_01{pick(ALNUM, 22)}",
    f'Evidence: session:5b0f3c1e#a1 "the staging password rotates every Monday" sha256:{pick(HEX, 12)}',
]  # fmt: skip


@pytest.mark.parametrize(("rule", "secret"), TOKENS, ids=[f"{r}-{s[:6]}-{n}" for n, (r, s) in enumerate(TOKENS)])
def test_every_token_is_found_under_its_name_in_every_wrapping(rule, secret):
    """Quotes, emphasis, code spans, full stops, CRLF and CJK text around a token do not hide it."""
    for wrapping in WRAPPED:
        text = "first line\n" + wrapping.format(secret)
        findings = find_secrets(text)
        assert [(f.rule, f.line) for f in findings] == [(rule, 2)], wrapping
        assert (
            secret in text[findings[0].start : findings[0].end] or text[findings[0].start : findings[0].end] in secret
        )


@pytest.mark.parametrize(("rule", "line", "secret"), CONTEXT)
def test_a_secret_is_found_by_what_stands_before_it(rule, line, secret):
    """An assignment or a sentence in any of the seven languages gives a secret away."""
    for newline in ("\n", "\r\n"):
        text = newline.join(["# Notes", "", line.format(secret), "more", ""])
        findings = find_secrets(text)
        assert [(f.rule, f.line) for f in findings] == [(rule, 3)]
        assert text[findings[0].start : findings[0].end].rstrip("!") == secret.rstrip("!")


@pytest.mark.parametrize("key", KEYS)
def test_a_private_key_block_is_one_finding(key):
    """A PEM block is found whole, also when it is quoted or sits in a JSON string."""
    for text in (key, f"a\n\n```\n{key}\n```\n", f'{{"key": "{key}"}}', "\n".join(f"> {x}" for x in key.split("\n"))):
        assert [f.rule for f in find_secrets(text)] == ["private-key"]


@pytest.mark.parametrize("line", NOTHING, ids=[str(n) for n in range(len(NOTHING))])
def test_ordinary_text_is_no_secret(line):
    """Placeholders, references, identifiers, hashes, ids and images are left alone."""
    assert find_secrets(f"- {line}\n") == ()
    assert find_secrets(line) == ()


def test_two_secrets_side_by_side_are_two_findings():
    """Neighbours do not swallow each other, and findings come in the order of the text."""
    first, second = TOKENS[2][1], TOKENS[3][1]
    assert [f.line for f in find_secrets(f"{first},{second}\n{second}")] == [1, 1, 2]


def test_a_token_in_an_assignment_is_reported_once_by_its_own_name():
    """`api_key = ghp_…` is a GitHub token, not two secrets."""
    assert [f.rule for f in find_secrets(f"api_key = '{TOKENS[2][1]}'")] == ["github"]


def test_the_fingerprint_names_the_secret_without_holding_it():
    """It is a prefix of sha256 over rule and secret: the same anywhere, another for another secret."""
    secret = TOKENS[2][1]
    (first,), (second,) = find_secrets(f"a {secret}"), find_secrets(f"x\ny **{secret}**.")
    assert first.fingerprint == second.fingerprint
    assert first.fingerprint == hashlib.sha256(f"github\0{secret}".encode()).hexdigest()[:12]
    assert find_secrets(TOKENS[3][1])[0].fingerprint != first.fingerprint


def test_private_keys_of_one_kind_have_different_fingerprints():
    """OpenSSH keys share their first line; the fingerprint covers the whole body."""
    head = "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n" + "b3BlbnNzaC1rZXktdjEA" * 3 + "\n"
    prints = {
        find_secrets(head + pick(ALNUM, 64) + "\n-----END OPENSSH PRIVATE KEY-----")[0].fingerprint for _ in range(5)
    }
    assert len(prints) == 5


@given(st.sampled_from(TOKENS), st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=amount(100, 15))
def test_a_finding_never_holds_the_secret(token, before, after):
    """Neither repr nor any field carries it, so that a log or a report may show findings."""
    secret = token[1]
    for finding in find_secrets(f"{before} {secret} {after}"):
        assert secret not in repr(finding)
        assert set(Finding.__struct_fields__) == {"rule", "line", "start", "end", "fingerprint"}


@given(st.text())
@settings(max_examples=amount(100, 20))
def test_scan_takes_any_text(text):
    """No text makes it raise; offsets lie in the text and lines count `\\n`."""
    for finding in find_secrets(text):
        assert 0 <= finding.start < finding.end <= len(text)
        assert finding.line == text.count("\n", 0, finding.start) + 1


@pytest.mark.parametrize("text", ["\ud800 password: hunter2", "password: hunter2 \udfff", "\x00password=hunter2"])
def test_broken_text_is_scanned_all_the_same(text):
    """Lone surrogates and NUL bytes hide nothing and shift no offset."""
    (finding,) = find_secrets(text)
    assert text[finding.start : finding.end] == "hunter2"


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "password ",
        "password is ",
        "password = ",
        "sk-",
        "eyJ.",
        "-----BEGIN ",
        "://a:",
        "token: a1 ",
        "AB12cd34/",
        "密码是",
        "A.b.",
        "xoxb-1",
    ],
)
def test_a_long_line_does_not_hang(unit):
    """Time grows with the length of the text, for any repetition in it."""
    size = amount(1_500_000, 200_000)
    text = (unit * (size // len(unit) + 1))[:size]
    find_secrets(text)


def test_a_large_file_full_of_secrets_is_read_to_its_end():
    """The last of many is still found, on the right line."""
    count = amount(3000, 500)
    text = "".join(f"line {n} 密钥 ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ{n:010d}\n" for n in range(count))
    findings = find_secrets(text)
    assert len(findings) == count
    assert findings[-1].line == count


@pytest.mark.parametrize(
    "text",
    [
        "PGPASSWORD=S3cr3t@9xQ2vv psql # prod",
        "password: S3cr3t@9xQ2vv ok # rotate",
    ],
)
def test_a_hash_mark_behind_a_password_hides_nothing(text):
    assert find_secrets(text)


def test_behind_the_name_of_a_hash_a_secret_is_one():
    assert find_secrets(f'Evidence: memory/a.md#L1 "the api key" sha256:{pick(ALNUM, 40)}')


def test_a_long_line_with_many_names_of_secrets_is_scanned():
    line = "".join(f"Evidence: token={pick(HEX, 12)} " for _ in range(20_000))
    assert [finding.line for finding in find_secrets(f"{line}\nghp_{pick(ALNUM, 36)}")] == [2]
