"""What waits for a person in each collection, and the way of a collection's data as a line of stages."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from annotate.adjudication import queries as adjudication_queries
from annotate.collections.queries import Facts
from annotate.grades import holes as grades_holes
from annotate.judging.queries import activity
from annotate.models import Collection, Membership, Pair, User
from annotate.rules import drawing
from annotate.texts.queries import variants as variants_queries


@dataclass(frozen=True)
class Judged:
    """A collection that the person judges; `variants`: query variants that wait for the person's say."""

    collection: Collection
    mine: activity.OwnProgress
    variants: int


@dataclass(frozen=True)
class Adjudicated:
    """A collection in which the person adjudicates, with how many pairs wait for the person."""

    collection: Collection
    counts: adjudication_queries.Counts


@dataclass(frozen=True)
class Researched:
    """A collection that the person researches: wanted pairs that met their target, all wanted pairs, holes left, and
    pairs that wait for an adjudicator."""

    collection: Collection
    done: int
    wanted: int
    holes: int
    disputed: int


@dataclass(frozen=True)
class Home:
    judged: list[Judged]
    adjudicated: list[Adjudicated]
    researched: list[Researched]


def gather_home(user: User) -> Home:
    """Each list by title; a person who researches and judges a collection has it in both lists."""
    roles = list(
        Membership.objects.filter(user=user.pk, is_active=True)
        .select_related("collection")
        .order_by("collection__title", "collection")
    )
    return Home(
        judged=[_judged(role) for role in roles if role.role == Membership.Role.ASSESSOR],
        adjudicated=[
            Adjudicated(role.collection, adjudication_queries.count_for_adjudicator(role))
            for role in roles
            if role.role == Membership.Role.ADJUDICATOR
        ],
        researched=_researched([role.collection for role in roles if role.role == Membership.Role.RESEARCHER]),
    )


def _judged(assessor: Membership) -> Judged:
    mine = activity.own_progress(assessor, assessor.collection)
    return Judged(assessor.collection, mine, variants_queries.list_waiting(assessor).count())


def _researched(collections: list[Collection]) -> list[Researched]:
    pairs = Pair.objects.filter(collection__in=collections)
    left, disputed = _by_collection(pairs.filter(grades_holes.HOLE)), _by_collection(pairs.filter(is_disputed=True))
    return [
        Researched(each, *activity.count_done(each), left.get(each.pk, 0), disputed.get(each.pk, 0))
        for each in collections
    ]


def _by_collection(pairs: QuerySet[Pair]) -> dict[int, int]:
    return dict(pairs.values("collection").annotate(number=Count("id")).values_list("collection", "number"))


DONE = "done"
TO_DO = "to do"
IN_WORK = "in work"
LATER = "later"
OPTIONAL = "optional"


@dataclass(frozen=True)
class Stage:
    """`address` is the name of the page on which the action is done. `is_next`: the first that waits for somebody."""

    name: str
    counts: tuple[str, ...]
    state: str
    action: str
    address: str
    is_next: bool = False


def list_stages(collection: Collection, facts: Facts, disputes: adjudication_queries.Counts) -> list[Stage]:
    stages = [
        _imports(facts),
        _pool(collection, facts),
        _suggestions(collection, facts),
        _judging(collection, facts),
        _adjudication(facts, disputes),
        _agreement(facts),
        _evaluation(facts),
        _studies(facts),
        _export(facts),
    ]
    first = next((stage for stage in stages if stage.state in (TO_DO, IN_WORK)), None)
    return [Stage(s.name, s.counts, s.state, s.action, s.address, is_next=s is first) for s in stages]


def _imports(facts: Facts) -> Stage:
    counts = [
        _number(facts.topics, "topic"),
        _number(facts.passages, "passage"),
        _number(facts.runs, "run"),
        f"{_number(facts.references, 'reference')}, {_number(facts.models, 'model')}",
    ]
    if facts.variants:
        runs = f"{_number(facts.variant_runs, 'run')} of them" if facts.variant_runs else "no run of them"
        counts.append(f"{_number(facts.variants, 'query variant')}, {runs}")
    missing = [
        name
        for name, is_missing in [
            ("topics", not facts.topics),
            ("passages", not facts.passages),
            ("runs or qrels", not facts.is_poolable),
        ]
        if is_missing
    ]
    if missing:
        return Stage("Import", tuple(counts), TO_DO, f"import {missing[0]}", "imports")
    return Stage("Import", tuple(counts), DONE, "import more", "imports")


def _pool(collection: Collection, facts: Facts) -> Stage:
    name = "Pool and holes"
    if not facts.pooled:
        is_ready = facts.topics and facts.is_poolable
        return Stage(name, ("not built",), TO_DO if is_ready else LATER, "build the pool", "pool")
    counts = [f"{_number(facts.pooled, 'pair')} to depth {collection.pool_depth}", _number(facts.holes, "hole")]
    if facts.dropped:
        counts.append(f"{_number(facts.dropped, 'grade')} dropped for synthetic holes")
    if facts.without_text:
        counts.append(f"{_number(facts.without_text, 'hole')} without text")
    if facts.is_pool_old:
        return Stage(name, (*counts, "older than the newest import"), TO_DO, "build the pool again", "pool")
    return Stage(name, tuple(counts), DONE, "see where the holes are", "pool")


def _suggestions(collection: Collection, facts: Facts) -> Stage:
    name = "Suggestions"
    if not facts.pooled:
        return Stage(name, ("none yet",), LATER, "see how", "suggestions")
    if not facts.models:
        is_needed = collection.share_shown or collection.share_reveal
        return Stage(name, ("none yet",), TO_DO if is_needed else OPTIONAL, "start Lacuna's own judge", "suggestions")
    counts = [_number(facts.models, "model")]
    if collection.suggesting_rater_id:
        counts.append(f"{facts.holes_suggested:,} of {_number(facts.holes, 'hole')} with the chosen model's grade")
    else:
        counts.append("none is chosen for assessors")
    action = "start the calibrated judge" if facts.lacks_calibrated and facts.holes else "compare models"
    return Stage(name, tuple(counts), DONE, action, "suggestions")


def _judging(collection: Collection, facts: Facts) -> Stage:
    if not facts.wanted:
        return Stage("Judging", ("no pair waits for people",), LATER, "choose how pairs are judged", "judging_settings")
    drawn = (collection.get_order_display(),) if collection.order in drawing.DRAWN else ()
    counts = (
        f"{facts.wanted - facts.still_open:,} of {_number(facts.wanted, 'pair')} done",
        *drawn,
        f"{_number(facts.judged, 'judgment')} of {_number(facts.assessors, 'assessor')}",
    )
    if not facts.assessors:
        return Stage("Judging", counts, TO_DO, "add an assessor", "people")
    if not facts.still_open:
        return Stage("Judging", counts, DONE, "see who judged", "judging_settings")
    if collection.is_paused:
        return Stage("Judging", (*counts, "paused"), TO_DO, "open judging again", "judging_settings")
    return Stage("Judging", counts, IN_WORK, "watch progress", "judging_settings")


def _adjudication(facts: Facts, disputes: adjudication_queries.Counts) -> Stage:
    """Done when all pairs have the judgments that are wanted and none waits for a decision."""
    name, address = "Adjudication", "adjudication"
    counts = [f"{_number(disputes.waiting, 'pair')} to settle"]
    if disputes.unresolved:
        counts.append(f"{disputes.unresolved:,} of them unresolved")
    if disputes.decided:
        counts.append(f"{_number(disputes.decided, 'decision')} in force")
    if disputes.waiting:
        return Stage(name, tuple(counts), TO_DO, "settle disagreements", address)
    if facts.wanted and not facts.still_open:
        return Stage(name, tuple(counts), DONE, "see what was decided", address)
    return Stage(name, tuple(counts), LATER, "see how", address)


def _agreement(facts: Facts) -> Stage:
    raters = facts.references + facts.models
    counts = (_number(facts.judged, "judgment"), f"{_number(raters, 'set')} of imported or suggested grades")
    is_ready = raters >= 2 or (facts.judged and (raters or facts.assessors >= 2))
    return Stage("Agreement", counts, DONE if is_ready else LATER, "compare people and models", "agreement")


def _evaluation(facts: Facts) -> Stage:
    is_ready = facts.runs and (facts.references or facts.models or facts.judged)
    counts = (_number(facts.runs, "run"),)
    return Stage("Evaluation", counts, DONE if is_ready else LATER, "see the leaderboard", "leaderboard")


def _studies(facts: Facts) -> Stage:
    is_ready = facts.runs and (facts.references or facts.models or facts.judged)
    return Stage("Studies", ("do conclusions hold?",), OPTIONAL if is_ready else LATER, "start a study", "studies")


def _export(facts: Facts) -> Stage:
    counts = (_number(facts.exports, "frozen version"),)
    if facts.exports:
        return Stage("Export", counts, DONE, "take qrels home", "exports")
    has_grades = facts.references or facts.models or facts.judged
    return Stage("Export", counts, OPTIONAL if has_grades else LATER, "freeze completed qrels", "exports")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
