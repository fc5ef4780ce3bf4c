"""Writing grades down before a judge learns from them or is shown some: people go on judging meanwhile."""

import hashlib
import json

from annotate.queries import kept_files
from annotate.queries.ratings import Pair


def keep(digest: str, known: dict[Pair, int]) -> None:
    """Write the grades under a digest that the caller made of all that was read with them."""
    path = kept_files.folder("training") / f"{digest}.json"
    path.write_text(_text(known), "utf-8")


def keep_alone(known: dict[Pair, int]) -> str:
    """Write the grades under their own digest, and tell it."""
    digest = hashlib.sha256(_text(known).encode()).hexdigest()
    keep(digest, known)
    return digest


def _text(known: dict[Pair, int]) -> str:
    return json.dumps(sorted([*pair, grade] for pair, grade in known.items()), ensure_ascii=False)
