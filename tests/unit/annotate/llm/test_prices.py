from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.llm import capabilities, providers
from annotate.llm.capabilities import Price
from annotate.llm.messages import Request, Tokens

MILLION = 1_000_000
COUNTS = st.integers(0, 10**9)
TOKENS = st.builds(Tokens, COUNTS, COUNTS, COUNTS, COUNTS)
PRICE = Price(*map(Decimal, ("3", "0.30", "3.75", "15", "0.5")))


def test_a_dated_snapshot_has_the_price_of_its_alias_and_another_model_has_none():
    assert providers.find_price("openai", "gpt-4o-2024-08-06") == providers.find_price("openai", "gpt-4o") is not None
    assert providers.find_price("openai", "vicuna-7b") is None
    assert providers.find_price("anthropic", "claude-haiku-4-5-preview") is None


def test_a_server_that_passes_on_anothers_model_costs_what_that_does():
    assert providers.find_price("openai", "claude-haiku-4-5") == providers.find_price("anthropic", "claude-haiku-4-5")


def test_each_kind_of_token_has_its_own_price():
    every = Tokens(MILLION, MILLION, MILLION, MILLION)
    assert capabilities.compute_cost(PRICE, every, is_batch=False) == Decimal("22.05")
    assert capabilities.compute_cost(PRICE, every, is_batch=True) == Decimal("11.025")


def test_a_price_is_kept_exactly():
    assert Price.from_json(PRICE.as_json()) == PRICE


@given(TOKENS, TOKENS, st.booleans())
def test_the_cost_of_all_is_the_sum_of_the_costs(one, other, is_batch):
    apart = capabilities.compute_cost(PRICE, one, is_batch=is_batch) + capabilities.compute_cost(
        PRICE, other, is_batch=is_batch
    )
    assert capabilities.compute_cost(PRICE, one + other, is_batch=is_batch) == apart


@pytest.mark.parametrize("text", ["", "a passage of plain words. " * 40, "日本語の文章です。" * 40])
def test_the_bound_counts_all_text_and_the_longest_answer(text):
    most = capabilities.bound_tokens(Request("m", "the system part", text, most_tokens=32))
    assert most.given == 32
    assert most.written >= (len(text) + len("the system part")) / 2
