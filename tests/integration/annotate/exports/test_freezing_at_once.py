"""A double click on Freeze, or two people at once: one frozen version, and nobody sees a fault."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Collection, Export
from tests import at_once, factories, visitors


def _with_qrels() -> Collection:
    collection = factories.make_holes(factories.make_collection())
    factories.import_qrels(collection, "q1 0 d1.1 3\nq2 0 d2.1 1\n")
    return collection


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("clicks", [2, 6])
def test_freezing_at_once_gives_one_version(clicks):
    collection = _with_qrels()
    where = reverse("exports", args=[collection.slug])
    people = [visitors.researcher(collection) for _ in range(clicks)]

    answers, faults = at_once.run(lambda person: person.post(where).status_code, people)

    assert faults == []
    assert answers == [302] * clicks
    assert [export.number for export in Export.objects.all()] == [1]


@pytest.mark.django_db(transaction=True)
def test_the_same_person_in_two_tabs_gets_one_version():
    collection = _with_qrels()
    person = visitors.researcher(collection)
    tabs = [Client() for _ in range(4)]
    for tab in tabs:
        tab.cookies = person.cookies

    answers, faults = at_once.run(lambda tab: tab.post(reverse("exports", args=[collection.slug])).status_code, tabs)

    assert (faults, answers) == ([], [302] * 4)
    assert Export.objects.count() == 1
