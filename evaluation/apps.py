from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig

FINDING = "finding"


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        from annotate import work

        work.register(FINDING, _find)


def _find(work: Any) -> Iterator[Any]:
    from evaluation.operations import finding  # numpy and scipy: not for each command that starts

    return finding.run(work)
