"""What a study of people's and a model's labels together rests on, as plain values."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from annotate.formats.records import Qrels
from evaluation.engine.run_index import RunIndex

Pair = tuple[str, str]
PAIR, TOPIC = "pair", "topic"

# How the pairs were chosen that people judged.
SAMPLE, LIST, INFLUENCE, POOL = "sample", "list", "influence", "pool"

# Why a sampled pair has no grade that counts.
OPEN, SKIPPED, CANNOT, IN_VIEW, UNSETTLED = "open", "skipped", "cannot", "in view", "unsettled"


@dataclass(frozen=True)
class Stratum:
    """A topic: the passages of its `frame`, which the reference left open, and those of them that were sampled.
    `is_sampled`: of a design of whole topics, whether this one was drawn, be it without an open pair."""

    query_id: str
    frame: tuple[str, ...]
    sampled: tuple[str, ...]
    is_sampled: bool = True


@dataclass(frozen=True, eq=False)
class Inputs:
    """`order` says how judged pairs were chosen, `unit` whether pairs or whole topics were sampled, by `seed`.

    `rankings` are at least `depth` ranks deep. `known`: grades of the reference. `model`: its grades as they were
    frozen, None where the sample froze none. `people`: grades given without a suggestion in view. `unanswered`: why
    other sampled pairs have none. `changed` names what differs from what the sample recorded, `left_out` counts pairs
    that nobody could judge, `runs_since` runs that came later, `earlier_samples` other samples that were judged before.
    `is_cut_short`: a larger sample of the same seed was being judged when this one was drawn. `queries` and `texts` are
    there for a judge that reads.
    """

    rankings: RunIndex
    order: str = SAMPLE
    unit: str = PAIR
    depth: int = 10
    seed: int | None = None
    strata: tuple[Stratum, ...] = ()
    known: Qrels = field(default_factory=dict)
    model: Qrels | None = None
    model_name: str = ""
    people: Mapping[Pair, int] = field(default_factory=dict)
    unanswered: Mapping[Pair, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    left_out: int = 0
    runs_since: int = 0
    earlier_samples: int = 0
    is_cut_short: bool = False
    lowest: int = 0
    highest: int = 3
    queries: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(stratum.query_id for stratum in self.strata)

    @property
    def frame(self) -> list[Pair]:
        """All pairs that could be sampled, topic by topic."""
        return [(stratum.query_id, name) for stratum in self.strata for name in stratum.frame]

    @property
    def sampled(self) -> list[Pair]:
        return [(stratum.query_id, name) for stratum in self.strata for name in stratum.sampled]

    def cut(self, rounds: int | None) -> "Inputs":
        """With the pairs of the first rounds alone; a sample of whole topics has none and stays as it is."""
        if rounds is None or self.unit == TOPIC:
            return self
        return replace(self, strata=tuple(replace(each, sampled=each.sampled[:rounds]) for each in self.strata))

    def without_grade(self) -> Iterator[tuple[Pair, str]]:
        """The sampled pairs that have none of people's, each with why."""
        for pair in self.sampled:
            if pair not in self.people:
                yield pair, self.unanswered.get(pair, OPEN)

    def unanswered_by_reason(self) -> Counter[str]:
        return Counter(reason for _, reason in self.without_grade())
