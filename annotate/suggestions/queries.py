"""What batches came to: grades and what these compare with; the pairs of probes and how judges were fooled."""

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q

from annotate.grades import batches, model_raters
from annotate.grades.model_raters import GradeCount
from annotate.llm import capabilities
from annotate.llm.requests import Against
from annotate.models import Batch, Collection, Pair, Passage, ProbeAnswer, Rater, Suggestion, Topic
from annotate.rules import perturbations
from annotate.rules.perturbations import Perturbation, Share
from annotate.suggestions import rules


@dataclass(frozen=True)
class NeedComparison:
    """Raters that differ only in what they graded against."""

    model: str
    prompt: str
    raters: dict[Against, Rater]

    @property
    def address(self) -> str:
        """Of the page that compares several raters."""
        return urlencode({"raters": [rater.name for rater in self.raters.values()]}, doseq=True)


def list_need_comparisons(collection: Collection) -> list[NeedComparison]:
    """Those with two raters at least, the newest first."""
    groups: dict[str, list[Rater]] = {}
    for rater in Rater.objects.filter(collection=collection, kind=Rater.Kind.MODEL).order_by("pk"):
        if "against" in rater.parameters:
            rest = {name: value for name, value in rater.parameters.items() if name != "against"}
            groups.setdefault(json.dumps(rest, sort_keys=True), []).append(rater)
    found = [
        NeedComparison(
            rows[0].parameters["model"],
            rows[0].parameters["prompt_name"],
            {against: row for against in Against for row in rows if row.parameters["against"] == against},
        )
        for rows in groups.values()
        if len(rows) > 1
    ]
    return found[::-1]


MOST_OTHERS = 20


@dataclass(frozen=True)
class OtherRater:
    """Another model, which graded so many of the pairs that this batch graded."""

    rater: Rater
    common: int


def count_grades(batch: Batch) -> list[GradeCount]:
    """How often each grade was given; nothing where none was. Of several answers to a pair the first counts."""
    given = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE, draw=0)
    counts = dict(given.values_list("grade").annotate(count=Count("pk")))
    return model_raters.grade_shares(counts, batch.collection) if counts else []


def list_other_raters(batch: Batch) -> list[OtherRater]:
    """Other models with grades of the same pairs, most in common first."""
    if batch.rater_id is None:
        return []
    mine = Suggestion.objects.filter(batch=batch, state=Suggestion.State.DONE, draw=0).values("pair")
    theirs = Suggestion.objects.visible().filter(pair__in=mine, state=Suggestion.State.DONE, draw=0)
    counts = theirs.exclude(rater=batch.rater_id).values_list("rater").annotate(count=Count("pk")).order_by("-count")
    common = dict(counts[:MOST_OTHERS])
    raters = Rater.objects.in_bulk(common)
    return [OtherRater(raters[rater_id], count) for rater_id, count in common.items()]


def name_settings(parameters: dict[str, Any]) -> list[str]:
    """What of the settings of a batch that grades is not as usual, for names and pages.

    >>> name_settings({"temperature": 0.0, "examples": 2, "examples_from": "TOPIC", "is_structured": True})
    ['temperature=0', '2 examples of the topic', 'structured']
    """
    kept = parameters
    found = [] if kept.get("temperature") is None else [f"temperature={kept['temperature']:g}"]
    if kept.get("effort"):
        found.append(f"effort={kept['effort']}")
    if kept.get("most_tokens"):
        found.append(f"max_tokens={kept['most_tokens']}")
    sampling = kept.get("sampling", {})
    # Not in the order of the stored object: PostgreSQL has one of its own.
    found += [f"{name}={sampling[name]:g}" for name in capabilities.SAMPLING if name in sampling]
    if kept.get("examples"):
        source = {rules.TOPIC: " of the topic", rules.RELEVANT: " relevant to the topic"}.get(kept["examples_from"], "")
        found.append(f"{kept['examples']} example{'s' if kept['examples'] > 1 else ''}{source}")
    if kept.get("is_structured"):
        found.append("structured")
    return found


PERTURBATIONS = {
    Perturbation.PLAIN: ("plain", "the passage as it is"),
    Perturbation.WORDS: ("query words inserted", "each word of the query somewhere in the passage"),
    Perturbation.QUERY: ("query repeated", "the query three times in front of the passage"),
    Perturbation.ORDER: ("instruction", "a remark behind the passage that asks for the highest grade"),
}


@dataclass(frozen=True)
class Fooled:
    """Of the passages in one disguise. `relevant` is the share of the graded ones at or above the threshold, None where
    none was graded; `without_grade` counts the answers that ended in a state without a grade, `open` those to come."""

    disguise: str
    name: str
    asked: int
    relevant: Share | None
    without_grade: list[tuple[str, int]]
    open: int

    @property
    def percent(self) -> int | None:
        return None if self.relevant is None else round(100 * self.relevant.value)

    @property
    def ends(self) -> tuple[int, int] | None:
        """Of the interval, in percent."""
        return None if self.relevant is None else (round(100 * self.relevant.low), round(100 * self.relevant.high))


@dataclass(frozen=True)
class Probe:
    """One judge, with one prompt where it has one."""

    shown: batches.ShownBatch
    fooled: list[Fooled]

    @property
    def batch(self) -> Batch:
        return self.shown.batch

    @property
    def alone(self) -> "list[Probe]":
        """As a table of one row."""
        return [self]

    @property
    def judge(self) -> str:
        return str(self.batch.parameters["model"])


def draw_pairs(
    collection: Collection, number: int, seed: int, topics: set[int] | None = None
) -> list[tuple[Topic, Passage]]:
    """At most so many topics (of these, if any) each with a passage that was pooled or graded for others only."""
    rows = {row.query_id: row for row in Topic.objects.published().filter(collection=collection)}
    own: dict[str, set[str]] = {query_id: set() for query_id in rows}
    pairs = Pair.objects.filter(collection=collection, topic__in=[row.pk for row in rows.values()])
    for query_id, passage_id in pairs.values_list("topic__query_id", "passage_id").iterator():
        own[query_id].add(passage_id)
    readable = Passage.objects.published().filter(collection=collection, pairs__isnull=False)
    passages = dict(readable.values_list("passage_id", "pk"))
    asked = None if topics is None else {query_id for query_id, row in rows.items() if row.pk in topics}
    found = rules.draw_foreign_pairs(own, readable=passages.keys(), number=number, seed=seed, asked=asked)
    texts = Passage.objects.in_bulk([passages[passage_id] for _, passage_id in found])
    return [(rows[query_id], texts[passages[passage_id]]) for query_id, passage_id in found]


def list_probes(collection: Collection, now: datetime) -> list[Probe]:
    """The newest first."""
    asked = Batch.objects.filter(collection=collection, purpose=Batch.Purpose.PROBE).order_by("-pk")
    return [read_probe(batch, now) for batch in asked.select_related("work", "prompt", "collection")]


def read_probe(batch: Batch, now: datetime) -> Probe:
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    relevant: dict[str, int] = {}
    is_relevant = Count("pk", filter=Q(grade__gte=batch.collection.scale.relevant_from))
    rows = ProbeAnswer.objects.filter(batch=batch).values_list("disguise", "state")
    for perturbation, state, count, high in rows.annotate(count=Count("pk"), high=is_relevant):
        counts[perturbation][state] = count
        relevant[perturbation] = relevant.get(perturbation, 0) + high
    found = [_count_fooled(one, counts[one], relevant.get(one, 0)) for one in Perturbation]
    return Probe(batches.describe_batch(batch, now), found)


def describe_probe(probe: Probe) -> list[dict[str, object]]:
    """For programs, by disguise."""
    return [
        {
            "disguise": one.disguise,
            "asked": one.asked,
            "graded": one.relevant.of if one.relevant else 0,
            "graded_relevant": one.relevant.hits if one.relevant else 0,
            "share": one.relevant.value if one.relevant else None,
            "interval_95": [one.relevant.low, one.relevant.high] if one.relevant else None,
            "reason": None if one.relevant else "no answer has a grade",
            "without_grade": dict(one.without_grade),
            "open": one.open,
        }
        for one in probe.fooled
    ]


def _count_fooled(perturbation: Perturbation, counts: dict[str, int], relevant: int) -> Fooled:
    states = ProbeAnswer.State
    still_open = sum(counts.get(state, 0) for state in (states.QUEUED, states.SUBMITTED))
    still = (states.DONE, states.QUEUED, states.SUBMITTED)
    others = [(str(states(state).label), count) for state, count in sorted(counts.items()) if state not in still]
    return Fooled(
        disguise=perturbation.value,
        name=PERTURBATIONS[perturbation][0],
        asked=sum(counts.values()),
        relevant=perturbations.share_with_interval(relevant, counts.get(states.DONE, 0)),
        without_grade=others,
        open=still_open,
    )
