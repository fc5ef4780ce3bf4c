"""A finished study as files to keep: one page of HTML, and a zip with everything. The same bytes each time."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from evaluation.models import Study
from evaluation.studies.design.report import Report
from evaluation.studies.operations import reports
from evaluation.studies.operations.reports import Drawn
from evaluation.studies.queries import plain_json
from evaluation.tables import csv_text, latex

REPORT, RESULT, MANIFEST, ARCHIVE = "report.html", "result.json", "manifest.json", "study.zip"
ANY_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can tell
_NAMED = re.compile(rb'( id="|url\(#|href="#)')


class NotDrawnYet(Exception):
    """A drawing of the study is not there: after a restore, or where drawing it was stopped."""


def manifest(study: Study) -> bytes:
    """The plan and every input: with the same versions they give the same bytes of the result."""
    return plain_json.text({"plan": study.plan, **study.manifest}).encode()


def result(study: Study) -> bytes:
    return plain_json.text(study.result).encode()


def page(study: Study) -> bytes:
    """One file that needs no other. Raises NotDrawnYet."""
    report = reports.of(study)
    return _page(study, report, _all_drawn(report))


def archive(study: Study) -> bytes:
    """A zip of the page, the data, the figures as SVG and PNG, the tables as CSV and LaTeX. Raises NotDrawnYet."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in everything(study).items():
            entry = zipfile.ZipInfo(name, ANY_DATE)
            entry.external_attr = 0o644 << 16
            made.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def everything(study: Study) -> dict[str, bytes]:
    """The files of the archive by name. Raises NotDrawnYet."""
    return dict(sorted(_files(study, reports.of(study))))


def _files(study: Study, report: Report) -> Iterator[tuple[str, bytes]]:
    figures = _all_drawn(report)
    yield REPORT, _page(study, report, figures)
    yield RESULT, result(study)
    yield MANIFEST, manifest(study)
    for name, drawn in figures.items():
        for format, content in drawn.content.items():
            yield f"figures/{name}.{format}", content or b""
    for name, table in report.tables.items():
        yield f"tables/{name}.csv", csv_text.write(table).encode()
        yield f"tables/{name}.tex", latex.write(table).encode()


def _all_drawn(report: Report) -> Mapping[str, Drawn]:
    figures = reports.drawn(report)
    if not all(drawn.is_whole for drawn in figures.values()):
        raise NotDrawnYet("The figures of this study are not drawn yet.")
    return figures


def _page(study: Study, report: Report, figures: Mapping[str, Drawn]) -> bytes:
    told = {
        "study": study,
        "report": report,
        "figures": [(drawn.figure, _inline(name, drawn.content["svg"] or b"")) for name, drawn in figures.items()],
        "tables": report.tables.values(),
        "manifest": manifest(study).decode(),
    }
    return render_to_string("evaluation/studies/study_report.html", told).encode()


def _inline(name: str, svg: bytes) -> SafeString:
    """The drawing, its ids told from those of the others on the page. The renderer has escaped the words in it."""
    prefix = f"{name}-".encode()
    return mark_safe(_NAMED.sub(rb"\g<1>" + prefix, svg).decode())
