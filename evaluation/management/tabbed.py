"""Small files of two columns with a tab between them."""

from pathlib import Path

from django.core.management.base import CommandError

from evaluation.management import stateless


def read(file: str, first: str, second: str) -> dict[str, str]:
    """The second column by the first. Raises CommandError, naming the line and what the columns should be."""
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file}: {error}", returncode=stateless.BAD_INPUT) from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        name, tab, said = line.partition("\t")
        if not (name and tab and said.strip()) or name in found:
            again = f"{name!r} again" if name in found else f"no {first} and {second} with a tab between them"
            raise CommandError(f"{file}, line {number}: {again}", returncode=stateless.BAD_INPUT)
        found[name] = said.strip()
    return found
