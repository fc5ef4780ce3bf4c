"""Completed qrels: one grade for each pair, from the strongest source that has one, with its provenance."""

from typing import NamedTuple

from django.db.models import Exists, OuterRef

from annotate.formats import faults
from annotate.formats.records import Qrels
from annotate.grades import ratings
from annotate.models import Adjudication, Batch, Collection, ImportedFile, Rater, raters
from annotate.rules import completion

# The sources that are people's, and the rater's name in their lines.
OF_PEOPLE = {completion.ADJUDICATED: "adjudicators", completion.PEOPLE: "people"}
USUAL_RULE = (
    "reference,adjudicated,people, then the newest calibrated judge, else the model that suggests, else the first "
    "model that was asked here"
)
Record = dict[str, object]


class NoSuchRater(ValueError):
    """A rule names a model that the collection does not have."""


class CompletedGrade(NamedTuple):
    """One line of completed qrels. `source` is a source of the rule; `rater` the name of who gave the grade.
    `propagated_from`: of a near-duplicate, the passage id of the pair whose grade it has; else empty."""

    query_id: str
    passage_id: str
    grade: int
    source: str
    rater: str
    propagated_from: str = ""


def complete_qrels(collection: Collection, rule: completion.Rule) -> list[CompletedGrade]:
    """All pairs that get a grade under the rule, by the bytes of query id and passage id. Raises NoSuchRater."""
    origins = ratings.propagation_origins(collection)
    sources = {source: _grades(collection, rule, source) for source in rule.sources}
    sources |= {source: ratings.propagate_grades(sources[source], origins) for source in OF_PEOPLE if source in sources}
    reference = collection.reference_rater.name if collection.reference_rater else ""
    names = {completion.REFERENCE: reference, completion.ORIGINAL: reference, **OF_PEOPLE}
    lines = []
    for pair in sorted(set().union(*sources.values())):
        chosen = completion.choose_grade(rule, {name: given[pair] for name, given in sources.items() if pair in given})
        if chosen:
            grade, source = chosen
            rater = names.get(source) or source.removeprefix(completion.MODEL)
            origin = origins.get(pair) if source in OF_PEOPLE else None
            leader = origin[1] if origin in sources[source] else ""
            lines.append(CompletedGrade(*pair, grade, source, rater, leader))
    return lines


def as_qrels(lines: list[CompletedGrade]) -> Qrels:
    """Grades by topic and passage."""
    qrels: Qrels = {}
    for line in lines:
        qrels.setdefault(line.query_id, {})[line.passage_id] = line.grade
    return qrels


def _grades(collection: Collection, rule: completion.Rule, source: str) -> dict[tuple[str, str], int]:
    """What one source says. A reference grade that leaves its pair a hole (-1) is no grade here."""
    if source in OF_PEOPLE:
        return _of_people(collection, rule, source)
    if source.startswith(completion.MODEL):
        return ratings.model_grades(_model(collection, source.removeprefix(completion.MODEL)))
    if collection.reference_rater is None:
        return {}
    given = ratings.reference_grades(collection.reference_rater, with_dropped=source == completion.ORIGINAL)
    return {pair: grade for pair, grade in given.items() if completion.closes_hole(grade)}


def _of_people(collection: Collection, rule: completion.Rule, source: str) -> dict[ratings.PairId, int]:
    if source == completion.ADJUDICATED:
        return ratings.adjudicated_grades(collection)
    given = ratings.consensus_grades(collection, rule.consensus_rule)
    if not rule.decisions_bind_people:
        return given
    decided = ratings.decisions(collection)
    return {pair: grade for pair, grade in given.items() if decided.get(pair, grade) is not None}


def _model(collection: Collection, name: str) -> Rater:
    rater = Rater.objects.filter(collection=collection, name=name, kind=Rater.Kind.MODEL).first()
    if rater is None:
        raise NoSuchRater(f"The collection has no model rater named {faults.quoted(name)}.")
    if rater.held_out_by_id is not None:
        raise NoSuchRater(
            f"{rater.name} learned from grades that are held out now, so it cannot fill their holes: ask for a new "
            "version, or restore the held-out judgments."
        )
    return rater


def usual_rule(collection: Collection, consensus_rule: str = "") -> completion.Rule:
    """The reference, then decisions of adjudicators, then people, then the usual model."""
    return rule_filled_by(usual_model(collection), consensus_rule or collection.consensus)


def rule_filled_by(filler: Rater | None, consensus_rule: str) -> completion.Rule:
    """The same with the grades of this model last, if there is one."""
    models = (completion.MODEL + filler.name,) if filler else ()
    return completion.Rule(completion.Rule().sources + models, consensus_rule)


def usual_model(collection: Collection) -> Rater | None:
    """The newest calibrated judge that has answered all it was asked about: it has learned from the judged pairs where
    models err. Where there is none, the model chosen to suggest, else the first that was asked here. None that learned
    from grades that are held out."""
    ended = Batch.objects.filter(rater=OuterRef("pk"), finished_at__isnull=False)
    may_fill = Rater.objects.filter(collection=collection, held_out_by=None)
    judges = may_fill.filter(Exists(ended), judge=raters.CALIBRATED)
    if judge := judges.order_by("-pk").first():
        return judge
    shown = collection.suggesting_rater
    if shown and shown.held_out_by_id is None:
        return shown
    return may_fill.filter(Exists(ended)).order_by("pk").first()


def describe_raters(collection: Collection, lines: list[CompletedGrade]) -> dict[str, Record]:
    """By name, the raters that gave a line's grade, and those whose suggestions stand by people's grades."""
    by_id = set(Rater.objects.filter(collection=collection, name__in=_named(lines)).values_list("pk", flat=True))
    if any(line.source in OF_PEOPLE for line in lines):
        by_id |= _shown(collection)
    return {rater.name: _rater(rater) for rater in sorted(Rater.objects.filter(pk__in=by_id), key=lambda r: r.name)}


def _named(lines: list[CompletedGrade]) -> set[str]:
    return {line.rater for line in lines if line.source not in OF_PEOPLE}


def _shown(collection: Collection) -> set[int]:
    judged = ratings.current_judgments(collection).filter(suggestion__isnull=False)
    decided = Adjudication.objects.filter(pair__collection=collection, is_current=True, suggestion__isnull=False)
    return {rater for rows in (judged, decided) for rater in rows.values_list("suggestion__rater", flat=True)}


def _rater(rater: Rater) -> Record:
    return {
        "kind": rater.kind,
        "judge": rater.judge,
        "description": rater.description,
        "parameters": rater.parameters,
        "files": _files(rater),
    }


def _files(rater: Rater) -> list[Record]:
    """The imported files whose grades are in force, in the order of their import."""
    given = rater.suggestions if rater.kind == Rater.Kind.MODEL else rater.reference_grades
    ids = set(given.filter(source__isnull=False).values_list("source", flat=True).distinct())
    files = ImportedFile.objects.filter(pk__in=ids, state=ImportedFile.State.PUBLISHED).order_by("pk")
    return [{"name": name, "sha256": digest} for name, digest in files.values_list("name", "digest")]
