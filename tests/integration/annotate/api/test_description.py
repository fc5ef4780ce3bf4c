"""The OpenAPI description and the page that is made from it."""

import io

import pytest
from django.core.management import call_command
from django.test import Client


def test_the_description_is_valid_and_without_warnings():
    written = io.StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=written)
    assert "openapi: 3.1.1" in written.getvalue()


@pytest.mark.django_db
def test_the_page_has_no_inline_script_or_style():
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    content = page.content.decode()
    assert "<script>" not in content and "<style" not in content and "style=" not in content
    assert page.headers["Content-Security-Policy"].count("unsafe") == 0


@pytest.mark.django_db
def test_its_script_comes_as_a_file_of_its_own():
    script = Client().get("/api/docs/?script=")
    assert script.headers["Content-Type"].startswith("application/javascript")
    assert b"SwaggerUIBundle" in script.content
