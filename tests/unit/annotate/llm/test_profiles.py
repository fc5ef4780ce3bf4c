from collections import Counter

from annotate.llm import profiles


def test_there_are_the_groups_of_the_paper_and_a_control():
    groups = Counter(one.group for one in profiles.built_in().values())
    assert groups == {"CONTROL": 1, "PERSONA": 6, "GROUP": 8, "TEXTUAL": 4}


def test_each_says_who_and_what_and_has_a_digest_of_its_own():
    every = list(profiles.built_in().values())
    assert all(one.background and one.factors and len(one.name) <= 60 for one in every)
    assert len({one.digest for one in every}) == len(every) == 19


def test_other_words_have_another_digest():
    one = profiles.ProfileText("a", "OTHER", "b", "c")
    assert one.digest != profiles.ProfileText("a", "OTHER", "bc", "").digest
