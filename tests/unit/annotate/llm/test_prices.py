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


CURRENT = ["haiku-4-5", "haiku-5-5", "sonnet-5-5", "opus-5-5", "fable-5", "fable-5-1", "fable-5-2", "mythos-5-2"]


@pytest.mark.parametrize("model", [f"claude-{name}" for name in CURRENT])
def test_an_hour_in_anthropics_cache_costs_twice_what_is_read(model):
    price = providers.find_price("anthropic", model)
    assert price.written_hour == 2 * price.fresh
    assert price.written == Decimal("1.25") * price.fresh
    assert price.given == 5 * price.fresh
    assert capabilities.compute_cost(price, Tokens(written=MILLION), is_batch=True) == price.fresh


@pytest.mark.parametrize("model", ["gpt-4.1", "gpt-4.1-nano", "gpt-5", "gpt-5-mini", "gpt-5.2", "gpt-5.4", "gpt-5.5"])
def test_the_families_of_today_have_a_price(model):
    assert providers.find_price("openai", f"{model}-2026-01-01").given > providers.find_price("openai", model).fresh > 0


class TestLongPrompts:
    HAIKU = providers.find_price("anthropic", "claude-haiku-5-5")

    def cost(self, tokens):
        more = capabilities.compute_surcharge(self.HAIKU, tokens, is_batch=False)
        return capabilities.compute_cost(self.HAIKU, tokens, is_batch=False) + more

    def test_up_to_the_tier_they_cost_no_more(self):
        assert self.cost(Tokens(fresh=60_000, cached=40_000, given=1000)) == Decimal("0.0069")

    def test_above_it_all_of_the_call_costs_five_times_as_much(self):
        assert self.cost(Tokens(fresh=60_001, cached=40_000, given=1000)) == Decimal("0.0345005")

    def test_many_short_calls_are_no_long_one(self):
        short = Tokens(written=99_000, given=10)
        together = sum([short] * 50, Tokens())
        assert capabilities.bound_cost(self.HAIKU, together, calls=50, is_batch=False) == 50 * self.cost(short)

    @given(TOKENS)
    def test_a_price_without_tiers_has_no_surcharge(self, tokens):
        assert capabilities.compute_surcharge(PRICE, tokens, is_batch=True) == 0

    def test_a_tier_is_kept_with_the_price(self):
        assert Price.from_json(self.HAIKU.as_json()) == self.HAIKU

    def test_prices_that_were_kept_before_there_were_tiers_are_read(self):
        kept = {name: value for name, value in PRICE.as_json().items() if not name.startswith(("long", "written_hour"))}
        assert Price.from_json(kept) == PRICE
