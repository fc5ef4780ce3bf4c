import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.formats import texts
from annotate.formats.faults import FileRefused
from annotate.formats.records import Variant

IDS = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20)
PROFILES = st.text(st.characters(categories=["L", "Zs"]), min_size=1, max_size=20).filter(str.strip)
# Text of a file: no NUL, no half characters, not blank.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40).filter(
    lambda text: not text or text.strip()
)
KEYS = (lambda variant: variant.variant_id, lambda variant: variant[1:4])


def faults_of(path):
    with pytest.raises(FileRefused) as caught:
        list(texts.read_variants(path, name="x.variants"))
    return [str(fault) for fault in caught.value.faults]


def test_tabs_stand_between_variant_topic_profile_and_number(write_file):
    path = write_file(
        "v9\t007\tyoung na\u00efve reader\t1\r\n\nv1\t007\tyoung na\u00efve reader\t02\n".encode(), "x.tsv"
    )
    assert list(texts.read_variants(path)) == [
        Variant("v9", "007", "young na\u00efve reader", 1),
        Variant("v1", "007", "young na\u00efve reader", 2),
    ]


def test_json_has_the_same_by_name_and_the_text(write_file):
    line = json.dumps({"variant_id": "v9", "query_id": "007", "profile": "child", "number": 3, "text": "why"})
    assert list(texts.read_variants(write_file(line.encode(), "x"))) == [Variant("v9", "007", "child", 3, "why")]


@given(st.lists(st.builds(Variant, IDS, IDS, PROFILES, st.integers(1, 99), TEXTS), min_size=1, unique_by=KEYS))
def test_what_is_written_is_read_back(tmp_path_factory, listed):
    path = tmp_path_factory.getbasetemp() / "written"
    path.write_bytes(b"".join(map(texts.variant_object, listed)))
    assert list(texts.read_variants(path, name="x.jsonl")) == listed
    path.write_bytes(b"".join(map(texts.variant_line, listed)))
    assert list(texts.read_variants(path, name="x.tsv")) == [variant._replace(text="") for variant in listed]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("v2\tq1\tchild", "expected 4 columns (variant, topic, profile, number) between tabs, found 3"),
        ("v2\tq1\tchild\t2\t", "expected 4 columns (variant, topic, profile, number) between tabs, found 5"),
        ("v2 q1 child 2", "no tab between id and text"),
        ("v 2\tq1\tchild\t2", "id 'v 2' has white space in it (U+0020)"),
        ("v2\t\tchild\t2", "empty id"),
        ("v2\tq1\t \t2", "variant 'v2' has an empty profile"),
        ("v2\tq1\tch\x0bild\t2", "the profile of variant 'v2' has the character U+000B in it"),
        ("v2\tq1\tchild\t0", "the number of variant 'v2' is 0 instead of a whole number from 1"),
        ("v2\tq1\tchild\tb", "the number of variant 'v2' is 'b' instead of a whole number from 1"),
        ("v2\tq1\tchild\t\u0662", "the number of variant 'v2' is '\u0662' instead of a whole number from 1"),
        ("v1\tq1\tchild\t2", "id 'v1' is on line 1 already"),
        ("v2\tq1\tchild\t1", "variant 1 of topic 'q1' as 'child' is on line 1 already"),
    ],
)
def test_a_faulty_line_is_named_with_its_reason(write_file, line, reason):
    path = write_file(f"v1\tq1\tchild\t1\n{line}\nv3\tq2\tchild\t1\n".encode(), "x")
    assert faults_of(path) == [f"x.variants, line 2: {reason}"]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"variant_id": None}, "lacks variant_id"),
        ({"query_id": 1}, "query_id is the number 1: an id is text in quotes, since a number loses leading zeros"),
        ({"profile": None}, "lacks profile"),
        ({"text": " \n"}, "variant 'v' has an empty text"),
        ({"text": 7}, "text is a number instead of text"),
        ({"profile": "a\tb"}, "the profile of variant 'v' has the character U+0009 in it"),
        ({"number": None}, "the number of variant 'v' is None instead of a whole number from 1"),
        ({"number": True}, "the number of variant 'v' is True instead of a whole number from 1"),
        ({"number": 10**9}, "the number of variant 'v' is 1000000000 instead of a whole number from 1"),
    ],
)
def test_a_faulty_object_is_named_with_its_reason(write_file, changed, reason):
    fields = {"variant_id": "v", "query_id": "q", "profile": "child", "number": 1} | changed
    assert faults_of(write_file(json.dumps(fields).encode(), "x")) == [f"x.variants, line 1: {reason}"]


def test_an_empty_file_is_refused(write_file):
    assert faults_of(write_file(b"", "x")) == ["x.variants: the file has no lines"]
