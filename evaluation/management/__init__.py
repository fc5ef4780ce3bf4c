"""Commands: they read arguments, ask for findings and studies, and print or write them."""
