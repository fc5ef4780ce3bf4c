"""Profile study: what query variants of user profiles do to systems (the protocol of arXiv:2508.17644, and beyond)."""
