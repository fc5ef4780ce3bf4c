"""`manage.py agreement`: how far two raters agree, from files."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotate.trec.scale import GradeScale
from evaluation import graded_file, rater_agreement
from evaluation.agreement import value
from evaluation.management import stateless
from evaluation.rater_agreement import RaterAgreement


class Command(BaseCommand):
    help = (
        "Agreement of two raters on the pairs that both graded; JSON on stdout. Needs no database. "
        "Example: manage.py agreement --qrels people.txt --qrels model.qrels.gz"
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_two_qrels(parser)
        stateless.add_scale(parser)

    def handle(self, *, qrels: list[str], scale: GradeScale, **_: Any) -> None:
        with stateless.refusing_bad_input():
            first, second = (graded_file.read(file, scale) for file in stateless.two(qrels))
        found = rater_agreement.compare(first.qrels, second.qrels, scale)
        left_out = {"first": first.left_out(), "second": second.left_out()}
        stateless.answer(self, {"files": qrels, "scale": str(scale), "left_out": left_out, **_figures(found)})


def _figures(found: RaterAgreement) -> dict[str, object]:
    return {
        "n": found.n,
        "only_first": found.only_first,
        "only_second": found.only_second,
        "relevant_from": found.relevant_from,
        "kappa": value.as_json(found.kappa),
        "alpha": value.as_json(found.alpha),
        **value.as_json(
            {
                "tau_b": found.tau_b,
                "gamma": found.gamma,
                "share_equal": found.share_equal,
                "mean_difference": found.mean_difference,
            }
        ),
        "gamma_recipe": found.gamma_recipe,
        "confusion": found.confusion.tolist(),
    }
