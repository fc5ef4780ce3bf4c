import struct
import zlib

import pytest

from evaluation.plots import rendering


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


PNG = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", bytes(13)) + chunk(b"IDAT", b"dots") + chunk(b"IEND", b"")


def chunks(png):
    """Kind and body of each chunk whose checksum is right."""
    at, found = 8, []
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert png[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(kind + body))
        found.append((kind, body))
        at += 12 + length
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("points", (b"tEXt", b"Description\0points")),
        ("95 % – five", (b"iTXt", b"Description\0\0\0\0\0" + "95 % – five".encode())),
    ],
)
def test_words_stand_behind_the_header_and_the_rest_stays(text, expected):
    header, *rest = chunks(rendering.described(PNG, {"Description": text}))
    assert header[0] == b"IHDR"
    assert rest == [expected, *chunks(PNG)[1:]]
