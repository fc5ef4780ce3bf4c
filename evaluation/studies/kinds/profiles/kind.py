from evaluation.models import Study
from evaluation.studies.design import Contents
from evaluation.studies.kinds.profiles import freeze, parts, report
from evaluation.studies.kinds.profiles.form import ProfilesForm
from evaluation.studies.kinds.profiles.plan import Plan
from evaluation.studies.kinds.registry import Kind


def _why_not(contents: Contents) -> str:
    if not contents.variants:
        return "It needs query variants: import or generate them first."
    if not contents.variant_runs:
        return "It needs what systems retrieve for the query variants: import such runs, or retrieve them."
    if not contents.has_grades and not contents.models:
        return "It scores systems, so it needs grades: import qrels, let people judge or ask a model."
    return ""


KIND = Kind(
    choice=Study.Kind.PROFILES,
    name="Query variants of user profiles",
    description="Scores each system under the query variants of each profile: which users a system serves well, how "
    "many of the passages they see were never judged, and whether profiles rank systems alike.",
    why_not=_why_not,
    plan=Plan,
    form=ProfilesForm,
    freezing=freeze,
    parts=parts,
    reporting=report,
)
