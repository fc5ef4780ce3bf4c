"""Every figure of two raters by its name, and beside it that of people among themselves."""

from dataclasses import dataclass

from evaluation.agreement.value import Value
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.findings.agreement.agreement import Agreement
from evaluation.findings.agreement.group_figures import NOBODY
from evaluation.tables.table import Table, cell

PEOPLE = "people among themselves"
NOBODY_TWICE = NOBODY.values["alpha"]


@dataclass(frozen=True)
class Figure:
    """`words` are for the page, `name` for downloads; `place` is where `agreement_details` has the interval."""

    words: str
    name: str
    place: tuple[str, ...]
    value: Value

    @property
    def has_sign(self) -> bool:
        """Whether it needs an order of the two, which people among themselves have not."""
        return self.place == ("mean_difference",)

    @property
    def is_share(self) -> bool:
        return self.place == ("share_equal",)


def of(found: RaterAgreement) -> list[Figure]:
    """All of them; the share of equal grades stands last and never alone."""
    return [
        *(
            Figure(f"Alpha, {level}", f"alpha, {level}", ("alpha", level), value)
            for level, value in found.alpha.items()
        ),
        *(
            Figure(_kappa(weights, found), f"kappa, {weights}", ("kappa", weights), value)
            for weights, value in found.kappa.items()
            if weights != "binary"
        ),
        *(
            Figure(f"Kappa, relevant from {grade}", f"kappa, relevant from {grade}", ("kappa_from", str(grade)), value)
            for grade, value in found.kappa_from.items()
        ),
        Figure("Gwet’s AC1", "AC1", ("ac1",), found.ac1),
        Figure("Kendall’s tau-b of grades", "tau-b of grades", ("tau_b",), found.tau_b),
        Figure("Kendall’s tau-a of grades", "tau-a of grades", ("tau_a",), found.tau_a),
        Figure("Gamma of grades, ties dropped", "gamma of grades", ("gamma",), found.gamma),
        Figure("Spearman’s correlation of grades", "Spearman of grades", ("spearman",), found.spearman),
        Figure(
            "Mean difference, second less first",
            "mean difference, second less first",
            ("mean_difference",),
            found.mean_difference,
        ),
        Figure("Equal grades", "share of equal grades", ("share_equal",), found.share_equal),
    ]


def beside(found: Agreement) -> list[tuple[Figure, Value | None]]:
    """Each figure of the two, and of people among themselves where two of them judged one pair."""
    return list(zip(of(found.figures), _of_people(found), strict=True))


def table(found: Agreement, words: str) -> Table:
    """To be downloaded."""
    own = of(found.figures)
    has_people = found.among is not None
    people = [value or NOBODY_TWICE for value in _of_people(found)]
    rows = tuple(
        (figure.name, cell(figure.value), *((cell(value),) if has_people else ()))
        for figure, value in zip(own, people, strict=True)
    )
    columns = ("figure", "value", *((PEOPLE,) if has_people else ()))
    return Table(f"Agreement of {words} on {found.figures.n} pairs that both graded", columns, rows, places=3)


def _of_people(found: Agreement) -> list[Value | None]:
    if found.among is None or not found.among.n:
        return [None] * len(of(found.figures))
    return [figure.value for figure in of(found.among)]


def _kappa(weights: str, found: RaterAgreement) -> str:
    return f"Cohen’s kappa, {len(found.confusion)} grades" if weights == "unweighted" else f"Kappa, {weights} weights"
