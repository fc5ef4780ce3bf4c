import io
import json

import pytest
from django.core.management import call_command


@pytest.fixture
def write(tmp_path):
    """Writes a file and gives its path as text."""

    def write_file(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write_file


@pytest.fixture
def answer():
    """Runs a command and reads its JSON. No database is at hand here: a command that asked for one would fail."""

    def run_command(name, *arguments):
        stdout = io.StringIO()
        call_command(name, *arguments, stdout=stdout)
        return json.loads(stdout.getvalue())

    return run_command
