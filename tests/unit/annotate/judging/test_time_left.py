import pytest

from annotate.judging import rules as judging_rules


@pytest.mark.parametrize(
    ("left", "recent", "sentence"),
    [
        (0, 50, "Nothing is left to judge."),
        (
            120,
            50,
            "120 judgments are still wanted, 50 made in the last 24 hours: about 3 days more, if people go on at that "
            "rate.",
        ),
        (
            50,
            50,
            "50 judgments are still wanted, 50 made in the last 24 hours: about 1 day more, if people go on at "
            "that rate.",
        ),
        (
            49,
            50,
            "49 judgments are still wanted, 50 made in the last 24 hours: less than a day more, if people go on "
            "at that rate.",
        ),
        (1, 0, "1 judgment is still wanted, 0 made in the last 24 hours: too few to say how long the rest takes."),
        (
            200_000,
            9,
            "200,000 judgments are still wanted, 9 made in the last 24 hours: too few to say how long the rest takes.",
        ),
    ],
)
def test_the_time_left_is_told_with_the_rate_it_rests_on_and_only_where_there_is_one(left, recent, sentence):
    assert judging_rules.describe_time_left(left=left, recent=recent) == sentence
