"""The report of a study as text for a terminal."""

from dataclasses import replace

from evaluation.studies import facts
from evaluation.studies.report import Report
from evaluation.tables import plain


def of(report: Report) -> str:
    """Findings and warnings, what is said of all numbers, then the tables, which do not say it again."""
    sentences = [*report.findings, *(f"Warning: {warning}" for warning in report.warnings)]
    told = [f"{name}: {said}" for name, said in report.facts]
    again = f"; {facts.sentence(report.facts)}"
    tables = [replace(table, caption=table.caption.removesuffix(again)) for table in report.tables.values()]
    return "\n".join([*sentences, "", *told, "", *map(plain.write, tables)])
