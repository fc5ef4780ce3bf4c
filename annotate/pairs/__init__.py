"""The state of pairs, which this room alone writes, from judgments, imports and draws."""
