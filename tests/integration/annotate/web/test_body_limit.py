import pytest
from django.test import Client
from django.urls import reverse

from tests import factories, visitors

MIB = 1024 * 1024


class Unread:
    """A body that nobody may read."""

    def read(self, *_):
        raise AssertionError("the body was read")

    readline = read


def post(path, length, client=None, **headers):
    """Says a length in its headers without sending as much."""
    sent = {"wsgi.input": Unread(), "CONTENT_LENGTH": length, "CONTENT_TYPE": "multipart/form-data; boundary=x"}
    return (client or Client()).generic("POST", path, **sent, **headers)


@pytest.mark.parametrize("name", ["sign_in", "change_theme", "new_collection", "sign_out"])
def test_what_is_too_large_is_refused_before_it_is_read(db, name):
    answer = post(reverse(name), str(MIB + 1))
    assert answer.status_code == 413
    assert "What was sent is too large: at most 1 MB are taken here. Nothing was changed." in visitors.words(answer)


def test_what_is_within_the_limit_is_read(db):
    large = {"username": "ada", "password": "x" * (MIB - 1000)}
    assert Client().post(reverse("sign_in"), large).status_code == 200


def test_the_api_says_so_in_json_and_takes_more_where_predictions_are_sent(db):
    address = "/api/v1/collections/here/"
    answer = post(address + "judgments/", str(MIB + 1))
    assert answer.status_code == 413
    assert answer.json() == {"detail": "What was sent is too large: at most 1 MB are taken here."}
    assert post(address + "predictions/", str(MIB + 1)).status_code == 401
    assert post(address + "predictions/", str(16 * MIB + 1)).status_code == 413


def test_a_length_that_is_none_is_refused(db):
    for length in ["abc", "-1", "9" * 5000, "\u0663"]:
        assert post(reverse("imports", args=["here"]), length).status_code == 400


def test_a_body_without_a_length_is_refused_in_words(db):
    answer = post(reverse("sign_in"), "", HTTP_TRANSFER_ENCODING="chunked")
    assert answer.status_code == 411
    assert "Send the length of the request" in visitors.words(answer)


def test_imports_take_more_but_read_it_for_researchers_only(db):
    collection = factories.make_collection()
    where, size = reverse("imports", args=[collection.slug]), str(500 * MIB)
    assert post(where, size).url.startswith("/sign-in/")
    assert post(where, size, visitors.assessor(collection)).status_code == 403
    assert post(where, size, visitors.stranger()).status_code == 404
    with pytest.raises(AssertionError, match="was read"):
        post(where, size, visitors.researcher(collection))
