"""Makes cases for retries.py of recorded sessions of other agents.

    python benchmarks/memory/recorded_calls.py FILE ... >cases.json
    python benchmarks/memory/recorded_calls.py --lessons LESSONS FILE ... >cases.json

A file is a session of Claude Code (`.jsonl`) or a trajectory of SWE-agent (`.traj`); each becomes a case, named after
the file, with every call and its result, and what was said between. LESSONS is a JSON document: the lessons of each
case by its name as retries.py reads them, `{"NAME": [[WRONG, RIGHT], …]}`, numbers of steps from 0, and what is
`doubtful` under that name; a case that it does not name has none.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Step = list[str]


def of_claude_code(rows: Iterable[str]) -> list[Step]:
    """Return the steps of a session: `[tool, arguments, result]` of a call, `[words]` of the operator's."""
    steps: list[Step] = []
    open_: dict[str, Step] = {}
    for row in rows:
        try:
            said = json.loads(row)
        except ValueError:
            continue
        message = said.get("message") if isinstance(said, dict) else None
        if not isinstance(message, dict) or said.get("isMeta") or said.get("isCompactSummary"):
            continue
        content = message.get("content")
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content or ():
            match block:
                case {"type": "tool_use", "id": str(call), "name": str(tool)}:
                    steps.append([tool, json.dumps(block.get("input") or {}, ensure_ascii=False)])
                    open_[call] = steps[-1]
                case {"type": "tool_result", "tool_use_id": str(call)} if call in open_:
                    result = _text(block.get("content"))
                    open_.pop(call).append(f"!{result}" if block.get("is_error") else result)
                case {"type": "text", "text": str(text)} if message.get("role") == "user" and _typed(text):
                    steps.append([text.strip()])
    return [item for item in steps if len(item) != 2]


def of_swe_agent(trajectory: Mapping[str, Any]) -> list[Step]:
    """Return the steps of a trajectory; all its calls are commands of a shell."""
    questions = next((_text(row["content"]) for row in trajectory["history"] if row["role"] == "user"), "")
    return [[questions]] + [["bash", row["action"].strip(), row["observation"]] for row in trajectory["trajectory"]]


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(row["text"] for row in content or () if isinstance(row, dict) and "text" in row)


def _typed(text: str) -> bool:
    """Tell whether a person typed it: what begins with a tag or a bracket was put there by the program."""
    return bool(text.strip()) and text.lstrip()[0] not in "<["


def cases(files: Sequence[Path], lessons: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the case of each file."""
    doubtful = lessons.get("doubtful", {})
    for path in files:
        text = path.read_text("utf-8", "replace")
        steps = of_swe_agent(json.loads(text)) if path.suffix == ".traj" else of_claude_code(text.split("\n"))
        said = steps.pop(0)[0] if steps and len(steps[0]) == 1 else ""
        case = {"name": path.stem, "said": said, "steps": steps}
        yield case | {"lessons": lessons.get(path.stem, []), "doubtful": doubtful.get(path.stem, [])}


def main() -> None:
    """Print the cases as a JSON document."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lessons", type=Path, metavar="LESSONS")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    known_rows = json.loads(options.lessons.read_text("utf-8")) if options.lessons else {}
    json.dump({"case": list(cases(options.files, known_rows))}, sys.stdout, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main()
