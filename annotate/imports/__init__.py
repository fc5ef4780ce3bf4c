"""Files that come in: receiving, checking, storing and withdrawing them, one class a kind of file."""
