"""Lacuna's own judges, whose grades rest on the judged pairs of a collection; each version of one is a rater."""

LEARNED = "learned"  # from text alone
CALIBRATED = "calibrated"  # from what models say, and text
NAMES = (LEARNED, CALIBRATED)
# With fewer judged pairs a model's grades would stand as they are.
LEAST_JUDGED = 10
