"""The query variants of a collection as files: their topics for whoever retrieves, and what each stands for.

Lines are in the order of the bytes of the ids, so the same variants give the same bytes. They are read and written a
few at a time.
"""

import itertools
from collections.abc import Callable, Iterator

from annotate.formats import jsonl, variants
from annotate.formats.records import Variant
from annotate.grades import variant_records
from annotate.models import Collection

_LINES_AT_ONCE = 1000


def lines(collection: Collection, name: str) -> Iterator[bytes]:
    """The bytes of one of `FILES`, some lines at once. Raises KeyError for another name."""
    line = FILES[name]
    found = (line(variant) for variant in variant_records.records(collection))
    while block := list(itertools.islice(found, _LINES_AT_ONCE)):
        yield b"".join(block)


def _tsv(variant: Variant) -> bytes:
    """White space in a text becomes single spaces: a tab or line break would make other columns or lines of it."""
    return f"{variant.variant_id}\t{' '.join(variant.text.split())}\n".encode() if variant.text else b""


def _jsonl(variant: Variant) -> bytes:
    return jsonl.dump({"query_id": variant.variant_id, "text": variant.text}) if variant.text else b""


FILES: dict[str, Callable[[Variant], bytes]] = {
    "variants.tsv": _tsv,
    "variants.jsonl": _jsonl,
    "mapping.tsv": variants.line_of,
    "mapping.jsonl": variants.object_of,
}
"""By name: topics (id and text; a variant without a text has no line), and the mapping, as JSON with the texts too."""
