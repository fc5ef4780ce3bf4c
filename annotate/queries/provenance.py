"""Where the grades of completed qrels come from, told line by line for JSON, and what is left open."""

from collections import defaultdict
from collections.abc import Iterator

from annotate.models import Collection, HoleDraw, Judgment, Pair, Rater, ReferenceGrade, Suggestion
from annotate.queries import ratings
from annotate.queries.completed_qrels import CompletedGrade
from annotate.rules import completion

Told = dict[str, object]


def records(collection: Collection, lines: list[CompletedGrade]) -> Iterator[Told]:
    """One record a line, in its order: the chosen grade and its source, and every judgment of people behind it."""
    judged = _judgments(collection)
    models = {source: _suggestions(collection, source) for source in {line.source for line in lines}}
    for line in lines:
        pair = (line.query_id, line.passage_id)
        record: Told = {
            "query_id": line.query_id,
            "passage_id": line.passage_id,
            "grade": line.grade,
            "source": line.source,
            "rater": line.rater,
        }
        if line.source == completion.PEOPLE:
            record["judgments"] = judged[pair]
        if told := models[line.source].get(pair):
            record["suggestion"] = told
        yield record


def holes_left(collection: Collection, lines: list[CompletedGrade]) -> list[ratings.Pair]:
    """Pooled pairs that no line grades."""
    filled = {(line.query_id, line.passage_id) for line in lines}
    pooled = Pair.objects.filter(collection=collection, is_pooled=True)
    return [pair for pair in pooled.values_list("topic__query_id", "passage_id") if pair not in filled]


def draw_in_force(collection: Collection) -> Told | None:
    draw = HoleDraw.objects.filter(collection=collection, undone_at=None).first()
    if draw is None:
        return None
    return {"fraction": draw.fraction, "grades": draw.grades, "seed": draw.seed, "dropped": draw.dropped}


def counts_in_words(collection: Collection) -> str:
    """How many grades each kind of source has, for a message about an empty result."""
    reference = ReferenceGrade.objects.filter(rater=collection.reference_rater_id, dropped_by=None).count()
    people = ratings.current(collection).count()
    models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).count()
    return f"{reference} reference grades in force, {people} judgments of people, {models} model raters"


def _judgments(collection: Collection) -> dict[tuple[str, str], list[Told]]:
    told: dict[tuple[str, str], list[Told]] = defaultdict(list)
    rows = (
        ratings.current(collection)
        .select_related("pair__topic", "assessor", "claim", "backstory", "guidelines", "suggestion__rater")
        .order_by("assessor__pseudonym", "created_at")
    )
    for judgment in rows:
        told[judgment.pair.topic.query_id, judgment.pair.passage_id].append(_judgment(judgment))
    return told


def _judgment(judgment: Judgment) -> Told:
    return {
        "assessor": judgment.assessor.pseudonym,
        "outcome": judgment.outcome,
        "grade": judgment.grade,
        "first_grade": judgment.first_grade,
        "is_unsure": judgment.is_unsure,
        "comment": judgment.comment,
        "reason": judgment.reason,
        "is_extra": judgment.is_extra,
        "version": judgment.version,
        "arm": judgment.arm,
        "is_suggestion_seen": judgment.is_suggestion_seen,
        "suggestion": judgment.suggestion and judgment.suggestion.grade,
        "suggested_by": judgment.suggestion and judgment.suggestion.rater.name,
        "revealed_at": _time(judgment.revealed_at),
        "decided_at": _time(judgment.decided_at),
        "backstory_version": judgment.backstory and judgment.backstory.version,
        "guidelines_version": judgment.guidelines.version,
        "claim": str(judgment.claim.token),
        "claimed_at": _time(judgment.claim.claimed_at),
        "judged_at": _time(judgment.created_at),
        "shown_at": _time(judgment.shown_at),
        "visible_ms": judgment.visible_ms,
        "wall_ms": judgment.wall_ms,
        "was_cut": judgment.was_cut,
        "sitting": judgment.sitting,
        "sitting_position": judgment.sitting_position,
        "order": judgment.order,
        "order_seed": judgment.order_seed,
        "order_key": judgment.order_key,
        "stratum": judgment.stratum,
        "frame_version": judgment.frame_version,
        "draw_probability": judgment.draw_probability,
    }


def _suggestions(collection: Collection, source: str) -> dict[tuple[str, str], Told]:
    """Probabilities and reasons of a model's grades."""
    if not source.startswith(completion.MODEL):
        return {}
    rows = Suggestion.objects.filter(
        rater__collection=collection,
        rater__name=source.removeprefix(completion.MODEL),
        state=Suggestion.State.DONE,
    ).order_by("-draw")
    return {
        (query_id, passage_id): {"probabilities": probabilities, "reason": reason}
        for query_id, passage_id, probabilities, reason in rows.values_list(*ratings.NAMES, "probabilities", "reason")
    }


def _time(at) -> str | None:  # type: ignore[no-untyped-def]
    return at.isoformat() if at else None
