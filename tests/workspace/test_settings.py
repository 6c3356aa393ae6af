"""The keys of CONFIG.md: what they may be, and what is said of a value that is none."""

import pytest

from clawgit.errors import UsageError
from clawgit.workspace import settings
from clawgit.workspace.settings import KEYS


def test_every_default_fits_its_own_kind_and_is_read_back():
    for name, key in KEYS.items():
        assert key.kind.fits(key.default), name
        assert settings.read(key, str(key.default)) == key.default, name
        assert key.kind.fits(key.kind.read(key.kind.example.strip("'"))), name


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("soul_max_tokens", "900", 900),
        ("confidence_floor", "0.25", 0.25),
        ("branch", "2026", "2026"),
        ("cron_soul_keeper", "23:59", "23:59"),
        ("heartbeat_custom_patterns", "[\"a\", 'b']", ["a", "b"]),
    ],
)
def test_a_value_is_read_as_its_key_means_it(name, text, value):
    found = settings.read(KEYS[name], text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "text", "fix"),
    [
        ("soul_max_tokens", "0", "clawgit config set soul_max_tokens 800"),
        ("confidence_floor", "nan", "clawgit config set confidence_floor 0.2"),
        ("cron_soul_keeper", "24:00", "clawgit config set cron_soul_keeper 02:30"),
        ("cron_compactor_weekly", "Sun 03:00", "clawgit config set cron_compactor_weekly 'Sunday 03:00'"),
        ("timezone", "../etc/passwd", "clawgit config set timezone Europe/Berlin"),
        ("branch", "a b", "clawgit config set branch main"),
        ("heartbeat_custom_patterns", "[a", "clawgit config set heartbeat_custom_patterns '[]'"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_one_that_does(name, text, fix):
    with pytest.raises(UsageError) as caught:
        settings.read(KEYS[name], text)
    assert str(caught.value) == f"{name}: {text!r} is not {KEYS[name].kind.words}"
    assert str(caught.value.fix) == fix
