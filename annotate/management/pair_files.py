"""Files of pairs that a command is given, and what stands in the way of a draw, as exit codes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotate.draws.operations.additions import TooMany
from annotate.draws.operations.withdrawals import NoReason
from annotate.formats import named_pairs
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.management import command_line
from annotate.rules import drawing


def read(path: str) -> list[NamedPair]:
    """The pairs of a file; ends the command with the faults where it has some."""
    try:
        return named_pairs.of_text(Path(path).read_bytes(), path)
    except OSError as error:
        command_line.wrong(f"{path} cannot be read: {error.strerror}.")
    except FileRefused as refused:
        command_line.wrong(str(refused))


@contextmanager
def refusals() -> Iterator[None]:
    """Inside, bad values end the command as bad input and what stands in the way as refused."""
    try:
        yield
    except (FileRefused, drawing.BadValue, NoReason, TooMany) as reason:
        command_line.wrong(str(reason))
    except drawing.CannotDraw as reason:
        command_line.refuse(str(reason))
