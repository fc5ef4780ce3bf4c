import itertools
import statistics

from benchmarks import generated


def test_passages_are_as_long_as_those_that_people_judge_and_the_same_each_time():
    made = list(generated.make_passages(500))
    lengths = [len(passage.text.split()) for passage in made]
    assert made == list(generated.make_passages(500))
    assert 50 <= statistics.median(lengths) <= 60 and min(lengths) >= 15 and max(lengths) <= 220


def test_no_two_passages_say_the_same():
    made = list(generated.make_passages(500))
    assert len({passage.text for passage in made}) == len({passage.passage_id for passage in made}) == 500


def test_some_words_are_common_and_many_are_rare():
    words = [word for passage in generated.make_passages(200) for word in passage.text.lower().rstrip(".").split()]
    counts = sorted((len(list(same)) for _, same in itertools.groupby(sorted(words))), reverse=True)
    assert counts[0] > 20 * counts[len(counts) // 2]


def test_each_topic_has_a_query_and_a_backstory():
    made = generated.make_topics()
    assert len({topic.query_id for topic in made}) == generated.TOPICS
    assert all(len(topic.text.split()) <= 8 and len(topic.backstory.split()) == 60 for topic in made)


def test_pairs_are_spread_evenly_over_the_topics():
    assert generated.shares_of_topics(10, topics=4) == [3, 3, 2, 2]
    assert sum(generated.shares_of_topics(200_000)) == 200_000
