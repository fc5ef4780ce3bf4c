"""A recorded random sample of pairs, drawn before anybody judges them: what makes intervals from mixed grades valid."""

from datetime import datetime

from annotate.draws.operations import drawn_orders
from annotate.draws.queries import sample_plans
from annotate.draws.queries.sample_plans import Plan
from annotate.models import Collection, Pair, PairDraw, User
from annotate.rules import drawing


def draw_sample(*, collection: Collection, plan: Plan, by: User | None, now: datetime) -> PairDraw:
    """Draw the sample, record its design, and let people judge exactly its pairs. A new one ends the one before it.

    Judgments of earlier draws stay as they are. Raises BadValue and CannotDraw.
    """
    collection = Collection.objects.get(pk=collection.pk)  # as it is now
    read = sample_plans.state(collection)
    sample = sample_plans.work_out(collection, plan)
    draw = PairDraw(
        collection=collection,
        kind=PairDraw.Kind.SAMPLE,
        seed=plan.seed,
        size=sample.size,
        design=sample_plans.design(collection, sample),
        created_at=now,
        created_by=by,
    )

    def check(locked: Collection) -> None:
        if sample_plans.state(locked) != read:
            raise drawing.CannotDraw("Runs, grades, texts or the pool changed just now: draw again.")

    rows = Pair.objects.filter(collection=collection, is_pooled=True).values_list("topic__query_id", "passage_id", "pk")
    ids = {(query_id, passage_id): pk for query_id, passage_id, pk in rows}
    places = {ids[pair]: place for place, pair in enumerate(sample.order)}
    drawn_orders.begin(draw=draw, places=places, check=check)
    return draw
