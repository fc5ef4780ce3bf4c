"""What is not written into logs: who can read a log must not be able to join by a link that stands in it."""

import logging
import re

SECRET = re.compile(r"(/join/)[^/\s]+")


class HiddenSecrets(logging.Filter):
    """Takes the secrets of invitations out of what is logged, whoever logs it."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if SECRET.search(said):
            record.msg, record.args = SECRET.sub(r"\1...", said), ()
        return True
