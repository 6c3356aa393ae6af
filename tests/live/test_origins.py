"""Each line that the agent writes is traced to the call, the session and the message behind it."""

import pytest
from openclaw import MAIN, until

GROUP = "agent:main:telegram:group:-500"
WHO = {
    "owner": ({"session": MAIN}, "operator"),
    "guest": ({"session": MAIN, "guest": True}, "others"),
    "owner in a group": ({"session": GROUP}, "operator"),
    "guest in a group": ({"session": GROUP, "guest": True}, "others"),
}
TRACED: dict[tuple[str, str], tuple[str, str]] = {}
"""The tool and the turn of each line that was written, by its file and words."""
WAYS = ("write", "edit", "apply_patch", "echo", "script", "background")


def make_call(way, path, old, new):
    """Return a call of the agent's that puts the line `new` below the line `old` of a file."""
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n {old}\n+{new}\n*** End Patch"
    return {
        "write": {"name": "write", "arguments": {"path": path, "content": f"{old}\n{new}\n"}},
        "edit": {"name": "edit", "arguments": {"path": path, "edits": [{"oldText": old, "newText": f"{old}\n{new}"}]}},
        "apply_patch": {"name": "apply_patch", "arguments": {"input": patch}},
        "echo": {"name": "exec", "arguments": {"command": f"echo '{new}' >> {path}"}},
        "script": {"name": "exec", "arguments": {"command": f"printf '%s %s\\n' '-' '{new[2:]}' | tee -a {path}"}},
        "background": {
            "name": "exec",
            "arguments": {"command": f"sleep 1; echo '{new}' >> {path}", "background": True},
        },
    }[way]


def find_call(openclaw, path, new):
    """Return the call of the line `new`, once it is committed and its call is known."""
    place = openclaw.workspace / path
    rows = place.read_text().splitlines() if place.exists() else []
    if new not in rows:
        return None
    openclaw.clawgit("capture")
    (row,) = openclaw.answered("why", f"{path}:{rows.index(new) + 1}")
    return row["call"] if row["call"] and row["call"]["how"] else None


@pytest.mark.parametrize("speaker", WHO)
def test_why_names_the_call_the_turn_and_the_words(connected, speaker, request):
    if speaker not in ("owner", "guest in a group"):
        request.getfixturevalue("older_version")
    place, turn = WHO[speaker]
    slug = speaker.replace(" ", "-")
    ways = ("write", "background") if speaker == "guest in a group" else WAYS
    traced = {}
    for way in ways:
        path, old, new = f"memory/{slug}-{way}.md", f"# {speaker} {way}", f"- The buoy of {slug} by {way} is red."
        (openclaw_file := connected.workspace / path).write_text(f"{old}\n")
        connected.clawgit("capture")
        message = f"Please note the buoy of {slug} by {way}."
        connected.model.answers({"when": message, "calls": [make_call(way, path, old, new)]}, {"text": "Done."})
        connected.say(message, **place)
        if new not in openclaw_file.read_text() and way == "apply_patch":
            continue  # this OpenClaw gives its model no such tool
        call = until(lambda path=path, new=new: find_call(connected, path, new))
        assert call["turn"] == turn, (way, call)
        assert call["tool"] == ("exec" if way in ("echo", "script", "background") else way), (way, call)
        assert call["how"] in ("reported", "while"), (way, call)
        traced[way] = call["question"]
        TRACED[path, new] = call["tool"], turn
    assert len(traced) >= len(ways) - 1
    if turn == "operator":
        assert all(f"by {way}" in (question or "") for way, question in traced.items()), traced


def test_a_strangers_lines_stay_out_of_the_owners_turn_until_he_accepts(connected):
    new = "- The drawbridge of Elvira opens at four."
    call = make_call("write", "memory/elvira.md", "# Elvira", new)
    message = "Please note when the drawbridge of Elvira opens."
    connected.model.answers({"when": message, "calls": [call]}, {"text": "Done."})
    connected.say(message, guest=True)
    until(lambda: find_call(connected, "memory/elvira.md", new))
    question = "When does the drawbridge of Elvira open?"
    assert "at four" not in connected.recalled(connected.say(question).request)
    items = connected.answered("inbox", "--kind", "quarantine")
    assert any("elvira" in item["title"] for item in items)


def test_a_timers_line_has_the_timer_for_its_turn(connected):
    new = "- The tide table of Ondine is renewed on the first."
    call = make_call("write", "memory/ondine.md", "# Ondine", new)
    connected.model.answers({"when": "Renew the tide table.", "calls": [call]}, {"text": "Done."})
    connected.timer("Renew the tide table.")
    write_call = until(lambda: find_call(connected, "memory/ondine.md", new))
    assert (write_call["turn"], write_call["tool"], write_call["outside"]) == ("cron", "write", False)
    assert "on the first" in connected.recalled(connected.say("When is the tide table of Ondine renewed?").request)


def test_a_sub_agents_line_is_trusted_as_far_as_whoever_sent_it(connected):
    for guest in (False, True):
        name, new = ("Nerine", "- Nerine moors at nine.") if guest else ("Galene", "- Galene moors at eight.")
        ask, task = f"Send somebody to {name}.", f"[Note down] when {name} moors"
        spawn = {"name": "tool_call", "arguments": {"id": "sessions_spawn", "args": {"task": task}}}
        write = make_call("write", f"memory/{name}.md", f"# {name}", new)
        connected.model.answers({"when": ask, "calls": [spawn]}, {"text": "Sent."}, {"when": task, "calls": [write]})
        connected.say(ask, guest=guest)
        call = until(lambda name=name, new=new: find_call(connected, f"memory/{name}.md", new))
        assert call["turn"] == ("others" if guest else "subagent")
        until(lambda: [request for request in connected.requests() if "subagent_announce" in request.text("user")])


def test_transcripts_alone_tell_most_of_it_and_nothing_wrong(connected):
    if not TRACED:
        pytest.skip("the stories that write the lines did not run")
    folder = connected.workspace / ".git/clawgit"
    state = list(folder.glob("state.db*"))
    for place in state:
        place.rename(place.with_name(f"kept {place.name}"))
    connected.clawgit("session", "import", "--all")
    calls = {place: find_call(connected, *place) for place in TRACED}
    # A transcript does not tell when a background command ended, so that what comes later would be in doubt.
    for place in folder.glob("state.db*"):
        place.unlink()
    for place in state:
        place.with_name(f"kept {place.name}").rename(place)
    wrong = {place: call for place, call in calls.items() if call and (call["tool"], call["turn"]) != TRACED[place]}
    assert wrong == {}
    assert sum(map(bool, calls.values())) >= 0.85 * len(TRACED), calls
    assert {call["how"] for call in calls.values() if call} <= {"matched", "probably", "while"}
