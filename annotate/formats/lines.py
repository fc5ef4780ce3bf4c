"""The lines of a text file, plain or gzip, in constant memory.

UTF-8 with or without byte order mark; lines end with LF or CRLF, the last one may lack its end. A lone
carriage return is part of its line. Blank lines are passed over and counted. gzip is known by its first
bytes, which no UTF-8 text has.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from annotate.formats.faults import Faults, Refused

BLOCK_BYTES = 1 << 18
MAX_LINE_BYTES = 1 << 24
MAX_RATIO = 100
"""How many bytes a byte of gzip data may become, beyond the first MAX_LINE_BYTES; text becomes some 3 to 30."""
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LINE_WHITE = b" \t\r\v\f"


class Block(NamedTuple):
    """Whole lines as bytes; `first` is the number of the first, counted from 1."""

    first: int
    data: bytes


class Line(NamedTuple):
    """One line that is not blank, without its end."""

    number: int
    text: str


def read_lines(path: Path | str, faults: Faults) -> Iterator[Line]:
    """Yields the good lines of a file and notes the others; raises FileRefused where reading cannot go on."""
    for block in read_blocks(path, faults):
        yield from split_block(block, faults)


def split_block(block: Block, faults: Faults) -> Iterator[Line]:
    """Yields the lines of a block that are UTF-8 and have no NUL; notes the others."""
    if not block.data.strip(_LINE_WHITE + b"\n"):
        return
    for number, line in enumerate(block.data.split(b"\n"), block.first):
        if not line.strip(_LINE_WHITE):
            continue
        try:
            yield Line(number, _decode(line.removesuffix(b"\r")))
        except Refused as refused:
            faults.add(number, str(refused))


def read_blocks(path: Path | str, faults: Faults) -> Iterator[Block]:
    """Yields a file in blocks of about BLOCK_BYTES.

    Raises FileRefused when it cannot be opened, its gzip data is damaged, cut off or grows beyond MAX_RATIO, or
    a line is longer than MAX_LINE_BYTES.
    """
    number = 1
    for data in read_pieces(path, faults):
        if len(data) > MAX_LINE_BYTES and b"\n" not in data:
            raise faults.refuse(number, f"longer than {MAX_LINE_BYTES} bytes")
        yield Block(number, data)
        number += data.count(b"\n")


def read_pieces(path: Path | str, faults: Faults) -> Iterator[bytes]:
    """Yields a file in whole lines, of about BLOCK_BYTES together; one longer than MAX_LINE_BYTES comes in parts.

    Raises FileRefused when it cannot be opened or its gzip data is damaged, cut off or grows beyond MAX_RATIO.
    """
    rest = b""
    for chunk in _chunks(path, faults):
        whole, end, tail = chunk.rpartition(b"\n")
        if end:
            yield rest + whole + end
            rest = b""
        rest += tail
        if len(rest) > MAX_LINE_BYTES:
            yield rest
            rest = b""
    if rest:
        yield rest


def _chunks(path: Path | str, faults: Faults) -> Iterator[bytes]:
    """Decompressed bytes without the byte order mark."""
    mark, size = _BYTE_ORDER_MARK, 0
    try:
        with open(path, "rb") as stored:
            is_gzip = stored.peek(2).startswith(_GZIP_MAGIC)
            stream = gzip.GzipFile(fileobj=stored) if is_gzip else stored
            while chunk := stream.read(BLOCK_BYTES):
                size += len(chunk)
                if is_gzip and size > MAX_LINE_BYTES + MAX_RATIO * stored.tell():
                    raise faults.refuse(None, f"its gzip data becomes more than {MAX_RATIO} times as long: unpack it")
                yield chunk.removeprefix(mark)
                mark = b""
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise faults.refuse(None, f"damaged gzip file: {error}") from error
    except OSError as error:
        raise faults.refuse(None, f"cannot be read: {error.strerror or error}") from error


def _decode(line: bytes) -> str:
    if b"\0" in line:
        raise Refused(f"byte {line.index(0) + 1} is a NUL")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise Refused(f"byte {error.start + 1} (0x{line[error.start]:02x}) is not UTF-8") from error


_COLUMN = re.compile(r"[^ \t\r\v\f]+")


def split_columns(line: str, names: tuple[str, ...]) -> list[str]:
    """The columns of a line, one for each name, between ASCII white space; raises Refused for more or fewer.

    Other white space of Unicode does not separate columns: it stays in an id, which is refused for it.
    """
    columns = _COLUMN.findall(line)
    if len(columns) != len(names):
        raise Refused(f"expected {len(names)} columns ({' '.join(names)}), found {len(columns)}")
    return columns
