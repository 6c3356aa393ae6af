"""Every error and finding has a key of the one registry."""

import ast
import re

from clawgit.errors import KEYS
from tests.ratchets.measures import trees

KEYED = ("Finding", "Obstacle", "Problem", "Refused", "__init__")
UNKEYED = ("safety/secrets.py", "agents/mining/")


def list_used() -> set[str]:
    keys = set()
    for path, tree in trees().items():
        if any(part in path.as_posix() for part in UNKEYED):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    if name.replace("_", "-") in KEYS:
                        keys.add(name.replace("_", "-"))
                    elif (name.endswith("Error") or name in KEYED) and node.args:
                        keys |= {
                            key
                            for node_argument in (node.args[0], node.args[-1])
                            for key in literals(node_argument)
                            if node_argument is node.args[0] or key in KEYS
                        }
                    keys |= {
                        key for keyword in node.keywords if keyword.arg == "key" for key in literals(keyword.value)
                    }
    return keys


def literals(node: ast.expr) -> set[str]:
    """Return the strings that an expression may come to, as far as it names them."""
    match node:
        case ast.Constant(value=str(text)) if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", text):
            return {text}
        case ast.IfExp(body=body, orelse=orelse):
            return literals(body) | literals(orelse)
        case _:
            return set()


def test_every_key_is_registered_and_every_registered_key_is_used() -> None:
    keys = list_used()
    assert keys - KEYS.keys() == set()
    assert KEYS.keys() - keys - {"alarm"} == set()


def test_a_key_is_a_noun_phrase_of_letters() -> None:
    assert [key for key in KEYS if not re.fullmatch(r"[a-z]+(-[a-z]+)*", key)] == []


def test_a_command_has_a_name_for_each_place_of_its_template() -> None:
    wrong = []
    for path, tree in trees().items():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="Command"), args=[ast.Constant(value=str(template)), *names]):
                    if template.count("{}") != len(names):
                        wrong.append(f"{path.name}:{node.lineno} {template}")
    assert wrong == []
