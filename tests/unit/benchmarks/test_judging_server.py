import os

from benchmarks import judging_server

TICKS = os.sysconf("SC_CLK_TCK")


def stat(parent: int, user: int, system: int, name: str = "python") -> str:
    return f"1 ({name}) S {parent} 0 0 0 0 0 0 0 0 0 {user} {system} 0 0"


def test_processor_time_is_that_of_a_process_and_all_that_descend_from_it():
    stats = {
        10: stat(1, TICKS, 0),
        11: stat(10, 0, 2 * TICKS, name="a (strange) name"),
        12: stat(11, 4 * TICKS, 0),
        20: stat(1, 100 * TICKS, 0),
    }
    assert judging_server.family_seconds(stats, 10) == 7


def test_a_server_that_is_gone_took_no_more():
    assert judging_server.family_seconds({20: stat(1, 5, 5)}, 10) == 0


def test_the_server_has_its_own_database_whatever_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/db")
    made = judging_server.environment(tmp_path)
    assert "DATABASE_URL" not in made and made["LACUNA_DATA_DIR"] == str(tmp_path)
