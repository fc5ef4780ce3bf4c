"""Draws as pages show them, plans of samples, near-duplicate passages."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from django.db.models import Count, F, Q, QuerySet

from annotate.formats import named_pairs
from annotate.grades import rankings, ratings
from annotate.models import Collection, Pair, PairDraw, Rater, ReferenceGrade, Topic
from annotate.rules import completion, drawing, perturbations
from annotate.rules.perturbations import Part

MOST_NEAR_DUPLICATES = 20  # of one representative: a line that stands on each page of a site has thousands


@dataclass(frozen=True)
class Duplicate:
    """A near-duplicate and its text, and the representative's text, in parts that say where they differ."""

    pair: Pair
    here: list[Part]
    there: list[Part]


@dataclass(frozen=True)
class Group:
    """A representative with the first of its near-duplicates; of the `left` only their number is shown."""

    first: Pair
    duplicates: list[Duplicate]
    left: int


def list_representatives(collection: Collection) -> QuerySet[Pair]:
    """The pairs that have near-duplicates, by topic and best rank."""
    rows = Pair.objects.filter(collection=collection, duplicates__isnull=False).distinct()
    return rows.select_related("topic", "passage_text").order_by("topic__query_id", "best_rank", "passage_id")


def compare_group(representative: Pair) -> Group:
    rows = representative.duplicates.filter(passage_text__isnull=False).select_related("passage_text")
    number = rows.count() if representative.passage_text else 0
    shown = rows.order_by("best_rank", "passage_id")[: min(number, MOST_NEAR_DUPLICATES)]
    return Group(
        representative, [_compared(representative, pair) for pair in shown], max(0, number - MOST_NEAR_DUPLICATES)
    )


def near_duplicate_records(collection: Collection) -> Iterator[dict[str, object]]:
    """One record a near-duplicate, by topic and passage."""
    rows = Pair.objects.filter(collection=collection, duplicate_of__isnull=False)
    columns = ("topic__query_id", "passage_id", "duplicate_of__passage_id", "consensus_grade")
    for query_id, passage_id, other, grade in rows.order_by("topic__query_id", "passage_id").values_list(*columns):
        yield {"query_id": query_id, "passage_id": passage_id, "duplicate_of": other, "grade": grade}


def _compared(representative: Pair, pair: Pair) -> Duplicate:
    there, here = perturbations.side_by_side(_text(representative), _text(pair))
    return Duplicate(pair, here, there)


def _text(pair: Pair) -> str:
    assert pair.passage_text is not None
    title, text = pair.passage_text.title, pair.passage_text.text
    return f"{title}\n{text}" if title else text


MOST_SHOWN = 100


@dataclass(frozen=True)
class Counts:
    """Pairs: in the draw in force and of these done; added by hand; withdrawn; near-duplicates of another."""

    drawn: int
    done: int
    added: int
    withdrawn: int
    duplicates: int


@dataclass(frozen=True)
class DrawWithJudgments:
    """A draw and how many judgments in force were made under it."""

    draw: PairDraw
    judgments: int


def count_pairs(collection: Collection) -> Counts:
    rows = Pair.objects.filter(collection=collection).aggregate(
        drawn=Count("pk", filter=Q(is_drawn=True)),
        done=Count("pk", filter=Q(is_drawn=True, target__gt=0, counted__gte=F("target"))),
        added=Count("pk", filter=Q(is_added=True)),
        withdrawn=Count("pk", filter=Q(is_withdrawn=True)),
        duplicates=Count("pk", filter=Q(duplicate_of__isnull=False)),
    )
    return Counts(**rows)


def list_draws_with_judgments(collection: Collection) -> list[DrawWithJudgments]:
    """All draws, the newest first, without the pairs that their designs name."""
    judged = dict(
        ratings.current_judgments(collection)
        .filter(pair_draw__isnull=False)
        .values_list("pair_draw")
        .annotate(Count("pk"))
    )
    return [DrawWithJudgments(draw, _judgments(draw, judged)) for draw in list_draws(collection).defer("design")]


def list_draws(collection: Collection) -> QuerySet[PairDraw]:
    return PairDraw.objects.filter(collection=collection).select_related("created_by").order_by("-created_at", "-pk")


def find_in_force(collection: Collection) -> PairDraw | None:
    """The draw that the order of the pairs comes from."""
    if collection.pair_draw_id is None:
        return None
    return list_draws(collection).get(pk=collection.pair_draw_id)


def list_withdrawn(collection: Collection) -> list[Pair]:
    """The first withdrawn pairs by topic and passage, with their reasons."""
    rows = Pair.objects.filter(collection=collection, is_withdrawn=True).select_related("topic")
    return list(rows.order_by("topic__query_id", "passage_id")[:MOST_SHOWN])


def _judgments(draw: PairDraw, judged: dict[int, int]) -> int:
    """Calibration pairs are judged beside the draw that orders them: theirs are counted by their mark and time."""
    if draw.kind != PairDraw.Kind.CALIBRATION:
        return judged.get(draw.pk, 0)
    rows = ratings.current_judgments(draw.collection).filter(
        is_calibration=True, claim__claimed_at__gte=draw.created_at
    )
    return rows.filter(Q(claim__claimed_at__lt=draw.ended_at) if draw.ended_at else Q()).count()


def calibration_in_force(collection: Collection) -> PairDraw | None:
    draws = PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.CALIBRATION, ended_at=None)
    return draws.select_related("created_by").first()


def list_candidates(collection: Collection) -> dict[ratings.PairId, tuple[int, int]]:
    """Of each pooled pair with a text and a reference grade in force that says how relevant it is: its row id and that
    grade."""
    rows = ReferenceGrade.objects.filter(
        rater=collection.reference_rater_id,
        source__state="PUBLISHED",
        dropped_by=None,
        pair__is_pooled=True,
        pair__is_withdrawn=False,
        pair__passage_text__isnull=False,
    )
    columns = rows.values_list(*ratings.NAMES, "pair", "grade")
    return {(query_id, name): (pk, grade) for query_id, name, pk, grade in columns if completion.is_judged(grade)}


PAIR = "pair"
TOPIC = "topic"
UNITS = (PAIR, TOPIC)
SHARE_OR_NUMBER = "Say whether pairs or topics are sampled, and either which share of them or how many."


@dataclass(frozen=True)
class Frame:
    """`topics`: query_id -> the passage ids that can be drawn, by their bytes; a topic that is all graded has none.
    `graded`: pairs that the reference closed. Nobody can judge `without_text` and `withdrawn`, by topic."""

    topics: dict[str, list[str]]
    graded: int = 0
    without_text: Counter[str] = field(default_factory=Counter)
    withdrawn: Counter[str] = field(default_factory=Counter)

    @property
    def pairs(self) -> int:
        return sum(map(len, self.topics.values()))

    @property
    def left_out(self) -> int:
        return self.without_text.total() + self.withdrawn.total()

    @property
    def digest(self) -> str:
        return named_pairs.digest_pairs((query_id, name) for query_id, names in self.topics.items() for name in names)


def frame_of_top(collection: Collection, depth: int) -> Frame:
    """Of the pairs that a pooled run ranks within the depth. Raises CannotDraw where the pool lacks some of them."""
    known = set(Topic.objects.published().filter(collection=collection).values_list("query_id", flat=True))
    tops = drawing.pool_runs(rankings.load_tops(collection, depth, known, pooled_only=True), depth)
    if not tops:
        raise drawing.CannotDraw("There is nothing to draw from: import runs that are pooled, and build the pool.")
    rows = _rows(collection)
    if missing := sum(pair not in rows for pair in tops):
        raise drawing.CannotDraw(
            f"The pool lacks {missing:,} of the {len(tops):,} pairs in the top {depth} of the runs: "
            f"build it anew, to a depth of {depth} or more."
        )
    return _frame(collection, {pair: rows[pair] for pair in tops})


def frame_of_pool(collection: Collection) -> Frame:
    """Of all pooled pairs. Raises CannotDraw without any."""
    rows = _rows(collection)
    if not rows:
        raise drawing.CannotDraw("There is nothing to draw from: build the pool first.")
    return _frame(collection, rows)


def _rows(collection: Collection) -> dict[ratings.PairId, tuple[bool, bool]]:
    """Pooled pairs: whether they have a text, whether they are withdrawn."""
    rows = Pair.objects.filter(collection=collection, is_pooled=True, topic__in=Topic.objects.published())
    columns = ("topic__query_id", "passage_id", "passage_text", "is_withdrawn")
    return {(q, p): (text is not None, is_withdrawn) for q, p, text, is_withdrawn in rows.values_list(*columns)}


def _frame(collection: Collection, rows: dict[ratings.PairId, tuple[bool, bool]]) -> Frame:
    rater = collection.reference_rater
    closed = {p for p, g in ratings.reference_grades(rater).items() if completion.closes_hole(g)} if rater else set()
    frame = Frame({query_id: [] for query_id in sorted({query_id for query_id, _ in rows})}, len(closed & rows.keys()))
    for pair in sorted(rows.keys() - closed):
        query_id, passage_id = pair
        has_text, is_withdrawn = rows[pair]
        if is_withdrawn:
            frame.withdrawn[query_id] += 1
        elif not has_text:
            frame.without_text[query_id] += 1
        else:
            frame.topics[query_id].append(passage_id)
    return frame


@dataclass(frozen=True)
class Plan:
    """What is asked for. `unit`: pairs within each topic, or whole topics. Exactly one of `share` (of each topic's
    frame, or of the topics) and `number` (of pairs of each topic, or of topics). `depth`: of the frame of pairs, the
    cut-off of the measure. `model`: whose grades are frozen. `leaves_out`: go on without what nobody can judge."""

    unit: str = PAIR
    share: float | None = None
    number: int | None = None
    seed: int = 1
    depth: int = 10
    model: Rater | None = None
    leaves_out: bool = False


@dataclass(frozen=True)
class Sample:
    """`topics`: query_id -> sampled passages in random order; of whole topics only the sampled ones."""

    plan: Plan
    frame: Frame
    topics: dict[str, tuple[str, ...]]

    @property
    def size(self) -> int:
        return sum(map(len, self.topics.values()))

    @property
    def order(self) -> list[ratings.PairId]:
        """The pairs as they will be judged: in rounds over the topics, or topic by topic where those are sampled."""
        if self.plan.unit == PAIR:
            return drawing.order_in_rounds(self.topics, self.plan.seed)
        return [(query_id, name) for query_id, names in self.topics.items() for name in names]

    @property
    def strata(self) -> list[dict[str, object]]:
        """By topic: how many pairs its frame has, how many are in the sample, which ones in their random order."""
        return [self._stratum(query_id) for query_id in self.frame.topics]

    def _stratum(self, query_id: str) -> dict[str, object]:
        names = self.topics.get(query_id)
        return {
            "query_id": query_id,
            "frame": len(self.frame.topics[query_id]),
            "without_text": self.frame.without_text[query_id],
            "withdrawn": self.frame.withdrawn[query_id],
            "is_sampled": names is not None,
            "sample": len(names or ()),
            "passage_ids": list(names or ()),
        }


def plan_sample(collection: Collection, plan: Plan) -> Sample:
    """The sample that the plan and the collection's present state give. Raises CannotDraw with the reason for none."""
    _check(collection, plan)
    frame = frame_of_top(collection, plan.depth) if plan.unit == PAIR else frame_of_pool(collection)
    if not frame.pairs and not frame.left_out:
        raise drawing.CannotDraw("The reference graded all pairs of the frame: nothing is left to judge.")
    if frame.left_out and not plan.leaves_out:
        raise drawing.CannotDraw(_missing(frame))
    try:
        topics = _within(plan, frame) if plan.unit == PAIR else _whole(plan, frame)
    except ValueError as reason:
        raise drawing.BadValue(f"This cannot be drawn: {reason}.") from None
    if not any(topics.values()):
        raise drawing.CannotDraw("The sample holds no pair that people could judge: take more topics.")
    return Sample(plan, frame, topics)


def describe_design(collection: Collection, sample: Sample) -> dict[str, object]:
    """What an analysis needs of the sample: its frame, its sizes, and the digests of all that must not change."""
    plan, frame = sample.plan, sample.frame
    rater = collection.reference_rater
    return {
        "unit": plan.unit,
        "share": plan.share,
        "number": plan.number,
        "depth": plan.depth if plan.unit == PAIR else collection.pool_depth,
        "frame": {"pairs": frame.pairs, "graded": frame.graded, "digest": frame.digest},
        "left_out": {"without_text": frame.without_text.total(), "withdrawn": frame.withdrawn.total()},
        "runs": list_pooled_runs(collection),
        "reference": asdict(ratings.digest_reference(rater)) if rater else None,
        "model": asdict(ratings.digest_model(plan.model)) if plan.model else None,
        "topics": sample.strata,
    }


def estimate_judgments(collection: Collection, sample: Sample) -> int:
    """About how many judgments people will give: so many pairs, some of them judged by several."""
    several = collection.share_several / 100
    return round(sample.size * ((1 - several) * collection.target + several * collection.target_several))


def read_frame_state(collection: Collection) -> list[object]:
    """What differs once something changed that a sample is worked out from; a few statements."""
    pooled = Pair.objects.filter(collection=collection, is_pooled=True)
    rater = collection.reference_rater
    return [
        collection.frame_version,
        collection.propagates_duplicates,
        list_pooled_runs(collection),
        pooled.aggregate(Count("pk"), Count("passage_text")),
        rater and [rater.pk, ratings.reference_revision(rater)],
    ]


def list_pooled_runs(collection: Collection) -> list[dict[str, str]]:
    """The pooled runs with the digests of their files."""
    pooled = (run for run in rankings.published_runs(collection) if run.is_pooled)
    return [{"run_tag": run.tag, "digest": run.digest} for run in pooled]


def _within(plan: Plan, frame: Frame) -> dict[str, tuple[str, ...]]:
    if plan.share is not None:
        sizes = drawing.sizes_by_share(frame.topics, plan.share)
    else:
        sizes = drawing.sizes_by_number(frame.topics, plan.number or 0)
    return drawing.sample_within_topics(frame.topics, sizes, plan.seed)


def _whole(plan: Plan, frame: Frame) -> dict[str, tuple[str, ...]]:
    number = plan.number or 0
    if plan.share is not None:
        number = drawing.sizes_by_share({"topics": list(frame.topics)}, plan.share)["topics"]
    drawn = drawing.sample_topics(list(frame.topics), number, plan.seed)
    parts = {query_id: frame.topics[query_id] for query_id in drawn}
    return drawing.sample_within_topics(parts, {query_id: len(names) for query_id, names in parts.items()}, plan.seed)


def _check(collection: Collection, plan: Plan) -> None:
    drawing.check_seed(plan.seed)
    if plan.unit not in UNITS or (plan.share is None) == (plan.number is None) or plan.depth < 1:
        raise drawing.BadValue(SHARE_OR_NUMBER)
    if plan.model and (plan.model.collection_id != collection.pk or plan.model.kind != Rater.Kind.MODEL):
        raise drawing.BadValue("The grades that are frozen are those of a model rater of this collection.")
    if collection.propagates_duplicates:
        raise drawing.CannotDraw(
            "Near-duplicates are judged once here, which would leave sampled pairs unjudged: switch that off first."
        )


def _missing(frame: Frame) -> str:
    counts = {"have no text": frame.without_text.total(), "are withdrawn": frame.withdrawn.total()}
    parts = " and ".join(f"{count:,} {words}" for words, count in counts.items() if count)
    return (
        f"Of the frame's {frame.pairs + frame.left_out:,} pairs {parts}: nobody can judge them. Import the texts or "
        "restore the pairs first, or leave them out: then no result speaks about them."
    )
