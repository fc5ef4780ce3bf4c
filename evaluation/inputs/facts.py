"""The facts that findings rest on: completed qrels as scoring reads them, and the fingerprint of all facts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum

from annotate.formats.records import Qrels
from annotate.grades import completed_qrels, ratings
from annotate.grades.completed_qrels import CompletedGrade
from annotate.models import (
    Adjudication,
    Collection,
    HoleDraw,
    ImportedFile,
    Judgment,
    Membership,
    Pair,
    QueryVariant,
    Rater,
    Run,
    Suggestion,
)
from annotate.rules import completion
from evaluation.measures.grade_matrix import GradeProbabilities

Fingerprint = tuple[object, ...]

# Products of row ids, taken modulo a prime, stay small enough to be summed by any database.
_PRIME = 1_000_003

_OF_VARIANTS = Q(kind=ImportedFile.Kind.VARIANTS) | Exists(
    Run.objects.filter(source=OuterRef("pk"), ranks_variants=True)
)


def fingerprint(collection: Collection, models: Iterable[str]) -> Fingerprint:
    """Of all that changes a grade or a ranking: imports come and go as files, dropped grades with a draw, a model's
    answers, people's judgments and adjudications as rows, of which only a decision after a reveal is written in place;
    near-duplicates follow another pair while the collection propagates.

    `models`: the names of the model raters that are asked.
    """
    return (
        collection.slug,
        collection.reference_rater_id,
        f"{collection.lowest_grade}-{collection.highest_grade}",
        collection.consensus,
        _files(collection),
        _draws(collection),
        _answers(collection, models),
        _judgments(collection),
        _decisions(collection),
        _near_duplicates(collection),
    )


def fingerprint_variants(collection: Collection) -> Fingerprint:
    """Of what more a finding about query variants rests on: they and their runs, on which no other finding does."""
    texts = QueryVariant.objects.published().filter(collection=collection).aggregate(Count("pk"), Max("pk"))
    return tuple(
        _published(collection).filter(_OF_VARIANTS).order_by("pk").values_list("pk", "digest")
    ), *texts.values()


def _files(collection: Collection) -> Fingerprint:
    return tuple(_published(collection).exclude(_OF_VARIANTS).order_by("pk").values_list("pk", "digest"))


def _published(collection: Collection) -> QuerySet[ImportedFile]:
    return ImportedFile.objects.filter(collection=collection, state=ImportedFile.State.PUBLISHED)


def _draws(collection: Collection) -> Fingerprint:
    draws = HoleDraw.objects.filter(collection=collection, undone_at=None)
    return tuple(draws.order_by("pk").values_list("pk", "created_at"))


def _answers(collection: Collection, models: Iterable[str]) -> Fingerprint:
    answers = Suggestion.objects.filter(rater__collection=collection, rater__name__in=set(models), source=None)
    return _counted(answers.filter(state=Suggestion.State.DONE))


def _judgments(collection: Collection) -> Fingerprint:
    """Without a look at each of them: an answer that is stored, in any round, moves its author on in the session, and a
    decision after a reveal takes a judgment from those that wait for one."""
    people = Membership.objects.filter(collection=collection, session__gt=0).order_by("pk")
    waiting = Judgment.objects.filter(
        assessor__collection=collection, is_current=True, revealed_at__isnull=False, decided_at=None
    )
    return *people.values_list("pk", "session", "session_position"), waiting.count()


def _decisions(collection: Collection) -> Fingerprint:
    return _counted(Adjudication.objects.filter(pair__collection=collection, is_current=True))


def _near_duplicates(collection: Collection) -> Fingerprint:
    """Where a passage's grade is that of another one; the product tells links that were exchanged."""
    if not collection.propagates_duplicates:
        return ()
    rows = Pair.objects.filter(collection=collection, duplicate_of__isnull=False)
    link = F("pk") * F("duplicate_of") % _PRIME
    return tuple(rows.aggregate(Count("pk"), Sum("pk"), Sum("duplicate_of"), links=Sum(link)).values())


def _counted(rows: QuerySet[Any]) -> Fingerprint:
    return tuple(rows.aggregate(Count("pk"), Max("pk"), Sum("grade"), Max("created_at")).values())


@dataclass(frozen=True, eq=False)
class Completed:
    """Grades under a rule, and the pairs of them whose grade is a model's.

    `probabilities` has, by topic and passage, a model's pairs that count by those of the grades from 0 up; they are
    not in `qrels`. `topics` are those of the full qrels: a topic that a draw of holes left without a grade of the
    reference stays.
    """

    qrels: Qrels
    from_models: frozenset[tuple[str, str]]
    topics: frozenset[str]
    probabilities: Mapping[str, GradeProbabilities] = field(default_factory=dict)

    @property
    def by_chances(self) -> int:
        """How many pairs count by their probabilities."""
        return sum(map(len, self.probabilities.values()))

    @property
    def graded(self) -> int:
        return sum(map(len, self.qrels.values())) + self.by_chances


def complete_qrels(
    collection: Collection,
    rule: completion.Rule,
    *,
    with_probabilities: bool = False,
    current: Fingerprint | None = None,
) -> Completed:
    """The grades under a rule; `with_probabilities` those of models as probabilities, where they gave them.

    They are read once while the facts stay as they are. `current`: that of the facts, where the caller has it, with the
    models that the rule asks and maybe others. Raises NoSuchRater.
    """
    return _complete_qrels(collection, rule, with_probabilities, current or fingerprint(collection, rule.models))


@lru_cache(maxsize=16)
def _complete_qrels(
    collection: Collection, rule: completion.Rule, with_probabilities: bool, _fingerprint: Fingerprint
) -> Completed:
    lines = completed_qrels.complete_qrels(collection, rule)
    of_models = [line for line in lines if line.source.startswith(completion.MODEL)]
    probabilities = _probabilities(collection, of_models) if with_probabilities else {}
    certain = [line for line in lines if line.passage_id not in probabilities.get(line.query_id, {})]
    return Completed(
        qrels=completed_qrels.as_qrels(certain),
        from_models=frozenset((line.query_id, line.passage_id) for line in of_models),
        topics=frozenset(line.query_id for line in lines) | _drawn_topics(collection, rule),
        probabilities=probabilities,
    )


def _probabilities(collection: Collection, of_models: Sequence[CompletedGrade]) -> dict[str, dict[str, list[float]]]:
    """A scale that starts above 0 has no chance of the grades below it."""
    below = [0.0] * collection.lowest_grade
    raters = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL)
    known = {
        rater.name: ratings.model_probabilities(rater)
        for rater in raters.filter(name__in={line.rater for line in of_models})
    }
    found: dict[str, dict[str, list[float]]] = {}
    for line in of_models:
        if given := known[line.rater].get((line.query_id, line.passage_id)):
            found.setdefault(line.query_id, {})[line.passage_id] = [*below, *given]
    return found


def _drawn_topics(collection: Collection, rule: completion.Rule) -> frozenset[str]:
    """Where a draw took grades that the rule would have."""
    if completion.REFERENCE not in rule.sources:
        return frozenset()
    return frozenset(query_id for query_id, _ in ratings.dropped_grades(collection))
