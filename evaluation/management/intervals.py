"""The intervals of the commands: their arguments, and how they are told."""

from collections.abc import Mapping

from django.core.management.base import CommandParser

from evaluation.management import stateless
from evaluation.statistics import bootstrap
from evaluation.statistics.bootstrap import Interval, Over, Resampling

METHOD = "percentile bootstrap"

Found = Interval | Mapping[str, "Found"] | Mapping[int, "Found"]


def add(parser: CommandParser, over: tuple[Over, ...] = ("topics",)) -> None:
    """Adds `--intervals`, over topics if it is not said what else, `--level` and `--seed`."""
    parser.add_argument(
        "--intervals",
        dest="over",
        nargs="?",
        const="topics",
        choices=over,
        metavar="|".join(over),
        help=f"give {METHOD} intervals as well, of {bootstrap.USUAL.resamples} resamples; topics are drawn anew"
        + (" unless pairs are named" if "pairs" in over else ""),
    )
    _add_level(parser)
    stateless.add_seed(parser, "resamples")


def add_drawn(parser: CommandParser) -> None:
    """Adds `--level`, `--resamples` and `--seed` for a command that always gives intervals over topics."""
    _add_level(parser)
    parser.add_argument(
        "--resamples",
        type=stateless.argument(_resamples),
        default=bootstrap.USUAL.resamples,
        metavar="NUMBER",
        help="how often topics are drawn anew (default: %(default)s)",
    )
    stateless.add_seed(parser, "resamples")


def _resamples(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 100_000):
        raise ValueError(f"{text!r} is no whole number from 1 to 100,000")
    return int(text)


def _add_level(parser: CommandParser) -> None:
    parser.add_argument(
        "--level",
        type=stateless.argument(stateless.share),
        default=bootstrap.USUAL.level,
        metavar="SHARE",
        help="the share of the resamples that an interval spans (default: %(default)s)",
    )


def asked(over: Over | None, level: float, seed: int) -> Resampling | None:
    """What is drawn anew, and how; None where no intervals are asked for."""
    return Resampling(over=over, level=level, seed=seed) if over else None


def as_json(found: Found) -> dict[str, object]:
    """An interval with the name of its method, or intervals by name, at any depth."""
    if isinstance(found, Interval):
        return {"method": METHOD, **found.as_json()}
    return {str(name): as_json(each) for name, each in found.items()}
