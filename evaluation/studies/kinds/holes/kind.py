from evaluation.models import Study
from evaluation.studies.design import NEEDS_SYSTEMS, Contents
from evaluation.studies.kinds.holes import freeze, parts, report
from evaluation.studies.kinds.holes.form import HolesForm
from evaluation.studies.kinds.holes.plan import Plan
from evaluation.studies.kinds.registry import Kind


def _why_not(contents: Contents) -> str:
    if contents.runs < 2:
        return NEEDS_SYSTEMS
    if not contents.has_grades:
        return "It takes grades away, so it needs some: import reference qrels, or let people judge."
    return ""


KIND = Kind(
    choice=Study.Kind.HOLES,
    name="Hole filling",
    description="Takes grades away again and again, fills the holes with models, judges and trivial guesses, and tells "
    "what becomes of the ranking of systems and how far the labels agree on the holes themselves.",
    why_not=_why_not,
    plan=Plan,
    form=HolesForm,
    freezing=freeze,
    parts=parts,
    reporting=report,
)
