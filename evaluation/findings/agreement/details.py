"""What takes a while to say of two raters: intervals, and whether a judge leans on length or on the query's words."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from annotate.grades.ratings import Pair
from annotate.models import Collection, Passage, Topic
from evaluation.agreement import bins, pair_traits
from evaluation.findings.agreement import agreement, common_pairs, groups
from evaluation.findings.agreement.common_pairs import Grades
from evaluation.findings.agreement.groups import Given
from evaluation.inputs import raters
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import AgreementIntervals
from evaluation.statistics.bootstrap import Interval, Over, Resampling

Told = dict[str, object]
OVER: tuple[Over, ...] = ("topics", "pairs")


def compute(collection: Collection, asked: dict[str, str]) -> Told:
    """For JSON: `intervals` of all figures, drawn over the `topics` and over the `pairs`, and `among` those of people
    among themselves, None where these are not compared; of each part of people's grades (`parts`, by its name) both
    over the topics; groups by passage length (`length`, in words) and by the share of the query's words that the
    passage has (`overlap`, in percent)."""
    sides = agreement.compared(raters.named(collection, asked["first"]), raters.named(collection, asked["second"]))
    given = groups.given(collection, sides)
    parts = common_pairs.grades_by_part(collection, sides)
    return {
        "intervals": {over: _of_two(given.first, given.second, collection, over) for over in OVER},
        "among": {over: _of_people(given.people, collection, over) for over in OVER},
        "parts": {
            part.name: {
                **_of_two(these.first, these.second, collection, "topics"),
                "among": _of_people(these.people, collection, "topics"),
            }
            for part, these in parts.items()
        },
        **_by_traits(given),
    }


def _of_two(first: Grades, second: Grades, collection: Collection, over: Over) -> Told:
    split_at = collection.scale.relevant_from
    return _told(agreement_intervals.of_two(first, second, collection.scale.grades, split_at, Resampling(over=over)))


def _of_people(people: list[Grades] | None, collection: Collection, over: Over) -> Told | None:
    if people is None:
        return None
    split_at = collection.scale.relevant_from
    return _told(agreement_intervals.among(people, collection.scale.grades, split_at, Resampling(over=over)))


def _told(found: AgreementIntervals) -> Told:
    return {
        name: each.as_json()
        if isinstance(each, Interval)
        else {str(key): interval.as_json() for key, interval in each.items()}
        for name, each in vars(found).items()
    }


def _by_traits(given: Given) -> Told:
    common = given.first.keys() & given.second.keys()
    passages = _texts(given.collection, given.pairs)
    queries = dict(Topic.objects.published().filter(collection=given.collection).values_list("query_id", "text"))
    lengths = {pair: float(pair_traits.length(passages[pair[1]])) for pair in given.pairs if pair[1] in passages}
    overlaps = {pair: pair_traits.query_overlap(queries.get(pair[0], ""), passages[pair[1]]) for pair in lengths}
    shares = {pair: float(round(100 * share)) for pair, share in overlaps.items() if share is not None}
    return {
        "length": _by_bins(given, lengths, common),
        "overlap": _by_bins(given, shares, common),
        "without_text": len(common - lengths.keys()),
    }


def _texts(collection: Collection, pairs: set[Pair]) -> dict[str, str]:
    wanted = {passage_id for _, passage_id in pairs}
    rows = Passage.objects.published().filter(collection=collection).values_list("passage_id", "title", "text")
    return {passage_id: f"{title} {text}" for passage_id, title, text in rows.iterator() if passage_id in wanted}


def _by_bins(given: Given, values: Mapping[Pair, float], common: AbstractSet[Pair]) -> list[Told]:
    """The bins are of equal size in the common pairs; what people alone graded falls into them where it fits."""
    keys = bins.by_quantiles({pair: value for pair, value in values.items() if pair in common})
    others = bins.placed({pair: value for pair, value in values.items() if pair not in common}, set(keys.values()))
    return [group.as_json() for group in given.by({**others, **keys})]
