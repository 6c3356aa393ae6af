"""Whether codes are asked for is the operator's to say."""

from clawgit.git.repository import find
from clawgit.workspace.workspace import Workspace


def approve(space):
    with Workspace(find(space)) as workspace:
        return workspace.config.value("ui_approve")


def test_a_code_is_asked_for_unless_the_operator_says_otherwise(space):
    assert approve(space) == "code"


def test_whoever_writes_it_into_the_file_does_not_turn_it_off(space, commands):
    """The agent can write CONFIG.md: what gives more leave is not used before `clawgit trust`."""
    config = (space / "CONFIG.md").read_text()
    (space / "CONFIG.md").write_text(config.replace("```yaml\n", "```yaml\nui_approve: off\n", 1))
    assert approve(space) == "code"
    assert any(row["key"] == "ui_approve" for row in commands("trust").record["keys"])


def test_without_a_terminal_it_is_not_trusted_either(space, commands):
    commands("config", "ui_approve", "off")
    assert approve(space) == "code"
