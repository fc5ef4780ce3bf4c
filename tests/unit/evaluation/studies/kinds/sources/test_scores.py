import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures import registry
from evaluation.studies.kinds.sources import findings
from tests.unit.evaluation.studies.kinds.sources import small

NAMES = "abcdefgh"
ORIGINS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["people", "model", "reference"]))
RANKINGS = st.permutations(NAMES).flatmap(lambda names: st.integers(1, 8).map(lambda length: names[:length]))


@given(st.fixed_dictionaries({"q1": RANKINGS, "q2": RANKINGS}), st.fixed_dictionaries({"q1": ORIGINS, "q2": ORIGINS}))
def test_the_shares_of_a_system_add_up_to_1_and_count_the_passages_at_its_first_ranks(rankings, origins):
    [found] = findings.origin_shares(
        small.index({"a": rankings}), origins, registry.parse("P@5"), ("q1", "q2")
    ).values()
    seen = [origins[topic].get(name, "hole") for topic, names in rankings.items() for name in names[:5]]
    assert sum(found.values()) == pytest.approx(1.0)
    assert {name: share for name, share in found.items() if share} == pytest.approx(
        {name: seen.count(name) / len(seen) for name in set(seen)}
    )


def test_a_system_that_retrieved_nothing_for_the_topics_has_shares_of_0():
    index = small.index({"a": {"q1": "ab"}, "b": {"q2": "ab"}})
    found = findings.origin_shares(index, {"q1": {"a": "people"}}, registry.parse("P@5"), ("q1",))
    assert found == {"a": {"hole": 0.5, "people": 0.5}, "b": {"hole": 0.0, "people": 0.0}}
