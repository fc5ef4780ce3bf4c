"""Where the grades of completed qrels come from, line by line and counted, and what is left open."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db import connection

from annotate.exports import rules
from annotate.formats import jsonl
from annotate.grades import completed_qrels, ratings
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
from annotate.rules import completion

_BEGIN = {
    # Deferred: it reads what was committed at its first SELECT and never takes the lock that judging writes with.
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


@contextmanager
def snapshot() -> Iterator[None]:
    """What is read inside is of one moment, however long it takes and whoever writes meanwhile.

    Raises TransactionManagementError inside of a transaction, which has a moment of its own or none.
    """
    connection.validate_no_atomic_block()
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


Record = dict[str, object]


def provenance_records(collection: Collection, rule: completion.Rule, lines: list[CompletedGrade]) -> Iterator[Record]:
    """One record a line, in its order: the chosen grade and its source, and of people every judgment behind it, the
    decision, and in `provenance` how they came to the grade, or to none where the rule asked them before a model."""
    judged, decided = _judgments(collection), _decisions(collection)
    models = {source: _suggestions(collection, source) for source in {line.source for line in lines}}
    for line in lines:
        pair = (line.query_id, line.passage_id)
        record: Record = {
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
            record["provenance"] = _how(rule, line, judged.get(behind, []))
        if suggestion := models[line.source].get(pair):
            record["suggestion"] = suggestion
        yield record


def _how(rule: completion.Rule, line: CompletedGrade, judgments: list[Record]) -> str:
    if line.source not in OF_PEOPLE:
        return rules.UNRESOLVED
    if line.propagated_from:
        return rules.name_propagation(line.propagated_from)
    given = [grade for judgment in judgments if isinstance(grade := judgment["grade"], int)]
    is_adjudicated = line.source == completion.ADJUDICATED or rule.consensus_rule == completion.ADJUDICATED_ONLY
    return rules.name_provenance(rule.consensus_rule, given, is_adjudicated=is_adjudicated)


def list_holes_left(collection: Collection, lines: list[CompletedGrade]) -> list[ratings.PairId]:
    """Pooled pairs that no line grades."""
    filled = {(line.query_id, line.passage_id) for line in lines}
    pooled = Pair.objects.filter(collection=collection, is_pooled=True)
    return [pair for pair in pooled.values_list("topic__query_id", "passage_id") if pair not in filled]


def describe_hole_draw(collection: Collection) -> Record | None:
    draw = HoleDraw.objects.filter(collection=collection, undone_at=None).first()
    if draw is None:
        return None
    return {"fraction": draw.fraction, "grades": draw.grades, "seed": draw.seed, "dropped": draw.dropped}


def describe_pair_draws(collection: Collection) -> Record:
    """By the number that judgments name, the draws under which people judged."""
    judged = ratings.current_judgments(collection).filter(pair_draw__isnull=False).values("pair_draw")
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


def count_sources_in_words(collection: Collection) -> str:
    """How many grades each kind of source has, for a message about an empty result."""
    reference = ReferenceGrade.objects.filter(rater=collection.reference_rater_id, dropped_by=None).count()
    people = ratings.current_judgments(collection).count()
    decisions = Adjudication.objects.filter(pair__collection=collection, is_current=True, grade__isnull=False).count()
    models = Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).count()
    return (
        f"{reference} reference grades in force, {people} judgments of people, "
        f"{decisions} grades decided by adjudicators, {models} model raters"
    )


def _decisions(collection: Collection) -> dict[ratings.PairId, Record]:
    rows = Adjudication.objects.filter(pair__collection=collection, is_current=True).select_related(
        "pair__topic", "adjudicator", "guidelines", "suggestion__rater"
    )
    return {(row.pair.topic.query_id, row.pair.passage_id): _decision(row) for row in rows}


def _decision(decision: Adjudication) -> Record:
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


JUDGMENT = {
    "assessor": "assessor__pseudonym",
    "outcome": "outcome",
    "grade": "grade",
    "first_grade": "first_grade",
    "is_unsure": "is_unsure",
    "comment": "comment",
    "reason": "reason",
    "is_extra": "is_extra",
    "version": "version",
    "arm": "arm",
    "is_suggestion_seen": "is_suggestion_seen",
    "suggestion": "suggestion__grade",
    "suggested_by": "suggestion__rater__name",
    "revealed_at": "revealed_at",
    "decided_at": "decided_at",
    "backstory_version": "backstory__version",
    "guidelines_version": "guidelines__version",
    "claim": "claim__token",
    "claimed_at": "claim__claimed_at",
    "judged_at": "created_at",
    "shown_at": "shown_at",
    "visible_ms": "visible_ms",
    "wall_ms": "wall_ms",
    "was_cut": "was_cut",
    "sitting": "session",
    "sitting_position": "session_position",
    "order": "order",
    "order_seed": "order_seed",
    "order_key": "order_key",
    "stratum": "stratum",
    "frame_version": "frame_version",
    "draw_probability": "draw_probability",
    "pair_draw": "pair_draw",
    "is_calibration": "is_calibration",
}
"""What is exported of a judgment: its name in files, and its column."""
TABLE = {"query_id": ratings.NAMES[0], "passage_id": ratings.NAMES[1], "round": "round", "is_current": "is_current"}
TABLE |= JUDGMENT
JUDGMENT_FILES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}


def judgment_records(collection: Collection) -> Iterator[Record]:
    """Every judgment of people, in the order in which they were saved: replaced versions (`is_current` false), hidden
    repeats (`round` above 1) and pairs that cannot be judged (`outcome`) too. Of one moment: it is one statement."""
    rows = Judgment.objects.filter(assessor__collection=collection).order_by("pk")
    for row in rows.values_list(*TABLE.values()).iterator():
        yield _record(TABLE, row)


def judgment_lines(collection: Collection, kind: str) -> Iterator[bytes]:
    """The bytes of the file of all judgments, line by line; `kind` is a name of JUDGMENT_FILES."""
    records = judgment_records(collection)
    if kind == "csv":
        return (line.encode() for line in rules.table_csv(list(TABLE), records))
    return map(jsonl.dump, records)


def _judgments(collection: Collection) -> dict[ratings.PairId, list[Record]]:
    by_pair: dict[ratings.PairId, list[Record]] = defaultdict(list)
    rows = ratings.current_judgments(collection).order_by("assessor__pseudonym", "created_at")
    for query_id, passage_id, *row in rows.values_list(*ratings.NAMES, *JUDGMENT.values()).iterator():
        by_pair[query_id, passage_id].append(_record(JUDGMENT, row))
    return by_pair


def _record(names: Iterable[str], row: Iterable[object]) -> Record:
    return {name: _plain(value) for name, value in zip(names, row, strict=True)}


def _plain(value: object) -> object:
    """As JSON and tables have it: times in UTC with Z, ids as text."""
    if isinstance(value, datetime):
        return _time(value)
    return str(value) if isinstance(value, UUID) else value


def _suggestions(collection: Collection, source: str) -> dict[tuple[str, str], Record]:
    """Probabilities and reasons of a model's grades, and other probabilities that are meant for scoring."""
    if not source.startswith(completion.MODEL):
        return {}
    rows = (
        Suggestion.objects.visible()
        .filter(
            rater__collection=collection, rater__name=source.removeprefix(completion.MODEL), state=Suggestion.State.DONE
        )
        .order_by("-draw")
    )
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
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


@dataclass(frozen=True)
class SourceCounts:
    """How many lines of each grade (in the order of the preview's grades) come from a source, and in all."""

    source: str
    by_grade: list[int]
    total: int


@dataclass(frozen=True)
class Preview:
    lines: int
    topics: int
    grades: list[int]
    sources: list[SourceCounts]
    by_grade: list[int]
    holes_left: int
    known: str


def preview_rule(collection: Collection, rule: completion.Rule) -> Preview:
    """Count what the rule gives. `known` says in words what there is to draw from. Raises NoSuchRater."""
    lines = completed_qrels.complete_qrels(collection, rule)
    both = Counter((line.source, line.grade) for line in lines)
    grades = sorted(set(collection.scale.grades) | {line.grade for line in lines})
    sources = []
    for source in rule.sources:
        by_grade = [both[source, grade] for grade in grades]
        sources.append(SourceCounts(source, by_grade, sum(by_grade)))
    return Preview(
        lines=len(lines),
        topics=len({line.query_id for line in lines}),
        grades=grades,
        sources=sources,
        by_grade=[sum(counts) for counts in zip(*(row.by_grade for row in sources), strict=True)],
        holes_left=len(list_holes_left(collection, lines)),
        known=count_sources_in_words(collection),
    )
