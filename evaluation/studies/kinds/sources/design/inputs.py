"""What a source study is made from, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotate.formats.records import Qrels
from evaluation.engine.run_index import RunIndex
from evaluation.measures.uncertain import Chances

Origins = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class Grades:
    """Grades of one set of labels. Pairs in `chances` count by the probabilities of the grades from 0 up, and are not
    in `qrels`. `origins`: by topic and passage, whose grade it is. `topics` are those that count, graded or not.
    """

    qrels: Qrels
    origins: Origins
    topics: frozenset[str]
    chances: Mapping[str, Chances] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Inputs:
    """`runs` are as deep as the measure looks, and at least as deep as Judged@k stands beside it. `grades` are by the
    names of the plan's labels.

    `assessors`: the grades of each; `above` and `below`: those that count before people's, and where people give none.
    `families`: what runs say of their model families; `judges`: what is known of the model of a set of labels, where
    the plan does not name its family. `highest` is the top grade of the scale.
    """

    runs: RunIndex
    grades: Mapping[str, Grades]
    assessors: Mapping[str, Qrels] = field(default_factory=dict)
    above: Qrels = field(default_factory=dict)
    below: Qrels = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)
    highest: int = 3
