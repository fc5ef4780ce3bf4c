"""Language models: requests, replies, prompts, prices, and the services that answer. Values in, values out; no rows."""
