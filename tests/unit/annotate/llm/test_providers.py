import pytest

from annotate.llm import providers

SET = {"ANTHROPIC_API_KEY": "sk-a", "OPENAI_API_KEY": "sk-o"}


@pytest.mark.parametrize(("name", "key"), [("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY")])
class TestMissing:
    def test_without_a_key_it_says_which_to_set(self, name, key):
        assert f"Set {key} in the environment" in providers.find_provider(name).missing_setup({})
        assert f"Set {key}" in providers.find_provider(name).missing_setup({key: ""})

    def test_with_a_key_nothing_is_missing(self, name, key):
        assert providers.find_provider(name).missing_setup(SET) == ""

    @pytest.mark.parametrize("end", ["\n", " ", "\u2026", "\0"])
    def test_a_key_that_can_be_none_is_said_before_calls_are_wasted_on_it(self, name, key, end):
        sentence = providers.find_provider(name).missing_setup({key: f"sk-a{end}"})
        assert sentence.startswith(f"{key} holds white space")
        assert "sk-a" not in sentence

    def test_an_address_without_its_scheme_is_said(self, name, key):
        address = key.replace("API_KEY", "BASE_URL")
        assert (
            providers.find_provider(name)
            .missing_setup({**SET, address: "localhost:8000/v1"})
            .startswith(f"{address} has to begin with")
        )
        assert providers.find_provider(name).missing_setup({**SET, address: "http://localhost:8000/v1"}) == ""


def test_a_service_that_nobody_knows_is_a_fault_of_ours():
    with pytest.raises(KeyError):
        providers.find_provider("oracle")
