"""Background work: its engine and queues, kinds, steps and progress, and where the files that it keeps lie."""
