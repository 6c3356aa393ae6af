"""What comments of OpenClaw say of a line counts; and words inside of names, emoji."""

from collections.abc import Callable
from typing import Any

from clawgit.search import recall
from clawgit.search.answer import Hit, Query
from clawgit.workspace.workspace import open_workspace

LAB = "- Never plug the lab into the main switch."
MEMORY = f"""# Memory

{LAB} <!-- trigger: network safety, vlan --> <!-- importance: 9 -->
- The kettle descales monthly. <!-- importance: 2 -->
- The kettle descales yearly. <!-- importance: 9 -->
- Atlas ships in June. <!-- project: Atlas -->
- Borealis ships in June. <!-- project: borealis --> <!-- importance: 4000000000000000000000 -->
- 紧急情况打这个号码 <!-- trigger: 火警 -->
- Call `getUserById` for the profile.
- Release day \U0001f680 is Friday.
- `<!-- trigger: zebra -->` is how a trigger is written.
"""


def test_comments_parts_of_names_and_emoji_lead_to_a_line(write: Callable) -> None:
    root = write({"MEMORY.md": MEMORY})

    def found(question: str, **more: Any) -> list[Hit]:
        with open_workspace(root) as workspace:
            return list(recall.search_files(workspace, Query(question, **more)).results)

    first = {
        "network safety": 3,
        "火警": 8,
        "how often does the kettle descale": 5,
        **dict.fromkeys(("user profile by id", "getUserById", "get_user_by_id"), 9),
        **dict.fromkeys(("\U0001f680", "what happens on \U0001f680 day"), 10),
    }
    assert {question: found(question)[0].start for question in first} == first
    assert found("network safety")[0].snippet == LAB
    assert [hit.start for hit in found("what ships in June", project="atlas")] == [6]
    assert {hit.start for hit in found("what ships in June")} == {6, 7}
