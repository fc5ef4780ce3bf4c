"""A finished study: its report, the drawings of its figures, its files. The same bytes each time."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from evaluation.findings import finding
from evaluation.models import Study
from evaluation.plots.figure import Figure
from evaluation.plots.rendering import Format
from evaluation.studies import queries
from evaluation.studies.design import Report
from evaluation.studies.kinds import registry
from evaluation.tables import table as tables_table
from evaluation.tables.table import Table

FORMATS: tuple[Format, ...] = ("svg", "png")
WIDE = 580  # pixels: half of a page
_WIDTH = re.compile(rb' width="([0-9.]+)"')


@dataclass(frozen=True)
class Drawn:
    """A figure with its drawings by format; None where one is not there."""

    figure: Figure
    content: Mapping[str, bytes | None]

    @property
    def is_whole(self) -> bool:
        return None not in self.content.values()

    @property
    def is_wide(self) -> bool:
        """Whether it is too wide to stand beside another one."""
        result = _WIDTH.search(self.content["svg"] or b"", 0, 500)
        return result is not None and float(result[1]) > WIDE


def make_report(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    """What the result has to show, as JSON, which stays what it is when Lacuna changes. Figures and tables get names
    that may stand in an address and name a file."""
    report = registry.get_kind(study.kind).report(study.plan, result)
    return {
        "findings": report.findings,
        "warnings": [*report.warnings, *_version_warnings(study)],
        "facts": report.facts,
        "figures": _list_named(report.figures),
        "tables": _list_named(report.tables),
    }


def read_report(study: Study) -> Report:
    """Of a finished study."""
    stored = queries.ordered_json(study.report)
    return Report(
        findings=tuple(stored["findings"]),
        warnings=tuple(stored["warnings"]),
        facts=tuple(map(tuple, stored["facts"])),
        figures={figure.pop("name"): Figure(**figure) for figure in stored["figures"]},
        tables={
            table["name"]: Table(
                table["caption"], tuple(table["columns"]), tuple(map(tuple, table["rows"])), table["places"]
            )
            for table in stored["tables"]
        },
    )


def drawn_figures(report: Report) -> dict[str, Drawn]:
    """The figures with the drawings that are kept."""
    return {
        name: Drawn(figure, {format: finding.read_drawing(figure, format) for format in FORMATS})
        for name, figure in report.figures.items()
    }


def _list_named(shown: Mapping[str, Figure | Table]) -> list[dict[str, Any]]:
    """Each with its name in letters that any file may have; a name that is taken gets a number."""
    result: dict[str, dict[str, Any]] = {}
    for number, (name, each) in enumerate(shown.items(), start=1):
        plain = slugify(name)[:80] or "part"
        while plain in result:
            plain = f"{plain}-{number}"
        result[plain] = {"name": plain, **asdict(each)}
    return list(result.values())


def _version_warnings(study: Study) -> list[str]:
    if not (now := study.manifest.get("finished_with")):
        return []
    then = study.manifest["versions"]
    changed = [f"{name} {then.get(name)} became {now[name]}" for name in sorted(now) if now[name] != then.get(name)]
    return [f"Versions changed while it ran, so running it again may give other digits: {', '.join(changed)}."]


REPORT, RESULT, MANIFEST, ARCHIVE = "report.html", "result.json", "manifest.json", "study.zip"
ANY_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can tell
_NAMED = re.compile(rb'( id="|url\(#|href="#)')


class NotDrawnYet(Exception):
    """A drawing of the study is not there: after a restore, or where drawing it was stopped."""


def manifest_file(study: Study) -> bytes:
    """The plan and every input: with the same versions they give the same bytes of the result."""
    return queries.json_text({"plan": study.plan, **study.manifest}).encode()


def result_file(study: Study) -> bytes:
    return queries.json_text(study.result).encode()


def page_file(study: Study) -> bytes:
    """One file that needs no other. Raises NotDrawnYet."""
    report = read_report(study)
    return _page(study, report, _all_drawn(report))


def archive_file(study: Study) -> bytes:
    """A zip of the page, the data, the figures as SVG and PNG, the tables as CSV and LaTeX. Raises NotDrawnYet."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in all_files(study).items():
            entry = zipfile.ZipInfo(name, ANY_DATE)
            entry.external_attr = 0o644 << 16
            made.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def all_files(study: Study) -> dict[str, bytes]:
    """The files of the archive by name. Raises NotDrawnYet."""
    return dict(sorted(_files(study, read_report(study))))


def _files(study: Study, report: Report) -> Iterator[tuple[str, bytes]]:
    figures = _all_drawn(report)
    yield REPORT, _page(study, report, figures)
    yield RESULT, result_file(study)
    yield MANIFEST, manifest_file(study)
    for name, drawn in figures.items():
        for format, content in drawn.content.items():
            yield f"figures/{name}.{format}", content or b""
    for name, table in report.tables.items():
        yield f"tables/{name}.csv", tables_table.write_csv(table).encode()
        yield f"tables/{name}.tex", tables_table.write_latex(table).encode()


def _all_drawn(report: Report) -> Mapping[str, Drawn]:
    figures = drawn_figures(report)
    if not all(drawn.is_whole for drawn in figures.values()):
        raise NotDrawnYet("The figures of this study are not drawn yet.")
    return figures


def _page(study: Study, report: Report, figures: Mapping[str, Drawn]) -> bytes:
    context = {
        "study": study,
        "report": report,
        "figures": [(drawn.figure, _inline(name, drawn.content["svg"] or b"")) for name, drawn in figures.items()],
        "tables": report.tables.values(),
        "manifest": manifest_file(study).decode(),
    }
    return render_to_string("evaluation/studies/study_report.html", context).encode()


def _inline(name: str, svg: bytes) -> SafeString:
    """The drawing, with ids that no other on the page has. The renderer has escaped the words in it."""
    prefix = f"{name}-".encode()
    return mark_safe(_NAMED.sub(rb"\g<1>" + prefix, svg).decode())
