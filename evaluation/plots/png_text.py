"""Words in a PNG: its title and description travel with the picture."""

import struct
import zlib

SIGNATURE_AND_HEADER = 33  # 8 bytes of signature, then the chunk IHDR, which comes first


def described(png: bytes, words: dict[str, str]) -> bytes:
    """The PNG with a text chunk for each keyword, right behind its header.

    tEXt, which every reader knows, where the words are Latin-1, else iTXt with UTF-8. Source: PNG (W3C, third
    edition), 11.3.3.
    """
    chunks = b"".join(_chunk(keyword, text) for keyword, text in words.items())
    return png[:SIGNATURE_AND_HEADER] + chunks + png[SIGNATURE_AND_HEADER:]


def _chunk(keyword: str, text: str) -> bytes:
    try:
        kind, body = b"tEXt", keyword.encode() + b"\0" + text.encode("latin-1")
    except UnicodeEncodeError:
        kind, body = b"iTXt", keyword.encode() + b"\0\0\0\0\0" + text.encode()
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
