"""The forms of studies: as they open, they make a plan that the kind reads and can freeze."""

import pytest
from django.forms import MultipleChoiceField
from django.http import QueryDict

from annotate.draws.operations import draws
from annotate.draws.queries import Plan
from annotate.models import Rater
from evaluation.studies.kinds import registry
from tests import factories
from tests.integration.evaluation import study_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    made = study_site.make()
    factories.import_text(made, "PASSAGES", "".join(f"d{number}\tpassage {number}\n" for number in range(9)))
    factories.import_qrels(made, "q1 0 d8 1\n")
    factories.import_text(made, "RUN", "q1 Q0 d9 1 1 sixth\nq2 Q0 d9 1 1 sixth\n")
    factories.import_text(made, "PASSAGES", "d9\tpassage 9\n")
    factories.build_pool(made)
    draws.draw_sample(collection=made, plan=Plan(unit="topic", number=2), by=None, now=factories.NOW)
    return made


def as_it_opens(kind, collection, **changes):
    """What a browser sends when nobody changes anything."""
    sent = QueryDict(mutable=True)
    for field in registry.get_kind(kind).form(collection):
        value = field.value()
        choices = getattr(field.field, "choices", None)
        if value is None and choices and not isinstance(field.field, MultipleChoiceField):
            value = choices[0][0]
        if value is not None and value is not False:
            sent.setlist(field.name, [str(each) for each in (value if isinstance(value, list | tuple) else [value])])
    for name, value in changes.items():
        sent[name] = value
    return registry.get_kind(kind).form(collection, sent)


@pytest.mark.parametrize(
    ("kind", "changes"), [("HOLES", {}), ("SOURCES", {"model": "gpt"}), ("PROFILES", {}), ("MIXED", {})]
)
def test_its_plan_is_read(collection, kind, changes):
    form = as_it_opens(kind, collection, **changes)
    assert form.is_valid(), form.errors
    plan = registry.get_kind(kind).read_plan(form.plan_json()).to_json()
    if kind != "PROFILES":  # there are no query variants here
        assert registry.get_kind(kind).freeze(collection=collection, plan=plan)


@pytest.mark.postgresql
def test_what_is_ticked_becomes_fillers_and_holes(collection):
    form = as_it_opens("HOLES", collection, calibrated="gpt", pool_depth="5")
    assert form.is_valid()
    plan = form.plan_json()
    assert plan["holes"] == ["relevant", "all", "depth:5"]
    assert plan["fillers"] == ["model:gpt", "calibrated:gpt", "condensed", "bpref"]
    assert plan["systems"] == []


def test_a_judge_that_saw_the_grades_may_be_chosen_and_is_not_by_itself(collection):
    Rater.objects.filter(name="gpt").update(judge="learned")
    form = as_it_opens("HOLES", collection)
    assert form.is_valid()
    assert form.plan_json()["fillers"] == ["condensed", "bpref"]
    form = as_it_opens("HOLES", collection, models="gpt")
    assert form.is_valid()
    assert form.plan_json()["fillers"] == ["model:gpt", "condensed", "bpref"]


def test_grades_by_their_probabilities_are_ticked_and_stay_unticked_where_an_earlier_study_had_them_so(collection):
    form = as_it_opens("PROFILES", collection)
    assert form.is_valid()
    assert form.plan_json()["is_by_chances"] is True
    unticked = registry.get_kind("PROFILES").read_plan(form.plan_json() | {"is_by_chances": False})
    again = registry.get_kind("PROFILES").form(collection, like=unticked.to_json())
    assert again["is_by_chances"].value() is False
