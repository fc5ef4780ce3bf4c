from evaluation.models import Study
from evaluation.studies.design import Contents, PrerequisiteMissing
from evaluation.studies.kinds.profiles import freeze, parts, report
from evaluation.studies.kinds.profiles.form import ProfilesForm
from evaluation.studies.kinds.profiles.plan import Plan
from evaluation.studies.kinds.registry import Kind


def _check(contents: Contents) -> None:
    if not contents.variants:
        raise PrerequisiteMissing("It needs query variants: import or generate them first.")
    if not contents.variant_runs:
        raise PrerequisiteMissing(
            "It needs what systems retrieve for the query variants: import such runs, or retrieve them."
        )
    if not contents.has_grades and not contents.models:
        raise PrerequisiteMissing(
            "It scores systems, so it needs grades: import qrels, let people judge or ask a model."
        )


KIND = Kind(
    choice=Study.Kind.PROFILES,
    name="Query variants of user profiles",
    description="Scores each system under the query variants of each profile: which users a system serves well, how "
    "many of the passages they see were never judged, and whether profiles rank systems alike.",
    check=_check,
    plan=Plan,
    form=ProfilesForm,
    freezing=freeze,
    parts=parts,
    reporting=report,
)
