"""What a nullable column holds where the row cannot lack it."""

from typing import TypeVar

Value = TypeVar("Value")


def required(value: Value | None) -> Value:
    """The value: a batch of grades has its rater, work of a collection its collection. Raises LookupError without."""
    if value is None:
        raise LookupError("A row lacks what it cannot lack.")
    return value
