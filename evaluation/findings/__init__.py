"""A question each: what it depends on, how it is computed, kept and drawn in the background."""
