"""Self-agreement: what a person said of a pair the first time, and when it came again unannounced."""

from collections import defaultdict

from annotate.formats.records import Qrels
from annotate.grades import ratings
from annotate.grades.ratings import Pair
from annotate.models import Collection, Judgment
from evaluation.engine import rater_agreement
from evaluation.engine.rater_agreement import RaterAgreement
from evaluation.inputs.raters import NamedRater


def self_agreement(collection: Collection, rater: NamedRater) -> RaterAgreement | None:
    """The agreement of an assessor's first grades (rows) with those of the second round (columns), each as given at
    the save; None where nothing of it came again."""
    return of_all(collection).get(rater.name)


def of_all(collection: Collection) -> dict[str, RaterAgreement]:
    """The same of every assessor with repeats, by pseudonym."""
    return {
        pseudonym: rater_agreement.compare(_nested(rounds[1]), _nested(rounds[2]), collection.scale)
        for pseudonym, rounds in sorted(_rounds(collection).items())
        if 2 in rounds
    }


def _rounds(collection: Collection) -> dict[str, dict[int, dict[Pair, int]]]:
    """By pseudonym and round the grades of the pairs that have a second one."""
    again = Judgment.objects.filter(
        assessor__collection=collection, is_current=True, outcome=Judgment.Outcome.GRADED, round=2
    )
    columns = ("assessor__pseudonym", *ratings.NAMES, "first_grade")
    found: dict[str, dict[int, dict[Pair, int]]] = defaultdict(lambda: defaultdict(dict))
    for pseudonym, query_id, passage_id, grade in again.values_list(*columns):
        found[pseudonym][2][query_id, passage_id] = grade
    if found:
        first = ratings.current(collection).filter(
            outcome=Judgment.Outcome.GRADED, pair__in=again.values("pair"), assessor__in=again.values("assessor")
        )
        for pseudonym, query_id, passage_id, grade in first.values_list(*columns):
            found[pseudonym][1][query_id, passage_id] = grade
    return found


def _nested(grades: dict[Pair, int]) -> Qrels:
    qrels: Qrels = {}
    for (query_id, passage_id), grade in grades.items():
        qrels.setdefault(query_id, {})[passage_id] = grade
    return qrels
