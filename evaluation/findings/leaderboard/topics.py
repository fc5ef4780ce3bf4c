"""One system topic by topic, and its ranking of one topic with the grades that two rules give."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from annotate.grades import completed_qrels, rankings
from annotate.grades.completed_qrels import CompletedGrade
from annotate.models import Collection, Passage, Topic
from annotate.rules import completion
from evaluation.findings.leaderboard.scores import Leaderboard


@dataclass(frozen=True)
class TopicScore:
    """A system on one topic; `median` is over all systems. `other_value` is under the other rule, None without one."""

    query_id: str
    text: str
    value: float
    median: float
    other_value: float | None
    is_missing: bool

    @property
    def difference(self) -> float | None:
        """Under the other rule less under the first."""
        return None if self.other_value is None else self.other_value - self.value


@dataclass(frozen=True)
class RankedPassage:
    """One rank; the grades are None where the rule leaves a hole."""

    rank: int
    passage_id: str
    title: str
    text: str
    grade: CompletedGrade | None
    other_grade: CompletedGrade | None


def score_topics(
    collection: Collection, run_tag: str, board: Leaderboard, other: Leaderboard | None
) -> list[TopicScore]:
    """All topics of the board, in its order. Raises KeyError for a system that it does not have."""
    values = {system.run_tag: system.by_measure[board.measures[0]].by_topic for system in board.systems}
    others = (
        {system.run_tag: system.by_measure[board.measures[0]].by_topic for system in other.systems} if other else {}
    )
    missing = {query_id for system in board.systems if system.run_tag == run_tag for query_id in system.missing_topics}
    texts = dict(Topic.objects.published().filter(collection=collection).values_list("query_id", "text"))
    own = values[run_tag]
    return [
        TopicScore(
            query_id,
            texts.get(query_id, ""),
            own[query_id],
            median(by_topic[query_id] for by_topic in values.values()),
            others[run_tag][query_id] if others else None,
            query_id in missing,
        )
        for query_id in board.topics
    ]


def list_ranking(
    collection: Collection, run_tag: str, query_id: str, rules: Sequence[completion.Rule], depth: int
) -> list[RankedPassage]:
    """The first ranks of a topic, with the grades under one rule or two."""
    row = next(run for run in rankings.published_runs(collection) if run.tag == run_tag)
    passage_ids = rankings.load_top(row, depth).ranking(query_id, depth)
    texts = {
        name: (title, text)
        for name, title, text in Passage.objects.published()
        .filter(collection=collection, passage_id__in=passage_ids)
        .values_list("passage_id", "title", "text")
    }
    grades = [_grades(collection, rule, query_id) for rule in rules]
    return [
        RankedPassage(
            rank,
            passage_id,
            *texts.get(passage_id, ("", "")),
            grade=grades[0].get(passage_id),
            other_grade=grades[1].get(passage_id) if len(grades) > 1 else None,
        )
        for rank, passage_id in enumerate(passage_ids, start=1)
    ]


def _grades(collection: Collection, rule: completion.Rule, query_id: str) -> dict[str, CompletedGrade]:
    lines = completed_qrels.complete_qrels(collection, rule)
    return {line.passage_id: line for line in lines if line.query_id == query_id}
