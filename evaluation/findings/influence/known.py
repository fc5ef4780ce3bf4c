"""What is known of the influence of holes, and what has happened since it was computed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotate.models import Adjudication, Collection, Judgment
from evaluation.inputs import questions
from evaluation.inputs.questions import Question
from evaluation.models import Finding

QUESTION = Question("influence", (), "influence of holes")


@dataclass(frozen=True)
class Known:
    """`value` as `influence.compute` tells it. `judgments` and `decisions` were stored since; `is_stale` also where
    imports, draws of holes or settings changed grades or runs."""

    value: dict[str, Any]
    computed_at: datetime
    judgments: int
    decisions: int
    is_stale: bool


def of(collection: Collection) -> Known | None:
    """None where nothing was ever computed."""
    found = Finding.objects.filter(collection=collection, kind=QUESTION.kind, key=QUESTION.key).first()
    if found is None:
        return None
    weights = found.value["weights"]
    since = {"created_at__gt": found.computed_at}
    judgments = Judgment.objects.filter(assessor__collection=collection, round=1, **since)
    return Known(
        value=found.value,
        computed_at=found.computed_at,
        judgments=judgments.count(),
        decisions=Adjudication.objects.filter(pair__collection=collection, **since).count(),
        is_stale=found.facts != questions.digest(collection, (weights,) if weights else ()),
    )
