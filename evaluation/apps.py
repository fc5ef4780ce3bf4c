from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig

FINDING, FIGURE, INDEX, INFLUENCE, STUDY = "finding", "figure", "index", "influence", "study"


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        from annotate import work_kinds

        work_kinds.register(FINDING, _find)
        work_kinds.register(FIGURE, _draw)
        work_kinds.register(INDEX, _index)
        work_kinds.register(INFLUENCE, _influence)
        work_kinds.register(STUDY, _study)


def _find(work: Any) -> Iterator[Any]:
    from evaluation.operations import finding  # numpy and scipy: not for each command that starts

    return finding.run(work)


def _draw(work: Any) -> Iterator[Any]:
    from evaluation.operations import drawing

    return drawing.run(work)


def _index(work: Any) -> Iterator[Any]:
    from evaluation.operations import indexing

    return indexing.run(work)


def _influence(work: Any) -> Iterator[Any]:
    from evaluation.operations import influencing

    return influencing.run(work)


def _study(work: Any) -> Iterator[Any]:
    from evaluation.operations import study_running

    return study_running.run(work)
