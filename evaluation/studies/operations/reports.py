"""What a finished study has to show, and the drawings of its figures."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.text import slugify

from evaluation.findings import drawing
from evaluation.models import Study
from evaluation.plots.figure import Figure
from evaluation.plots.rendering import Format
from evaluation.studies.design.report import Report
from evaluation.studies.kinds import registry
from evaluation.studies.queries import plain_json
from evaluation.tables.table import Cell, Table

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
        found = _WIDTH.search(self.content["svg"] or b"", 0, 500)
        return found is not None and float(found[1]) > WIDE


def make(study: Study, result: Mapping[str, Any]) -> dict[str, Any]:
    """What the result has to show, as JSON, which stays what it is when Lacuna changes. Figures and tables get names
    that may stand in an address and name a file."""
    kind = registry.of(study.kind)
    report = kind.report(kind.read(study.plan), result)
    return {
        "findings": report.findings,
        "warnings": [*report.warnings, *_of_versions(study)],
        "facts": report.facts,
        "figures": [
            {"name": name, **asdict(figure)}
            for name, figure in zip(_names(report.figures), report.figures.values(), strict=True)
        ],
        "tables": [
            {"name": name, **asdict(table)}
            for name, table in zip(_names(report.tables), report.tables.values(), strict=True)
        ],
    }


def of(study: Study) -> Report:
    """Of a finished study."""
    told = plain_json.ordered(study.report)
    return Report(
        findings=tuple(told["findings"]),
        warnings=tuple(told["warnings"]),
        facts=tuple(map(tuple, told["facts"])),
        figures={figure.pop("name"): Figure(**figure) for figure in told["figures"]},
        tables={table.pop("name"): _table(**table) for table in told["tables"]},
    )


def _table(caption: str, columns: list[str], rows: list[list[Cell]], places: int) -> Table:
    return Table(caption, tuple(columns), tuple(map(tuple, rows)), places)


def drawn(report: Report) -> dict[str, Drawn]:
    """The figures with the drawings that are kept."""
    return {
        name: Drawn(figure, {format: drawing.kept(figure, format) for format in FORMATS})
        for name, figure in report.figures.items()
    }


def _names(told: Iterable[str]) -> list[str]:
    """As they are told, in letters that any file may have; a name that is taken gets a number."""
    names: list[str] = []
    for number, name in enumerate(told, start=1):
        plain = slugify(name)[:80] or "part"
        while plain in names:
            plain = f"{plain}-{number}"
        names.append(plain)
    return names


def _of_versions(study: Study) -> list[str]:
    now = study.manifest.get("finished_with")
    if not now:
        return []
    then = study.manifest["versions"]
    changed = [f"{name} {then.get(name)} became {now[name]}" for name in sorted(now) if now[name] != then.get(name)]
    return [f"Versions changed while it ran, so running it again may give other digits: {', '.join(changed)}."]
