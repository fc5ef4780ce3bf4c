"""What a study of people's and a model's labels together rests on, as plain values."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotate.formats import named_pairs, whole_files
from annotate.formats.records import GradeScale, Qrels
from annotate.formats.runs import Run
from annotate.rules import completion, drawing
from evaluation.engine import run_index
from evaluation.studies.design import PlanRefused

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

    rankings: run_index.RunIndex
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


MOST_DEPTH = 1000
_SHAPES: dict[str, Any] = {
    "unit": str,
    "depth": int,
    "frame": dict,
    "left_out": dict,
    "runs": list,
    "reference": dict | None,
    "model": dict | None,
    "topics": list,
}


def check_design(design: Mapping[str, Any]) -> None:
    """Raises PlanRefused with what a design lacks, or has otherwise than a sampler writes it."""
    for name, shape in _SHAPES.items():
        _check(name, name in design and isinstance(design[name], shape))
    if design["unit"] == TOPIC:
        raise PlanRefused("whole topics are sampled from the pool of a collection: ask with --collection")
    _check("unit", design["unit"] == PAIR)
    _check("depth", type(design["depth"]) is int and 1 <= design["depth"] <= MOST_DEPTH)
    _check("seed", design.get("seed") is None or type(design["seed"]) is int)
    _check("left_out", all(type(number) is int and number >= 0 for number in design["left_out"].values()))
    for name in ("frame", "reference", "model"):
        _check(name, design[name] is None or isinstance(design[name].get("digest"), str))
    for stratum in design["topics"]:
        _check_topic(stratum)
    _check_numbers(design)


def check_sampled(sampled: Mapping[str, tuple[str, ...]], frame: Mapping[str, list[str]]) -> None:
    """Raises PlanRefused for a sampled pair that could not be drawn, where the frame is as it was."""
    for query_id, names in sampled.items():
        if others := sorted(set(names) - set(frame[query_id])):
            raise PlanRefused(f"the design has sampled {others[0]!r} of topic {query_id!r}, which could not be drawn")


def _check(name: str, is_right: bool) -> None:
    if not is_right:
        raise PlanRefused(f"the design has no {name!r} as a sampler writes it")


def _check_topic(stratum: Any) -> None:
    if not isinstance(stratum, dict) or not {"query_id", "passage_ids"} <= stratum.keys():
        raise PlanRefused("a topic of the design lacks its query_id or passage_ids")
    names = stratum["passage_ids"]
    is_right = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not isinstance(stratum["query_id"], str) or not is_right:
        raise PlanRefused("a topic of the design has no query_id, or no list of passage_ids, as a sampler writes them")
    if len(set(names)) < len(names):
        raise PlanRefused(f"topic {stratum['query_id']!r} of the design has a passage twice")


def _check_numbers(design: Mapping[str, Any]) -> None:
    """A sample without the pairs that somebody left out is none."""
    topics = [stratum["query_id"] for stratum in design["topics"]]
    if len(set(topics)) < len(topics):
        raise PlanRefused("a topic is twice in the design")
    sampled = sum(len(stratum["passage_ids"]) for stratum in design["topics"])
    if design.get("size", sampled) != sampled:
        raise PlanRefused(f"the design names {sampled:,} sampled pairs and says that it has {design['size']!r}")


Frame = dict[str, list[str]]


@dataclass(frozen=True, eq=False)
class Files:
    """`runs` with the SHA-256 of each one's file; grades of the reference and the model, None where there is none."""

    runs: Sequence[Run]
    run_digests: Sequence[str]
    reference: Qrels | None = None
    model: Qrels | None = None
    model_name: str = ""

    @property
    def recorded(self) -> list[dict[str, str]]:
        pairs = zip((run.tag for run in self.runs), self.run_digests, strict=True)
        return sorted(({"run_tag": tag, "digest": digest} for tag, digest in pairs), key=lambda run: run["run_tag"])


def digest_frame(frame: Frame) -> str:
    return named_pairs.digest_pairs((topic, name) for topic, names in frame.items() for name in names)


def draw_design(files: Files, *, share: float, seed: int, depth: int = 10) -> dict[str, Any]:
    """The design of a random sample of pairs within topics, before anybody judges. Raises PlanRefused."""
    topics = sorted(set().union(*(run.query_ids for run in files.runs)))
    frame = _frame(files, topics, depth)
    try:
        sampled = drawing.sample_within_topics(frame, drawing.sizes_by_share(frame, share), seed)
    except ValueError as reason:
        raise PlanRefused(f"this cannot be drawn: {reason}") from None
    return {
        "seed": seed,
        "size": sum(map(len, sampled.values())),
        "unit": PAIR,
        "share": share,
        "depth": depth,
        "frame": {"pairs": sum(map(len, frame.values())), "digest": digest_frame(frame)},
        "left_out": {},
        "runs": files.recorded,
        "reference": _known("reference", files.reference, _reference_lines),
        "model": _known(files.model_name, files.model, _model_lines),
        "topics": [
            {"query_id": topic, "frame": len(names), "is_sampled": True, "passage_ids": list(sampled[topic])}
            for topic, names in frame.items()
        ],
    }


def read_inputs(design: Mapping[str, Any], files: Files, people: Qrels, scale: GradeScale) -> Inputs:
    """What the study rests on. Raises PlanRefused for what is no design.

    `people` are grades that were given without a suggestion in view: nothing in a file can tell.
    """
    check_design(design)
    topics = [stratum["query_id"] for stratum in design["topics"]]
    depth, unit = design["depth"], design["unit"]
    frame = _frame(files, topics, depth)
    drawn = {stratum["query_id"]: tuple(stratum["passage_ids"]) for stratum in design["topics"]}
    if not (changed := _changed(design, files, frame)):
        check_sampled(drawn, frame)
    return Inputs(
        rankings=run_index.build(sorted(files.runs, key=lambda run: run.tag), depth),
        unit=unit,
        depth=depth,
        seed=design.get("seed"),
        strata=tuple(
            Stratum(stratum["query_id"], tuple(frame[stratum["query_id"]]), drawn[stratum["query_id"]])
            for stratum in design["topics"]
        ),
        known=files.reference or {},
        model=files.model if design["model"] else None,
        model_name=files.model_name if design["model"] else "",
        people={
            (topic, name): grade
            for topic, names in drawn.items()
            for name in names
            if (grade := people.get(topic, {}).get(name)) is not None and grade in scale
        },
        changed=changed,
        left_out=sum(design["left_out"].values()),
        lowest=scale.low,
        highest=scale.high,
    )


def _changed(design: Mapping[str, Any], files: Files, frame: Frame) -> tuple[str, ...]:
    changed = {
        "runs": design["runs"] != files.recorded,
        "model": _differs(design["model"], files.model, _model_lines),
        "reference": _differs(design["reference"], files.reference, _reference_lines),
    }
    names = tuple(name for name, is_changed in changed.items() if is_changed)
    return names or (() if digest_frame(frame) == design["frame"]["digest"] else ("frame",))


def _differs(recorded: Mapping[str, Any] | None, given: Qrels | None, lines: Any) -> bool:
    """A model of which the design knows nothing is not asked."""
    if recorded is None:
        return given is not None and lines is _reference_lines
    return given is None or bool(recorded["digest"] != whole_files.digest_lines(lines(given)))


def _known(name: str, given: Qrels | None, lines: Any) -> dict[str, Any] | None:
    if given is None:
        return None
    graded = lines(given)
    return {"rater": name, "grades": len(graded), "digest": whole_files.digest_lines(graded)}


def _reference_lines(qrels: Qrels) -> list[str]:
    return sorted(f"{topic} {name} {grade}" for topic, given in qrels.items() for name, grade in given.items())


def _model_lines(qrels: Qrels) -> list[str]:
    """As `annotate.grades.ratings` has them: first answers, without probabilities."""
    return sorted(f"{topic} {name} 0 {grade} null" for topic, given in qrels.items() for name, grade in given.items())


def _frame(files: Files, topics: Sequence[str], depth: int) -> Frame:
    """What stands in the first ranks and the reference left open, by topic."""
    known = files.reference or {}
    tops = ({topic: run.ranking(topic, depth) for topic in topics} for run in files.runs)
    frame: Frame = {topic: [] for topic in topics}
    for topic, name in sorted(drawing.pool_runs(tops, depth)):
        grade = known.get(topic, {}).get(name)
        if grade is None or not completion.closes_hole(grade):
            frame[topic].append(name)
    return frame
