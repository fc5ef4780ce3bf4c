"""The rule by which qrels are completed, as an address names it."""

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter

from annotate.api import errors
from annotate.models import Collection
from annotate.rules import completion, consensus

PARAMETERS = [
    OpenApiParameter(
        "rule",
        str,
        default=str(completion.Rule()),
        description="sources, strongest first: `reference`, `original`, `people`, `model:NAME`",
    ),
    OpenApiParameter(
        "consensus",
        str,
        enum=consensus.RULES,
        description="how several people's grades become one; by default as the collection says",
    ),
]


def asked(parameters: Mapping[str, str], collection: Collection) -> completion.Rule:
    """The rule that the query parameters name. Raises Refused where it cannot be understood."""
    sources = parameters.get("rule", str(completion.Rule()))
    try:
        return completion.parse(sources, parameters.get("consensus", collection.consensus))
    except completion.UnknownRule as reason:
        raise errors.Refused(400, str(reason), [("rule", str(reason))]) from None
