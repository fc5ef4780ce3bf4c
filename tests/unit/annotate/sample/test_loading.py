import re
from collections import Counter

import pytest

from annotate.formats import qrels, texts
from annotate.formats.records import Qrel, Topic
from annotate.llm import prompts
from annotate.retrieval import analysis
from annotate.sample import documentation, loading
from annotate.texts import rules as variants_rules

RECORDS = list(qrels.read_qrels(loading.FOLDER / "qrels.txt"))
TOPICS = loading.read_topics()
VARIANTS = list(texts.read_variants(loading.VARIANTS))


def test_there_are_enough_topics_and_each_has_a_backstory() -> None:
    assert len(TOPICS) >= 24
    assert [topic.query_id for topic in TOPICS] == [f"py-{number:02}" for number in range(1, len(TOPICS) + 1)]
    assert all(len(topic.backstory.split()) >= 15 for topic in TOPICS)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.query_id)
def test_a_backstory_does_not_use_the_words_of_its_query(topic: Topic) -> None:
    assert not set(analysis.stemmed(topic.text)) & set(analysis.stemmed(topic.backstory))


def test_all_four_grades_are_well_represented() -> None:
    counts = Counter(record.grade for record in RECORDS)
    assert len(RECORDS) >= 480
    assert set(counts) == {0, 1, 2, 3}
    assert min(counts.values()) >= 50


def test_every_topic_has_passages_that_help_and_passages_that_do_not() -> None:
    grades: dict[str, set[int]] = {}
    for record in RECORDS:
        grades.setdefault(record.query_id, set()).add(record.grade)
    assert grades.keys() == {topic.query_id for topic in TOPICS}
    assert all({0, 1} < seen and seen & {2, 3} for seen in grades.values())


def test_grades_of_known_passages_are_read_and_the_others_dropped_with_a_note() -> None:
    kept, notes = loading.read_qrels({"zip", "json.loads"})
    assert kept == {"py-02": {"zip": 1}, "py-15": {"json.loads": 3}, "py-17": {"zip": 0}, "py-18": {"zip": 3}}
    assert len(notes) == len(RECORDS) - 4
    assert notes[0].startswith(f"{RECORDS[0].passage_id}, grade {RECORDS[0].grade} for py-01: not in the documentation")


def test_nearly_all_graded_passages_are_in_the_documentation_of_this_python() -> None:
    passage_ids = {passage.passage_id for passage in documentation.read_passages()}
    kept, notes = loading.read_qrels(passage_ids)
    assert len(notes) <= 0.05 * len(RECORDS)
    assert sum(map(len, kept.values())) == len(RECORDS) - len(notes)


def test_the_file_of_grades_is_written_as_exports_are() -> None:
    in_order = sorted(RECORDS, key=lambda record: (record.query_id.encode(), record.passage_id.encode()))
    assert in_order == RECORDS


def test_the_readme_counts_the_grades_as_they_are() -> None:
    text = (loading.FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{len(TOPICS)} needs" in text
    assert f"{len(RECORDS)} grades" in text
    counts = Counter(record.grade for record in RECORDS)
    assert {(int(n), int(grade)) for n, grade in re.findall(r"(\d+) of grade (\d)", text)} == {
        (n, grade) for grade, n in counts.items()
    }


def test_the_words_of_the_grades_are_those_of_the_guidelines_and_stand_once() -> None:
    words = loading.read_grade_words()
    assert [(word["grade"], word["name"]) for word in words] == [
        (0, "not about it"),
        (1, "related"),
        (2, "helps"),
        (3, "answers it"),
    ]
    written = (loading.FOLDER / "guidelines.md").read_text(encoding="utf-8")
    for word in words:
        assert len(str(word["description"]).split()) >= 6
        assert str(word["description"]) in written
        assert str(word["description"]) not in loading.read_guidelines()
    assert "|" not in loading.read_guidelines()


@pytest.mark.parametrize(
    ("passage_id", "grade"),
    [("timeit.Timer.repeat", 3), ("time.perf_counter", 2), ("pstats", 1), ("asyncio.timeout", 0)],
)
def test_the_examples_of_the_guidelines_have_the_grades_they_stand_for(passage_id: str, grade: int) -> None:
    assert Qrel("py-03", passage_id, grade) in RECORDS
    assert f"- **{grade}**: `{passage_id}`" in loading.read_guidelines()


def test_each_topic_has_three_variants_of_each_profile() -> None:
    counts = Counter((variant.query_id, variant.profile) for variant in VARIANTS)
    assert counts == {(topic.query_id, profile): 3 for topic in TOPICS for profile in prompts.built_in_profiles()}


def test_no_two_variants_of_a_topic_are_the_same_wording_and_none_is_the_query() -> None:
    seen = {(topic.query_id, variants_rules.normalize_wording(topic.text)) for topic in TOPICS}
    listed = [(variant.query_id, variants_rules.normalize_wording(variant.text)) for variant in VARIANTS]
    assert len(set(listed) | seen) == len(listed) + len(TOPICS)
    assert all(text for _, text in listed)


def test_the_ids_of_variants_tell_nothing_and_are_no_ids_of_topics() -> None:
    ids = [variant.variant_id for variant in VARIANTS]
    assert all(re.fullmatch("v[0-9a-f]{12}", variant_id) for variant_id in ids)


def test_another_word_order_keeps_the_words_and_keywords_are_words_of_the_query() -> None:
    texts = {topic.query_id: topic.text.split() for topic in TOPICS}
    for variant in VARIANTS:
        words = variant.text.split()
        if variant.profile == "word-order":
            assert sorted(words) == sorted(texts[variant.query_id]) and words != texts[variant.query_id]
        if variant.profile == "naturality":
            assert set(words) < set(texts[variant.query_id])
