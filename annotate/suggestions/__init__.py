"""What models are asked for, in batches: grades, texts, probes; each estimated, started, run, resumed or cancelled."""
