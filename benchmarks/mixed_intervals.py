"""Whether intervals from people's and a model's labels hold the truth: `python -m benchmarks.mixed_intervals`.

Two grounds: a made truth with a biased judge, and TREC DL 2019 whose NIST grades are the people's and GPT-4o's the
model's. A fifth of the pairs is sampled again and again; the coverage is the share of nominal 95 % intervals that hold
the value that all grades give. Prints Markdown tables.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from annotate.formats import runs
from annotate.rules import drawing
from benchmarks import calibrated_judge, learned_judge, report, system_ranking
from benchmarks.report import Row
from evaluation.engine import run_index
from evaluation.measures import gains
from evaluation.measures.grade_matrix import Floats
from evaluation.studies.kinds.mixed import designs, findings
from evaluation.studies.kinds.mixed.designs import Frame
from evaluation.studies.kinds.mixed.inputs import Inputs, Stratum
from evaluation.studies.kinds.mixed.refusals import LEAST_DIFFERING, LEAST_TOPICS

SHARE = 0.2


class Ground(NamedTuple):
    """A frame of pairs with the gains that people would give and that the model gives, and its inputs."""

    inputs: Inputs
    frame: Frame
    people: Floats
    model: Floats


class Coverage(NamedTuple):
    """By system, and by difference of two systems that is told: shares of intervals that hold the truth; mean
    half-width of a system's."""

    systems: Floats
    differences: Floats
    half_width: float

    def cells(self) -> str:
        labels = (self.systems, self.differences)
        parts = [f"{part.mean():.3f} [{part.min():.3f}]" if part.size else "" for part in labels]
        return " | ".join([*parts, f"{self.half_width:.3f}"])


def made(seed: int = 0, systems: int = 12, topics: int = 40) -> Ground:
    """A truth that we made: topics of other difficulty, systems of other skill; a judge that grades too high, more so
    for passages that the better systems find."""
    draw = np.random.default_rng(seed)
    people: dict[str, dict[str, int]] = {}
    model: dict[str, dict[str, int]] = {}
    rankings: list[dict[str, dict[str, float]]] = [{} for _ in range(systems)]
    for topic in map("q{}".format, range(topics)):
        worth = draw.normal(draw.normal(0, 0.7), 1, 80)
        names = [f"{topic}-{number}" for number in range(len(worth))]
        grades = np.digitize(worth, [0.3, 1.0, 1.8])
        labels = np.digitize(worth + draw.normal(0.45, 0.7, len(worth)), [0.2, 0.8, 1.5])
        people[topic] = dict(zip(names, grades.tolist(), strict=True))
        model[topic] = dict(zip(names, labels.tolist(), strict=True))
        for place, ranking in enumerate(rankings):
            scores = worth + draw.normal(0, 0.5 + 0.15 * place, len(worth)) + 0.4 * draw.normal(0, 1, len(worth))
            ranking[topic] = dict(zip(names, scores.tolist(), strict=True))
    result = [runs.build_run(f"system{place}", ranking) for place, ranking in enumerate(rankings)]
    return ground(result, people, model)


def dl19(model: str = "umbrela-gpt4o") -> Ground:
    """The 37 official runs; unjudged pairs in their top tens count 0 on both sides."""
    folder = learned_judge.DATA / "dl19"
    paths = [path for path in sorted((folder / "runs").glob("*.run.gz")) if not path.name.startswith("rankllm_")]
    people = system_ranking.by_topic(learned_judge.dl19().grades)
    labels = system_ranking.by_topic(calibrated_judge.own_grades(model))
    return ground(list(runs.read_runs(paths, depth=10)), people, labels)


def ground(
    systems: Sequence[runs.Run],
    people: dict[str, dict[str, int]],
    model: dict[str, dict[str, int]],
    gain: str = "linear",
) -> Ground:
    """Nothing is known before: all pairs of the top tens are the frame."""
    rankings = run_index.build(systems, 10)
    tops = {topic: sorted({name for run in systems for name in run.ranking(topic, 10)}) for topic in sorted(people)}
    strata = tuple(Stratum(topic, tuple(names), ()) for topic, names in tops.items())
    inputs = Inputs(rankings=rankings, strata=strata, model=model)
    worth = gains.gain_table(gain, 3)
    gained = (designs.gains_of(inputs.frame, grades, worth) for grades in (people, model))
    return Ground(inputs, designs.frame_of(inputs, gain), *gained)


def coverage(on: Ground, repetitions: int, *, share: float = SHARE, with_model: bool = True, seed: int = 0) -> Coverage:
    """Of the pair design."""
    topics = len(on.inputs.strata)
    starts = np.concatenate([[0], np.cumsum(np.bincount(on.frame.stratum, minlength=topics))])
    sizes = drawing.sizes_by_share(
        {str(t): [str(n) for n in range(starts[t], starts[t + 1])] for t in range(topics)}, share
    )
    model = on.model if with_model else np.zeros_like(on.model)
    truth = designs.model_only(on.frame, on.people)
    draw = np.random.default_rng(seed)
    hits, apart, labels, widths = [], [], [], []
    for _ in range(repetitions):
        places = np.concatenate(
            [starts[t] + draw.permutation(starts[t + 1] - starts[t])[: sizes[str(t)]] for t in range(topics)]
        )
        sample = designs.sample_of(on.frame, places, topics)
        result = designs.estimate(on.frame, sample, model, on.people[sample.places])
        width = findings.Z * np.sqrt(np.diag(result.covariance))
        hits.append(np.abs(result.values - truth) <= width)
        widths.append(width)
        apart.append(_holds_differences(result.values - truth, result.covariance))
        labels.append(designs.differing(on.frame.weights[:, sample.places]) >= LEAST_DIFFERING)
    return Coverage(np.mean(hits, axis=0), _shares(np.array(apart), np.array(labels)), float(np.mean(widths)))


def whole_topics(on: Ground, people: dict[str, dict[str, int]], repetitions: int, seed: int = 0) -> Coverage:
    """Of the topic design, nDCG@10, over these topics."""
    everything = {(topic, name): grade for topic, given in people.items() for name, grade in given.items()}
    strata = tuple(each.__class__(each.query_id, each.frame, each.frame) for each in on.inputs.strata)
    inputs = Inputs(rankings=on.inputs.rankings, strata=strata, model=on.inputs.model, people=everything)
    values = designs.values_of(inputs, "linear")
    topics = len(strata)
    number = drawing.sizes_by_share({"topics": [str(t) for t in range(topics)]}, SHARE)["topics"]
    draw, times = np.random.default_rng(seed), designs.quantile(number)
    truth = values.people.mean(axis=1)
    hits, apart, labels, widths = [], [], [], []
    for _ in range(repetitions):
        is_sampled = np.zeros(topics, dtype=bool)
        is_sampled[draw.permutation(topics)[:number]] = True
        drawn = designs.Values(values.model, values.people, is_sampled)
        width = times * np.sqrt(np.diag(drawn.over_these))
        hits.append(np.abs(drawn.estimates - truth) <= width)
        widths.append(width)
        apart.append(_holds_differences(drawn.estimates - truth, drawn.over_these, times))
        labels.append(designs.differing(drawn.corrections) >= LEAST_TOPICS)
    return Coverage(np.mean(hits, axis=0), _shares(np.array(apart), np.array(labels)), float(np.mean(widths)))


def _holds_differences(errors: Floats, covariance: Floats, times: float = findings.Z) -> np.ndarray:
    variance = np.diag(covariance)
    width = times * np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    return np.abs(errors[:, None] - errors) <= width + 1e-12


def _shares(holds: np.ndarray, is_told: np.ndarray) -> Floats:
    """By pair of systems the share of intervals that hold, among those that are told; of pairs that mostly are."""
    upper = np.triu_indices(holds.shape[1], 1)
    often = is_told.mean(axis=0)[upper] >= 0.5
    held = (holds & is_told).sum(axis=0)[upper] / np.maximum(is_told.sum(axis=0)[upper], 1)
    return np.asarray(held[often])


def main(repetitions: int) -> None:
    start = time.perf_counter()
    print("| ground | design | systems: mean [worst] | differences: mean [worst] | half-width |\n|---|---|---|---|---|")
    rows = [*_made(repetitions), *_dl19(max(repetitions // 2, 1))]
    print(f"\n{report.table(rows)}\n{time.perf_counter() - start:.0f} s")


def _made(repetitions: int) -> Iterator[Row]:
    on = made()
    result = coverage(on, repetitions)
    _line("made", f"pairs, {repetitions} repetitions", result)
    _line("made", "pairs, without the model", coverage(on, repetitions, with_model=False))
    for name, part in (("systems", result.systems), ("differences", result.differences)):
        is_met = 0.93 <= part.mean() <= 0.97
        yield Row(f"coverage, made truth, {name}", f"{part.mean():.3f}", ".93 to .97", is_met)


def _dl19(repetitions: int) -> Iterator[Row]:
    on = dl19()
    result = coverage(on, repetitions)
    _line("DL 2019", f"pairs, GPT-4o, {repetitions} repetitions", result)
    _line("DL 2019", "pairs, without a model", coverage(on, repetitions, with_model=False))
    people = system_ranking.by_topic(learned_judge.dl19().grades)
    _line("DL 2019", "whole topics, GPT-4o, nDCG@10", whole_topics(on, people, repetitions))
    systems = result.systems
    yield Row(
        "coverage, DL 2019, mean over systems", f"{systems.mean():.3f}", ".93 to .97", 0.93 <= systems.mean() <= 0.97
    )
    yield Row("coverage, DL 2019, worst system", f"{systems.min():.3f}", "at least .90", systems.min() >= 0.90)
    whole = coverage(on, 1, share=1.0)
    yield Row("half-width with all judged", f"{whole.half_width:.6f}", "0", whole.half_width == 0)


def _line(ground: str, design: str, result: Coverage) -> None:
    print(f"| {ground} | {design} | {result.cells()} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
