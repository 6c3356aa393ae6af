"""The types of clawgit's public names: checked by `make types`, and in .ci/run against the wheel."""

from typing import assert_type

import clawgit
from clawgit import api

with clawgit.open("workspace") as memory:
    assert_type(memory, clawgit.Memory)
    assert_type(memory.add("Tea is green.").id, str)
    assert_type(memory.add("Tea is green.").applied, api.Applied)
    assert_type(memory.search("tea"), api.Answer)
    assert_type(memory.search("tea").results, tuple[api.Hit, ...])
    assert_type(memory.context("tea"), api.Assembled)
    assert_type(memory.context("tea").text, str)
    assert_type(memory.log(), list[api.Record])
    assert_type(memory.why("MEMORY.md", 1), api.Reason)
    assert_type(memory.undo(), api.Applied)
    assert_type(memory.restore("MEMORY.md"), api.Applied)
    assert_type(memory.inbox(), list[api.Item])
    assert_type(memory.triage("tea"), api.Triage)
assert_type(clawgit.triage("tea"), api.Triage)
assert_type(clawgit.ClawgitError("usage", "no").key, str)
assert_type(clawgit.__version__, str)
