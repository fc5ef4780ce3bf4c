"""Studies: a plan, its inputs written down, parts that run in the background, findings, a report. One kind a room."""
