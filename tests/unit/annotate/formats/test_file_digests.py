from annotate.formats import whole_files


def test_the_digest_is_the_sha256_of_the_bytes(write_file):
    # The published test vector for "abc" (FIPS 180-2, appendix B.1).
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert whole_files.digest_file(write_file(b"abc", "x")) == expected


def test_the_digest_of_lines_is_that_of_the_file_that_has_them(write_file):
    assert whole_files.digest_lines(["q1", "é"]) == whole_files.digest_file(write_file("q1\né\n".encode(), "x"))
