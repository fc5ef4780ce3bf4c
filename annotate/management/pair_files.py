"""Files of pairs that a command is given, and what stands in the way of a draw, as exit codes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotate.management import command_line
from annotate.operations.adding_pairs import TooMany
from annotate.operations.withdrawing_pairs import NoReason
from annotate.rules import drawing
from annotate.trec import named_pairs
from annotate.trec.faults import FileRefused
from annotate.trec.named_pairs import NamedPair


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
