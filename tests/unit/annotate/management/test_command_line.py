"""What holds for every command of ours."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.core.management.base import BaseCommand

from annotate.management import command_line

ROOT = Path(__file__).resolve().parents[4]
COMMANDS = [
    (app, path.stem)
    for app in ("annotate", "evaluation")
    for path in sorted((ROOT / app / "management" / "commands").glob("[!_]*.py"))
]


@pytest.mark.parametrize(("app", "name"), COMMANDS)
def test_help_shows_an_example(app, name):
    words = " ".join(load_command_class(app, name).create_parser("manage.py", name).format_help().split())
    assert f"xample: manage.py {name}" in words or f"xample: python manage.py {name}" in words


def test_json_is_ascii_whatever_the_names_are():
    stdout = io.StringIO()
    command_line.answer(BaseCommand(stdout=stdout), True, {"file": "naïve 東京.txt"}, "")
    assert stdout.getvalue().isascii()
    assert json.loads(stdout.getvalue()) == {"file": "naïve 東京.txt"}


def test_a_name_that_the_terminal_cannot_show_is_escaped(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", "print('na\\u00efve')"],
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii", "LACUNA_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["na\\xefve"]), done.stderr
