"""The shape of what comes in from pages. One file a part."""
