from hypothesis import given
from hypothesis import strategies as st

from annotate.suggestions import rules

POOLS = {"q1": {"a", "b"}, "q2": {"b", "c"}, "q3": {"d"}}
EVERY = {"a", "b", "c", "d"}


def draw(of_topics=POOLS, readable=EVERY, number=6, seed=1):
    return rules.draw_foreign_pairs(of_topics, readable=readable, number=number, seed=seed)


@given(
    pools=st.dictionaries(st.sampled_from("pqrs"), st.sets(st.sampled_from("abcdef")), max_size=4),
    readable=st.sets(st.sampled_from("abcdef")),
    number=st.integers(1, 30),
    seed=st.integers(0, 2**40),
)
def test_a_pair_is_drawn_once_and_is_never_one_of_its_topics_own(pools, readable, number, seed):
    drawn = draw(pools, readable, number, seed)
    assert len(drawn) == len(set(drawn)) <= number
    assert all(passage in readable and passage not in pools[topic] for topic, passage in drawn)
    possible = sum(len((readable & set().union(*pools.values())) - own) for own in pools.values())
    assert len(drawn) == min(number, possible)


def test_topics_come_in_turn():
    assert {topic for topic, _ in draw(number=3)} == {"q1", "q2", "q3"}


def test_the_seed_decides_and_a_larger_number_keeps_what_a_smaller_one_drew():
    assert draw() == draw()
    assert draw(number=3) == draw(number=6)[:3]
    assert len({tuple(draw(seed=seed)) for seed in range(10)}) > 3


def test_one_topic_alone_has_no_foreign_passages():
    assert draw({"q1": {"a"}}) == []
