"""Pages and API of findings, by subject: agreement, leaderboard, assessors, influence, calibration."""
