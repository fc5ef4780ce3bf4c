"""The result of a hole study as JSON: summaries over trials, fill strategies against trivial ones."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from annotate.formats.records import GradeScale
from evaluation.agreement.value import Floats
from evaluation.studies import design
from evaluation.studies.kinds.holes import systems, trials
from evaluation.studies.kinds.holes.inputs import Prepared
from evaluation.studies.kinds.holes.plan import Filler, Pattern, trivial_fillers

LOW, MIDDLE, HIGH = 0.025, 0.5, 0.975
_NAMES = ("mean", "sd", "low", "high", "median")
_ONE = "there is one trial, and a spread needs two"

TrialValues = Sequence[float | int | str]


def summarise_each(figures: Mapping[str, TrialValues]) -> dict[str, dict[str, object]]:
    """What `of` says of each of some figures of the same trials, those that are all there at once."""
    whole = [name for name, values in figures.items() if not any(isinstance(value, str) for value in values)]
    columns = np.array([figures[name] for name in whole], np.float64).T
    result = dict(zip(whole, summarise_columns(columns), strict=True)) if whole else {}
    return {name: result[name] if name in result else summarise(values) for name, values in figures.items()}


def summarise(values: TrialValues) -> dict[str, object]:
    """Mean, standard deviation, median, the 2.5 and 97.5 % quantiles (`low`, `high`) over the `trials` that have one.

    A trial without a number is its reason instead; these are counted under `undefined`. Without any number all are
    None, and `reason` says why in most trials; with a single one `sd` is None.

    >>> summarise([0.5, 0.7, "nothing was taken away"])["undefined"]
    {'nothing was taken away': 1}
    """
    numbers = [value for value in values if not isinstance(value, str)]
    reasons = Counter(value for value in values if isinstance(value, str))
    undefined = {"undefined": dict(sorted(reasons.items()))} if reasons else {}
    if not numbers:
        why = min(reasons, key=lambda reason: (-reasons[reason], reason), default="there is no trial")
        return {**dict.fromkeys(_NAMES), "trials": 0, "reason": why, **undefined}
    [result] = summarise_columns(np.array(numbers, np.float64)[:, np.newaxis])
    return result | undefined


def summarise_columns(values: Floats) -> list[dict[str, object]]:
    """The same of each column of (trials, n), in which every number is there.

    >>> [found["mean"] for found in summarise_columns(np.array([[1.0, 2.0], [3.0, 2.0]]))]
    [2.0, 2.0]
    """
    low, median, high = _quantiles(np.sort(values, axis=0))
    rows = zip(values.mean(axis=0).tolist(), _spreads(values), low, high, median, strict=True)
    unknown = {"reason": _ONE} if len(values) < 2 else {}
    return [{**dict(zip(_NAMES, row, strict=True)), "trials": len(values), **unknown} for row in rows]


def _spreads(values: Floats) -> list[float | None]:
    return values.std(axis=0, ddof=1).tolist() if len(values) > 1 else [None] * values.shape[1]


def _quantiles(rising: Floats) -> list[list[float]]:
    """As numpy's own by default, in a fifth of its time: a study has thousands of short lists."""
    places = (len(rising) - 1) * np.array([[LOW], [MIDDLE], [HIGH]])
    below = places.astype(np.intp)[:, 0]
    above = np.minimum(below + 1, len(rising) - 1)
    result: list[list[float]] = (
        rising[below] + (places - below[:, np.newaxis]) * (rising[above] - rising[below])
    ).tolist()
    return result


# So many standard errors of the mean difference, over trials, are no chance of the draws.
_ERRORS = 2.0
BEATS, LOSES, SAME = "better", "worse", "no difference"


def compare_with_trivial(cell: Mapping[str, Any], filler: Filler, scale: GradeScale) -> dict[str, Any]:
    """The trivial filler with the highest mean tau-b, and what this one has beyond it, trial by trial.

    tau-b by expected gains where the filler has gains. `verdict`: better or worse where the mean difference is more
    than two standard errors over trials from 0, else no difference; with one trial, by the difference.
    """
    own = cell[filler.text].get("tau_b_gain", cell[filler.text]["tau_b"])
    trivial = {each.text: cell[each.text]["tau_b"] for each in trivial_fillers(scale)}
    best = max(trivial, key=lambda text: _mean(trivial[text]))
    # A filler without chance has one trial where all have the same holes.
    rows = zip(own, trivial[best], strict=False)
    gaps = [a - b if not isinstance(a, str) and not isinstance(b, str) else "one of both is undefined" for a, b in rows]
    return {
        "best": best,
        "beyond": summarise(gaps),
        "verdict": _verdict([gap for gap in gaps if not isinstance(gap, str)]),
    }


def _mean(values: list[float | str]) -> float:
    numbers = [value for value in values if not isinstance(value, str)]
    return float(np.mean(numbers)) if numbers else -math.inf


def _verdict(gaps: list[float]) -> str:
    if not gaps:
        return SAME
    mean = float(np.mean(gaps))
    error = float(np.std(gaps, ddof=1)) / math.sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    if abs(mean) <= _ERRORS * error + 1e-12:
        return SAME
    return BEATS if mean > 0 else LOSES


TIES = (
    f"{design.TIES}; tau-b: systems with the same mean tie; tau-AP: they stand in the order of their tags; "
    "places: they share one"
)
UNJUDGED = "a passage without a grade gains nothing, and is in no ideal ranking"
# Figures of the ranking, in the order of the result; those with other names are there for some fillers only.
FIGURES = (
    "tau_b",
    "tau_b_gain",
    "tau_b_own",
    "tau_ap",
    "tau_ap_gain",
    "largest_rank_change",
    "significant_lost",
    "significant_found",
    "significant_reversed",
    "rmse",
    "rmse_gain",
    "unfilled",
)

Json = dict[str, Any]
Cell = tuple[str, float | None]


def gather_findings(prepared: Prepared, part_results: Mapping[str, Mapping[str, Any]]) -> Json:
    """The summaries over trials, from what each part has, by its name."""
    plan, asked = prepared.plan, prepared.plan.all_fillers(prepared.inputs.scale)
    cells = _cells(prepared, part_results)
    return {
        "systems": len(prepared.index.run_tags),
        "topics": len(prepared.index.topics),
        "graded_pairs": len(prepared.judged),
        "scale": str(prepared.inputs.scale),
        "measure": str(plan.measure),
        "ties": TIES,
        "unjudged": UNJUDGED,
        "test": f"Tukey's test of all pairs of systems, level {plan.level:g}",
        "significant_pairs": int(np.count_nonzero(prepared.full_ranking.ahead)),
        "plan": plan.to_json(),
        "fillers": {filler.text: filler.words for filler in asked},
        "own_judges": sorted(prepared.inputs.own_judges),
        "results": [
            _row(prepared, pattern, fraction, filler, cells[pattern.text, fraction])
            for pattern in plan.patterns
            for fraction in (plan.fractions if pattern.has_fractions else (None,))
            for filler in asked
        ],
    }


def _cells(prepared: Prepared, part_results: Mapping[str, Mapping[str, Any]]) -> dict[Cell, Json]:
    """By pattern and fraction, and by filler, the lists of all trials; `dropped` by trial."""
    cells: dict[Cell, Json] = {}
    for name, part in trials.split_into_parts(prepared).items():
        cell = cells.setdefault(part.cell, {"dropped": {}})
        cell["dropped"].update(zip(part_results[name]["trials"], part_results[name]["dropped"], strict=True))
        for filler in part.fillers:
            _extend(cell.setdefault(filler.text, {}), part_results[name][filler.text])
    return cells


def _extend(lists: Json, more: Mapping[str, Any]) -> None:
    for figure, values in more.items():
        if isinstance(values, Mapping):
            _extend(lists.setdefault(figure, {}), values)
        else:
            lists.setdefault(figure, []).extend(values)


def _row(prepared: Prepared, pattern: Pattern, fraction: float | None, filler: Filler, cell: Json) -> Json:
    lists, dropped = cell[filler.text], list(cell["dropped"].values())
    warnings = {"warnings": dict(sorted(Counter(lists["warnings"]).items()))} if lists.get("warnings") else {}
    return {
        "holes": pattern.text,
        "fraction": fraction,
        "fill": filler.text,
        "trials": len(lists["tau_b"]),
        "dropped": summarise(dropped),
        **summarise_each({figure: lists[figure] for figure in FIGURES if figure in lists}),
        "on_holes": _agreement(lists["on_holes"]) | {"confusion": _mean_table(lists["confusion"])},
        "over_all": _agreement(lists["over_all"]),
        **({} if filler.is_trivial else {"beside_trivial": compare_with_trivial(cell, filler, prepared.inputs.scale)}),
        **warnings,
        **_left_out(prepared, pattern, cell, lists),
        "shift": _shift(prepared, filler, lists["means"]),
    }


def _agreement(lists: Mapping[str, TrialValues]) -> Json:
    return summarise_each({figure: lists[figure] for figure in systems.AGREEMENT_FIGURES})


def _mean_table(tables: Sequence[Any]) -> Any:
    return np.mean(np.array(tables, np.float64), axis=0).tolist()


def _shift(prepared: Prepared, filler: Filler, means: Sequence[Sequence[float]]) -> list[Json]:
    """Of each system its mean and place with all grades, and by how much it gains and rises, by its place."""
    given, reference = np.array(means), prepared.full_ranking
    places = 1 + np.count_nonzero(given[:, np.newaxis, :] > given[:, :, np.newaxis], axis=-1)
    shifts = summarise_columns(given - reference.means)
    risen = summarise_columns((reference.places - places).astype(np.float64))
    rows = [
        {
            "run_tag": tag,
            "mean": float(reference.means[system]),
            "place": int(reference.places[system]),
            **({} if filler.has_measure else {"shift": shifts[system]}),
            "places_up": risen[system],
        }
        for system, tag in enumerate(prepared.index.run_tags)
    ]
    return sorted(rows, key=lambda row: (row["place"], row["run_tag"]))


def _left_out(prepared: Prepared, pattern: Pattern, cell: Json, lists: Json) -> Json:
    """Of each system or group that was left out: how many grades went with it, and what became of it."""
    if not pattern.leaves_out:
        return {}
    means = np.array(lists["means"])
    return {
        "left_out": [
            _describe_one(prepared, pattern, *trial)
            for trial in zip(cell["dropped"].items(), lists["tau_b"], means, strict=True)
        ]
    }


def _describe_one(
    prepared: Prepared, pattern: Pattern, dropped: tuple[str, int], tau_b: float | str, means: Any
) -> Json:
    reference, members = prepared.full_ranking, trials.left_out_systems(prepared, pattern, dropped[0])
    places = 1 + np.count_nonzero(means[np.newaxis, :] > means[:, np.newaxis], axis=-1)
    return {
        "name": dropped[0],
        "systems": len(members),
        "dropped": dropped[1],
        "tau_b": None if isinstance(tau_b, str) else tau_b,
        **({"reason": {"tau_b": tau_b}} if isinstance(tau_b, str) else {}),
        "shift": float(np.mean((means - reference.means)[members])),
        "places_up": int(min((reference.places - places)[members], key=lambda up: (-abs(int(up)), int(up)))),
    }
