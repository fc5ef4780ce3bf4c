"""A random sample worked out before it is drawn: what it would hold, and what must be known of it at analysis."""

from dataclasses import asdict, dataclass

from django.db.models import Count

from annotate.draws.queries import pair_frames
from annotate.draws.queries.pair_frames import Frame
from annotate.grades import grade_digests, rankings, ratings
from annotate.models import Collection, Pair, Rater
from annotate.rules import drawing, sampling

PAIR = "pair"
TOPIC = "topic"
UNITS = (PAIR, TOPIC)


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
    def order(self) -> list[ratings.Pair]:
        """The pairs as they will be judged: in rounds over the topics, or topic by topic where those are sampled."""
        if self.plan.unit == PAIR:
            return sampling.in_rounds(self.topics, self.plan.seed)
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


def work_out(collection: Collection, plan: Plan) -> Sample:
    """The sample that the plan and the collection's present state give. Raises CannotDraw with the reason for none."""
    _check(collection, plan)
    frame = pair_frames.of_top(collection, plan.depth) if plan.unit == PAIR else pair_frames.of_pool(collection)
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


def design(collection: Collection, sample: Sample) -> dict[str, object]:
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
        "runs": runs(collection),
        "reference": asdict(grade_digests.of_reference(rater)) if rater else None,
        "model": asdict(grade_digests.of_model(plan.model)) if plan.model else None,
        "topics": sample.strata,
    }


def judgments(collection: Collection, sample: Sample) -> int:
    """About how many judgments people will give: so many pairs, some of them judged by several."""
    several = collection.share_several / 100
    return round(sample.size * ((1 - several) * collection.target + several * collection.target_several))


def state(collection: Collection) -> list[object]:
    """What differs once something changed that a sample is worked out from; a few statements."""
    pooled = Pair.objects.filter(collection=collection, is_pooled=True)
    rater = collection.reference_rater
    return [
        collection.frame_version,
        collection.propagates_duplicates,
        runs(collection),
        pooled.aggregate(Count("pk"), Count("passage_text")),
        rater and [rater.pk, grade_digests.stamp(rater)],
    ]


def runs(collection: Collection) -> list[dict[str, str]]:
    """The pooled runs with the digests of their files."""
    pooled = (run for run in rankings.published_runs(collection) if run.is_pooled)
    return [{"run_tag": run.tag, "digest": run.digest} for run in pooled]


def _within(plan: Plan, frame: Frame) -> dict[str, tuple[str, ...]]:
    if plan.share is not None:
        sizes = sampling.sizes_by_share(frame.topics, plan.share)
    else:
        sizes = sampling.sizes_by_number(frame.topics, plan.number or 0)
    return sampling.within_topics(frame.topics, sizes, plan.seed)


def _whole(plan: Plan, frame: Frame) -> dict[str, tuple[str, ...]]:
    number = plan.number or 0
    if plan.share is not None:
        number = sampling.sizes_by_share({"topics": list(frame.topics)}, plan.share)["topics"]
    drawn = sampling.whole_topics(list(frame.topics), number, plan.seed)
    parts = {query_id: frame.topics[query_id] for query_id in drawn}
    return sampling.within_topics(parts, {query_id: len(names) for query_id, names in parts.items()}, plan.seed)


def _check(collection: Collection, plan: Plan) -> None:
    drawing.check_seed(plan.seed)
    if plan.unit not in UNITS or (plan.share is None) == (plan.number is None) or plan.depth < 1:
        raise drawing.BadValue("Say whether pairs or topics are sampled, and either which share of them or how many.")
    if plan.model and (plan.model.collection_id != collection.pk or plan.model.kind != Rater.Kind.MODEL):
        raise drawing.BadValue("The grades that are frozen are those of a model rater of this collection.")
    if collection.propagates_duplicates:
        raise drawing.CannotDraw(
            "Near-duplicates are judged once here, which would leave sampled pairs unjudged: switch that off first."
        )


def _missing(frame: Frame) -> str:
    told = {
        "have no text": frame.without_text.total(),
        "are withdrawn": frame.withdrawn.total(),
    }
    parts = " and ".join(f"{count:,} {words}" for words, count in told.items() if count)
    return (
        f"Of the frame's {frame.pairs + frame.left_out:,} pairs {parts}: nobody can judge them. Import the texts or "
        "restore the pairs first, or leave them out: then no result speaks about them."
    )
