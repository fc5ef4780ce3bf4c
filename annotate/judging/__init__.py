"""The assessor at work: a pair is claimed, shown, saved, skipped or reopened; progress and history."""
