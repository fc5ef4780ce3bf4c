"""When grades do not give valid intervals: the reason, and what to do instead."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.studies.kinds.mixed import inputs as known
from evaluation.studies.kinds.mixed.inputs import Inputs
from evaluation.studies.kinds.mixed.plan import BOUNDS, Plan

LEAST_DIFFERING = 30
LEAST_TOPICS = 5
_DRAW = "Draw a recorded random sample (Pairs, Random sample, or manage.py draw_sample) and let people judge it"


@dataclass(frozen=True)
class Refusal:
    """`name` for programs; `reason` and `instead` are sentences."""

    name: str
    reason: str
    instead: str


_ORDERS = {
    known.POOL: Refusal(
        "no design",
        "No sample was recorded before people judged. Holes of a pool that happen to be judged are no random sample of "
        "it, so nothing says how far they stand for the others.",
        f"{_DRAW}.",
    ),
    known.LIST: Refusal(
        "chosen pairs",
        "The judged pairs come from a fixed list that somebody chose, not from chance: how likely each was is unknown.",
        f"{_DRAW}.",
    ),
    known.INFLUENCE: Refusal(
        "adaptive order",
        "Pairs were judged in an order by influence, which depends on runs, grades or a model's probabilities. Counted "
        "as if all were as likely, 95 % intervals of such samples held the truth in 69 %.",
        f"{_DRAW}; use the order by influence where only completed qrels are wanted.",
    ),
}
_CHANGED = {
    "runs": "The runs are not those that the sample was drawn for: their top ranks have pairs that could not be drawn.",
    "model": "The model's grades changed after the sample was drawn: they may come from who knew people's grades.",
    "reference": "The reference's grades changed after the sample was drawn: the frame of open pairs is another one.",
    "frame": "The pairs that could be drawn cannot be told any more: texts, topics or pairs changed since.",
}
_WHY = {
    known.OPEN: "nobody has judged yet",
    known.SKIPPED: "people skipped",
    known.CANNOT: "people said that they cannot judge",
    known.IN_VIEW: "were judged with a suggestion in view only",
    known.UNSETTLED: "people disagree on",
}


def list_refusals(inputs: Inputs, plan: Plan) -> list[Refusal]:
    """All reasons why these inputs give no interval; none where they do."""
    if inputs.order in _ORDERS:
        return [_ORDERS[inputs.order]]
    return [*_changes(inputs), *_shapes(inputs), *_answers(inputs, plan)]


def too_few_differ(number: int) -> str:
    """Why a difference of two systems has no interval."""
    return (
        f"Only {number} sampled pairs stand at other ranks in the two systems, fewer than {LEAST_DIFFERING}: 95 % "
        "intervals of such near-twins held the truth in 78 to 88 %. Judge a larger sample, drawn beforehand."
    )


def too_few_topics(number: int) -> str:
    """The same of whole topics."""
    return (
        f"People's grades change the difference of the two systems in {number} sampled topics, fewer than "
        f"{LEAST_TOPICS}, which tell too little of its variance. Judge more topics, drawn beforehand."
    )


def _changes(inputs: Inputs) -> Iterator[Refusal]:
    for name in inputs.changed:
        instead = "Restore what was there, or draw a new sample for what is there now."
        yield Refusal(f"changed {name}", _CHANGED[name], instead)


def _shapes(inputs: Inputs) -> Iterator[Refusal]:
    if inputs.is_cut_short:
        yield Refusal(
            "stopped",
            "A larger sample with this seed was judged when this smaller one was drawn, which is a part of it: judging "
            "ended at a number that was not fixed beforehand, and may have ended when the result pleased.",
            "Draw the larger sample again, or one with another seed, and judge all of it.",
        )
    if inputs.unit == known.TOPIC:
        sampled = sum(stratum.is_sampled for stratum in inputs.strata)
        if sampled < 2:
            yield _single(f"{sampled} sampled topic tells")
        return
    alone = [each.query_id for each in inputs.strata if len(each.sampled) < min(2, len(each.frame))]
    if alone:
        first = ", ".join(map(repr, alone[:5]))
        topics = "topic has" if len(alone) == 1 else "topics have"
        yield _single(f"{len(alone)} {topics} fewer than two sampled pairs (such as {first}), which tells")


def _single(words: str) -> Refusal:
    return Refusal(
        "single pair", f"{words} no variance.", "Draw a sample with two or more of each topic, as the sampler does."
    )


def _answers(inputs: Inputs, plan: Plan) -> Iterator[Refusal]:
    counts = inputs.unanswered_by_reason()
    if not counts:
        return
    reasons = "; ".join(f"{count:,} {_WHY[reason]}" for reason, count in sorted(counts.items()))
    of_all = f"Of {len(inputs.sampled):,} sampled pairs {counts.total():,} have no grade that counts: {reasons}."
    if counts[known.IN_VIEW]:
        yield Refusal(
            "in view",
            f"{of_all} A grade given beside a suggestion leans towards it, so it cannot correct the model.",
            "Have an adjudicator decide these pairs without a suggestion in view; and let people judge samples with "
            "suggestions hidden, or revealed after the save.",
        )
    elif inputs.unit == known.TOPIC or plan.unanswered != BOUNDS:
        yield Refusal("unanswered", f"{of_all} {_ENDED if counts[known.OPEN] else _LEFT}", _instead(inputs))


_ENDED = (
    "Intervals come when all are judged: judging that ends earlier may have ended for the result, and pairs that come "
    "late are no random part."
)
_LEFT = "Those that people leave out are no random part of the sample."


def _instead(inputs: Inputs) -> str:
    judged = "Have all of them judged: by somebody else, or decided by an adjudicator"
    if inputs.unit == known.TOPIC:
        return f"{judged}. Bounds for missing grades are there for samples of pairs only."
    return (
        f"{judged}; or ask for bounds, which hold whatever the missing grades are; or, if it was fixed before judging "
        "after how many rounds it would end, say so as `rounds`."
    )
