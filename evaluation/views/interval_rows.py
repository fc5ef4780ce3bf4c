"""Figures of agreement beside their intervals, as a finding of `agreement_details` holds them."""

from dataclasses import dataclass
from typing import Any

from evaluation.agreement.value import Value
from evaluation.queries.agreement import Agreement
from evaluation.rater_agreement import RaterAgreement

Told = dict[str, Any]


@dataclass(frozen=True)
class IntervalRow:
    """`interval` is what `bootstrap.Interval.as_json` tells."""

    name: str
    value: Value
    interval: Told


@dataclass(frozen=True)
class PartRow:
    """The figures of one part of people's grades that are compared between the arms."""

    name: str
    cells: list[IntervalRow]


def of_figures(figures: RaterAgreement, told: Told) -> list[IntervalRow]:
    rows = [(f"Alpha, {level}", value, told["alpha"][level]) for level, value in figures.alpha.items()]
    rows += [(_kappa(name, figures), value, told["kappa"][name]) for name, value in figures.kappa.items()]
    rows += [
        ("AC1", figures.ac1, told["ac1"]),
        ("Tau-b of grades", figures.tau_b, told["tau_b"]),
        ("Gamma", figures.gamma, told["gamma"]),
        ("Mean difference", figures.mean_difference, told["mean_difference"]),
        ("Share of equal grades", figures.share_equal, told["share_equal"]),
    ]
    return [IntervalRow(*row) for row in rows]


def of_parts(found: Agreement, told: Told) -> list[PartRow]:
    return [
        PartRow(
            each.part.value,
            [
                IntervalRow("Alpha", each.figures.alpha["ordinal"], told[each.part.name]["alpha"]["ordinal"]),
                IntervalRow("Kappa", each.figures.kappa["unweighted"], told[each.part.name]["kappa"]["unweighted"]),
            ],
        )
        for each in found.parts
        if each.part.name in told
    ]


def _kappa(name: str, figures: RaterAgreement) -> str:
    if name == "binary":
        return f"Kappa, relevant from {figures.relevant_from}"
    return "Kappa" if name == "unweighted" else f"Kappa, {name} weights"
