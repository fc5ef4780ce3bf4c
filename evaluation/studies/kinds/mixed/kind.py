from evaluation.models import Study
from evaluation.studies.design import Contents
from evaluation.studies.kinds.mixed import freeze, parts, report
from evaluation.studies.kinds.mixed.form import MixedForm
from evaluation.studies.kinds.mixed.plan import Plan
from evaluation.studies.kinds.registry import Kind


def _why_not(contents: Contents) -> str:
    if contents.samples:
        return ""
    return "Intervals need a random sample that was recorded before people judged it: draw one on the page of pairs."


KIND = Kind(
    choice=Study.Kind.MIXED,
    name="People’s and a model’s labels with intervals",
    description="From a random sample that people judged and a model’s labels of everything: estimates for systems and "
    "their differences whose intervals hold, and how many more judgments would halve them.",
    why_not=_why_not,
    plan=Plan,
    form=MixedForm,
    freezing=freeze,
    parts=parts,
    reporting=report,
)
