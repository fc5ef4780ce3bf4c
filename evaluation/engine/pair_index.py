"""The pair index: pairs by number and where they stand in the rankings of systems, so that grades are one array."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotate.formats.records import Qrels
from evaluation.engine.run_index import Numbers, RunIndex
from evaluation.measures import grade_matrix
from evaluation.measures.grade_matrix import EMPTY, JUNK, UNJUDGED, Floats, GradeMatrix, GradeProbabilities, Grades

Pairs = Mapping[str, Mapping[str, object]]


def group_by_topic(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """The passages of each topic, in their order."""
    by_topic: dict[str, dict[str, object]] = {}
    for query_id, passage_id in pairs:
        by_topic.setdefault(query_id, {})[passage_id] = None
    return by_topic


@dataclass(frozen=True, eq=False)
class PairIndex:
    """The pairs of t topics that may have a grade, numbered from 0, in the rankings of s systems.

    `numbers` (t) tells the number of each passage of a topic. `at_ranks` (s, t, depth) has the number of the pair at
    each rank, `by_topic` (t, widest) those of each topic. Two numbers beyond the n pairs stand for whatever can have
    no grade: n for the other passages that were retrieved, n + 1 for no passage at all.
    """

    run_tags: tuple[str, ...]
    topics: tuple[str, ...]
    numbers: tuple[Mapping[str, int], ...]
    at_ranks: Numbers
    by_topic: Numbers

    def __len__(self) -> int:
        return sum(map(len, self.numbers))


def build(
    rankings: RunIndex, qrels: Iterable[Pairs], *, topics: Iterable[str] | None = None, depth: int | None = None
) -> PairIndex:
    """The index of all pairs in any of the qrels (or in what else has passages by topic), for the topics given or
    theirs, in the order of the ids.

    `depth` is how many ranks are taken, None for all that the rankings have.
    """
    several = list(qrels)
    chosen = tuple(sorted(set().union(*several) if topics is None else set(topics)))
    numbers = _numbered(chosen, several)
    other = sum(map(len, numbers))
    return PairIndex(
        run_tags=rankings.run_tags,
        topics=chosen,
        numbers=numbers,
        at_ranks=_at_ranks(rankings, chosen, numbers, depth),
        by_topic=_rectangle([list(known.values()) for known in numbers], other + 1),
    )


def grades(index: PairIndex, qrels: Qrels, *, highest: int = 3) -> Grades:
    """The grades of qrels as a vector (n + 2) by pair number; topics that the index lacks are left out.

    Pairs that the qrels lack are UNJUDGED, as is the number n; n + 1 is EMPTY. Raises GradeOffScale for a grade above
    `highest`, KeyError for a pair that the index lacks.
    """
    grade_matrix.check_scale([qrels.get(query_id, {}) for query_id in index.topics], highest)
    vector = np.full(len(index) + 2, UNJUDGED, dtype=grade_matrix.cell_type(highest))
    vector[-1] = EMPTY
    for query_id, known in zip(index.topics, index.numbers, strict=True):
        given = qrels.get(query_id, {})
        places = np.fromiter(map(known.__getitem__, given), np.intp, len(given))
        vector[places] = np.fromiter(given.values(), np.int64, len(given)).clip(min=JUNK)
    return vector


def matrix(index: PairIndex, vectors: Grades, *, highest: int = 3) -> GradeMatrix:
    """The grade matrix (..., system, topic, rank) of grade vectors (..., n + 2).

    Ranks lie beside one another in memory, so that what is summed over them is the same to the last bit, however many
    vectors there are: equal grades give equal values, and these tie.
    """
    judged = vectors.take(index.by_topic, axis=-1)
    falling = -np.sort(-np.where(judged < 0, np.int16(EMPTY), judged), axis=-1)
    return GradeMatrix(vectors.take(index.at_ranks, axis=-1), falling[..., np.newaxis, :, :], highest)


def parts(index: PairIndex, cells: int) -> Iterator[PairIndex]:
    """The index a few systems at once, so that the ranks of each part are about that many `cells`, if not of one."""
    step = max(cells // max(index.at_ranks[:1].size, 1), 1)
    for start in range(0, len(index.run_tags), step):
        few = slice(start, start + step)
        yield replace(index, run_tags=index.run_tags[few], at_ranks=index.at_ranks[few])


def _numbered(topics: Sequence[str], qrels: Sequence[Pairs]) -> tuple[dict[str, int], ...]:
    numbers, count = [], 0
    for topic in topics:
        passages = dict.fromkeys(itertools.chain.from_iterable(given.get(topic, ()) for given in qrels))
        numbers.append(dict(zip(passages, range(count, count + len(passages)), strict=True)))
        count += len(passages)
    return tuple(numbers)


def _at_ranks(
    rankings: RunIndex, topics: Sequence[str], numbers: Sequence[Mapping[str, int]], depth: int | None
) -> Numbers:
    """The numbers of pairs at the first ranks: a pair is looked up once, not once a rank."""
    other = sum(map(len, numbers))
    columns = {query_id: column for column, query_id in enumerate(rankings.topics)}
    pairs = np.full(len(rankings.passage_ids) + 1, other, dtype=np.int32)
    pairs[-1] = other + 1
    for query_id, known in zip(topics, numbers, strict=True):
        places = rankings.places.get(query_id, {})
        for passage_id in known.keys() & places.keys():
            pairs[places[passage_id]] = known[passage_id]
    ranks = grade_matrix.cut(rankings.at_ranks, depth)
    if topics == rankings.topics:
        return pairs.take(ranks)
    box = np.full((len(ranks), len(topics), ranks.shape[-1]), other + 1, dtype=np.int32)
    there = [place for place, query_id in enumerate(topics) if query_id in columns]
    box[:, there] = pairs[ranks[:, [columns[topics[place]] for place in there]]]
    return box


def _rectangle(rows: Sequence[Sequence[int]], filler: int) -> Numbers:
    filled = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.int32)
    for row, numbers in zip(filled, rows, strict=True):
        row[: len(numbers)] = numbers
    return filled


_CELLS_AT_ONCE = 1 << 19


@dataclass(frozen=True, eq=False)
class CodedGrades:
    """Grades by topic, of a scale that goes to `highest`. With `rows` they are numbers of rows: those of
    `GradeMatrix.probabilities`."""

    qrels: Qrels
    highest: int
    rows: Floats | None = None


def code_grades(
    qrels: Qrels, probabilities: Mapping[str, GradeProbabilities], *, topics: Iterable[str], highest: int
) -> CodedGrades:
    """The grades of these topics, and in their holes the probabilities. Raises GradeOffScale and NoDistribution."""
    if not probabilities:
        return CodedGrades(qrels, highest)
    chosen = list(topics)
    given = [qrels.get(query_id, {}) for query_id in chosen]
    coded, rows = grade_matrix.code_uncertain(
        given, [probabilities.get(query_id, {}) for query_id in chosen], highest=highest
    )
    return CodedGrades(dict(zip(chosen, coded, strict=True)), highest, rows)


def grade_matrices(pairs: PairIndex, coded: CodedGrades) -> Iterator[GradeMatrix]:
    """The grades of all runs, (run, topic, rank), a few runs at once, so that memory stays small."""
    vector = grades(pairs, coded.qrels, highest=coded.highest if coded.rows is None else len(coded.rows))
    for part in parts(pairs, _CELLS_AT_ONCE):
        yield replace(matrix(part, vector, highest=coded.highest), probabilities=coded.rows)
