"""What the study shows: intervals of systems beside what people alone and the model alone say, and its refusals."""

from collections.abc import Sequence

from evaluation.studies.design import TIES, Facts, Report, Row
from evaluation.studies.kinds.mixed.plan import Plan
from evaluation.studies.kinds.mixed.tables import make_figures, make_tables, seed_words

_IS_NOT_NDCG = (
    "{measure} is not nDCG: each topic's ideal is unknown while pairs are open, and one estimated from the same "
    "grades makes intervals too narrow. For one ranking of systems take completed qrels."
)
_IS_WIDE = (
    "Intervals from whole topics are wide: a topic is one observation. Those of the table's second kind speak of the "
    "population of topics that these are a random sample of."
)
_IS_APPROXIMATE = (
    "Approximate: the calibrated judge learned from the sample, fold by fold. Its intervals are narrower, and hold the "
    "truth a few times in a hundred less often than they say."
)

# What is said of the numbers of these names in the result, where they are not 0.
_COUNTED = {
    "left_out": "Pairs of the runs' first ranks that nobody could judge: {:,}. They gain nothing here, and no number "
    "speaks of them.",
    "runs_since": "Pooled runs that came after the sample was drawn: {:,}. It cannot speak of them; draw another one "
    "for all runs.",
    "earlier_samples": "Earlier samples of this collection that were judged: {:,}. An interval that is picked among "
    "several for its result, or a sample that grew for it, is too sure: report all of them.",
    "without_model_grade": "Pairs of the frame that the model did not grade: {:,}. They gain nothing, which makes "
    "intervals wider and no less valid.",
}


def finding_sentences(result: Row) -> tuple[str, ...]:
    systems, pairs = result["systems"], result["pairs"]
    apart = sum(pair["low"] is not None and (pair["low"] > 0 or pair["high"] < 0) for pair in pairs)
    sentences = [_widths(systems)]
    if pairs:
        sentences.append(f"The intervals of {apart:,} of {len(pairs):,} differences between two systems leave 0 out.")
    outside = [each for each in systems if _is_outside(each)]
    if result["model"]:
        sentences.append(
            f"What {result['model']} alone says lies outside the interval for {len(outside):,} of {len(systems):,} "
            f"systems{_first(outside)}."
        )
    sentences.append(_halving(result))
    return tuple(sentences)


def _widths(systems: Sequence[Row]) -> str:
    mixed, people = _half_width(systems), _half_width([each["people_only"] for each in systems])
    narrower = f", where people's grades alone give {people:.4f}" if people > mixed else ""
    return f"Intervals reach {mixed:.4f} to each side in the mean over {len(systems):,} systems{narrower}."


def _half_width(intervals: Sequence[Row]) -> float:
    return float(sum(one["high"] - one["low"] for one in intervals) / 2 / len(intervals))


def _is_outside(system: Row) -> bool:
    model = system["model_only"]
    # A width of 0 is exact to the last digits only.
    return model is not None and not system["low"] - 1e-12 <= model <= system["high"] + 1e-12


def _first(systems: Sequence[Row]) -> str:
    tags = ", ".join(each["run_tag"] for each in systems[:3])
    return f" (such as {tags})" if tags else ""


def _halving(result: Row) -> str:
    more, units = result["more_to_halve"], "topics" if result["unit"] == "topic" else "pairs"
    if more is None:
        return f"More judgments make no interval narrower: {result['reason']['more_to_halve']}."
    return f"About {more:,} more {units} would have to be judged for intervals half as wide."


def warning_sentences(result: Row) -> tuple[str, ...]:
    sentences = [_IS_NOT_NDCG.format(**result) if result["unit"] == "pair" else _IS_WIDE]
    if result["is_approximate"]:
        sentences.append(_IS_APPROXIMATE)
    if result["rounds"]:
        sentences.append(
            f"Judging counts to the end of round {result['rounds']:,}, on the word of who asked that this was fixed "
            "before it began: an end that was chosen for its result makes intervals too sure."
        )
    if result["is_bounded"]:
        missing = result["sample"] - result["answered"]
        sentences.append(
            f"Of {result['sample']:,} sampled pairs {missing:,} have no grade of people's: intervals are widened to "
            "hold whatever these grades are."
        )
    sentences += [words.format(result[name]) for name, words in _COUNTED.items() if result[name]]
    few = sum("warning" in each for each in result["systems"])
    if few:
        sentences.append(
            f"Systems with fewer than 30 sampled pairs in their first ranks: {few:,}. Doubt their intervals."
        )
    twins = sum("reason" in each for each in result["pairs"])
    if twins:
        sentences.append(
            f"Differences without an interval: {twins:,}. Too little of what was sampled tells these systems apart."
        )
    return tuple(sentences)


def make_report(plan: Plan, result: Row) -> Report:
    facts, warnings = _facts(plan, result), warning_sentences(result)
    if result["refused"]:
        sentences = (f"No intervals. {each['reason']} {each['instead']}" for each in result["refused"])
        return Report(tuple(sentences), warnings, facts)
    return Report(finding_sentences(result), warnings, facts, make_figures(result, facts), make_tables(result))


def _facts(plan: Plan, result: Row) -> Facts:
    unit = "pairs within each topic" if result["unit"] == "pair" else "whole topics"
    facts = [
        ("measure", f"{result['measure']}, means over {result['topics']:,} topics"),
        ("gain", result["gain"]),
        ("sample", f"{unit}: {result['sample']:,} of {result['frame']:,} pairs, {result['answered']:,} of them graded"),
        ("seed", f"{seed_words(result)}, of the sample"),
        ("model", result["model"] or "none was frozen when the sample was drawn"),
        ("method", result["method"]),
        ("intervals", f"95 %, {_intervals(result)}"),
        ("grades of people", "those given without a suggestion in view, by the collection's consensus"),
        ("unjudged", "pairs outside the sample count by the model's grade, corrected by the sampled ones"),
        ("ties", TIES),
    ]
    if result["is_approximate"]:
        facts.append(("folds", f"{plan.folds}, seed {plan.seed}"))
    return tuple(facts)


def _intervals(result: Row) -> str:
    if result["unit"] == "pair":
        return "plus and minus 1.96 standard errors over samples of pairs of these topics"
    return f"Student's t over {result['topics_sampled']:,} sampled of these {result['topics']:,} topics"
