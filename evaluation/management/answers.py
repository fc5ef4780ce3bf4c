"""Answers of the commands: tests of pairs of systems as JSON, analyses of variance and reports of studies as text."""

from collections.abc import Sequence

from evaluation.agreement import value
from evaluation.agreement.value import Floats, undefined
from evaluation.management import stateless
from evaluation.statistics import system_pairs
from evaluation.statistics.anova import Analysis, Effect
from evaluation.statistics.system_pairs import SystemPair
from evaluation.studies.design.reporting import Report
from evaluation.tables import writers
from evaluation.tables.table import Table

CORRECTIONS = {"tukey": "Tukey's honestly significant difference", "t": "Holm", "randomisation": "Holm"}
FLIPS = 100_000

TestedPairs = Sequence[SystemPair]


def run_test(name: str, scores: Floats, systems: Sequence[str], level: float, seed: int) -> TestedPairs:
    """All pairs of the systems, by scores (systems, topics). The seed is that of the randomisation test."""
    match name:
        case "tukey":
            return system_pairs.by_tukey(scores, systems, level)
        case "t":
            return system_pairs.by_t_test(scores, systems, level)
    return system_pairs.by_randomisation(scores, systems, level, flips=FLIPS, seed=seed)


def test_json(name: str, level: float, seed: int) -> dict[str, object]:
    """What was tested, and from which chance."""
    drawn = {"flips": FLIPS, "seed": seed} if name == "randomisation" else {}
    return {"test": name, "correction": CORRECTIONS[name], "level": level, **drawn}


def tested_pairs_json(tested: Sequence[TestedPairs], topics: int) -> dict[str, object]:
    """The pairs under one qrels or two, how many are significant, and with two what became of them.

    Without a topic, and with fewer than two systems, all of it is undefined.
    """
    if reason := _why_no_tests(len(tested[0]), topics):
        names = ("pairs", "significant", "changes")[: len(tested) + 1]
        return value.as_json(dict.fromkeys(names, undefined(reason)))
    significant = [sum(pair.is_significant for pair in pairs) for pairs in tested]
    return {
        "pairs": [_pair(*sides) for sides in zip(*tested, strict=True)],
        "significant": dict(zip(stateless.SIDES, significant, strict=False)),
        **({"changes": _changes(*tested)} if len(tested) == 2 else {}),
    }


def _why_no_tests(pairs: int, topics: int) -> str:
    if not topics:
        return "there is no topic that all qrels have"
    return "" if pairs else "fewer than two systems"


def _pair(one: SystemPair, other: SystemPair | None = None) -> dict[str, object]:
    json: dict[str, object] = {
        "first": one.first,
        "second": one.second,
        "difference": one.difference,
        "is_significant": one.is_significant,
    }
    if other is None:
        return json | value.as_json({"p": one.p})
    json |= {"other_difference": other.difference, "other_is_significant": other.is_significant}
    return json | {"class": system_pairs.class_of_pair(one, other), **value.as_json({"p": one.p, "other_p": other.p})}


def _changes(reference: TestedPairs, other: TestedPairs) -> dict[str, object]:
    result = system_pairs.compare_pairs(reference, other)
    return {
        "counts": {name: len(pairs) for name, pairs in result.pairs.items()},
        "shares": value.as_json({name: result.share(name) for name in system_pairs.CLASSES}),
        "lost": result.lost,
        "found": result.found,
    }


_COLUMNS = ("effect", "sum of squares", "df", "mean square", "F", "p", "partial omega squared")


def variance_text(result: Analysis, caption: str) -> str:
    """The effects and what is left over as a table; below it, why what is undefined in it is so."""
    rows = [
        (effect.name, effect.sum_of_squares, effect.df, *(each.value for each in effect.values.values()))
        for effect in result.effects
    ]
    rows.append(
        ("left over", result.residual_sum_of_squares, result.residual_df, result.residual_mean_square.value, "", "", "")
    )
    reasons = [_why_undefined(effect) for effect in result.effects]
    return writers.write_plain(Table(caption, _COLUMNS, tuple(rows))) + "".join(
        f"{reason}\n" for reason in reasons if reason
    )


def _why_undefined(effect: Effect) -> str:
    return "" if effect.f.is_defined else f"- {effect.name}: {effect.f.reason}"


def report_text(report: Report) -> str:
    """Findings and warnings, the facts of all numbers, then the tables."""
    sentences = [*report.findings, *(f"Warning: {warning}" for warning in report.warnings)]
    facts = [f"{name}: {words}" for name, words in report.facts]
    return "\n".join([*sentences, "", *facts, "", *map(writers.write_plain, report.tables.values())])
