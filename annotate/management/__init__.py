"""Commands: they read arguments and files, call the rooms and print; backups; the sample collection."""
