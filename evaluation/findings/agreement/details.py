"""What takes a while to say of two raters: intervals, and whether a judge leans on length or on the query's words."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Self, TypedDict, cast

from annotate.grades.ratings import PairId
from annotate.models import Collection, Passage, Topic
from evaluation.agreement import groups as agreement_groups
from evaluation.findings.agreement import agreement
from evaluation.findings.agreement.agreement import Grades, Sides
from evaluation.findings.agreement.groups import GivenGrades, GroupJson, read_given_grades
from evaluation.inputs import raters
from evaluation.inputs.choices import Question
from evaluation.statistics import agreement_intervals
from evaluation.statistics.agreement_intervals import AgreementIntervals
from evaluation.statistics.bootstrap import Interval, IntervalJson, Over, Resampling

OVER: tuple[Over, ...] = ("topics", "pairs")


class FigureIntervals(TypedDict):
    """By the names of `AgreementIntervals`; where there are several figures of a name, by what tells them apart."""

    kappa: dict[str, IntervalJson]
    kappa_from: dict[str, IntervalJson]
    alpha: dict[str, IntervalJson]
    ac1: IntervalJson
    tau_b: IntervalJson
    tau_a: IntervalJson
    gamma: IntervalJson
    spearman: IntervalJson
    share_equal: IntervalJson
    mean_difference: IntervalJson


class PartIntervals(FigureIntervals):
    among: FigureIntervals | None


class Traits(TypedDict):
    """Groups by passage length (`length`, in words) and by the share of the query's words that the passage has
    (`overlap`, in percent); `without_text` pairs are in none of them."""

    length: list[GroupJson]
    overlap: list[GroupJson]
    without_text: int


class Details(Traits):
    """`intervals` of all figures, drawn over the `topics` and over the `pairs`, and `among` those of people among
    themselves, None where these are not compared; of each part of people's grades (`parts`, by its name) both over the
    topics."""

    intervals: dict[str, FigureIntervals]
    among: dict[str, FigureIntervals | None]
    parts: dict[str, PartIntervals]


class DetailsQuestion(Question[Details]):
    """Intervals and biases of the agreement of two raters by their addresses."""

    kind = "agreement"
    page = "agreement"

    @classmethod
    def of_sides(cls, sides: Sides) -> Self:
        first, second = sides.first.address, sides.second.address
        subject = f"intervals of the agreement of {first} and {second}"
        return cls((("first", first), ("second", second)), subject, sides.models)

    def compute(self, collection: Collection) -> Details:
        asked = dict(self.arguments)
        first, second = (raters.find_rater(collection, asked[side]) for side in ("first", "second"))
        return compute_details(collection, agreement.make_sides(first, second))


def compute_details(collection: Collection, sides: Sides) -> Details:
    given = read_given_grades(collection, sides)
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


def _intervals_of_two(first: Grades, second: Grades, collection: Collection, over: Over) -> FigureIntervals:
    split_at = collection.scale.relevant_from
    return _intervals_as_json(
        agreement_intervals.intervals_of_two(first, second, collection.scale.grades, split_at, Resampling(over=over))
    )


def _intervals_of_people(people: list[Grades] | None, collection: Collection, over: Over) -> FigureIntervals | None:
    if people is None:
        return None
    split_at = collection.scale.relevant_from
    return _intervals_as_json(
        agreement_intervals.intervals_among_people(people, collection.scale.grades, split_at, Resampling(over=over))
    )


def _intervals_as_json(found: AgreementIntervals) -> FigureIntervals:
    return cast(FigureIntervals, {name: _as_json(each) for name, each in vars(found).items()})  # of the same names


def _as_json(found: Interval | Mapping[object, Interval]) -> object:
    if isinstance(found, Interval):
        return found.as_json()
    return {str(key): interval.as_json() for key, interval in found.items()}


def _by_traits(given: GivenGrades) -> Traits:
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


def _by_bins(given: GivenGrades, values: Mapping[PairId, float], common: AbstractSet[PairId]) -> list[GroupJson]:
    """The bins are of equal size in the common pairs; what people alone graded falls into them where it fits."""
    keys = agreement_groups.bin_by_quantiles({pair: value for pair, value in values.items() if pair in common})
    others = agreement_groups.place_in_bins(
        {pair: value for pair, value in values.items() if pair not in common}, set(keys.values())
    )
    return [group.as_json() for group in given.group_by({**others, **keys})]
