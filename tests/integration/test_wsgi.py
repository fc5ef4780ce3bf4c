"""What a process of the web server does when it starts."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys, threading
import config.wsgi
for thread in threading.enumerate():
    if thread.name == "slow imports":
        assert thread.daemon
        thread.join()
print("sklearn.metrics" in sys.modules, "krippendorff" in sys.modules)
"""


def test_it_imports_in_the_background_what_the_first_page_of_agreement_would_wait_for(tmp_path):
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "LACUNA_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout == "True True\n"
