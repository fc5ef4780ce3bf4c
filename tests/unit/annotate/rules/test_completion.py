import pytest

from annotate.rules import completion


@pytest.mark.parametrize(
    ("grade", "closes", "judged"), [(-2, True, False), (-1, False, False), (0, True, True), (3, True, True)]
)
def test_what_a_grade_means_for_its_pair(grade, closes, judged):
    assert completion.closes_hole(grade) is closes
    assert completion.is_judged(grade) is judged


def test_the_strongest_source_that_has_a_grade_gives_it():
    rule = completion.parse_rule("reference,people,model:m")
    assert completion.choose_grade(rule, {"people": 1, "model:m": 3}) == (1, "people")
    assert completion.choose_grade(rule, {"reference": 0, "people": 1}) == (0, "reference")
    assert completion.choose_grade(rule, {"model:other": 3}) is None


def test_a_decision_stands_between_the_reference_and_people():
    grades = {"reference": 0, "adjudicated": 1, "people": 2}
    assert completion.choose_grade(completion.Rule(), grades) == (0, "reference")
    del grades["reference"]
    assert completion.choose_grade(completion.Rule(), grades) == (1, "adjudicated")
    assert completion.choose_grade(completion.parse_rule("reference,people"), grades) == (2, "people")


@pytest.mark.parametrize(
    ("text", "binds"),
    [("reference,adjudicated,people", True), ("people,adjudicated", False), ("people", False), ("adjudicated", False)],
)
def test_decisions_bind_people_where_they_stand_above_them(text, binds):
    assert completion.parse_rule(text).decisions_bind_people == binds


def test_a_rule_says_whether_it_asks_people_before_a_model():
    assert completion.parse_rule("people,model:m").asks_people_before("model:m")
    assert not completion.parse_rule("model:m,people").asks_people_before("model:m")


@pytest.mark.parametrize("text", ["reference", "original,people", "people,model:gpt-4o mini,model:a:b"])
def test_the_text_of_a_rule_round_trips(text):
    assert str(completion.parse_rule(text)) == text


def test_models_are_named_in_order():
    assert completion.parse_rule("model:b,people,model:a").models == ("b", "a")


@pytest.mark.parametrize(
    ("text", "part"),
    [("", "''"), ("nist", "'nist'"), ("model:", "'model:'"), ("people,people", "twice"), ("reference,,people", "''")],
)
def test_what_is_no_rule_is_refused_by_name(text, part):
    with pytest.raises(completion.UnknownRule, match=part):
        completion.parse_rule(text)


def test_an_unknown_consensus_rule_is_refused():
    with pytest.raises(completion.UnknownRule, match="MEAN"):
        completion.parse_rule("people", "MEAN")


@pytest.mark.parametrize(
    ("rule", "grades", "grade"),
    [
        ("MAJORITY", [], None),
        ("MAJORITY", [2], 2),
        ("MAJORITY", [2, 1], None),
        ("MAJORITY", [2, 1, 2], 2),
        ("MAJORITY", [2, 2, 1, 1], None),
        ("MAJORITY", [0, 1, 2], None),
        ("MEDIAN", [1, 3], 1),
        ("MEDIAN", [3, 0, 2], 2),
        ("MEDIAN", [3, 0, 2, 1], 1),
        ("MAXIMUM", [0, 2, 1], 2),
        ("UNANIMOUS", [1, 1], 1),
        ("UNANIMOUS", [1, 2], None),
        ("UNANIMOUS", [0], 0),
    ],
)
def test_what_each_rule_makes_of_the_grades(rule, grades, grade):
    assert completion.find_consensus(rule, grades) == grade


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="no such consensus rule"):
        completion.find_consensus("MEAN", [1, 2])
