"""Findings: what is known of a question, and its computation in the background where nothing is or facts moved on."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic

from django.urls import reverse
from django.utils import timezone

from annotate.formats import whole_files
from annotate.formats.whole_files import Damaged
from annotate.models import Collection, User, Work
from annotate.work import kept_files, progress, queue
from annotate.work.queue import CannotGoOn, Step, WorkRequest
from evaluation.findings.agreement.details import DetailsQuestion
from evaluation.findings.agreement.matrix import SeveralQuestion
from evaluation.findings.assessors import StatisticsQuestion
from evaluation.findings.leaderboard.comparisons import ChangesQuestion
from evaluation.findings.ranking_stability import StabilityQuestion
from evaluation.findings.variants import BiasQuestion
from evaluation.inputs.choices import Answer, Question
from evaluation.models import Finding
from evaluation.plots import rendering
from evaluation.plots.figure import Figure
from evaluation.plots.rendering import Format

KIND = "finding"  # as evaluation.apps registers it

_KINDS: tuple[type[Question[object]], ...] = (
    ChangesQuestion,
    DetailsQuestion,
    SeveralQuestion,
    BiasQuestion,
    StatisticsQuestion,
    StabilityQuestion,
)
_QUESTIONS = {question.kind: question for question in _KINDS}


@dataclass(frozen=True)
class KnownFinding(Generic[Answer]):
    """`value` is what was found last, None if nothing ever was; `is_stale` where it rests on earlier facts.

    `work` is the computation that is under way or, where it failed or was stopped, the one that did.
    """

    value: Answer | None
    is_stale: bool
    computed_at: datetime | None
    work: Work | None

    @property
    def is_waiting(self) -> bool:
        return self.work is not None and not self.work.is_over

    @property
    def is_worker_silent(self) -> bool:
        """Whether no worker is there to compute it."""
        collection = self.work.collection if self.work else None
        return collection is not None and progress.is_worker_silent(collection, timezone.now())


def ask_finding(
    *, collection: Collection, question: Question[Answer], by: User | None, now: datetime
) -> KnownFinding[Answer]:
    """What is known. Where that is nothing, or stale, its computation is queued, once."""
    today = question.facts(collection)
    found = Finding.objects.filter(collection=collection, kind=question.kind, key=question.key).first()
    if found and found.facts == today:
        return KnownFinding(found.value, False, found.computed_at, None)
    work = queue.ask_once(_request(collection, question, today), by=by, now=now)
    if found is None:
        return KnownFinding(None, False, None, work)
    return KnownFinding(found.value, True, found.computed_at, work)


def run_finding(work: Work) -> Iterator[Step]:
    """Compute from the facts of this moment, and keep the answer in place of an earlier one."""
    assert work.collection is not None
    asked = work.arguments
    arguments = tuple((name, value) for name, value in asked["arguments"])
    question = _QUESTIONS[asked["kind"]](arguments, work.subject, tuple(asked["models"]))
    yield Step(0, 1)
    today = question.facts(work.collection)
    value = question.compute(work.collection)
    Finding.objects.update_or_create(
        collection=work.collection,
        kind=question.kind,
        key=question.key,
        defaults={"question": dict(question.arguments), "facts": today, "value": value, "computed_at": timezone.now()},
    )
    yield Step(1, 1)


def _request(collection: Collection, question: Question[Answer], today: str) -> WorkRequest:
    """What is under way is joined, whatever facts it was asked for; on today's facts a failure is an answer."""
    return WorkRequest(
        collection=collection,
        kind=KIND,
        queue=queue.FINDINGS,
        subject=question.subject,
        arguments={
            "kind": question.kind,
            "key": question.key,
            "facts": today,
            "arguments": question.arguments,
            "models": question.models,
            "result": f"{reverse(question.page, args=[collection.slug])}?{question.address}",
        },
        same_by=("key",),
        final_by=("key", "facts"),
    )


DRAWING = "figure"  # as evaluation.apps registers it
# Not among the kept folders: no backup needs what is drawn again.
FOLDER = "figures"
# How drawings begin and end.
_ENDS = {"svg": (b"<svg", b"</svg>"), "png": (b"\x89PNG", b"IEND\xaeB`\x82")}


@dataclass(frozen=True)
class Drawing:
    """`content` is the drawing, None while `work` draws it; or `work` failed or was stopped, and says so."""

    content: bytes | None
    work: Work | None


def ask_drawing(
    *, collection: Collection, figure: Figure, format: Format, address: str, by: User | None, now: datetime
) -> Drawing:
    """The drawing that is kept. Where there is none it is queued, once; `address` is where it will be found."""
    if (content := read_drawing(figure, format)) is not None:
        return Drawing(content, None)
    request = WorkRequest(
        collection=collection,
        kind=DRAWING,
        queue=queue.FINDINGS,
        subject=f"figure: {figure.title}",
        arguments={"file": _path(figure, format).name, "format": format, "figure": asdict(figure), "result": address},
        same_by=("file",),
        final_by=("file",),
    )
    return Drawing(None, queue.ask_once(request, by=by, now=now))


def run_drawing(work: Work) -> Iterator[Step]:
    """Draw a figure and keep it; takes a second or two."""
    yield Step(0, 1)
    draw_figures([(Figure(**work.arguments["figure"]), work.arguments["format"])])
    yield Step(1, 1)


def read_drawing(figure: Figure, format: Format) -> bytes | None:
    """The drawing, None where there is none yet, or a damaged one."""
    path = _path(figure, format)
    try:
        return whole_files.read_sealed(path)
    except FileNotFoundError:
        return None
    except Damaged:
        return _of_older_version(path, format)


def draw_figures(asked: Sequence[tuple[Figure, Format]]) -> None:
    """Draw figures and keep them; takes a second or two, in background work. Raises CannotGoOn."""
    try:
        drawn = rendering.render_all(asked)
    except rendering.NotDrawn as reason:
        raise CannotGoOn(f"The figure could not be drawn: {reason}") from None
    for (figure, format), content in zip(asked, drawn, strict=True):
        whole_files.write_sealed(_path(figure, format), content)


def _path(figure: Figure, format: Format) -> Path:
    return kept_files.path(f"{FOLDER}/{figure.digest}.{format}")


def _of_older_version(path: Path, format: Format) -> bytes | None:
    """A drawing that was kept without a seal, unless it was cut off."""
    start, end = _ENDS[format]
    content = path.read_bytes()
    return content if content.startswith(start) and content.rstrip().endswith(end) else None
