"""How grades of models count, as an address says it."""

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter

from annotate.web.api import errors
from evaluation.inputs.measure_choices import CHANCES

PARAMETER = OpenApiParameter(
    "models",
    str,
    enum=[CHANCES],
    description="grades of models count by their probabilities where the model gave them: expected gains; "
    "by default as they are",
)


def asked(parameters: Mapping[str, str]) -> bool:
    """Whether they count by their probabilities. Raises Refused for a word that says neither."""
    said = parameters.get("models", "")
    if said not in ("", CHANCES):
        reason = f"models is {CHANCES} or left out"
        raise errors.Refused(400, reason, [("models", reason)])
    return said == CHANCES
