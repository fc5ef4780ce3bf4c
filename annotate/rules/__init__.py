"""Pure rules of judging: values in, values out, no Django."""

# The queues of background work: of a collection's work in one queue one piece runs at a time, and queues do not wait
# for each other.
FACTS = "facts"  # imports, pools
SUGGESTIONS = "suggestions"  # asking models, which may take hours
FINDINGS = "findings"  # what is computed from facts
QUEUES = (FACTS, SUGGESTIONS, FINDINGS)
