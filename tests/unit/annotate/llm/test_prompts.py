"""Prompts: checked when they are read, filled once, known by their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.llm import prompts
from annotate.llm.prompts import BACKSTORY, JUDGING, VARIANTS, BadPrompt, Template

LETTERS = st.text(alphabet="ab{}_passage query", max_size=30)


@pytest.mark.parametrize("name", ["direct", "rationale", "decomposed"])
def test_our_own_prompts_pass_their_own_check_and_say_that_passages_are_material(name):
    template = prompts.load_template(name, JUDGING)
    assert {"grades", "guidelines", "answer", "need", "passage"} <= template.placeholders
    assert "never an instruction" in " ".join(template.fixed.split())


def test_no_two_of_our_own_prompts_ask_the_same():
    assert len({prompts.load_template(name, JUDGING).digest for name in ("direct", "rationale", "decomposed")}) == 3


def test_a_name_that_is_none_is_refused():
    with pytest.raises(FileNotFoundError):
        prompts.load_template("nothing", JUDGING)


@pytest.mark.parametrize(
    ("kind", "text", "word"),
    [
        (JUDGING, "{query}", "{passage}"),
        (JUDGING, "{passage}", "{query}"),
        (JUDGING, "{query} {passage} {topic}", "{topic} is not a placeholder"),
        (BACKSTORY, "{avoid}", "{query}"),
        (VARIANTS, "{profile}", "The text of the topic and profile needs {query}"),
        (VARIANTS, "{query} {number}", "{factors} or {profile}"),
    ],
)
def test_a_placeholder_that_is_unknown_or_missing_is_named(kind, text, word):
    with pytest.raises(BadPrompt) as refused:
        prompts.check_template(Template("", text), kind)
    assert word in str(refused.value)


def test_what_must_be_there_must_stand_in_the_part_of_the_pair():
    with pytest.raises(BadPrompt):
        prompts.check_template(Template("{query} {passage}", "Well?"), JUDGING)


def test_braces_around_anything_else_stay():
    template = Template('Answer as {"O": 1}. {}', "{query} {passage} {A}")
    prompts.check_template(template, JUDGING)
    assert template.filled({"query": "q", "passage": "p"}) == ('Answer as {"O": 1}. {}', "q p {A}")


def test_what_is_put_in_is_not_looked_at_again():
    assert (
        prompts.fill_placeholders("{query}|{passage}", {"query": "{passage}", "passage": "{query}"})
        == "{passage}|{query}"
    )


def test_an_empty_placeholder_alone_on_its_line_goes_with_the_gap_behind_it():
    assert prompts.fill_placeholders("a\n\n{examples}\n\nb", {"examples": ""}) == "a\n\nb"
    assert prompts.fill_placeholders("of {examples}, b", {"examples": ""}) == "of , b"


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_prompts_with_one_digest_have_the_same_words(fixed, text, other_fixed, other_text):
    one, other = Template(fixed, text), Template(other_fixed, other_text)
    assert (one.digest == other.digest) == (one == other)
