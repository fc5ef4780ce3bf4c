"""The lanes of background work: of a collection's work in one lane one piece runs at a time, and lanes do not wait for
each other."""

FACTS = "facts"  # imports, pools
SUGGESTIONS = "suggestions"  # asking models, which may take hours
FINDINGS = "findings"  # what is computed from facts
LANES = (FACTS, SUGGESTIONS, FINDINGS)
