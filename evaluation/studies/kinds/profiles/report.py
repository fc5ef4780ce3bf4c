"""What a profile study has to show."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotate.rules import completion
from evaluation.studies import design
from evaluation.studies.design import Facts, Report
from evaluation.studies.kinds.profiles import tables
from evaluation.studies.kinds.profiles.plan import Plan

MUCH_MISSING = 0.2


def make_report(plan: Plan, result: Mapping[str, Any]) -> Report:
    facts = _facts(result)
    figures, shown = tables.make_figures(result, facts), tables.make_tables(result)
    return Report(tuple(_findings(result)), tuple(_warnings(result)), facts, figures, shown)


def _facts(result: Mapping[str, Any]) -> Facts:
    n = (
        ("topics", str(len(result["topics"]))),
        ("systems", str(len(result["systems"]))),
        ("profiles", str(len(result["profiles"]))),
        ("variants", f"{result['variants']:,}, {result['variants_as']} within topic and profile"),
        ("grades", "; ".join(f"{side['side']}: {side['grades']}" for side in result["sides"])),
        *_by_chances(result),
        ("tests", f"error level {result['level']:g}; Tukey's HSD over pairs of systems, Holm over profiles"),
    )
    return (*n, *design.measure_facts(result["measure"]), *design.interval_facts(result["intervals"]))


def _by_chances(result: Mapping[str, Any]) -> Facts:
    counts = [f"{side['by_chances']:,} {side['side']}" for side in result["sides"] if side["by_chances"]]
    return (("probabilities", f"grades of models that count by them: {', '.join(counts)}"),) if counts else ()


def _findings(result: Mapping[str, Any]) -> Iterator[str]:
    side, measure = result["sides"][-1], result["measure"]
    ordered = sorted(side["means"]["profiles"], key=lambda each: (-each["mean"], each["profile"]))
    best, worst = ordered[0], ordered[-1]
    if len(ordered) > 1:
        yield (
            f"In the mean over the systems {measure} is highest with the variants of {_mean(best)} and lowest with "
            f"those of {_mean(worst)}."
        )
    yield from _missing(result)
    yield from _rankings(side)
    yield from _variance(side)
    yield from _against_seed(side)
    yield from _classes(side)


def _mean(each: Mapping[str, Any]) -> str:
    interval = "" if each["low"] is None else f", {each['low']:.3f} to {each['high']:.3f}"
    return f"{each['profile']} ({each['mean']:.3f}{interval})"


def _missing(result: Mapping[str, Any]) -> Iterator[str]:
    shares = [_mean_missing(side) for side in result["sides"]]
    after = f"; after filling {100 * shares[1]:.1f} %" if len(shares) > 1 else ""
    yield f"Of the first {result['cutoff']} passages {100 * shares[0]:.1f} % have no grade{after}."


def _mean_missing(side: Mapping[str, Any]) -> float:
    shares = [each["missing"] for each in side["means"]["profiles"]]
    return float(sum(shares) / len(shares))


def _rankings(side: Mapping[str, Any]) -> Iterator[str]:
    defined = [each for each in side["rankings"] if each["tau_b"] is not None]
    if defined:
        lowest = min(defined, key=lambda each: (each["tau_b"], each["first"], each["second"]))
        mean = sum(each["tau_b"] for each in defined) / len(defined)
        yield (
            f"tau-b between the rankings of systems by two profiles is {mean:.3f} in the mean and "
            f"{lowest['tau_b']:.3f} at the lowest, between {lowest['first']} and {lowest['second']}."
        )


def _variance(side: Mapping[str, Any]) -> Iterator[str]:
    sizes = [
        f"{effect['name'].replace(':', ' by ')} {effect['partial_omega_squared']:.3f}"
        for effect in side["variance"]["three_way"]["effects"]
        if effect["partial_omega_squared"] is not None
    ]
    if sizes:
        yield f"Partial omega squared in the three-way analysis of variance: {', '.join(sizes)}."


def _against_seed(side: Mapping[str, Any]) -> Iterator[str]:
    tested = side["against_seed"]
    for direction in ("below", "above"):
        names = [each["profile"] for each in tested if each["significantly"] == direction]
        if names:
            are = "is" if len(names) == 1 else "are"
            yield (
                f"{len(names)} of {len(tested)} profiles {are} significantly {direction} the seed: {', '.join(names)}."
            )
    if tested and not any(each["significantly"] for each in tested):
        yield f"None of the {len(tested)} profiles differs significantly from the seed's queries."


def _classes(side: Mapping[str, Any]) -> Iterator[str]:
    result = side["pairs"]["by_method"][-1]
    if result["AA"] is not None:
        contradicting = result["AD"] + result["MD"]
        yield (
            f"Two profiles find the same system significantly better on {100 * result['AA']:.1f} % of the pairs of "
            f"systems; on {100 * (result['MA'] + result['MD']):.1f} % only one of the two finds a significant "
            f"difference. On {100 * contradicting:.1f} % the system that one profile finds significantly better has "
            "the lower mean by the other."
        )


def _warnings(result: Mapping[str, Any]) -> Iterator[str]:
    yield from _filling_warnings(result)
    missing = _mean_missing(result["sides"][-1])
    if missing > MUCH_MISSING:
        yield (
            f"{100 * missing:.0f} % of the first {result['cutoff']} passages are holes and count as not relevant: what "
            "tells profiles apart may be what was judged for them."
        )
    yield from design.warn_of_few_systems(result["systems"])
    for kind, left_out in result["left_out"].items():
        if left_out:
            first = left_out[0]
            yield f"Left out: {len(left_out)} of the {kind}, such as {first[kind[:-1]]}: {first['reason']}."
    if not result["sides"][-1]["means"]["seed"]:
        yield "No run of the topics' own queries is there: nothing is said of the seed."


def _filling_warnings(result: Mapping[str, Any]) -> Iterator[str]:
    """Where much was open before, the figures after are the filler's."""
    before, *filled = result["sides"]
    missing = _mean_missing(before)
    for after in filled:
        by_filler = missing - _mean_missing(after)
        if missing > MUCH_MISSING and by_filler > 0:
            is_all = after["grades"].startswith(f"{before['grades']},")
            yield (
                f"Before filling {100 * missing:.0f} % of the first {result['cutoff']} passages had no grade: the "
                f"figures after filling rest for {'' if is_all else 'at least '}{100 * by_filler:.0f} % of them on "
                f"{_fillers(before['grades'], after['grades'])}."
            )


def _fillers(before: str, after: str) -> str:
    """The sources of the second rule that the first lacks; of grades that have no such, their name."""
    known = _sources(before)
    return (
        ", ".join(source.removeprefix(completion.MODEL) for source in _sources(after) if source not in known) or after
    )


def _sources(rule: str) -> list[str]:
    return [source.strip() for source in rule.split(",")]
