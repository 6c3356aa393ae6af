"""The timetable says what CONFIG.md says, and the machine."""

from datetime import time
from pathlib import Path

import pytest

from clawgit.agents import conflict_detector, recall_validator, soul_keeper
from clawgit.agents.agents import AGENTS
from clawgit.git.repository import Repository
from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import Daily, Every, Weekly
from clawgit.workspace import config
from clawgit.workspace.clock import MachineId
from clawgit.workspace.host.openclaw_package import Dreaming

EVERY_AGENT = (*job_timetable.AGENTS, "recall-validator")
AWAKE = Dreaming(on=False)


def rows(block="", agents=EVERY_AGENT, dreaming=AWAKE, folder=Path("/nowhere")):
    repo = Repository(folder, folder, folder)
    found = job_timetable.timetable(config.read(f"```yaml\n{block}\n```\n"), agents, lambda: dreaming, repo)
    return {row.job: row for row in found}


def test_by_default_it_is_that_of_the_specification():
    """Covers P11: continuous and immediate rows are polled for; three agents are the third seed's."""
    found = {job: row.when for job, row in rows("embedder: default").items()}
    assert found == {
        "capture": Every(300),
        "session-import": Every(300),
        "recall-validator": Every(300),
        "index": Every(3600),
        "soul-keeper": Daily(time(2, 30)),
        "memory-compactor": Weekly(6, time(3)),
        "decay-engine": Daily(time(4, 45)),
        "lessons": Daily(time(5, 15)),
        "memory-miner": Daily(time(6)),
        "organizer": Daily(time(6, 30)),
        "conflict-detector": Daily(time(7)),
        "digest": Daily(time(8)),
        "vector-hygiene": Weekly(6, time(3, 30)),
        "housekeeping": Daily(time(4, 30)),
        "promotion-review": Weekly(4, time(18)),
    }


def test_an_agent_that_is_not_there_has_no_row_and_no_vectors_need_no_hygiene():
    found = rows(agents=["memory-miner"])
    assert "memory-miner" in found
    assert {"soul-keeper", "memory-compactor", "vector-hygiene"}.isdisjoint(found)


def test_the_names_of_the_agents_are_their_own():
    modules = (soul_keeper, recall_validator, conflict_detector)
    assert set(AGENTS) >= {one.NAME for one in modules}
    assert set(AGENTS) <= set(EVERY_AGENT)


@pytest.mark.parametrize(
    ("dreaming", "at"),
    [
        (Dreaming(on=True), time(3, 40)),
        (Dreaming(on=None), time(3, 40)),
        (Dreaming(on=False), time(3)),
        (Dreaming(on=True, schedule="0 5 * * *"), time(3)),
        (Dreaming(on=True, schedule="nonsense"), time(3)),
    ],
)
def test_compaction_keeps_clear_of_openclaws_dreaming(dreaming, at):
    row = rows(dreaming=dreaming)["memory-compactor"]
    assert row.when == Weekly(6, at)
    assert row.moved == ("Sunday 03:00" if at != time(3) else "")


def test_a_time_that_the_operator_chose_stays():
    row = rows("cron_compactor_weekly: Monday 03:00", dreaming=Dreaming(on=True))["memory-compactor"]
    assert (row.when, row.moved) == (Weekly(0, time(3)), "")


def test_off_is_off():
    found = rows("cron_memory_miner: off\ncron_compactor_weekly: off")
    assert [(found[job].when, found[job].problem) for job in ("memory-miner", "memory-compactor")] == [(None, None)] * 2


@pytest.mark.parametrize("bad", ["25:00", "6:00", "noon", "750", "[06:00]", "06:00:00"])
def test_a_bad_time_costs_its_own_row_and_names_its_line(bad):
    found = rows(f"poll_minutes: 5\ncron_memory_miner: {bad}")
    row = found["memory-miner"]
    assert row.when is None
    assert row.problem.message.startswith("CONFIG.md:3: cron_memory_miner: ")
    assert str(row.problem.fix) == "clawgit config set cron_memory_miner 06:00"
    assert [job for job, one in found.items() if one.problem] == ["memory-miner"]


def test_a_bad_interval_costs_what_is_polled_for():
    found = rows("poll_minutes: 0")
    assert [job for job, one in found.items() if one.problem] == [
        "capture",
        "session-import",
        "recall-validator",
        "index",
    ]


def test_what_rewrites_runs_on_one_machine_alone(tmp_path):
    own = MachineId(Repository(tmp_path, tmp_path, tmp_path)).name()
    here, there = (rows(f"jobs_home: {home}", folder=tmp_path) for home in (own, "kkkkzzzz"))
    for job in ("memory-compactor", "organizer"):
        assert (here[job].elsewhere, here[job].when is not None) == ("", True)
        assert (there[job].elsewhere, there[job].when) == ("kkkkzzzz", None)
    assert there["memory-miner"].when == Daily(time(6))
    assert there["organizer"].problem is None


def test_a_bad_name_of_a_machine_stops_what_rewrites_and_nothing_else(tmp_path):
    found = rows("jobs_home: my laptop", folder=tmp_path)
    assert "jobs_home" in found["organizer"].problem.message
    assert found["organizer"].when is None
    assert found["memory-miner"].when == Daily(time(6))
