"""The report of a study as text for a terminal."""

from evaluation.studies.design.report import Report
from evaluation.tables import plain


def of(report: Report) -> str:
    """Findings and warnings, what is said of all numbers, then the tables."""
    sentences = [*report.findings, *(f"Warning: {warning}" for warning in report.warnings)]
    told = [f"{name}: {said}" for name, said in report.facts]
    return "\n".join([*sentences, "", *told, "", *map(plain.write, report.tables.values())])
