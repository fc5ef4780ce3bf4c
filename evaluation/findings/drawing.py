"""Drawing figures: each is rendered once, in the background, and kept by the digest of what is on it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from annotate.formats import whole_files
from annotate.formats.whole_files import Damaged
from annotate.models import Collection, User, Work
from annotate.work import kept_files, queue
from annotate.work.kinds import CannotGoOn, Step
from annotate.work.queue import WorkRequest
from evaluation.plots import rendering
from evaluation.plots.figure import Figure
from evaluation.plots.rendering import Format

KIND = "figure"  # as evaluation.apps registers it
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
        kind=KIND,
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
