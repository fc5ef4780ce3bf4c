"""Statistics of each assessor: how much, which grades, how long, how consistent, and how all that drifts.

They are told by pseudonym and never ranked: seconds say what was read, not how well.
"""

from dataclasses import asdict
from typing import Any

from annotate.models import Collection
from evaluation.queries import (
    anchoring,
    assessor_agreement,
    assessor_grades,
    assessor_judgments,
    assessor_sittings,
)
from evaluation.queries.questions import Question

Told = dict[str, Any]

QUESTION = Question("assessors", (), "statistics of each assessor")


def compute(collection: Collection, asked: dict[str, str] | None = None) -> Told:
    """For JSON: all assessors with judgments by their pseudonyms, and under `reference` the drift of all of them as
    one."""
    given, scale = assessor_judgments.of(collection), collection.scale.grades
    others = assessor_agreement.with_others(given)
    reference = assessor_agreement.with_reference(given, collection)
    again = assessor_agreement.with_themselves(given, collection)
    revealed = anchoring.of_everybody(collection)
    parts = zip(
        given.pseudonyms,
        *(assessor_agreement.by_assessor(given, beside, scale) for beside in (again, others, reference)),
        assessor_sittings.of_all(collection, given, others, scale),
        strict=True,
    )
    return {
        "judgments": len(given),
        "scale": list(scale),
        "reference": assessor_agreement.of_all(given, reference, scale),
        "assessors": [
            {
                "pseudonym": name,
                **assessor_grades.counts(given, own := given.assessor == place),
                "by_grade": assessor_grades.by_grade(given, own, scale),
                "reveals": asdict(revealed[name]) if name in revealed else None,
                "self": beside_self,
                "others": beside_others,
                "reference": beside_reference,
                "sittings": sittings,
            }
            for place, (name, beside_self, beside_others, beside_reference, sittings) in enumerate(parts)
        ],
    }
