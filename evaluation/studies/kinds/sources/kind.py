from evaluation.models import Study
from evaluation.studies.design import NEEDS_SYSTEMS, Contents
from evaluation.studies.kinds.registry import Kind
from evaluation.studies.kinds.sources import freeze, parts, report
from evaluation.studies.kinds.sources.form import SourcesForm
from evaluation.studies.kinds.sources.plan import Plan


def _why_not(contents: Contents) -> str:
    if contents.runs < 2:
        return NEEDS_SYSTEMS
    if not contents.has_grades:
        return "A model's labels stand beside others: import reference qrels, or let people judge."
    if not contents.models:
        return "It needs the grades of a model: start the learned judge, ask a model or import its qrels."
    return ""


KIND = Kind(
    choice=Study.Kind.SOURCES,
    name="Sources side by side",
    description="The same systems under people’s labels alone, with a model in the holes, under the model alone and "
    "completed by the calibrated judge: what moves, which assessor moves it, and whether a model favours its own "
    "family.",
    why_not=_why_not,
    plan=Plan,
    form=SourcesForm,
    freezing=freeze,
    parts=parts,
    reporting=report,
)
