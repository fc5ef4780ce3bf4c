"""Background work: the queue, its steps and progress, workers, files that are made once."""
