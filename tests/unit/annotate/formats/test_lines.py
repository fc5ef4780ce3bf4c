import gzip
import tracemalloc

import pytest

from annotate.formats import lines
from annotate.formats.faults import Faults, FileRefused


def read(path):
    faults = Faults("x")
    found = [tuple(line) for line in lines.read_lines(path, faults)]
    faults.raise_if_any()
    return found


def refusal(path):
    with pytest.raises(FileRefused) as caught:
        read(path)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "content", [b"a\nb\n", b"a\nb", b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb", b"\xef\xbb\xbfa\r\nb\r\n", b"a\nb\n\n\n"]
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_mark_line_ends_and_compression_change_nothing(write_file, content, pack):
    assert read(write_file(pack(content), "x")) == [(1, "a"), (2, "b")]


def test_gzip_is_known_by_its_bytes_not_by_its_name(write_file):
    assert read(write_file(b"plain\n", "x.gz")) == [(1, "plain")]


def test_blank_lines_are_passed_over_and_counted(write_file):
    assert read(write_file(b"\n \t\na\n\r\nb\n", "x")) == [(3, "a"), (5, "b")]


def test_a_lone_carriage_return_is_part_of_its_line(write_file):
    assert read(write_file(b"a\rb\r\r\nc\n", "x")) == [(1, "a\rb\r"), (2, "c")]


def test_only_the_first_mark_is_taken_off(write_file):
    assert read(write_file(b"\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb\n", "x")) == [(1, "\ufeffa"), (2, "\ufeffb")]


def test_unicode_line_ends_do_not_end_a_line(write_file):
    assert read(write_file("a\u2028b\x0bc\x85d\n".encode(), "x")) == [(1, "a\u2028b\x0bc\x85d")]


def test_an_empty_file_has_no_lines(write_file):
    assert read(write_file(b"", "x")) == []


def test_bytes_that_are_not_utf8_are_named(write_file):
    content = b"good\nna\xefve\ngood\ncut \xe6\x9d\n"
    assert refusal(write_file(content, "x")) == [
        "x, line 2: byte 3 (0xef) is not UTF-8",
        "x, line 4: byte 5 (0xe6) is not UTF-8",
    ]


def test_utf16_is_refused(write_file):
    assert refusal(write_file("a".encode("utf-16"), "x")) == ["x, line 1: byte 4 is a NUL"]


def test_a_nul_is_named(write_file):
    assert refusal(write_file(b"a\nbc\0d\n", "x")) == ["x, line 2: byte 3 is a NUL"]


def test_a_cut_off_gzip_file_is_refused(write_file):
    packed = gzip.compress(bytes(range(1, 256)) * 20)
    assert refusal(write_file(packed[:-12], "x"))[0].startswith("x: damaged gzip file: Compressed file ended")


def test_a_damaged_gzip_file_is_refused(write_file):
    packed = bytearray(gzip.compress(b"a\n" * 500))
    packed[-8] ^= 0xFF
    assert refusal(write_file(bytes(packed), "x"))[0].startswith("x: damaged gzip file: CRC check failed")


def test_garbage_inside_a_gzip_file_is_refused(write_file):
    packed = gzip.compress(b"a\n")[:10] + b"\xff" * 40
    assert refusal(write_file(packed, "x"))[0].startswith("x: damaged gzip file: Error -3")


def test_a_missing_file_is_refused(tmp_path):
    assert refusal(tmp_path / "none") == ["x: cannot be read: No such file or directory"]


def test_lines_across_blocks_keep_their_numbers(write_file, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK_BYTES", 7)
    content = [f"line {number}" for number in range(1, 60)]
    assert read(write_file("\r\n".join(content).encode(), "x")) == list(enumerate(content, 1))


def test_a_line_without_end_is_refused_before_it_fills_the_memory(write_file, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK_BYTES", 16)
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 64)
    assert refusal(write_file(b"a\n" + b"x" * 1000, "x")) == ["x, line 2: longer than 64 bytes"]


def test_reading_takes_constant_memory(write_file):
    path = write_file(gzip.compress((b"0123456789" * 10 + b"\n") * 200_000), "x.gz")
    tracemalloc.start()
    count = sum(1 for _ in lines.read_lines(path, Faults("x")))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 200_000
    assert peak < 8 << 20


def test_gzip_data_that_grows_beyond_measure_is_refused_before_it_is_all_there(write_file):
    content = gzip.compress(b"\n" * 60_000_000)
    tracemalloc.start()
    told = refusal(write_file(content, "x"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert told == ["x: its gzip data becomes more than 100 times as long: unpack it"]
    assert most < 30_000_000


def test_a_small_gzip_file_of_one_repeated_line_is_read(write_file):
    assert len(read(write_file(gzip.compress(b"a\n" * 200_000), "x"))) == 200_000
