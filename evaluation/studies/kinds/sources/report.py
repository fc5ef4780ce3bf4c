"""What a source study has to show."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.studies import design
from evaluation.studies.design import Facts, Report
from evaluation.studies.kinds.sources import tables
from evaluation.studies.kinds.sources.plan import Plan

LARGE_MOVE = 3


def make_report(plan: Plan, result: Mapping[str, Any]) -> Report:
    facts = _facts(plan, result)
    figures, shown = tables.make_figures(result, facts), tables.make_tables(result)
    return Report(tuple(_findings(result)), tuple(_warnings(plan, result)), facts, figures, shown)


def _facts(plan: Plan, result: Mapping[str, Any]) -> Facts:
    rules = [f"{labels.name}: {labels.rule}" for labels in plan.labels]
    by_chances = [labels.name for labels in plan.labels if labels.is_by_chances]
    counting = (("probabilities", f"a model's grades count by them under {by_chances[0]}"),) if by_chances else ()
    return (
        ("topics", str(len(result["topics"]))),
        ("systems", str(len(result["systems"]))),
        ("labels", "; ".join(rules)),
        ("consensus", result["consensus"].lower()),
        *counting,
        ("tests", f"Tukey's HSD over pairs of systems, error level {result['level']:g}"),
        *design.measure_facts(result["measure"]),
        *design.interval_facts(result["intervals"]),
    )


def _findings(result: Mapping[str, Any]) -> Iterator[str]:
    people, *others = result["labels"]
    for each in others:
        against = each["against"]
        tau = against["tau_b"]
        if tau["value"] is None:
            yield f"Under {each['name']} tau-b is undefined: {tau['reason']['value']}."
        else:
            yield (
                f"Under {each['name']} the ranking of systems has tau-b {_number(tau)} with people's, tau-AP "
                f"{_number(against['tau_ap'])}; of {against['significant'][0]} pairs that are significant by people's "
                f"labels {against['kept']} stay so, {len(against['lost'])} are lost and "
                f"{len(against['reversed'])} reversed; {len(against['found'])} are found besides."
            )
    judged = [sum(row["judged"] for row in each["systems"]) / len(each["systems"]) for each in (people, *others)]
    shares = ", ".join(f"{each['name']} {share:.2f}" for each, share in zip(result["labels"], judged, strict=True))
    yield f"Judged@{result['cutoff']} in the mean over systems: {shares}."
    yield from _assessors(result)
    yield from _circularity(others)


def _number(interval: Mapping[str, Any]) -> str:
    if interval["value"] is None:
        return "undefined"
    ends = "" if interval["low"] is None else f" ({interval['low']:.3f} to {interval['high']:.3f})"
    return f"{interval['value']:.3f}{ends}"


def _assessors(result: Mapping[str, Any]) -> Iterator[str]:
    moving = [each for each in result["assessors"] if each["tau_b"] is not None]
    if moving:
        most = min(moving, key=lambda each: (each["tau_b"], each["assessor"]))
        yield (
            f"Without the {most['grades']:,} grades of {most['assessor']}, who moves the ranking most, it has tau-b "
            f"{most['tau_b']:.3f} with that of everybody; {most['moved']} systems move, by {most['largest_move']} "
            "places at most."
        )


def _circularity(others: list[Mapping[str, Any]]) -> Iterator[str]:
    for each in others:
        result = each["against"]["circularity"]
        if result["difference"] is not None:
            interval = "" if result["low"] is None else f" ({result['low']:+.3f} to {result['high']:+.3f})"
            yield (
                f"Under {each['name']} systems of the judge's family ({result['family']}) change by "
                f"{result['own_mean']:+.3f} and the others by {result['others_mean']:+.3f}: a difference of "
                f"{result['difference']:+.3f}{interval}."
            )


def _warnings(plan: Plan, result: Mapping[str, Any]) -> Iterator[str]:
    for each in result["labels"][1:]:
        circularity = each["against"]["circularity"]
        if circularity["systems"]:
            names = ", ".join(circularity["systems"][:5]) + (" and others" if len(circularity["systems"]) > 5 else "")
            yield (
                f"Circularity: the judge of {each['name']} ({circularity['family']}) is of the model family of "
                f"{len(circularity['systems'])} of the systems ({names}): its labels may favour what they retrieve."
            )
    if not any(result["families"].values()):
        yield "No run names its model family: nothing is known of circularity."
    yield from design.warn_of_few_systems(result["systems"])
    if result["topics_left_out"]:
        left_out = result["topics_left_out"]
        yield f"{len(left_out)} topics have no grades in some set of labels and are left out, such as {left_out[0]}."
    for each in result["assessors"]:
        if each["largest_move"] >= LARGE_MOVE:
            yield f"Without {each['assessor']} a system moves by {each['largest_move']} places."
    if plan.with_assessors and not result["assessors"]:
        yield "Nothing is said of single assessors: no grade of theirs counts under this rule."
