"""Values as JSON keeps them: PostgreSQL gives an object back with its keys in an order of its own."""

import json
from typing import Any


def ordered(value: Any) -> Any:
    """The value as it is read from JSON, the keys in order of the alphabet. Raises ValueError for NaN or infinity.

    >>> ordered({"b": (1, 2), "a": None})
    {'a': None, 'b': [1, 2]}
    """
    return json.loads(json.dumps(value, sort_keys=True, allow_nan=False))


def text(value: Any) -> str:
    """The same value gives the same bytes."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"
