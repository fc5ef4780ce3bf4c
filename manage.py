#!/usr/bin/env python
"""The door to every command of Lacuna: `python manage.py help`."""

import io
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding lacks is no reason to fail after the work was done.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as reason:
        print(reason, file=sys.stderr)
        sys.exit(2)
