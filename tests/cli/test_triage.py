"""`clawgit triage`."""


def test_the_document_names_pattern_place_route_and_pair(call):
    answer = call("triage", "No, it's Wednesday, not Tuesday", "--json")
    assert answer.code == 0
    assert answer.json == {
        "priority": False,
        "matches": [
            {
                "pattern": "no,? (i said|it's|it was|my)",
                "group": "recall",
                "route": "recall-validator",
                "trigger_confidence": "high",
                "start": 0,
                "end": 8,
                "text": "No, it's",
            }
        ],
        "pair": {"said": "Tuesday", "true": "Wednesday"},
    }
    assert call("triage", "you forgot", "--origin", "untrusted", "--json").json["matches"] == []


def test_acting_files_a_flag(call):
    answer = call("triage", "Don't forget the milk", "--act", "--session", "s1", "--json").json
    assert (answer["priority"], bool(answer["flag"])) == (True, True)
    assert call("triage", "hello", "--act", "--json").json["flag"] is None


def test_a_bad_pattern_of_the_configuration_is_told_and_the_rest_works(call, space):
    (space / "CONFIG.md").write_text("```yaml\nheartbeat_custom_patterns:\n  - (a\n  - ship it\n```\n")
    answer = call("triage", "SHIP IT", "--json")
    assert ([match["group"] for match in answer.json["matches"]], answer.code) == (["custom"], 0)
    assert "CONFIG.md:3: heartbeat_custom_patterns: '(a' is no pattern" in answer.err
