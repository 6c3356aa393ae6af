"""Secrets of many kinds, put wherever words come in: they are caught there, and come out nowhere."""

import base64
import json
import random
import string
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.amounts import amount
from tests.sessions.transcripts import chain, write_transcript

dice = random.Random(20261121)
LOW, UP, NUM = string.ascii_lowercase, string.ascii_uppercase, string.digits
MIXED, HEX = LOW + UP + NUM, NUM + "abcdef"


def make_letters(letters: str, length: int) -> str:
    """Return made-up text that ends like no placeholder."""
    end = "k7" if "k" in letters else ""
    return "".join(dice.choices(letters, k=length - len(end))) + end


def uuid() -> str:
    return "-".join(make_letters(HEX, length) for length in (8, 4, 4, 4, 12))


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode().rstrip("=")


def pem() -> str:
    rows = [make_letters(MIXED, 64) for _ in range(5)]
    return "\n".join(["-----BEGIN OPENSSH PRIVATE" + " KEY-----", *rows, "-----END OPENSSH PRIVATE" + " KEY-----"])


CLAIMS = {"sub": "42", "role": "service"}
JWT = f"{coded(json.dumps({'alg': 'HS256'}))}.{coded(json.dumps(CLAIMS))}.{make_letters(MIXED, 43)}"

PLANTED = [  # what is said around it, and the secret
    ("Rotate the AWS key {} before Friday.", "AKIA" + make_letters(UP + "234567", 16)),
    ("aws_secret_access_key = {}", make_letters(MIXED, 40)),
    ("Push with {} until the app is set up.", "ghp_" + make_letters(MIXED, 36)),
    ("- OpenAI: {}", "sk-proj-" + make_letters(MIXED, 74) + "T3BlbkFJ" + make_letters(MIXED, 74)),
    (
        "Alerts go to {}",
        f"https://hooks.slack.com/services/T{make_letters(UP, 8)}/B{make_letters(UP, 8)}/{make_letters(MIXED, 24)}",
    ),
    ("stripe: {}", "sk_live_" + make_letters(MIXED, 24)),
    ("HUBSPOT_API_KEY={}", uuid()),
    ("supabase service role {}", JWT),
    ("The deploy key:\n\n{}\n\nkeep it", pem()),
    ("postgres://shop:{}@db.internal:5432/shop", "Tr0ub4" + make_letters(MIXED, 8)),
    ("curl -H 'Authorization: Bearer {}' https://api.internal", make_letters(MIXED, 40)),
    ("The wifi password is {}", "Regen4Bogen!" + make_letters(NUM, 2)),
    ("Das Passwort für den Router lautet {}", "Katze" + make_letters(NUM, 4) + "x"),
    ("パスワードは「{}」です", "sakura" + make_letters(NUM, 3) + "Xy"),
]


def parts(secret: str) -> list[bytes]:
    """Return the parts that may occur nowhere: of a key each of its lines."""
    return [row.encode() for row in secret.split("\n") if "PRIVATE" not in row]


def lying(folder: Path) -> bytes:
    return b"\0".join(place.read_bytes() for place in sorted(folder.rglob("*")) if place.is_file())


def objects(space: Path) -> bytes:
    result = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"], cwd=space, capture_output=True, check=True
    )
    return result.stdout


def list_sentences(data: bytes) -> list[str]:
    return [sentence for sentence, secret in PLANTED if any(part in data for part in parts(secret))]


def test_a_conversation_is_kept_without_them(call: Callable, space: Path, tmp_path: Path) -> None:
    turns = chain(*(("user", sentence.format(secret)) for sentence, secret in PLANTED))
    write_transcript(tmp_path / "talk.jsonl", turns, session="5b0f3c1e")
    answer = call("session", "import", tmp_path / "talk.jsonl", "--json")
    assert answer.json["new"] == len(PLANTED)
    assert list_sentences(lying(space / ".git/clawgit")) == []
    for command in (["session", "show", "5b0f"], ["session", "show", "5b0f", "--json"], ["session", "list"]):
        output = call(*command)
        assert output.code == 0
        assert list_sentences(output.out.encode()) == []


@pytest.fixture
def leaked(space: Path, inside: Callable) -> Path:
    """A journal with all of them, committed by somebody past every hook."""
    rows = [f"- {sentence.format(secret)}" for sentence, secret in PLANTED]
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/2026-02-14.md").write_text("# 2026-02-14\n\n" + "\n".join(rows) + "\n")
    (space / "MEMORY.md").write_text("# Memory\n\n" + "\n".join(rows) + "\n")
    inside("add", "-A")
    inside("commit", "-q", "--no-verify", "-m", "by hand")
    return space


def test_evidence_quotes_none_of_them(call: Callable, leaked: Path, inside: Callable) -> None:
    lines = (leaked / "memory/2026-02-14.md").read_text().split("\n")
    before = objects(leaked)
    for number, (_, secret) in enumerate(PLANTED[:: amount(1, 5)]):
        line_number = next(number for number, row in enumerate(lines, 1) if parts(secret)[0].decode() in row)
        pointer = f"memory/2026-02-14.md#L{line_number}"
        answer = call("memory", "add", f"Number {number} was agreed upon.", "--evidence", pointer, "--json")
        assert list_sentences((answer.out + answer.err).encode()) == []
    log = inside("log", "--format=%B%N").encode()
    assert list_sentences(log + (leaked / ".clawgit/entries.tsv").read_bytes()) == []
    assert len(objects(leaked)) > len(before)
    assert list_sentences(lying(leaked / ".git/clawgit")) == []


PRINTS = [
    *(["log"], ["log", "memory/2026-02-14.md"], ["status"], ["doctor"], ["adopt", "--dry-run"], ["digest"]),
    *(["search", "password"], ["search", "key token wifi"], ["memory", "list"], ["memory", "get", "MEMORY.md"]),
    *(["context", "what is the wifi password?"], ["memory", "promote"], ["capture"], ["soul", "log"], ["trust"]),
    *(["changelog"], ["session", "list"], ["conflicts"], ["corrections"], ["soul", "history"]),
    *(["undo", "HEAD~99"], ["why", "memory/2026-02-14.md:999"], ["show", "{}"], ["log", "{}"], ["{}"]),
]


def test_no_command_prints_one(call: Callable, leaked: Path) -> None:
    """Not in an answer, not in a document, not in an error that repeats the input."""
    for arguments in PRINTS:
        for options in ([], ["--json"]):
            for secret in (PLANTED[2][1], PLANTED[5][1]):
                answer = call(*(word.format(secret) for word in arguments), *options)
                assert list_sentences((answer.out + answer.err).encode()) == []
                if "{}" not in " ".join(arguments):
                    break
        assert list_sentences(lying(leaked / ".git/clawgit")) == []


def test_files_are_written_to_the_byte(call: Callable, leaked: Path) -> None:
    _, secret = PLANTED[2]
    path = "memory/2026-02-14.md"
    number = next(number for number, row in enumerate((leaked / path).read_text().split("\n"), 1) if secret in row)
    assert "[github " in call("why", f"{path}:{number}").out
    (leaked / path).unlink()
    call("restore", path)
    assert secret in (leaked / path).read_text()


def test_every_secret_of_a_file_is_named(call, space):
    keys = ("ghp_Zk8Qw3Rt6Yp1Lm9Xc4Vb7Nh2Jd5Gs0FaTe3U", "ghp_Qm7Xc2Vb9Nh4Jd1Gs6Fa3Te8Zk5Qw0Rt2Yp7L")
    (space / "MEMORY.md").write_text(f"# Memory\n\n- key {keys[0]}\n\n- key {keys[1]}\n")
    for answer in call("capture"), call("status"):
        assert "MEMORY.md:3" in answer.out + answer.err
        assert "MEMORY.md:5" in answer.out + answer.err
