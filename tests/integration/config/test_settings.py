"""A bad value of any setting stops every command with one sentence and exit code 2, and no traceback."""

import sys

import pytest

from tests import served

HTTPS = {"LACUNA_HTTPS": "True"}
BAD = [
    (HTTPS, "LACUNA_HTTPS"),
    ({**HTTPS, "LACUNA_BEHIND_PROXY": "False"}, "LACUNA_HTTPS"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": "localhost, *"}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": "https://judging.example.org"}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": "judging.example.org:8000"}, "ALLOWED_HOSTS"),
    ({"LACUNA_UPLOAD_LIMIT_MB": "-1"}, "LACUNA_UPLOAD_LIMIT_MB"),
    ({"LACUNA_UPLOAD_LIMIT_MB": "0"}, "LACUNA_UPLOAD_LIMIT_MB"),
    ({"LACUNA_UPLOAD_LIMIT_MB": "9" * 5000}, "LACUNA_UPLOAD_LIMIT_MB"),
    ({"LACUNA_UPLOAD_LIMIT_MB": "1 GB"}, "LACUNA_UPLOAD_LIMIT_MB"),
    ({"CELERY_BROKER_URL": "nonsense"}, "CELERY_BROKER_URL"),
    ({"CELERY_BROKER_URL": "redis://"}, "CELERY_BROKER_URL"),
    ({"CELERY_BROKER_URL": "redis://host:port/0"}, "CELERY_BROKER_URL"),
    ({"LOG_LEVEL": "loud"}, "LOG_LEVEL"),
    ({"LOG_LEVEL": "info"}, "LOG_LEVEL"),
    ({"WEB_CONCURRENCY": "zwei"}, "WEB_CONCURRENCY"),
    ({"WEB_CONCURRENCY": "0"}, "WEB_CONCURRENCY"),
    ({"WEB_CONCURRENCY": "\u0663"}, "WEB_CONCURRENCY"),
    ({"DATABASE_URL": "nonsense"}, "DATABASE_URL"),
    ({"DATABASE_URL": "mysql://user:secret@host/name"}, "DATABASE_URL"),
    ({"DATABASE_URL": "postgres://user:secret@host:port/name"}, "DATABASE_URL"),
    ({"DATABASE_URL": "postgres://user:secret@host"}, "DATABASE_URL"),
    ({"DATABASE_URL": "sqlite:////nowhere/at/all/db"}, "DATABASE_URL"),
    ({"DATABASE_URL": "sqlite://:memory:"}, "DATABASE_URL"),
    ({"DEBUG": "1"}, "DEBUG"),
    ({"LACUNA_BEHIND_PROXY": "yes"}, "LACUNA_BEHIND_PROXY"),
    ({"CSRF_TRUSTED_ORIGINS": "judging.example.org"}, "CSRF_TRUSTED_ORIGINS"),
    ({"CSRF_TRUSTED_ORIGINS": "https://judging.example.org/"}, "CSRF_TRUSTED_ORIGINS"),
    ({"SECRET_KEY_FILE": "/nowhere/at/all"}, "SECRET_KEY_FILE"),
    ({"SECRET_KEY_FILE": "/dev/null"}, "SECRET_KEY_FILE"),
    ({"SECRET_KEY_FILE": sys.executable}, "SECRET_KEY_FILE"),
    ({"LACUNA_DATA_DIR": "/dev/null/below"}, "LACUNA_DATA_DIR"),
]


@pytest.mark.parametrize(("said", "named"), BAD)
def test_a_bad_value_is_one_sentence_and_exit_code_2(tmp_path, said, named):
    env = served.environment(tmp_path, **said)
    for name in ("SECRET_KEY", "SECRET_KEY_FILE"):
        if name not in said:
            env.pop(name, None)
    refused = served.manage("check", "--deploy", env=env)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.strip().splitlines()) == 1
    assert refused.stderr.startswith(named)
    assert "secret@" not in refused.stderr


@pytest.mark.parametrize(
    ("option", "value"),
    [("--processes", "0"), ("--processes", "zwei"), ("--threads", "-1"), ("--port", "70000"), ("--port", "http")],
)
def test_a_bad_option_of_the_server_is_said_with_its_bounds(tmp_path, option, value):
    refused = served.manage("serve", option, value, env=served.environment(tmp_path))
    assert refused.returncode == 2
    assert f"argument {option}: a whole number from " in refused.stderr
    assert "Traceback" not in refused.stderr


def test_good_values_are_taken(tmp_path):
    said = {
        "ALLOWED_HOSTS": "judging.example.org,.example.org,[::1],10.0.0.1",
        "CSRF_TRUSTED_ORIGINS": "https://judging.example.org,https://*.example.org:8443",
        "LACUNA_HTTPS": "True",
        "LACUNA_BEHIND_PROXY": "True",
        "CELERY_BROKER_URL": "rediss://:p%40ss@broker.example.org:6380/0",
        "DATABASE_URL": "postgres://lacuna:p%40ss@db.example.org/lacuna",
        "LOG_LEVEL": "WARNING",
        "WEB_CONCURRENCY": "4",
        "LACUNA_UPLOAD_LIMIT_MB": "64",
    }
    taken = served.manage("check", env=served.environment(tmp_path, **said))
    assert taken.returncode == 0, taken.stderr
