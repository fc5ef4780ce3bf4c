import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Collection
from annotate.work import engine
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
FOUR = "q1 a 0, q1 b 0, q1 c 1, q2 a 2"


@pytest.fixture
def three():
    """A reference and two models; the second model graded three of the four pairs."""
    collection = small.with_qrels(FOUR, "q1 a 0, q1 b 1, q1 c 1, q2 a 2")
    factories.import_qrels(collection, small.lines("q1 a 0, q1 c 1, q2 a 2"), rater="third", kind="MODEL")
    return collection


def several(collection: Collection, *names: str, **address: str):
    visitor = visitors.researcher(collection)
    return visitor.get(f"/c/{collection.slug}/agreement/several/", {"raters": names, **address})


def test_any_number_of_raters_have_one_alpha_and_its_interval_later(three):
    page = visitors.words(several(three, "nist", "gpt", "third"))
    assert "3 raters, 4 pairs that two of them or more graded" in page
    assert "3 pairs graded by all of them, 0 by one alone" in page
    assert "being computed" in page
    engine.run_waiting()
    page = visitors.words(several(three, "nist", "gpt", "third"))
    assert "95 % intervals over 2 topics: percentile bootstrap, 1000 resamples, seed 0." in page
    assert "being computed" not in page
    assert "intervals over 4 pairs" in visitors.words(several(three, "nist", "gpt", "third", over="pairs"))


def test_it_is_downloaded_with_its_intervals(three):
    address = f"/c/{three.slug}/agreement/several.csv"
    visitor, raters = visitors.researcher(three), {"raters": ["nist", "gpt", "third"]}
    assert b"being computed" in visitor.get(address, raters).content
    engine.run_waiting()
    rows = {row["alpha"]: row for row in csv.DictReader(io.StringIO(visitor.get(address, raters).content.decode()))}
    assert set(rows) == {"nominal", "ordinal", "interval"}
    low, value, high = (float(rows["ordinal"][name]) for name in ("low", "value", "high"))
    assert low - 1e-9 <= value <= high + 1e-9
    assert visitor.get(address).status_code == 422


def test_all_people_and_all_raters_are_one_click(three):
    page = several(three).content.decode()
    assert 'href="?raters=nist&amp;raters=gpt&amp;raters=third"' in page
    assert "All people" not in page


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("nist",), "Choose two raters or more."),
        (("nist", "nobody"), "Select a valid choice. nobody is not one of the available choices."),
    ],
)
def test_who_cannot_be_compared_is_said(three, names, sentence):
    answer = several(three, *names)
    assert answer.status_code == 422
    assert sentence in visitors.words(answer)


def test_of_people_only_blind_grades_count_beside_a_model_and_never_beside_their_consensus():
    collection = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    first, second = factories.make_assessor(collection), factories.make_assessor(collection)
    factories.judge(first, 1)
    small.show_suggestions(collection, shown=1)
    factories.judge(second, 1)
    assert "1 pair that two of them or more graded" in visitors.words(several(collection, "assessor-1", "assessor-2"))
    beside_a_model = visitors.words(several(collection, "assessor-1", "assessor-2", "model-a"))
    assert "assessor-2, blind assessor : 0 grades, given blind" in beside_a_model
    assert "includes the grades of" in visitors.words(several(collection, "people", "assessor-1"))
    assert "All people" in visitors.words(several(collection))


@pytest.fixture
def ranked():
    """Two systems, a reference, and two models: one gives its grades, the other their opposite."""
    same, opposite = "q1 a 3, q1 b 0, q2 a 2, q2 b 1", "q1 a 0, q1 b 3, q2 a 1, q2 b 2"
    collection = small.with_qrels(same)
    for name, grades in (("same", same), ("opposite", opposite)):
        factories.import_qrels(collection, small.lines(grades), rater=name, kind="MODEL")
    for tag in ("a>b", "b>a"):
        small.add_run(collection, tag)
    return collection


def test_each_stands_beside_the_first_by_kappa_alpha_and_tau(ranked):
    page = several(ranked, "nist", "same", "opposite")
    rows = {row.rater.name: row for row in page.context["each"].rows}
    assert list(rows) == ["same", "opposite"]
    assert rows["same"].found.kappa["unweighted"].value == rows["same"].found.alpha["ordinal"].value == 1
    assert (rows["same"].tau_b.value, rows["opposite"].tau_b.value) == (1, -1)
    assert rows["opposite"].found.alpha["ordinal"].value < 0
    address = f"/c/{ranked.slug}/agreement/several.csv"
    asked = {"raters": ["nist", "same", "opposite"], "table": "each", "sort": "kappa"}
    told = visitors.researcher(ranked).get(address, asked).content.decode()
    assert [row["rater"] for row in csv.DictReader(io.StringIO(told))] == ["opposite", "same"]


def test_without_runs_the_table_says_why_there_is_no_tau(three):
    assert "Fewer than two runs rank the topics." in visitors.words(several(three, "nist", "gpt"))


def test_one_link_leads_from_the_suggestions_to_all_prompts_and_one_command_tells_the_same(ranked):
    page = visitors.researcher(ranked).get(f"/c/{ranked.slug}/suggestions/").content.decode()
    assert f'/c/{ranked.slug}/agreement/several/?raters=nist&amp;raters=same&amp;raters=opposite"' in page
    stdout = io.StringIO()
    call_command("agreement", "--collection", ranked.slug, stdout=stdout)
    told = json.loads(stdout.getvalue())
    assert (told["with"], told["measure"]) == ("nist", "nDCG@10")
    assert [(row["rater"], row["kappa"], row["tau_b"]) for row in told["raters"]][0] == ("same", 1.0, 1.0)
    with pytest.raises(CommandError, match="There is no rater 'nobody'"):
        call_command("agreement", "--collection", ranked.slug, "--rater", "nobody", "--rater", "same")
