from decimal import Decimal

import pytest
from django.core.management import CommandError

from annotate.management import model_command


@pytest.mark.parametrize(("said", "kept"), [("5", "5.00"), ("0.019", "0.01"), ("0.01", "0.01")])
def test_a_budget_is_kept_in_cents_and_never_more_than_was_said(said, kept):
    assert model_command.read_budget(said) == Decimal(kept)


@pytest.mark.parametrize("said", ["0.009", "0", "-1", "nan", "inf", "five", "1e7"])
def test_what_is_no_budget_is_said(said):
    with pytest.raises(CommandError, match=f"--budget {said} is no amount of US dollars, from 0.01 on"):
        model_command.read_budget(said)
