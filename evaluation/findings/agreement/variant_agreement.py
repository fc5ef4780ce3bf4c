"""How people agree on query variants: whether one means the same, and whom it was written for."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from annotate.models import Collection
from annotate.variants.queries import variant_checks
from evaluation.agreement import alpha, confusion, kappa, pairing, percent
from evaluation.agreement.value import Value


@dataclass(frozen=True)
class Couple:
    """Two people by their pseudonyms, on `n` variants that both saw."""

    first: str
    second: str
    n: int
    equal: Value
    kappa: Value


@dataclass(frozen=True)
class Answers:
    """One question: nominal alpha over all people, and every two of them. `variants` were seen by two or more."""

    question: str
    variants: int
    people: int
    alpha: Value
    couples: list[Couple]


def of(collection: Collection) -> list[Answers]:
    """The two questions; the writer is the right profile, the other one, or either, in whatever order they stood."""
    return [
        _answers("Same meaning", variant_checks.meanings(collection), range(2)),
        _answers("Written for", variant_checks.writers(collection), range(3)),
    ]


def _answers(question: str, said: Mapping[str, Mapping[str, int]], codes: range) -> Answers:
    people = {
        person: {(variant_id, ""): code for variant_id, code in given.items()} for person, given in sorted(said.items())
    }
    variants, table = pairing.side_by_side(list(people.values()))
    seen_by_two = int(((table != pairing.MISSING).sum(axis=0) >= 2).sum()) if len(variants) else 0
    return Answers(
        question,
        seen_by_two,
        len(people),
        alpha.alpha(table, codes, "nominal"),
        [_couple(first, second, people, codes) for first, second in combinations(people, 2)],
    )


def _couple(first: str, second: str, people: Mapping[str, Mapping[tuple[str, str], int]], codes: range) -> Couple:
    paired = pairing.pair(people[first], people[second])
    counts = confusion.table(paired.first, paired.second, codes)
    return Couple(first, second, paired.n, percent.share_equal(counts), kappa.kappa(counts))
