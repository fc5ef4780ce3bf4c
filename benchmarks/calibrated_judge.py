"""How well the calibrated judge fills holes of real collections: `python -m benchmarks.calibrated_judge [SEEDS]`.

Prints Markdown tables: agreement with the dropped grades on the holes alone, how far the probabilities mean what they
say, and how well systems are ranked (tau-b of nDCG@10 over all runs with the ranking by all grades), beside a
model's own grades. Means over seeds.
"""

import csv
import gzip
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score

from annotate.formats import qrels
from annotate.judges import calibrated, calibration, text_features
from annotate.judges.prediction import Prediction
from annotate.judges.text_features import TextIndex
from annotate.rules import drawing
from benchmarks import hole_sweep, learned_judge, report, system_ranking
from benchmarks.learned_judge import Collection
from benchmarks.report import Row
from benchmarks.system_ranking import Systems

Pair = tuple[str, str]
Grades = Mapping[Pair, int]
_DATA = learned_judge.DATA
_DL19 = {"GPT-4o": "umbrela-gpt4o", "Llama-3-8B": "umbrela-llama3-8b"}
_RELEVANT_FROM = 2
_FRACTIONS = (0.1, 0.5, 0.9)
_TEXT = "text alone"


class Bars(NamedTuple):
    """The least that is asked for at each fraction: alpha, binary kappa, tau-b over that of the model's own grades."""

    alpha: tuple[float, float, float]
    kappa: tuple[float, ...] = ()
    tau_gain: tuple[float, ...] = ()


_BARS = {
    "GPT-4o": Bars((0.81, 0.79, 0.72), (0.74, 0.71, 0.62), (0.008, 0.005, -0.004)),
    "Llama-3-8B": Bars((0.80, 0.765, 0.64)),
    _TEXT: Bars((0.81, 0.785, 0.67)),
}


class Ground(NamedTuple):
    """A collection with what does not depend on the holes, which is made once."""

    collection: Collection
    texts: TextIndex
    systems: Systems | None = None


class Outcome(NamedTuple):
    """On the holes of one draw. `top` is on those of them that some run has among its first ten."""

    alpha: float  # Krippendorff's, ordinal
    kappa: float  # Cohen's, grades from 2 against the rest
    ece: float
    brier: float
    top_ece: float
    top_excess: float  # grades above what was expected, on average
    own_alpha: float  # of the model's own grades
    own_kappa: float
    tau: float  # by expected gains
    tau_gain: float  # beyond the model's own grades
    tau_gain_exp: float  # the same with exponential gains
    warned: float  # 1 where the model's grades were left as they are


def main(seeds: Sequence[int]) -> None:
    dl19 = ground(learned_judge.dl19(), has_runs=True)
    models = {name: own_grades(file) for name, file in _DL19.items()} | {_TEXT: {}}
    rows = [*_figures("DL 2019", dl19, models, seeds), *_relevant_only(dl19, models, seeds), *_cost()]
    _without_copies(dl19, models, seeds[:5])
    _others(seeds[:5])
    print(f"\n{report.table(rows)}")


def ground(collection: Collection, *, has_runs: bool = False) -> Ground:
    """Compares the texts of a collection once for all draws."""
    index = text_features.build_index(topics=collection.topics, passages=collection.passages, seed=0)
    passages = {query_id: list(known) for query_id, known in system_ranking.by_topic(collection.grades).items()}
    paths = sorted((_DATA / "dl19" / "runs").glob("*.run.gz"))
    return Ground(
        collection,
        text_features.keep_comparisons(index, passages),
        Systems(paths, collection.grades) if has_runs else None,
    )


def own_grades(name: str) -> dict[Pair, int]:
    path = _DATA / "dl19" / "llm" / f"{name}.qrels.gz"
    return {(query_id, passage_id): grade for query_id, passage_id, grade in qrels.read_qrels(path)}


def fill(
    on: Ground,
    model: Grades,
    *,
    fraction: float,
    seed: int,
    chosen: Sequence[int] | None = None,
    may_copies_speak: bool = True,
) -> Outcome:
    """Drops a fraction of each chosen grade (of all by default), learns from the rest, asks about the holes."""
    known, scale = on.collection.grades, on.collection.scale
    drawn = drawing.draw_holes(known, chosen=chosen or scale.grades, fraction=fraction, seed=seed)
    judge = calibrated.fit_judge(
        on.texts,
        {pair: grade for pair, grade in known.items() if pair not in drawn},
        scale=scale,
        models=[model] if model else [],
        may_copies_speak=may_copies_speak,
        seed=seed,
    )
    holes = sorted(drawn)
    return _outcome(on, model, dict(zip(holes, judge.predict(holes), strict=True)), bool(judge.warning))


def _outcome(on: Ground, model: Grades, predictions: Mapping[Pair, Prediction], is_warned: bool) -> Outcome:
    scale = on.collection.scale
    dropped = np.array([on.collection.grades[pair] for pair in predictions])
    own = {pair: model[pair] for pair in predictions if pair in model}
    own_truth = np.array([on.collection.grades[pair] for pair in own])
    top = on.systems.top if on.systems else frozenset()
    result = calibration.report_reliability(
        np.array([one.probabilities for one in predictions.values()]),
        dropped,
        of_grades=scale.grades,
        relevant_from=_RELEVANT_FROM,
        is_top=np.array([pair in top for pair in predictions]),
    )
    agreement = _agreement(np.array([one.grade for one in predictions.values()]), dropped, scale.grades)
    own_agreement = _agreement(np.array(list(own.values())), own_truth, scale.grades) if own else (np.nan, np.nan)
    ece, brier, top_ece, top_excess = (
        np.nan if figure is None else figure
        for figure in (result.every.ece, result.every.brier, result.top.ece, result.top.excess)
    )
    return Outcome(
        *agreement,
        ece,
        brier,
        top_ece,
        top_excess,
        *own_agreement,
        *_taus(on.systems, predictions, own),
        float(is_warned),
    )


def _agreement(suggested: np.ndarray, dropped: np.ndarray, grades: range) -> tuple[float, float]:
    alpha = krippendorff.alpha([suggested, dropped], level_of_measurement="ordinal", value_domain=list(grades))
    return alpha, cohen_kappa_score(suggested >= _RELEVANT_FROM, dropped >= _RELEVANT_FROM)


def _taus(systems: Systems | None, predictions: Mapping[Pair, Prediction], own: Grades) -> tuple[float, float, float]:
    if systems is None:
        return np.nan, np.nan, np.nan
    probabilities = {pair: one.for_scoring for pair, one in predictions.items()}
    certain = {pair: np.eye(systems.highest + 1)[grade] for pair, grade in own.items()}
    measures = (system_ranking.LINEAR, system_ranking.EXPONENTIAL)
    taus = [systems.tau_b(probabilities, measure) for measure in measures]
    gains = [
        tau - systems.tau_b(certain, measure) if own else np.nan for tau, measure in zip(taus, measures, strict=True)
    ]
    return taus[0], gains[0], gains[1]


def _figures(name: str, on: Ground, models: Mapping[str, Grades], seeds: Sequence[int]) -> Iterator[Row]:
    """The table of a collection, and its rows of the bars, if it has any."""
    print(f"\n### {name}, holes from all grades, {len(seeds)} seeds\n\n{_HEAD}", flush=True)
    for model, own in models.items():
        for place, fraction in enumerate(_FRACTIONS):
            mean = _mean(fill(on, own, fraction=fraction, seed=seed) for seed in seeds)
            print(_line(model, fraction, mean), flush=True)
            if on.systems:
                yield from _against_bars(f"{model}, {fraction:.0%} dropped", _BARS[model], place, mean)


def _mean(outcomes: Iterable[Outcome]) -> Outcome:
    return Outcome(*np.mean(np.array(list(outcomes)), axis=0).tolist())


_HEAD = (
    "| model | dropped | alpha (model's own) | kappa 2+ (own) | ECE | Brier | top ten: ECE, excess "
    "| tau-b by gains (beyond own; exp gains) | as they are |\n|---|---|---|---|---|---|---|---|---|"
)


def _line(model: str, fraction: float, mean: Outcome) -> str:
    cells = [
        model,
        f"{fraction:.0%}",
        f"{mean.alpha:.3f}{_beside(mean.own_alpha)}",
        f"{mean.kappa:.3f}{_beside(mean.own_kappa)}",
        f"{mean.ece:.3f}",
        f"{mean.brier:.3f}",
        "" if np.isnan(mean.top_ece) else f"{mean.top_ece:.3f}, {mean.top_excess:+.2f}",
        "" if np.isnan(mean.tau) else f"{mean.tau:.3f}{_beside(mean.tau_gain, mean.tau_gain_exp, form='+.3f')}",
        f"{mean.warned:.0%}",
    ]
    return f"| {' | '.join(cells)} |"


def _beside(*figures: float, form: str = ".3f") -> str:
    """What stands in brackets; nothing without a model to compare with."""
    return "" if np.isnan(figures[0]) else f" ({'; '.join(format(figure, form) for figure in figures)})"


def _against_bars(work: str, bars: Bars, place: int, mean: Outcome) -> Iterator[Row]:
    yield Row(f"alpha, {work}", f"{mean.alpha:.3f}", f"at least {bars.alpha[place]}", mean.alpha >= bars.alpha[place])
    yield Row(f"ECE, {work}", f"{mean.ece:.3f}", "at most .03", mean.ece <= 0.03)
    if bars.kappa:
        least = bars.kappa[place]
        yield Row(f"binary kappa, {work}", f"{mean.kappa:.3f}", f"at least {least}", mean.kappa >= least)
    if bars.tau_gain:
        least = bars.tau_gain[place]
        yield Row(
            f"tau-b beyond the model's own grades, {work}",
            f"{mean.tau_gain:+.4f}",
            f"at least {least:+}",
            mean.tau_gain >= least,
        )


def _relevant_only(on: Ground, models: Mapping[str, Grades], seeds: Sequence[int]) -> Iterator[Row]:
    """Holes as in paper A, from the grades 1 to 3: where what is left does not teach what is missing."""
    print("\n### DL 2019, holes from the grades 1, 2 and 3\n\n" + _HEAD, flush=True)
    for model, own in models.items():
        for fraction in (0.1, 0.3, 0.5, 0.7, 0.9):
            mean = _mean(fill(on, own, fraction=fraction, seed=seed, chosen=(1, 2, 3)) for seed in seeds)
            print(_line(model, fraction, mean), flush=True)
            if own:
                yield Row(
                    f"tau-b beyond the model's own grades, {model}, {fraction:.0%} of grades 1 to 3 dropped",
                    f"{mean.tau_gain:+.4f}",
                    "at least -.01",
                    mean.tau_gain >= -0.01,
                )


def _without_copies(on: Ground, models: Mapping[str, Grades], seeds: Sequence[int]) -> None:
    print(f"\n### DL 2019, near-duplicates of a passage do not speak for it, {len(seeds)} seeds\n\n{_HEAD}", flush=True)
    for model, own in models.items():
        for fraction in _FRACTIONS:
            outcomes = (fill(on, own, fraction=fraction, seed=seed, may_copies_speak=False) for seed in seeds)
            print(_line(model, fraction, _mean(outcomes)), flush=True)


def _others(seeds: Sequence[int]) -> None:
    """Collections that nothing was chosen on; they have no runs."""
    columns = ("gpt-4o|Basic", "gpt-35-turbo-1106|Basic", "llama3-8b-instruct-v1|Basic")
    pairs = ground(learned_judge.dl21_dl22())
    models = {column.partition("|")[0]: graded_column(column) for column in columns} | {_TEXT: {}}
    list(_figures("Pairs of DL 2021 and 2022", pairs, models, seeds))
    list(_figures("NovelEval, grades 0-2", ground(learned_judge.noveleval()), {_TEXT: {}}, seeds))


def graded_column(column: str) -> dict[Pair, int]:
    """The grades of a model and prompt; what is no grade of the scale is left out."""
    path = _DATA / "pairs" / "alaofi_dl21_dl22_human_vs_llm.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        predictions = {(row["qid"], row["docid"]): row[column] for row in csv.DictReader(file)}
    return {pair: int(grade) for pair, grade in predictions.items() if grade in {"0", "1", "2", "3"}}


def _cost() -> Iterator[Row]:
    """Of a fresh process with one thread: a fit on 9,167 pairs of DL 2019, and predictions of all 9,260."""
    with multiprocessing.get_context("spawn").Pool(1) as process:
        seconds, megabytes = process.apply(_measured)
    scaled = seconds * 10_000 / 9_260
    yield Row("10,000 pairs, texts to predictions", f"{scaled:.1f} s of one processor", "at most 15 s", scaled <= 15)
    yield Row("memory of the process at its highest", f"{megabytes:.0f} MB", "at most 500 MB", megabytes <= 500)


def _measured() -> tuple[float, float]:
    collection, own = learned_judge.dl19(), own_grades(_DL19["GPT-4o"])
    drawn = drawing.draw_holes(collection.grades, chosen=collection.scale.grades, fraction=0.01, seed=1)
    started = time.process_time()
    index = text_features.build_index(topics=collection.topics, passages=collection.passages, seed=0)
    left = {pair: grade for pair, grade in collection.grades.items() if pair not in drawn}
    calibrated.fit_judge(index, left, scale=collection.scale, models=[own]).predict(list(collection.grades))
    return time.process_time() - started, hole_sweep.megabytes("VmHWM")


if __name__ == "__main__":
    main(range(1, 1 + int(sys.argv[1] if len(sys.argv) > 1 else 20)))
