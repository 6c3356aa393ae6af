"""`clawgit triage`."""


def test_a_bad_pattern_of_the_configuration_is_told_and_the_rest_works(call, space):
    (space / "CONFIG.md").write_text("```yaml\nheartbeat_custom_patterns:\n  - (a\n  - ship it\n```\n")
    answer = call("triage", "SHIP IT", "--json")
    assert ([match["group"] for match in answer.json["matches"]], answer.code) == (["custom"], 0)
    assert "CONFIG.md:3: heartbeat_custom_patterns: '(a' is no pattern" in answer.err
    assert "CONFIG.md:3" in call("config").err
    before = (space / "CONFIG.md").read_bytes()
    for value in ("['ship it', '(a']", "[{rule: x}]"):
        assert call("config", "heartbeat_custom_patterns", value).code == 2
    assert (space / "CONFIG.md").read_bytes() == before
