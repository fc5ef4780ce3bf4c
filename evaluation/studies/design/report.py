"""What a study has to show, ready for a page, a print, a zip: words, figures and tables as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.plots.figure import Figure
from evaluation.tables.table import Table


@dataclass(frozen=True)
class Report:
    """`findings` and `warnings` are sentences. `facts` says of all numbers n, seeds, gain, tie rule, what an unjudged
    passage counts. `figures` and `tables` are by name, in the order in which they are shown.
    """

    findings: tuple[str, ...]
    warnings: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    figures: Mapping[str, Figure] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
