"""The digest begins with what is due, in the operator's words alone."""

from datetime import timedelta

from clawgit.workspace import memory, unkept_requests

from .space import Space


def due(space: Space) -> list[str]:
    part = next(one for one in space.digest().parts if one.name == "due")
    return [one.text for one in part.items] + [str(part.unquoted)] * bool(part.unquoted)


def plan(space: Space, text: str, origin: str = "operator") -> None:
    space.apply(memory.add(space.ws, text, tag=memory.kind(space.ws, text), origin=origin).change)


def test_what_is_due_is_told_with_its_day_and_not_the_day_after(another) -> None:
    with another() as space:  # 14 February 2098 is a Friday
        plan(space, "Dentist on Sunday at 9.")
        plan(space, "The lease ends on 14 March.")
        assert due(space) == ["Sunday 2098-02-16: Dentist on Sunday at 9."]
        space.now += timedelta(days=2)
        assert due(space) == ["today: Dentist on Sunday at 9."]
        space.now += timedelta(days=1)
        assert due(space) == []


def test_words_of_others_are_counted_and_not_quoted(another) -> None:
    with another() as space:
        plan(space, "Pay the invoice on Sunday.", origin="untrusted")
        assert due(space) == ["1"]


def test_what_was_asked_for_and_not_kept_is_told_with_the_command_that_shows_it(another) -> None:
    with another() as space:
        at = space.now.isoformat()
        one = unkept_requests.Unkept("Remember that the kettle is blue.", "a joke", at[:10], at, dropped=True)
        unkept_requests.open_requests(space.ws.store, [one])
        waits = next(part for part in space.digest().parts if part.name == "waiting")
        assert f"clawgit show {one.as_item().id}" in [item.command for item in waits.items]
