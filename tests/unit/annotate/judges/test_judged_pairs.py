import pytest

from annotate.formats.records import GradeScale
from annotate.judges import training


def by_topic(grades, seed=0):
    return training.group_by_topic(
        grades, scale=GradeScale(), topics={"q", "r"}, passages=set(map(str, range(900))), seed=seed
    )


def pairs(count: int, query_id: str = "q") -> dict[tuple[str, str], int]:
    return {(query_id, str(number)): number % 4 for number in range(count)}


def test_pairs_are_gathered_by_topic_whatever_their_order():
    both = pairs(8, "r") | pairs(8)
    found = by_topic(dict(reversed(both.items())))
    assert [topic.query_id for topic in found] == ["q", "r"]
    assert found[0].passage_ids == tuple("01234567")
    assert found[0].grades.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("grades", [{}, pairs(9), {("q", str(number)): 2 for number in range(50)}])
def test_too_few_grades_are_refused(grades):
    with pytest.raises(training.TooFewGrades, match=r"at least 10|same grade"):
        by_topic(grades)


@pytest.mark.parametrize("grade", [-1, -2, 4])
def test_a_grade_off_the_scale_is_refused_by_name(grade):
    with pytest.raises(ValueError, match=f"grade {grade} of topic q, passage 3"):
        by_topic(pairs(20) | {("q", "3"): grade})


def test_a_pair_without_text_is_refused_by_name():
    with pytest.raises(training.UnknownPair, match="topic s"):
        by_topic(pairs(20) | {("s", "3"): 1})
    with pytest.raises(training.UnknownPair, match="passage x9 of topic q"):
        by_topic(pairs(20) | {("q", "x9"): 1})


def test_a_topic_with_very_many_pairs_is_drawn_by_seed():
    many = pairs(900)
    first = by_topic(many)[0]
    assert len(set(first.passage_ids)) == len(first.grades) == 500
    assert first.passage_ids == by_topic(many)[0].passage_ids != by_topic(many, seed=1)[0].passage_ids
