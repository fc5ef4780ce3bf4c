import pytest

from annotate.pool.operations import pooling
from evaluation.findings.agreement import agreement as agreements
from evaluation.findings.agreement import groups, matrix
from tests import factories, visitors
from tests.integration.evaluation import small

pytestmark = pytest.mark.django_db
FOUR = "q1 a 0, q1 b 0, q1 c 1, q2 a 2"


def test_the_figures_on_the_page_are_the_known_ones(read):
    collection = small.with_qrels(FOUR, "q1 a 0, q1 b 1, q1 c 1, q2 a 2, q2 c 0")
    page = read(collection, "agreement", first="nist", second="gpt")
    assert page.status_code == 200
    assert "on 4 pairs that both graded" in page.words
    assert "Cohen’s kappa, 4 grades 0.636" in page.words
    assert "Kappa, linear weights 0.714" in page.words
    assert "Kappa, quadratic weights 0.800" in page.words
    assert "Kappa, relevant from 2 1.000" in page.words
    assert "Mean difference, second less first 0.250" in page.words
    assert "Equal grades 75 %" in page.words
    assert "0 pairs graded by nist alone, 1 by gpt alone: not compared." in page.words
    assert (
        "0 irrelevant 1 → of the row 50 % ↓ of the column 100 % 1 → of the row 50 % ↓ of the column 50 % 0 "
        in page.words
    )


def test_one_grade_only_is_undefined_and_the_share_of_equal_grades_is_said(read):
    collection = small.with_qrels("q1 a 0, q1 b 0", "q1 a 0, q1 b 0")
    page = read(collection, "agreement", first="nist", second="gpt").words
    assert "Krippendorff’s alpha, ordinal undefined: all grades are equal" in page
    assert "Equal grades 100 %" in page
    assert "nan" not in page.lower().split()


def test_a_judge_who_always_says_the_common_grade_has_no_kappa_to_show(read):
    nist = ", ".join(f"q1 p{n} {3 if n == 9 else 0}" for n in range(10))
    gpt = ", ".join(f"q1 p{n} 0" for n in range(10))
    page = read(small.with_qrels(nist, gpt), "agreement", first="nist", second="gpt").words
    assert "Cohen’s kappa, 4 grades 0.000" in page
    assert "Equal grades 90 %" in page
    assert "Gamma of grades, ties dropped undefined: " in page
    assert "counts 0.0)" in page


def test_no_common_pair_is_said(read):
    page = read(small.with_qrels("q1 a 0", "q1 b 0"), "agreement", first="nist", second="gpt").words
    assert "on 0 pairs that both graded" in page
    assert "undefined: no pair was graded by both" in page
    assert "How sure are these figures?" not in page


def test_a_rater_is_described_beside_its_grades(read):
    collection = small.with_qrels(FOUR)
    told = {"rater": "gpt", "rater_kind": "MODEL", "rater_description": "Written for a <b>demonstration</b>."}
    factories.import_text(collection, "QRELS", small.lines(FOUR), **told)
    page = read(collection, "agreement", first="nist", second="gpt")
    assert "Written for a &lt;b&gt;demonstration&lt;/b&gt;." in page.content.decode()


def test_two_different_raters_are_chosen_at_first_so_that_compare_compares(read):
    collection = small.with_qrels(FOUR, FOUR)
    form = read(collection, "agreement").context["form"]
    chosen = {name: form[name].value() or form.fields[name].widget.choices[0][0] for name in ("first", "second")}
    assert chosen == {"first": "nist", "second": "gpt"}
    assert '<option value="gpt" selected>' in str(form["second"])
    assert read(collection, "agreement", **chosen).status_code == 200


def test_dropped_grades_are_not_chosen_beside_those_of_their_rater(read):
    collection = small.with_qrels(FOUR, FOUR)
    pooling.draw_holes(collection=collection, fraction=1, chosen=[1], seed=1, by=None, now=factories.NOW)
    assert read(collection, "agreement").context["form"]["second"].value() == "gpt"


def test_each_cell_of_the_matrix_leads_to_its_two_raters(read):
    page = read(small.with_qrels(FOUR, FOUR), "agreement").content.decode()
    assert '<td class="heat-9"><a href="/c/' in page
    assert '/agreement/?first=nist&amp;second=gpt">1.000</a><span class="n">4</span>' in page


@pytest.mark.postgresql
def test_people_beside_a_model_are_named_blind_and_shown_by_what_they_saw(read):
    collection = factories.make_holes(factories.make_collection())
    factories.make_suggestions(collection, grade=1)
    assessor = factories.make_assessor(collection)
    factories.judge(assessor, 0)
    small.show_suggestions(collection, shown=1)
    factories.judge(assessor, 1)
    page = read(collection, "agreement", first="people", second="model-a").words
    assert "people, blind and model-a" in page
    assert "1 grade, given blind: the suggestion hidden, or before it was revealed" in page
    assert "left out: 1 grades not given blind" in page
    assert "suggestion hidden 1 " in page
    assert "suggestion in view 1 " in page
    assert "after the reveal 0 no pair was graded by both" in page
    assert "People among themselves: no pair was judged by two people." in page


def test_a_scale_of_three_grades_is_shown_whole(read):
    collection = small.with_qrels("q1 a 0, q1 b 2", "q1 a 0, q1 b 1", scale="0-2")
    page = read(collection, "agreement", first="nist", second="gpt").words
    assert "Cohen’s kappa, 3 grades" in page
    assert "Kappa, relevant from 2" in page


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"first": "nist", "second": "nobody"}, "There is no rater 'nobody' in this collection; there are nist,"),
        ({"first": "nist", "second": "nist"}, "Choose two different raters."),
        ({"first": "nist"}, "This field is required."),
        ({"first": "nist", "second": "a\0b"}, "Null characters are not allowed."),
    ],
)
def test_raters_that_cannot_be_compared_are_answered_with_a_sentence(read, address, sentence):
    page = read(small.with_qrels(FOUR, FOUR), "agreement", **address)
    assert page.status_code == 422
    assert sentence in page.words
    assert "All raters" in page.words


def test_without_two_raters_the_page_says_what_to_do(read):
    page = read(small.with_qrels(FOUR), "agreement")
    assert page.status_code == 200
    assert "There are no two raters yet" in page.words


def test_names_from_outside_are_escaped(read):
    collection = small.with_qrels(FOUR)
    factories.import_qrels(collection, small.lines(FOUR), rater="<img src=x>&first=y", kind="MODEL")
    page = read(collection, "agreement", first="nist", second="<img src=x>&first=y").content.decode()
    assert "<img" not in page
    assert "second=%3Cimg+src%3Dx%3E%26first%3Dy" in page


def test_the_number_of_statements_is_bounded(django_assert_max_num_queries):
    collection = small.with_qrels(FOUR, FOUR)
    for name in ("m1", "m2", "m3"):
        factories.import_qrels(collection, small.lines(FOUR), rater=name, kind="MODEL")
    agreements._agreement.cache_clear()
    matrix._matrix.cache_clear()
    groups._grouped.cache_clear()
    visitor = visitors.researcher(collection)
    with django_assert_max_num_queries(70):
        visitor.get(f"/c/{collection.slug}/agreement/", {"first": "nist", "second": "gpt"})


@pytest.fixture
def judged_twice():
    """Six holes, graded 1 by the model and twice by people, who differ on the third pair of each topic."""
    collection = factories.make_holes(factories.make_collection(target=2))
    factories.make_suggestions(collection, grade=1)
    factories.build_pool(collection)
    for grades in ((0, 1, 2, 0, 1, 2), (0, 1, 3, 0, 1, 3)):
        assessor = factories.make_assessor(collection)
        for grade in grades:
            factories.judge(assessor, grade)
    return collection


def test_people_among_themselves_stand_beside_every_figure_of_people_and_a_model(read, judged_twice):
    page = read(judged_twice, "agreement", first="people", second="model-a").words
    assert "on 6 pairs judged by two people or more" in page
    assert "Equal grades 50 % (chance alone gives much of it where one grade is common) 67 %" in page
    for row in ("q1 2 ", "suggestion hidden 4 ", "2026-03-01 4 "):
        assert "people among themselves" in page.partition(row)[2][:200], row
    assert "people among themselves beside people’s agreement with this rater" in page


def test_a_reference_and_a_model_have_people_beside_them_where_people_judged(read, judged_twice):
    pair = judged_twice.pairs.first()
    factories.import_qrels(judged_twice, f"{pair.topic.query_id} 0 {pair.passage_id} 1\n")
    page = read(judged_twice, "agreement", first="nist", second="model-a").words
    assert "on 6 pairs judged by two people or more" in page


def test_two_people_have_nobody_beside_them(read, judged_twice):
    page = read(judged_twice, "agreement", first="assessor-1", second="assessor-2").words
    assert "People among themselves:" not in page


def test_by_grade_only_what_may_be_read_there_is_shown(read):
    page = read(small.with_qrels(FOUR, "q1 a 0, q1 b 1, q1 c 1, q2 a 2"), "agreement", first="nist", second="gpt").words
    assert "By the grade that nist gave" in page
    assert "Grade Pairs Equal grades Mean difference 0 2 50 % 0.500 1 1 100 % 0.000" in page


def test_by_source_the_pairs_of_the_reference_stand_apart(read):
    page = read(small.with_qrels(FOUR, FOUR), "agreement", first="nist", second="gpt").words
    assert "graded by the reference, retrieved by no pooled run 4 1.000" in page


def test_reasons_of_undefined_cells_are_read_out_under_the_table(read):
    page = read(small.with_qrels(FOUR, FOUR), "agreement", first="nist", second="gpt").content.decode()
    assert '<li id="topics-2">All grades are equal, so there is no disagreement to expect.</li>' in page
    assert "title=" not in page.partition("<main")[2]


def test_the_confusion_leads_to_the_two_the_other_way_round(read):
    page = read(small.with_qrels(FOUR, FOUR), "agreement", first="nist", second="gpt").content.decode()
    assert 'href="?first=gpt&amp;second=nist&amp;over=topics#confusion"' in page


def test_rows_of_the_matrix_sort_by_one_rater_without_two_being_chosen(read):
    collection = small.with_qrels(FOUR, "q1 a 0, q1 b 1, q1 c 1, q2 a 2")
    factories.import_qrels(collection, small.lines("q1 a 3, q1 b 1, q1 c 1, q2 a 0"), rater="odd", kind="MODEL")
    page = read(collection, "agreement", by="nist")
    assert page.status_code == 200
    body = page.words.partition("All raters")[2]
    assert body.index("odd model") < body.index("gpt model") < body.index("nist reference")


def test_a_person_stands_with_himself_on_the_diagonal_where_pairs_came_again(read):
    collection = factories.make_holes(factories.make_collection())
    assessor = factories.make_assessor(collection)
    for grade in (0, 1, 2):
        small.repeat(factories.judge(assessor, grade), min(grade, 1))
    page = read(collection, "agreement").words
    assert "3, again" in page
    assert "pairs that came again unannounced" in page
