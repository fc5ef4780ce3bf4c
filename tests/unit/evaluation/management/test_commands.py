"""What holds for every command that answers from files alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import load_command_class

ROOT = Path(__file__).resolve().parents[4]
COMMANDS = ("agreement", "anova", "correlate", "score", "significance")
HEAVY = ("krippendorff", "pandas", "scipy", "sklearn")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_an_example(name):
    words = load_command_class("evaluation", name).create_parser("manage.py", name).format_help().split()
    assert f"Example: manage.py {name} --qrels" in " ".join(words)


def test_heavy_libraries_are_imported_where_they_are_used_only():
    modules = ", ".join(f"evaluation.management.commands.{name}" for name in COMMANDS)
    program = f"import sys, {modules}; print(*sorted(sys.modules.keys() & {set(HEAVY)}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_a_command_that_starts_does_not_load_the_engine_of_background_work():
    program = (
        "import sys, django; django.setup(); print(*sorted(sys.modules.keys() & {'annotate.work.engine', 'numpy'}))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
