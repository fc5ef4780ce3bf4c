"""For all tests: hypothesis without a time limit a case (the machine is shared, its pauses are not the code's)."""

import hypothesis

hypothesis.settings.register_profile("lacuna", deadline=None)
hypothesis.settings.load_profile("lacuna")
