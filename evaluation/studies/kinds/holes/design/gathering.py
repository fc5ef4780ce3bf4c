"""The result of a hole study, in JSON, from what its parts found."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.studies.design import facts
from evaluation.studies.kinds.holes.design import holes, labels, parts, rivals, summaries
from evaluation.studies.kinds.holes.design.fillers import Filler
from evaluation.studies.kinds.holes.design.ground import Ground
from evaluation.studies.kinds.holes.design.patterns import Pattern

TIES = (
    f"{facts.TIES}; tau-b: systems with the same mean tie; tau-AP: they stand in the order of their tags; "
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


def gather(ground: Ground, found: Mapping[str, Mapping[str, Any]]) -> Json:
    """The summaries over trials. `found` has what each part found, by its name."""
    plan, asked = ground.plan, ground.plan.all_fillers(ground.inputs.scale)
    cells = _cells(ground, found)
    return {
        "systems": len(ground.index.run_tags),
        "topics": len(ground.index.topics),
        "graded_pairs": len(ground.judged),
        "scale": str(ground.inputs.scale),
        "measure": str(plan.measure),
        "ties": TIES,
        "unjudged": UNJUDGED,
        "test": f"Tukey's test of all pairs of systems, level {plan.level:g}",
        "significant_pairs": int(np.count_nonzero(ground.standing.ahead)),
        "plan": plan.to_json(),
        "fillers": {filler.text: filler.words for filler in asked},
        "own_judges": sorted(ground.inputs.own_judges),
        "results": [
            _row(ground, pattern, fraction, filler, cells[pattern.text, fraction])
            for pattern in plan.patterns
            for fraction in (plan.fractions if pattern.has_fractions else (None,))
            for filler in asked
        ],
    }


def _cells(ground: Ground, found: Mapping[str, Mapping[str, Any]]) -> dict[Cell, Json]:
    """By pattern and fraction, and by filler, the lists of all trials; `dropped` by trial."""
    cells: dict[Cell, Json] = {}
    for name, part in parts.named(ground).items():
        cell = cells.setdefault(part.cell, {"dropped": {}})
        cell["dropped"].update(zip(found[name]["trials"], found[name]["dropped"], strict=True))
        for filler in part.fillers:
            _extend(cell.setdefault(filler.text, {}), found[name][filler.text])
    return cells


def _extend(lists: Json, more: Mapping[str, Any]) -> None:
    for figure, values in more.items():
        if isinstance(values, Mapping):
            _extend(lists.setdefault(figure, {}), values)
        else:
            lists.setdefault(figure, []).extend(values)


def _row(ground: Ground, pattern: Pattern, fraction: float | None, filler: Filler, cell: Json) -> Json:
    lists, dropped = cell[filler.text], list(cell["dropped"].values())
    warnings = {"warnings": dict(sorted(Counter(lists["warnings"]).items()))} if lists.get("warnings") else {}
    return {
        "holes": pattern.text,
        "fraction": fraction,
        "fill": filler.text,
        "trials": len(lists["tau_b"]),
        "dropped": summaries.of(dropped),
        **summaries.of_each({figure: lists[figure] for figure in FIGURES if figure in lists}),
        "on_holes": _agreement(lists["on_holes"]) | {"confusion": _mean_table(lists["confusion"])},
        "over_all": _agreement(lists["over_all"]),
        **({} if filler.is_trivial else {"beside_trivial": rivals.beside(cell, filler, ground.inputs.scale)}),
        **warnings,
        **_left_out(ground, pattern, cell, lists),
        "shift": _shift(ground, filler, lists["means"]),
    }


def _agreement(lists: Mapping[str, summaries.Figure]) -> Json:
    return summaries.of_each({figure: lists[figure] for figure in labels.KINDS})


def _mean_table(tables: Sequence[Any]) -> Any:
    return np.mean(np.array(tables, np.float64), axis=0).tolist()


def _shift(ground: Ground, filler: Filler, means: Sequence[Sequence[float]]) -> list[Json]:
    """Of each system its mean and place with all grades, and by how much it gains and rises, by its place."""
    given, reference = np.array(means), ground.standing
    places = 1 + np.count_nonzero(given[:, np.newaxis, :] > given[:, :, np.newaxis], axis=-1)
    shifts = summaries.of_columns(given - reference.means)
    risen = summaries.of_columns((reference.places - places).astype(np.float64))
    rows = [
        {
            "run_tag": tag,
            "mean": float(reference.means[system]),
            "place": int(reference.places[system]),
            **({} if filler.has_measure else {"shift": shifts[system]}),
            "places_up": risen[system],
        }
        for system, tag in enumerate(ground.index.run_tags)
    ]
    return sorted(rows, key=lambda row: (row["place"], row["run_tag"]))


def _left_out(ground: Ground, pattern: Pattern, cell: Json, lists: Json) -> Json:
    """Of each system or group that was left out: how many grades went with it, and what became of it."""
    if not pattern.leaves_out:
        return {}
    means = np.array(lists["means"])
    return {
        "left_out": [
            _of_one(ground, pattern, *trial)
            for trial in zip(cell["dropped"].items(), lists["tau_b"], means, strict=True)
        ]
    }


def _of_one(ground: Ground, pattern: Pattern, dropped: tuple[str, int], tau_b: float | str, means: Any) -> Json:
    reference, members = ground.standing, holes.members(ground, pattern, dropped[0])
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
