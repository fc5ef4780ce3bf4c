"""The kinds of background work there are. Teaching the engine one does not load it: every command that starts would."""

from collections.abc import Callable, Generator

from annotate.models import Work
from annotate.work.steps import Step

Handler = Callable[[Work], Generator[Step]]

registered: dict[str, Handler] = {}


def register(kind: str, handler: Handler) -> None:
    """Teach the engine another kind of work; evaluation does so when it is loaded."""
    registered[kind] = handler
