"""A night with a model: conversations as OpenClaw has them, and an endpoint that proposes and judges."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.model_endpoint import Endpoint, Reply, Request, completion, serving
from tests.promises.desk import Desk
from tests.sessions.transcripts import head, lines, message, returned, tool_call, write_sessions

DIRECT, GROUP = "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c01", "5b0f3c1e-6a52-4a3e-9d57-0f6f0a9e4c02"
KINDS = {DIRECT: ("agent:main:main", "direct"), GROUP: ("agent:main:telegram:group:-500", "group")}
HOUR = 3600
Operation = dict[str, Any]
_FORMS = ("{text}", "Asked for always: {text}", "A and B cannot both be true.")


def add(citation: str, text: str, **fields: Any) -> Operation:
    """Return an operation that adds a line; `cited` are words of the turns that it rests on, between `&`."""
    return {"act": "add", "cited": citation, "text": text, "tag": "knowledge", **fields}


class Night:
    """A workspace, the conversations of its agent, and the model's answers about them."""

    def __init__(self, desk: Desk, state: Path) -> None:
        self.desk, self.state, self.rows = desk, state, dict[str, list[dict[str, Any]]]()
        self.proposes: list[Operation] | str = []
        self.judge: Callable[[str, str], str] = self.believe
        self.asked: list[Request] = []
        self.endpoint = Endpoint(self.answer)

    def talk(self, *turns: str, session: str = DIRECT, ago: float = HOUR) -> None:
        """Have a conversation, `ago` seconds before now: `O: words` of the operator, A, T and X of others."""
        rows, start = self.rows.setdefault(session, []), time.time() - ago
        for turn in turns:
            speaker, _, text = turn.partition(": ")
            name, seconds = f"e{len(rows):07x}", start + 10 * len(rows)
            parent = rows[-1]["id"] if rows else None
            owner = {"__openclaw": {"senderIsOwner": speaker == "O", "senderId": speaker}}
            if speaker == "T":
                rows.append(tool_call(name, parent, "fetch", {"page": 1}, seconds))
                rows.append(returned(f"{name}r", name, "fetch", text, seconds))
            else:
                role = "assistant" if speaker == "A" else "user"
                rows.append(message(name, parent, role, text, seconds, **(owner if role == "user" else {})))
        folder = self.state / "agents/main/sessions"
        folder.mkdir(parents=True, exist_ok=True)
        for name, entries in self.rows.items():
            (folder / f"{name}.jsonl").write_text(lines([head(name), *entries]), "utf-8")
        kinds = {name: KINDS[name] for name in self.rows}
        write_sessions(folder, **{name: (key, {"chatType": kind}) for name, (key, kind) in kinds.items()})
        self.desk.run("session", "import")

    def read(self, agent: str = "memory-miner", *proposes: Operation, said: str = "") -> list[tuple[str, str]]:
        """Have an agent read with a model that proposes this; return the state and the reason of each operation."""
        self.proposes = said or list(proposes)
        verdicts = self.desk.run("run", agent, "--apply")["verdicts"]
        return [(row["state"], row.get("why", "")) for row in verdicts]

    def states(self, agent: str, *proposes: Operation) -> list[str]:
        return [state for state, _ in self.read(agent, *proposes)]

    def answer(self, request: Request) -> Reply:
        """Answer a request as the endpoint does."""
        rules, material = (message["content"] for message in request.body["messages"])
        if "tried out" in rules:
            return Reply(completion("ready"))
        self.asked.append(request)
        if "Judge each claim" in rules:
            sources = dict(re.findall(r"^(S\d+): (.*)$", material, re.MULTILINE))
            claims = re.findall(r"^(\d+) \[(S\d+)\] (.*)$", material, re.MULTILINE)
            return Reply(
                completion("\n".join(f"{n} {self.judge(claim, sources[source])}" for n, source, claim in claims))
            )
        self.material = material
        if isinstance(self.proposes, str):
            return Reply(completion(self.proposes))
        return Reply(completion(json.dumps({"operations": [self._number(row) for row in self.proposes]})))

    def _number(self, operation: Operation) -> Operation:
        """Return an operation with the numbers of the turns and the ids of the entries that it names by their words."""
        numbers = [self._turn(words.strip()) for words in operation.get("cited", "").split("&") if words.strip()]
        entries = [self._entry(words) for words in operation.get("entries", ())]
        context = {"context": self._turn(operation["context"])} if "context" in operation else {}
        fields = {name: value for name, value in operation.items() if name not in ("cited", "claims")}
        return {**fields, "turns": numbers, **context, **({"entries": entries} if entries else {})}

    def _turn(self, words: str) -> int:
        turns = re.split(r"^(\d+) (?=[OATX]\*? )", self.material.rpartition("Turns:\n")[2], flags=re.MULTILINE)
        return next(int(n) for n, text in zip(turns[1::2], turns[2::2], strict=True) if words in text)

    def _entry(self, words: str) -> str:
        rows = re.findall(r"^([a-z]{8,}) (.*)$", self.material, re.MULTILINE)
        return next(name for name, text in rows if words in text)

    def believe(self, claim: str, source: str) -> str:
        """Say wholly to the claims that were proposed, if their source has a word of them."""
        own = self.proposes if isinstance(self.proposes, list) else []
        forms = {form.format(text=row.get("text", "")) for row in own for form in _FORMS}
        forms |= {claim for row in own for claim in row.get("claims", ())}
        words = re.findall(r"[\u4e00-\u9fff]{2}|[^\W\d]{4,}|\d+", claim.casefold())
        source = re.sub(r"#\d+ \([\d-]+\) ", "", source).casefold()  # the day of a turn is none of its words
        return "wholly" if claim in forms and any(word in source for word in words) else "not"


@contextmanager
def open_night(folder: Path, patch: pytest.MonkeyPatch, *, has_model: bool = True) -> Iterator[Night]:
    """Adopt a workspace of an OpenClaw with agents that read with a model or without one."""
    root, state = folder / "ws", folder / "openclaw"
    night = Night(Desk.adopt(root), state)
    state.mkdir()
    agents = {"agents": {"entries": {"main": {"workspace": str(root), "default": True}}}}
    (state / "openclaw.json").write_text(json.dumps(agents))
    patch.setenv("OPENCLAW_STATE_DIR", str(state))
    if not has_model:
        yield night
        return
    with serving(night.answer) as night.endpoint:
        for name, value in night.endpoint.environ.items():
            patch.setenv(name, value)
        night.desk.run("config", "llm", "tiny", terminal="")
        yield night
