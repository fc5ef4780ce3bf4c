import logging

import pytest
from django.conf import settings

from config.log_filter import HiddenSecrets


def written(message: str, *values: object) -> str:
    record = logging.LogRecord("django.request", logging.WARNING, "", 1, message, values, None)
    assert HiddenSecrets().filter(record)
    return record.getMessage()


@pytest.mark.parametrize("tail", ["", "/", "/?x=1", " was refused"])
def test_the_secret_of_an_invitation_is_in_no_line_of_a_log(tail):
    assert written("%s: %s", "Not Found", "/join/s3-cr_et" + tail) == f"Not Found: /join/...{tail}"


def test_other_lines_stay_as_they_are():
    assert written("%s of 100%%", "/c/join/") == "/c/join/ of 100%"


def test_every_handler_has_it():
    handlers = settings.LOGGING["handlers"].values()
    assert all("secrets" in handler["filters"] for handler in handlers)
