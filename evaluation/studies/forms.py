"""The forms by which studies are asked for, one a kind. What they say becomes the plan, which says what is wrong."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from annotate.models import Collection
from evaluation.models import Study
from evaluation.studies.kinds.base_form import StudyForm
from evaluation.studies.kinds.holes.form import HolesForm
from evaluation.studies.kinds.mixed.form import MixedForm
from evaluation.studies.kinds.profiles.form import ProfilesForm
from evaluation.studies.kinds.sources.form import SourcesForm

_FORMS: dict[str, type[StudyForm]] = {
    Study.Kind.HOLES: HolesForm,
    Study.Kind.PROFILES: ProfilesForm,
    Study.Kind.SOURCES: SourcesForm,
    Study.Kind.MIXED: MixedForm,
}


def make_form(
    kind: str, collection: Collection, sent: QueryDict | None = None, like: Mapping[str, Any] | None = None
) -> StudyForm:
    return _FORMS[kind](collection, sent, like)
