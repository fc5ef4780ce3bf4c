"""For all tests: hypothesis without a time limit a case (the machine is shared, its pauses are not the code's)."""

import hypothesis
import pytest

from annotate.operations import importing

hypothesis.settings.register_profile("lacuna", deadline=None)
hypothesis.settings.load_profile("lacuna")


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    """Imports pause for the sake of people who judge meanwhile; most tests have none."""
    monkeypatch.setattr(importing, "PAUSE_SECONDS", 0)
