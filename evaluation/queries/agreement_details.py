"""What takes a while to say of two raters: intervals, and whether a judge leans on length or on the query's words."""

from collections.abc import Mapping

from annotate.models import Collection, Passage, Topic
from annotate.queries.ratings import Pair
from evaluation import rater_agreement
from evaluation.agreement import bins, groups, pair_traits
from evaluation.agreement.value import as_json
from evaluation.queries import agreement, common_pairs, raters
from evaluation.queries.common_pairs import Grades
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import AgreementIntervals
from evaluation.statistics.bootstrap import Over, Resampling

Told = dict[str, object]
OVER: tuple[Over, ...] = ("topics", "pairs")


def compute(collection: Collection, asked: dict[str, str]) -> Told:
    """For JSON: `intervals` of all figures, drawn over the `topics` and over the `pairs`; of each part of people's
    grades (`parts`, by its name) the intervals over the topics; figures by passage length (`length`, in words) and by
    the share of the query's words that the passage has (`overlap`, in percent)."""
    sides = agreement.compared(raters.named(collection, asked["first"]), raters.named(collection, asked["second"]))
    first, second = common_pairs.grades(collection, sides)
    parts = common_pairs.grades_by_part(collection, sides)
    return {
        "intervals": {over: _intervals(first, second, collection, over) for over in OVER},
        "parts": {part.name: _intervals(*given, collection, "topics") for part, given in parts.items()},
        **_by_traits(first, second, collection),
    }


def _intervals(first: Grades, second: Grades, collection: Collection, over: Over) -> Told:
    split_at = rater_agreement.relevant_from(collection.scale)
    found: AgreementIntervals = agreement_intervals.of_two(
        first, second, collection.scale.grades, split_at, Resampling(over=over)
    )
    return {
        "kappa": {name: interval.as_json() for name, interval in found.kappa.items()},
        "alpha": {name: interval.as_json() for name, interval in found.alpha.items()},
        "ac1": found.ac1.as_json(),
        "tau_b": found.tau_b.as_json(),
        "gamma": found.gamma.as_json(),
        "share_equal": found.share_equal.as_json(),
        "mean_difference": found.mean_difference.as_json(),
    }


def _by_traits(first: Grades, second: Grades, collection: Collection) -> Told:
    common = first.keys() & second.keys()
    passages = _texts(collection, common)
    queries = dict(Topic.objects.published().filter(collection=collection).values_list("query_id", "text"))
    lengths = {pair: float(pair_traits.length(passages[pair[1]])) for pair in common if pair[1] in passages}
    overlaps = {pair: pair_traits.query_overlap(queries.get(pair[0], ""), passages[pair[1]]) for pair in lengths}
    shares = {pair: float(round(100 * share)) for pair, share in overlaps.items() if share is not None}
    return {
        "length": _by_bins(first, second, lengths, collection),
        "overlap": _by_bins(first, second, shares, collection),
        "without_text": len(common) - len(lengths),
    }


def _texts(collection: Collection, pairs: set[Pair]) -> dict[str, str]:
    wanted = {passage_id for _, passage_id in pairs}
    rows = Passage.objects.published().filter(collection=collection).values_list("passage_id", "title", "text")
    return {passage_id: f"{title} {text}" for passage_id, title, text in rows.iterator() if passage_id in wanted}


def _by_bins(first: Grades, second: Grades, values: Mapping[Pair, float], collection: Collection) -> list[Told]:
    keys = bins.by_quantiles(values)
    found = groups.compare(
        first, second, keys, collection.scale.grades, rater_agreement.relevant_from(collection.scale)
    )
    return [
        {
            "from": key.low,
            "to": key.high,
            "n": group.n,
            **as_json(
                {
                    "alpha": group.alpha["ordinal"],
                    "kappa": group.kappa["unweighted"],
                    "mean_difference": group.mean_difference,
                }
            ),
        }
        for key, group in found.by_key.items()
    ]
