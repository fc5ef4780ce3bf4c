"""Which pairs people judge: samples, lists, calibration rounds, pairs added, withdrawn or nearly the same."""
