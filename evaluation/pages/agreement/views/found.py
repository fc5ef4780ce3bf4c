"""What the background has found of two raters."""

from datetime import datetime

from annotate.models import User
from evaluation.findings import finding
from evaluation.findings.finding import Known
from evaluation.inputs import questions
from evaluation.pages.agreement.views.shown import Shown


def details(shown: Shown, by: User, now: datetime) -> Known:
    """What is known of `agreement_details`; where that is nothing, or stale, it is asked for."""
    question = questions.agreement(shown.sides.first.address, shown.sides.second.address, shown.sides.models)
    return finding.ask(collection=shown.collection, question=question, by=by, now=now)
