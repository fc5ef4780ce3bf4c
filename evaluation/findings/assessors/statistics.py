"""Statistics of each assessor: how much, which grades, how long, how consistent, and how all that drifts.

They are told by pseudonym and never ranked: seconds say what was read, not how well.
"""

from dataclasses import asdict
from typing import Any

from annotate.models import Collection
from evaluation.findings.agreement import anchoring
from evaluation.findings.assessors import agreement, grades, judgments, sessions
from evaluation.inputs.questions import Question

Told = dict[str, Any]

QUESTION = Question("assessors", (), "statistics of each assessor")


def compute(collection: Collection, asked: dict[str, str] | None = None) -> Told:
    """For JSON: all assessors with judgments by their pseudonyms, and under `reference` the drift of all of them as
    one."""
    given, scale = judgments.of(collection), collection.scale.grades
    others = agreement.with_others(given)
    reference = agreement.with_reference(given, collection)
    again = agreement.with_themselves(given, collection)
    revealed = anchoring.of_everybody(collection)
    parts = zip(
        given.pseudonyms,
        *(agreement.by_assessor(given, beside, scale) for beside in (again, others, reference)),
        sessions.of_all(collection, given, others, scale),
        strict=True,
    )
    return {
        "judgments": len(given),
        "scale": list(scale),
        "reference": agreement.of_all(given, reference, scale),
        "assessors": [
            {
                "pseudonym": name,
                **grades.counts(given, own := given.assessor == place),
                "by_grade": grades.by_grade(given, own, scale),
                "reveals": asdict(revealed[name]) if name in revealed else None,
                "self": beside_self,
                "others": beside_others,
                "reference": beside_reference,
                "sittings": sittings,
            }
            for place, (name, beside_self, beside_others, beside_reference, sittings) in enumerate(parts)
        ],
    }
