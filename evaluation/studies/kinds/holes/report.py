"""What a hole study has to show: words, figures, tables."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotate.formats.records import GradeScale
from evaluation.plots.figure import Figure
from evaluation.studies.design import Facts, Report, Row
from evaluation.studies.kinds.holes import findings, tables
from evaluation.studies.kinds.holes.plan import RELEVANT, Plan
from evaluation.tables.table import Table

_FEW_TRIALS = 10
_NUMBER = re.compile(r"[\d.,]*\d")
_OWN_JUDGE = (
    "{} rests on a judge that was taught by the judged pairs of this collection: it saw the grades that are taken away "
    "here, so it fills holes better than it could where nobody judged. To learn what a judge is worth, use the filler "
    "learned, or calibrated with a model of others: these are taught anew in each trial."
)


def make_report(plan: Plan, result: Mapping[str, Any]) -> Report:
    """The report of a result. Figures and tables are named by what they show and the pattern of holes."""
    figures: dict[str, Figure] = {}
    shown: dict[str, Table] = {}
    lowest = GradeScale.parse(result["scale"]).low
    for pattern in plan.patterns:
        rows = [row for row in result["results"] if row["holes"] == pattern.text]
        name = pattern.text.replace(":", "-")
        figures |= {f"{kind}-{name}": each for kind, each in tables.make_figures(pattern, rows, result).items()}
        shown |= {f"{kind}-{name}": each for kind, each in tables.make_tables(pattern, rows, lowest).items()}
    return Report(tuple(_findings(plan, result)), tuple(_warnings(plan, result)), _facts(plan, result), figures, shown)


def _findings(plan: Plan, result: Mapping[str, Any]) -> list[str]:
    sentences = []
    for pattern in plan.patterns:
        rows = [row for row in result["results"] if row["holes"] == pattern.text]
        for text in dict.fromkeys(row["fill"] for row in rows if "beside_trivial" in row):
            of_filler = [row for row in rows if row["fill"] == text]
            sentences.append(_against_trivial(pattern.text, of_filler, result["measure"]))
    return sentences


def _against_trivial(holes: str, rows: Sequence[Row], measure: str) -> str:
    """Whether a filler is worth more than none, in words; at the last of its fractions with the numbers. Of one
    with a measure of its own it also says what the ranking is compared with."""
    last, verdicts = rows[-1], [row["beside_trivial"]["verdict"] for row in rows]
    times, beside = verdicts.count(findings.BEATS), last["beside_trivial"]
    if len(rows) == 1:
        verdict = "beats the trivial fillers" if times else "does not beat the trivial fillers"
    elif times == len(rows):
        verdict = "beats the trivial fillers at every fraction"
    elif times:
        verdict = f"beats the trivial fillers at {times} of {len(rows)} fractions, and does not beat them at the others"
    else:
        verdict = "does not beat the trivial fillers at any fraction"
    worse = verdicts.count(findings.LOSES)
    at = "all" if worse == len(rows) else f"{worse} of"
    also = f" (at {at} {len(rows)} fractions it is worse than the best of them)" if worse and len(rows) > 1 else ""
    by = f"against the ranking by {measure} with all grades, it " if "tau_b_own" in last else ""
    return f"{last['fill']}, holes {holes}: {by}{verdict}{also}. {_numbers(last, beside)}{_own(last, measure)}"


def _own(row: Row, measure: str) -> str:
    """How well a measure that passes over holes agrees with itself."""
    if "tau_b_own" not in row:
        return ""
    own = row["tau_b_own"]
    of_own = f"is undefined: {own['reason']}" if own["mean"] is None else f"is {own['mean']:.3f} on average"
    return (
        f" But {row['fill']} ranks by a measure of its own, which differs from {measure} without any hole too: with "
        f"its own ranking by all grades tau-b {of_own}."
    )


def _numbers(row: Row, beside: Mapping[str, Any]) -> str:
    at = "" if row["fraction"] is None else f"At {row['fraction']:.0%} "
    by_gains = " by expected gains" if "tau_b_gain" in row else ""
    tau, beyond = row.get("tau_b_gain", row["tau_b"]), beside["beyond"]
    if tau["mean"] is None or beyond["mean"] is None:
        return f"{at}tau-b{by_gains} is undefined: {tau.get('reason') or beyond.get('reason')}."
    spread = f" ({beyond['low']:+.3f} to {beyond['high']:+.3f} over {beyond['trials']} trials)" * (beyond["trials"] > 1)
    return (
        f"{at}tau-b{by_gains} is {tau['mean']:.3f} on average, {beyond['mean']:+.3f} beyond {beside['best']}, the best "
        f"of them{spread}."
    )


def _warnings(plan: Plan, result: Mapping[str, Any]) -> list[str]:
    sentences = []
    if RELEVANT in plan.holes:
        sentences.append(
            "Where only relevant passages become holes, being a hole tells that a passage is relevant: a constant "
            "grade in every hole then ranks systems about as well as a model. Look at holes from all grades beside it."
        )
    if plan.trials < _FEW_TRIALS and any(pattern.has_fractions for pattern in plan.patterns):
        sentences.append(f"{plan.trials} trials say little of the spread: take {_FEW_TRIALS} or more.")
    sentences += [_OWN_JUDGE.format(text) for text in result.get("own_judges", ())]
    for text in result["fillers"]:
        rows = [row for row in result["results"] if row["fill"] == text]
        sentences += _filler_warnings(text, rows)
    return sentences


def _filler_warnings(text: str, rows: Sequence[Row]) -> list[str]:
    """Holes that a model left open, and what judges reported of themselves."""
    result = []
    is_partial = any(row["on_holes"]["confusion"] and row["unfilled"]["mean"] for row in rows)
    if is_partial and text.partition(":")[0] in ("model", "learned", "calibrated"):
        most = max(row["unfilled"]["mean"] / max(row["dropped"]["mean"], 1.0) for row in rows)
        result.append(f"{text} leaves up to {most:.0%} of the holes open: they gain nothing.")
    for holes in dict.fromkeys(row["holes"] for row in rows):
        result += _judge_warnings(f"{text}, holes {holes}", [row for row in rows if row["holes"] == holes])
    return result


def _judge_warnings(judge: str, rows: Sequence[Row]) -> list[str]:
    """What a judge reported of itself, each once: warnings that differ in their numbers alone are one."""
    times: dict[str, int] = {}
    first: dict[str, str] = {}
    for row in rows:
        for warning, often in row.get("warnings", {}).items():
            kind = _NUMBER.sub("", warning)
            times[kind] = times.get(kind, 0) + often
            first.setdefault(kind, warning)
    trials = sum(row["trials"] for row in rows)
    return [f"{judge}, in {often} of {trials} trials, such as: {first[kind]}." for kind, often in times.items()]


def _facts(plan: Plan, result: Mapping[str, Any]) -> Facts:
    return (
        ("systems", f"{result['systems']:,}"),
        ("topics", f"{result['topics']:,}, all those of the reference; one that lost all relevant passages counts 0"),
        ("graded pairs", f"{result['graded_pairs']:,}, scale {result['scale']}"),
        ("measure", f"{result['measure']}, gain {plan.gain}"),
        ("ties", result["ties"]),
        ("unjudged", result["unjudged"]),
        ("trials", f"{plan.trials} for each fraction, seed {plan.seed}; one for each system or group left out"),
        ("low and high", "the 2.5 and 97.5 % quantiles over trials; distributions are skewed, above all unfilled ones"),
        ("significance", f"{result['test']}; {result['significant_pairs']:,} pairs differ with all grades"),
    )
