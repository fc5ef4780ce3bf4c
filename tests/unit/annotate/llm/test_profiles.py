from collections import Counter

from annotate.llm import prompts


def test_there_are_the_groups_of_the_paper_and_a_control():
    groups = Counter(one.group for one in prompts.built_in_profiles().values())
    assert groups == {"CONTROL": 1, "PERSONA": 6, "GROUP": 8, "TEXTUAL": 4}


def test_each_says_who_and_what_and_has_a_digest_of_its_own():
    every = list(prompts.built_in_profiles().values())
    assert all(one.background and one.factors and len(one.name) <= 60 for one in every)
    assert len({one.digest for one in every}) == len(every) == 19


def test_other_words_have_another_digest():
    one = prompts.ProfileText("a", "OTHER", "b", "c")
    assert one.digest != prompts.ProfileText("a", "OTHER", "bc", "").digest
