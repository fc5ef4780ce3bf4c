"""For all tests: hypothesis without a time limit a case (the machine is shared, its pauses are not the code's)."""

import hypothesis
import pytest

from annotate.work import steps

hypothesis.settings.register_profile("lacuna", deadline=None)
hypothesis.settings.load_profile("lacuna")


@pytest.fixture(scope="session", autouse=True)
def _no_pauses():
    """Long work pauses for the sake of people who judge meanwhile; most tests have none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "PAUSE_SECONDS", 0)
        yield
