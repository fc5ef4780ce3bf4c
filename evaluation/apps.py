from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig

FINDING, FIGURE, INDEX, INFLUENCE, STUDY = "finding", "figure", "index", "influence", "study"


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        from annotate.work import kinds as work_kinds

        work_kinds.register(FINDING, _find)
        work_kinds.register(FIGURE, _draw)
        work_kinds.register(INDEX, _index)
        work_kinds.register(INFLUENCE, _influence)
        work_kinds.register(STUDY, _study)


def _find(work: Any) -> Iterator[Any]:
    from evaluation.findings import finding  # numpy and scipy: not for each command that starts

    return finding.run_finding(work)


def _draw(work: Any) -> Iterator[Any]:
    from evaluation.findings import drawing

    return drawing.run_drawing(work)


def _index(work: Any) -> Iterator[Any]:
    from evaluation.findings import run_indexes

    return run_indexes.run_indexing(work)


def _influence(work: Any) -> Iterator[Any]:
    from evaluation.findings import influence

    return influence.run_influence(work)


def _study(work: Any) -> Iterator[Any]:
    from evaluation.studies.operations import running

    return running.run(work)
