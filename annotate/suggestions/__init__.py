"""Labels of language models: a batch is estimated, requested, run, resumed or cancelled, its answers stored."""
