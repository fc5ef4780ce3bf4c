"""The interactive page of the API works under the content security policy, in light and dark."""

import pytest
from playwright.sync_api import expect

from annotate.models import Claim
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_person_claims_a_pair_from_the_page(page, sign_in):
    assessor = factories.make_assessor(factories.make_holes(factories.make_collection("holes")))
    sign_in(page, assessor.user)
    page.goto("/api/docs/")
    operation = page.locator(".opblock", has_text="/next/")
    operation.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_placeholder("slug").fill("holes")
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text("200")
    expect(operation.locator(".live-responses-table")).to_contain_text(str(Claim.objects.get().token))


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_the_page_follows_the_theme(new_page, scheme, is_dark):
    page = new_page(color_scheme=scheme)
    page.goto("/api/docs/")
    expect(page.locator(".opblock").first).to_be_visible()
    assert page.evaluate("document.documentElement.classList.contains('dark-mode')") is is_dark
