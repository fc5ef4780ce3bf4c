"""What takes a while to say of two raters: intervals, and whether a judge leans on length or on the query's words."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from annotate.grades.ratings import PairId
from annotate.models import Collection, Passage, Topic
from evaluation.agreement import groups as agreement_groups
from evaluation.findings.agreement import agreement, groups
from evaluation.findings.agreement.agreement import Grades
from evaluation.findings.agreement.groups import GivenGrades
from evaluation.inputs import raters
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import AgreementIntervals
from evaluation.statistics.bootstrap import Interval, Over, Resampling

Told = dict[str, object]
OVER: tuple[Over, ...] = ("topics", "pairs")


def compute_details(collection: Collection, asked: dict[str, str]) -> Told:
    """For JSON: `intervals` of all figures, drawn over the `topics` and over the `pairs`, and `among` those of people
    among themselves, None where these are not compared; of each part of people's grades (`parts`, by its name) both
    over the topics; groups by passage length (`length`, in words) and by the share of the query's words that the
    passage has (`overlap`, in percent)."""
    sides = agreement.make_sides(
        raters.find_rater(collection, asked["first"]), raters.find_rater(collection, asked["second"])
    )
    given = groups.read_given_grades(collection, sides)
    parts = agreement.read_grades_by_part(collection, sides)
    return {
        "intervals": {over: _intervals_of_two(given.first, given.second, collection, over) for over in OVER},
        "among": {over: _intervals_of_people(given.people, collection, over) for over in OVER},
        "parts": {
            part.name: {
                **_intervals_of_two(these.first, these.second, collection, "topics"),
                "among": _intervals_of_people(these.people, collection, "topics"),
            }
            for part, these in parts.items()
        },
        **_by_traits(given),
    }


def _intervals_of_two(first: Grades, second: Grades, collection: Collection, over: Over) -> Told:
    split_at = collection.scale.relevant_from
    return _intervals_as_json(
        agreement_intervals.intervals_of_two(first, second, collection.scale.grades, split_at, Resampling(over=over))
    )


def _intervals_of_people(people: list[Grades] | None, collection: Collection, over: Over) -> Told | None:
    if people is None:
        return None
    split_at = collection.scale.relevant_from
    return _intervals_as_json(
        agreement_intervals.intervals_among_people(people, collection.scale.grades, split_at, Resampling(over=over))
    )


def _intervals_as_json(found: AgreementIntervals) -> Told:
    return {
        name: each.as_json()
        if isinstance(each, Interval)
        else {str(key): interval.as_json() for key, interval in each.items()}
        for name, each in vars(found).items()
    }


def _by_traits(given: GivenGrades) -> Told:
    common = given.first.keys() & given.second.keys()
    passages = _texts(given.collection, given.pairs)
    queries = dict(Topic.objects.published().filter(collection=given.collection).values_list("query_id", "text"))
    lengths = {
        pair: float(agreement_groups.passage_length(passages[pair[1]])) for pair in given.pairs if pair[1] in passages
    }
    overlaps = {pair: agreement_groups.query_overlap(queries.get(pair[0], ""), passages[pair[1]]) for pair in lengths}
    shares = {pair: float(round(100 * share)) for pair, share in overlaps.items() if share is not None}
    return {
        "length": _by_bins(given, lengths, common),
        "overlap": _by_bins(given, shares, common),
        "without_text": len(common - lengths.keys()),
    }


def _texts(collection: Collection, pairs: set[PairId]) -> dict[str, str]:
    wanted = {passage_id for _, passage_id in pairs}
    rows = Passage.objects.published().filter(collection=collection).values_list("passage_id", "title", "text")
    return {passage_id: f"{title} {text}" for passage_id, title, text in rows.iterator() if passage_id in wanted}


def _by_bins(given: GivenGrades, values: Mapping[PairId, float], common: AbstractSet[PairId]) -> list[Told]:
    """The bins are of equal size in the common pairs; what people alone graded falls into them where it fits."""
    keys = agreement_groups.bin_by_quantiles({pair: value for pair, value in values.items() if pair in common})
    others = agreement_groups.place_in_bins(
        {pair: value for pair, value in values.items() if pair not in common}, set(keys.values())
    )
    return [group.as_json() for group in given.by({**others, **keys})]
