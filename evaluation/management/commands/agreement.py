"""`manage.py agreement`: how far two raters or more agree, from files; or the models of a collection beside another."""

from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError, CommandParser

from annotate.formats.records import GradeScale
from evaluation.agreement import pairing, value
from evaluation.engine import rater_agreement
from evaluation.engine.grade_files import GradedFile
from evaluation.management import stateless
from evaluation.statistics import agreement_intervals
from evaluation.statistics.bootstrap import Resampling

if TYPE_CHECKING:
    from evaluation.findings.agreement import matrix


class Command(stateless.FileCommand):
    help = (
        "Agreement of two raters on the pairs that both graded; of more than two, Krippendorff's alpha of all of them, "
        "where grades may be missing. JSON on stdout. Needs no database, but for --collection: its raters, "
        "each beside the first by kappa, alpha and tau of the ranking of systems, in one table. "
        "Example: manage.py agreement --qrels people.txt --qrels model.qrels.gz --intervals topics"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        stateless.add_qrels(parser, "twice or more", required=False)
        parser.add_argument("--collection", default="", metavar="SLUG", help="its raters, instead of files")
        parser.add_argument(
            "--rater",
            action="append",
            default=[],
            metavar="NAME",
            help="with --collection, the one to compare with first; default: the reference and all models",
        )
        stateless.add_intervals(parser, ("topics", "pairs"))
        stateless.add_scale(parser)

    def compute(self, *, qrels: list[str], scale: GradeScale, **options: Any) -> dict[str, object]:
        if options["collection"]:
            if qrels:
                raise CommandError(
                    "Name files with --qrels or a collection with --collection, not both.",
                    returncode=stateless.BAD_INPUT,
                )
            return _compare_collection(options["collection"], options["rater"])
        how = stateless.asked_resampling(options)
        graded = stateless.read_qrels(qrels, "twice or more", scale)
        result = _compare_two(graded, scale, how) if len(graded) == 2 else _compare_more(graded, scale, how)
        return {"files": qrels, "scale": str(scale), **result}


def _compare_collection(slug: str, names: list[str]) -> dict[str, object]:
    # Who compares files needs no database, and no second of imports for it.
    from annotate.management import command_line
    from evaluation.findings.agreement import matrix
    from evaluation.findings.agreement.agreement import NotComparable
    from evaluation.inputs import raters
    from evaluation.inputs.raters import Kind

    collection = command_line.find_collection(slug)
    listed = raters.list_raters(collection)
    wanted = names or [rater.name for rater in listed if rater.kind in (Kind.REFERENCE, Kind.MODEL)]
    try:
        given = matrix.choose_raters(collection, wanted)
    except (raters.NoSuchRater, NotComparable) as reason:
        command_line.refuse(str(reason))
    rows = matrix.compare_with_first(collection, given)
    return {
        "with": given[0].address,
        "scale": str(collection.scale),
        "measure": matrix.MEASURE,
        "raters": [{"rater": row.rater.address, "n": row.found.n, **value.as_json(_figures(row))} for row in rows],
    }


def _figures(row: "matrix.WithFirst") -> dict[str, value.Value]:
    found = row.found
    kappa, binary = found.kappa["unweighted"], found.kappa["binary"]
    return {"kappa": kappa, "kappa_binary": binary, "alpha": found.alpha["ordinal"], "tau_b": row.tau_b}


def _compare_two(graded: list[GradedFile], scale: GradeScale, how: Resampling | None) -> dict[str, object]:
    first, second = (each.qrels for each in graded)
    answer = {
        "left_out": stateless.left_out(graded),
        **rater_agreement.as_json(rater_agreement.compare(first, second, scale)),
    }
    if how:
        pairs, others = pairing.grades_by_pair(first), pairing.grades_by_pair(second)
        result = agreement_intervals.intervals_of_two(pairs, others, scale.grades, scale.relevant_from, how)
        answer["intervals"] = stateless.interval_json(vars(result))
    return answer


def _compare_more(graded: list[GradedFile], scale: GradeScale, how: Resampling | None) -> dict[str, object]:
    """Of `left_out` there is one of each file, in their order."""
    given = [pairing.grades_by_pair(each.qrels) for each in graded]
    result = agreement_intervals.compare_raters(given, scale.grades)
    answer: dict[str, object] = {
        "left_out": [each.left_out() for each in graded],
        "raters": result.raters,
        "n": result.n,
        "alone": result.alone,
        "complete": result.complete,
        "alpha": value.as_json(result.alpha),
    }
    if how:
        answer["intervals"] = stateless.interval_json(
            {"alpha": agreement_intervals.alpha_intervals(given, scale.grades, how)}
        )
    return answer
