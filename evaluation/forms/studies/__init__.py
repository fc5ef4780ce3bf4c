"""The forms by which studies are asked for, one a kind. What they say becomes the plan, which says what is wrong."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from annotate.models import Collection
from evaluation.forms.studies.base import StudyForm
from evaluation.forms.studies.holes import HolesForm
from evaluation.forms.studies.mixed import MixedForm
from evaluation.forms.studies.profiles import ProfilesForm
from evaluation.forms.studies.sources import SourcesForm
from evaluation.models import Study

_FORMS: dict[str, type[StudyForm]] = {
    Study.Kind.HOLES: HolesForm,
    Study.Kind.PROFILES: ProfilesForm,
    Study.Kind.SOURCES: SourcesForm,
    Study.Kind.MIXED: MixedForm,
}


def of(
    kind: str, collection: Collection, sent: QueryDict | None = None, like: Mapping[str, Any] | None = None
) -> StudyForm:
    return _FORMS[kind](collection, sent, like)
