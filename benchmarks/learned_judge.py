"""How well the learned judge fills holes of real collections: `python -m benchmarks.learned_judge [SEEDS]`.

Prints a Markdown table: agreement with the dropped grades, on the holes alone, mean and standard deviation over seeds.
ECE is the expected calibration error of P(grade >= 2) with ten equal bins.
"""

import csv
import gzip
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score

from annotate.formats import qrels
from annotate.formats import texts as formats_texts
from annotate.formats.records import GradeScale
from annotate.judges import calibrated, calibration
from annotate.judges.text_features import TopicText
from annotate.rules import drawing

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


class Collection(NamedTuple):
    topics: dict[str, TopicText]
    passages: dict[str, str]
    grades: dict[tuple[str, str], int]
    scale: GradeScale


class Outcome(NamedTuple):
    alpha: float  # Krippendorff's, ordinal
    kappa: float  # Cohen's, grades from 2 against the rest
    ece: float
    seconds: float  # to fit and to predict


def dl19(data: Path = DATA) -> Collection:
    folder = data / "dl19"
    grades = {(query_id, passage_id): grade for query_id, passage_id, grade in qrels.read_qrels(folder / "qrels.txt")}
    judged = {passage_id for _, passage_id in grades}
    texts = {one.passage_id: one.text for one in formats_texts.read_passages(folder / "passages.jsonl.gz")}
    return Collection(
        {topic.query_id: TopicText(topic.text) for topic in formats_texts.read_topics(folder / "topics.tsv")},
        {passage_id: text for passage_id, text in texts.items() if passage_id in judged},
        grades,
        GradeScale(0, 3),
    )


def noveleval(data: Path = DATA) -> Collection:
    folder = data / "noveleval"
    return Collection(
        {topic.query_id: TopicText(topic.text) for topic in formats_texts.read_topics(folder / "queries.tsv")},
        {one.passage_id: one.text for one in formats_texts.read_passages(folder / "corpus.tsv")},
        {(query_id, passage_id): grade for query_id, passage_id, grade in qrels.read_qrels(folder / "qrels.txt")},
        GradeScale(0, 2),
    )


def dl21_dl22(data: Path = DATA) -> Collection:
    with gzip.open(data / "pairs" / "alaofi_dl21_dl22_human_vs_llm.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return Collection(
        {row["qid"]: TopicText(row["query"]) for row in rows},
        {row["docid"]: row["passage"] for row in rows},
        {(row["qid"], row["docid"]): int(row["nist"]) for row in rows},
        GradeScale(0, 3),
    )


def fill(collection: Collection, *, fraction: float, seed: int) -> Outcome:
    """Drops a fraction of every grade, learns from the rest and compares on the dropped pairs."""
    scale = collection.scale
    holes = sorted(drawing.draw_holes(collection.grades, chosen=scale.grades, fraction=fraction, seed=seed))
    hidden = set(holes)
    started = time.perf_counter()
    judge = calibrated.fit_text_judge(
        topics=collection.topics,
        passages=collection.passages,
        grades={pair: grade for pair, grade in collection.grades.items() if pair not in hidden},
        scale=scale,
        seed=seed,
    )
    predictions = judge.predict(holes)
    seconds = time.perf_counter() - started
    suggested = np.array([prediction.grade for prediction in predictions])
    dropped = np.array([collection.grades[pair] for pair in holes])
    domain = list(scale.grades)
    alpha = krippendorff.alpha([suggested, dropped], level_of_measurement="ordinal", value_domain=domain)
    result = calibration.report_reliability(
        np.array([prediction.probabilities for prediction in predictions]),
        dropped,
        of_grades=scale.grades,
        relevant_from=2,
        is_top=np.zeros(len(dropped), bool),
    )
    assert result.every.ece is not None
    return Outcome(alpha, cohen_kappa_score(suggested >= 2, dropped >= 2), result.every.ece, seconds)


def main(seeds: Sequence[int]) -> None:
    print("| collection | dropped | alpha | kappa (2+) | ECE | seconds |\n|---|---|---|---|---|---|")
    collections: dict[str, Callable[[], Collection]] = {
        "DL 2019": dl19,
        "DL 2021-22 pairs": dl21_dl22,
        "NovelEval": noveleval,
    }
    for name, load in collections.items():
        collection = load()
        for fraction in (0.1, 0.5, 0.9):
            outcomes = np.array([fill(collection, fraction=fraction, seed=seed) for seed in seeds])
            mean, spread = outcomes.mean(axis=0), outcomes.std(axis=0)
            figures = [f"{mean[place]:.3f} ({spread[place]:.3f})" for place in range(3)]
            print(f"| {name} | {fraction:.0%} | {' | '.join(figures)} | {mean[3]:.1f} |", flush=True)


if __name__ == "__main__":
    main(range(1, 1 + int(sys.argv[1] if len(sys.argv) > 1 else 5)))
