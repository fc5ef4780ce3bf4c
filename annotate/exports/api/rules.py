"""The rule by which qrels are completed, as an address names it."""

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter

from annotate.grades import usual_rule
from annotate.models import Collection
from annotate.rules import completion, consensus
from annotate.web.api import errors

PARAMETERS = [
    OpenApiParameter(
        "rule",
        str,
        description="sources, strongest first: `reference`, `original`, `adjudicated`, `people`, `model:NAME`; "
        f"by default {usual_rule.WORDS}",
    ),
    OpenApiParameter(
        "consensus",
        str,
        enum=consensus.RULES,
        description="how several people's grades become one; by default as the collection says",
    ),
]


def asked(parameters: Mapping[str, str], collection: Collection, name: str = "rule") -> completion.Rule:
    """The rule that the query parameter of this name says. Raises Refused where it cannot be understood."""
    sources = parameters.get(name, str(usual_rule.of(collection)))
    chosen = parameters.get("consensus", collection.consensus)
    if "\0" in sources:  # PostgreSQL cannot be asked for such a name
        raise errors.Refused(400, "A rule has no NUL in it.", [(name, "a NUL")])
    try:
        return completion.parse(sources, chosen)
    except completion.UnknownRule as reason:
        place = name if chosen in consensus.RULES else "consensus"
        raise errors.Refused(400, str(reason), [(place, str(reason))]) from None
