"""The purposes of batches: grades, probes of judges, backstories, query variants; one module each.

A purpose says what it asks about, the message, what an answer comes to, how rows end, and what the page shows.
"""
