"""Cells of tables from what a study found as JSON."""

from collections.abc import Mapping
from typing import Any

from evaluation.tables.table import Cell


def cell(told: Mapping[str, Any], name: str) -> Cell:
    """The number of that name; where it is undefined, the reason in words.

    >>> cell({"tau_b": None, "reason": {"tau_b": "one system"}}, "tau_b")
    'undefined: one system'
    """
    number: Cell = told[name]
    return number if number is not None else f"undefined: {told['reason'][name]}"
