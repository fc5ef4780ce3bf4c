"""Where the grades of completed qrels come from, told line by line for JSON, and what is left open."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from annotate.exports import rules
from annotate.grades import ratings
from annotate.grades.completed_qrels import OF_PEOPLE, CompletedGrade
from annotate.models import (
    Adjudication,
    Collection,
    HoleDraw,
    Judgment,
    Pair,
    PairDraw,
    Rater,
    ReferenceGrade,
    Suggestion,
)
from annotate.rules import completion, consensus

Told = dict[str, object]


def records(collection: Collection, rule: completion.Rule, lines: list[CompletedGrade]) -> Iterator[Told]:
    """One record a line, in its order: the chosen grade and its source, and of people every judgment behind it, the
    decision, and in `provenance` how they came to the grade, or to none where the rule asked them before a model."""
    judged, decided = _judgments(collection), _decisions(collection)
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
        behind = (line.query_id, line.propagated_from or line.passage_id)
        if line.source in OF_PEOPLE or (behind in judged and rule.asks_people_before(line.source)):
            record["judgments"] = judged.get(behind, [])
            record["adjudication"] = decided.get(behind)
            record["provenance"] = _how(rule, line, record)
        if told := models[line.source].get(pair):
            record["suggestion"] = told
        yield record


def _how(rule: completion.Rule, line: CompletedGrade, record: Told) -> str:
    if line.source not in OF_PEOPLE:
        return rules.UNRESOLVED
    if line.propagated_from:
        return rules.propagated(line.propagated_from)
    given = [judgment["grade"] for judgment in record["judgments"] if judgment["grade"] is not None]
    is_adjudicated = line.source == completion.ADJUDICATED or rule.consensus_rule == consensus.ADJUDICATED
    return rules.of_people(rule.consensus_rule, given, is_adjudicated=is_adjudicated)


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


def pair_draws(collection: Collection) -> Told:
    """By the number that judgments name, the draws under which people judged."""
    judged = ratings.current(collection).filter(pair_draw__isnull=False).values("pair_draw")
    return {
        str(draw.pk): {
            "kind": draw.kind,
            "seed": draw.seed,
            "size": draw.size,
            "frame_version": draw.frame_version,
            "created_at": _time(draw.created_at),
            "design": draw.design,
        }
        for draw in PairDraw.objects.filter(pk__in=judged).order_by("pk")
    }


def counts_in_words(collection: Collection) -> str:
    """How many grades each kind of source has, for a message about an empty result."""
    reference = ReferenceGrade.objects.filter(rater=collection.reference_rater_id, dropped_by=None).count()
    people = ratings.current(collection).count()
    decisions = Adjudication.objects.filter(pair__collection=collection, is_current=True, grade__isnull=False).count()
    models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).count()
    return (
        f"{reference} reference grades in force, {people} judgments of people, "
        f"{decisions} grades decided by adjudicators, {models} model raters"
    )


def _decisions(collection: Collection) -> dict[ratings.Pair, Told]:
    rows = Adjudication.objects.filter(pair__collection=collection, is_current=True).select_related(
        "pair__topic", "adjudicator", "guidelines", "suggestion__rater"
    )
    return {(row.pair.topic.query_id, row.pair.passage_id): _decision(row) for row in rows}


def _decision(decision: Adjudication) -> Told:
    return {
        "adjudicator": decision.adjudicator.pseudonym,
        "grade": decision.grade,
        "reason": decision.reason,
        "version": decision.version,
        "judgments": decision.judgments,
        "has_new_evidence": decision.has_new_evidence,
        "has_judged": decision.has_judged,
        "names_shown": decision.names_shown,
        "suggestion": decision.suggestion and decision.suggestion.grade,
        "suggested_by": decision.suggestion and decision.suggestion.rater.name,
        "guidelines_version": decision.guidelines.version,
        "decided_at": _time(decision.created_at),
    }


def _judgments(collection: Collection) -> dict[ratings.Pair, list[Told]]:
    told: dict[ratings.Pair, list[Told]] = defaultdict(list)
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
        "pair_draw": judgment.pair_draw_id,
        "is_calibration": judgment.is_calibration,
    }


def _suggestions(collection: Collection, source: str) -> dict[tuple[str, str], Told]:
    """Probabilities and reasons of a model's grades, and other probabilities that are meant for scoring."""
    if not source.startswith(completion.MODEL):
        return {}
    rows = Suggestion.objects.filter(
        rater__collection=collection,
        rater__name=source.removeprefix(completion.MODEL),
        state=Suggestion.State.DONE,
    ).order_by("-draw")
    columns = (*ratings.NAMES, "probabilities", "for_scoring", "reason")
    return {
        (query_id, passage_id): {
            "probabilities": chances,
            **({"for_scoring": meant} if meant else {}),
            "reason": reason,
        }
        for query_id, passage_id, chances, meant, reason in rows.values_list(*columns)
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
