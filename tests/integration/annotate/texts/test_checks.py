"""People who check query variants: what they see, what is stored, what researchers read of it."""

import pytest
from django.urls import reverse

from annotate.imports.operations import withdrawals
from annotate.models import QueryVariant, VariantCheck
from annotate.suggestions.operations import prompts
from annotate.texts import operations as variants_operations
from annotate.texts.operations import CannotDraw, CheckAnswer, NotOffered
from annotate.texts.queries import variants as variants_queries
from annotate.work import engine
from tests import factories, visitors

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def collection():
    """Two variants of each of two profiles, for both topics."""
    made = factories.make_holes(factories.make_collection("here"), topics=2, passages=2)
    for name in ("child", "expert"):
        profile = prompts.use_built_in_profile(collection=made, name=name, now=factories.NOW)
        for topic in made.topics.all():
            texts = [f"{name} asks of {topic}", f"{name} wants {topic}"]
            variants_operations.add_variants(
                collection=made, topic=topic, profile=profile, texts=texts, now=factories.NOW
            )
    return made


@pytest.fixture
def people(collection):
    return [factories.make_assessor(collection) for _ in range(3)]


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


def said(turn, meaning: str = "yes", writer: str = "FIRST") -> dict[str, object]:
    first, second = turn.writers
    return {"meaning": meaning, "writer": writer, "first": first.pk, "second": second.pk}


def save(member, turn, **answer):
    return visitors.of(member.user).post(at("save_variant_check", turn.variant.pk), said(turn, **answer), headers=HTMX)


def test_the_choice_is_seeded_even_over_profiles_and_made_anew_at_will(collection):
    assert variants_operations.draw_checks(collection=collection, per_profile=1, people=2) == 2
    chosen = set(QueryVariant.objects.filter(checks_wanted=2).values_list("pk", "profile__name"))
    assert {name for _, name in chosen} == {"child", "expert"}
    assert variants_operations.draw_checks(collection=collection, per_profile=1, people=2) == 2
    assert set(QueryVariant.objects.filter(checks_wanted=2).values_list("pk", "profile__name")) == chosen
    assert variants_operations.draw_checks(collection=collection, per_profile=99, people=1) == 8
    assert set(QueryVariant.objects.values_list("checks_wanted", flat=True)) == {1}


@pytest.mark.parametrize(("per_profile", "people"), [(0, 2), (1, 0), (1, 11)])
def test_a_choice_that_cannot_be_is_refused(collection, per_profile, people):
    with pytest.raises(CannotDraw):
        variants_operations.draw_checks(collection=collection, per_profile=per_profile, people=people)


def test_without_variants_there_is_nothing_to_choose(db):
    with pytest.raises(CannotDraw, match="no variants"):
        variants_operations.draw_checks(collection=factories.make_collection(), per_profile=1, people=1)


def test_each_variant_is_said_by_so_many_different_people_and_no_more(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=1, people=2)
    for member in people[:2]:
        for _ in range(2):
            save(member, variants_queries.find_next_turn(member))
        assert variants_queries.find_next_turn(member) is None
    assert variants_queries.find_next_turn(people[2]) is None
    assert VariantCheck.objects.count() == 4
    progress = variants_queries.count_progress(collection)
    assert (progress.variants, progress.wanted, progress.given) == (2, 4, 4)


def test_everybody_is_offered_the_same_two_profiles_for_a_variant_in_an_order_of_ones_own(collection):
    third = prompts.use_built_in_profile(collection=collection, name="voice", now=factories.NOW)
    variants_operations.add_variants(
        collection=collection, topic=collection.topics.first(), profile=third, texts=["voice"], now=factories.NOW
    )
    members = [factories.make_assessor(collection) for _ in range(8)]
    for variant in QueryVariant.objects.select_related("profile", "collection"):
        offers = {variants_queries.offer_writers(variant, member) for member in members}
        assert len({frozenset(offer) for offer in offers}) == 1
        assert all(variant.profile in offer for offer in offers)
    assert len(offers) == 2  # of eight people both orders


def test_the_page_tells_nothing_of_the_writer_or_of_what_others_said(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=2, people=2)
    save(people[0], variants_queries.find_next_turn(people[0]), meaning="no", writer="EITHER")
    turn = variants_queries.find_next_turn(people[1])
    page = visitors.of(people[1].user).get(at("check_variants"))
    content = page.content.decode()
    assert turn.variant.text in content
    assert str(people[0].pseudonym) not in content
    assert "checked" not in content
    for profile in turn.writers:
        assert content.count(f'value="{profile.pk}"') >= 1
    names = [profile.name for profile in turn.writers]
    rest = content.replace(turn.variant.text, "")
    assert rest.count(f">{names[0]}<") == rest.count(f">{names[1]}<") == 1


def test_an_imported_id_that_tells_the_writer_is_not_on_the_page(collection, people):
    QueryVariant.objects.all().delete()
    factories.import_text(collection, "VARIANTS", '{"variant_id": "q1-child-1", "query_id": "q1", "profile": "child",'
                          ' "number": 1, "text": "why oh why"}', name="variants.jsonl")  # fmt: skip
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1)
    content = visitors.of(people[0].user).get(at("check_variants")).content.decode()
    assert "why oh why" in content
    assert "q1-child-1" not in content


@pytest.mark.postgresql
def test_a_variant_that_was_withdrawn_while_its_card_was_open_takes_no_answer(collection, people):
    imported = factories.import_text(collection, "VARIANTS", '{"variant_id": "w", "query_id": "q1", "profile": "voice",'
                                     ' "number": 1, "text": "why oh why"}', name="variants.jsonl")  # fmt: skip
    variants_operations.draw_checks(collection=collection, per_profile=9, people=1)
    turn = variants_queries.find_turn(people[0], QueryVariant.objects.get(variant_id="w").pk)
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)
    assert save(people[0], turn).status_code == 409
    assert not VariantCheck.objects.exists()
    engine.run(engine.claim(work_id=queued.pk))
    imported.refresh_from_db()
    assert imported.state == "WITHDRAWN"


@pytest.mark.parametrize("number", ["9" * 30, "-" + "9" * 30, "0"])
def test_profiles_whose_numbers_no_row_can_have_are_refused(collection, people, number):
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1)
    turn = variants_queries.find_next_turn(people[0])
    where = at("save_variant_check", turn.variant.pk)
    for change in ({"first": number}, {"second": number}):
        answer = visitors.of(people[0].user).post(where, {**said(turn), **change}, headers=HTMX)
        assert answer.status_code == 422
    assert not VariantCheck.objects.exists()


def test_an_answer_is_stored_with_what_was_offered_and_the_next_variant_comes(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=2, people=1)
    turn = variants_queries.find_next_turn(people[0])
    answer = save(people[0], turn, meaning="no", writer="SECOND")
    check = VariantCheck.objects.get()
    assert (check.has_same_meaning, check.writer, (check.first, check.second)) == (False, "SECOND", turn.writers)
    assert "Saved. Next:" in answer.content.decode()
    assert "<html" not in answer.content.decode()


@pytest.mark.postgresql
def test_the_last_answer_can_be_changed_and_a_repeated_one_is_one(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1)
    turn = variants_queries.find_next_turn(people[0])
    save(people[0], turn)
    save(people[0], turn)
    page = visitors.of(people[0].user).get(at("check_variants"), {"again": 1})
    assert 'value="yes" required checked' in page.content.decode()
    save(people[0], turn, meaning="no")
    assert VariantCheck.objects.get().has_same_meaning is False


def test_without_scripts_the_way_leads_back_to_the_page(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1)
    turn = variants_queries.find_next_turn(people[0])
    answer = visitors.of(people[0].user).post(at("save_variant_check", turn.variant.pk), said(turn))
    assert (answer.status_code, answer.url) == (302, at("check_variants"))


@pytest.mark.parametrize(
    ("change", "word"),
    [({"meaning": ""}, "Say whether the meaning is the same"), ({"writer": ""}, "Say which of the two profiles")],
)
def test_half_an_answer_comes_back_with_its_variant(collection, people, change, word):
    variants_operations.draw_checks(collection=collection, per_profile=2, people=1)
    turn = variants_queries.find_next_turn(people[0])
    visitor = visitors.of(people[0].user)
    answer = visitor.post(at("save_variant_check", turn.variant.pk), {**said(turn), **change}, headers=HTMX)
    assert answer.status_code == 422 and word in visitors.words(answer)
    assert turn.variant.text in visitors.words(answer)
    assert not VariantCheck.objects.exists()


def test_nobody_answers_about_what_was_not_asked(collection, people):
    [*_, last] = QueryVariant.objects.order_by("pk")
    other = prompts.use_built_in_profile(collection=collection, name="child", now=factories.NOW)
    for answer in (CheckAnswer(True), CheckAnswer(True, "FIRST", last.profile_id, other.pk)):
        with pytest.raises(NotOffered):
            variants_operations.record_check(member=people[0], variant_id=last.pk, answer=answer, now=factories.NOW)
    variants_operations.draw_checks(collection=collection, per_profile=9, people=1)
    voice = prompts.use_built_in_profile(collection=factories.make_collection(), name="voice", now=factories.NOW)
    for answer in (
        CheckAnswer(True, "FIRST"),
        CheckAnswer(True, "", last.profile_id, other.pk),
        CheckAnswer(True, "FIRST", last.profile_id, last.profile_id),
        CheckAnswer(True, "FIRST", last.profile_id, voice.pk),
    ):
        with pytest.raises(NotOffered):
            variants_operations.record_check(member=people[0], variant_id=last.pk, answer=answer, now=factories.NOW)
    assert not VariantCheck.objects.exists()


@pytest.mark.postgresql
def test_with_one_profile_only_the_meaning_is_asked(db):
    here = factories.make_holes(factories.make_collection("here"), topics=1, passages=1)
    profile = prompts.use_built_in_profile(collection=here, name="child", now=factories.NOW)
    topic = here.topics.get()
    variants_operations.add_variants(collection=here, topic=topic, profile=profile, texts=["one"], now=factories.NOW)
    variants_operations.draw_checks(collection=here, per_profile=1, people=1)
    member = factories.make_assessor(here)
    page = visitors.of(member.user).get(at("check_variants"))
    assert "Whom was it written for" not in visitors.words(page)
    turn = variants_queries.find_next_turn(member)
    visitors.of(member.user).post(at("save_variant_check", turn.variant.pk), {"meaning": "yes"})
    assert VariantCheck.objects.get().writer == ""
    assert "not asked: there is one profile only" in visitors.words(visitors.researcher(here).get(at("variants")))


def test_shares_by_profile_tell_right_from_other_whatever_the_order(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=9, people=2)
    for member in people[:2]:
        while turn := variants_queries.find_next_turn(member):
            is_right = "FIRST" if turn.writers[0] == turn.variant.profile else "SECOND"
            is_child = turn.variant.profile.name == "child"
            save(member, turn, meaning="yes" if is_child else "no", writer=is_right if is_child else "EITHER")
    child, expert = variants_queries.summarize_checks(collection)
    assert (child.answers, child.same, child.right, child.other, child.either) == (8, 8, 8, 0, 0)
    assert (expert.variants, expert.answers, expert.same, expert.right, expert.either) == (4, 8, 0, 0, 8)
    assert {tuple(sorted(set(codes.values()))) for codes in variants_queries.list_writers(collection).values()} == {
        (0, 2)
    }
    words = visitors.words(visitors.researcher(collection).get(at("variants")))
    assert "16 of 16 answers on 8 variants" in words


@pytest.mark.postgresql
def test_an_assessor_finds_the_work_on_the_first_page(collection, people):
    home = visitors.of(people[0].user)
    assert "to check" not in visitors.words(home.get(reverse("home")))
    variants_operations.draw_checks(collection=collection, per_profile=2, people=1)
    assert "4 query variants to check" in visitors.words(home.get(reverse("home")))
    researcher = visitors.researcher(collection)
    assert "Nobody is asked" in visitors.words(researcher.post(at("end_variant_checks"), follow=True))
    assert "to check" not in visitors.words(home.get(reverse("home")))


def test_the_researcher_puts_variants_in_front_of_people(collection):
    researcher = visitors.researcher(collection)
    page = researcher.post(at("draw_variant_checks"), {"per_profile": 1, "people": 2}, follow=True)
    assert "2 variants wait for the assessors now." in visitors.words(page)
    refused = researcher.post(at("draw_variant_checks"), {"per_profile": 0, "people": 2})
    assert refused.status_code == 422


def test_only_assessors_check_and_strangers_see_nothing(collection):
    assert visitors.researcher(collection).get(at("check_variants")).status_code == 403
    assert visitors.stranger().get(at("check_variants")).status_code == 404
    assert "No variant waits for you" in visitors.words(visitors.assessor(collection).get(at("check_variants")))


def test_gold_questions_stand_beside_another_topic_and_count_for_themselves_alone(collection, people):
    variants_operations.draw_checks(collection=collection, per_profile=1, people=1, gold=2)
    gold = QueryVariant.objects.filter(gold_topic__isnull=False)
    assert gold.count() == 2 and all(one.gold_topic != one.topic and not one.checks_wanted for one in gold)
    member, met = people[0], 0
    while turn := variants_queries.find_next_turn(member):
        is_gold = turn.variant.gold_topic is not None
        met += is_gold
        page = visitors.of(member.user).get(at("check_variants"))
        assert turn.topic == (turn.variant.gold_topic or turn.variant.topic)
        assert turn.topic.text in visitors.words(page) and "gold" not in page.content.decode()
        save(member, turn, meaning="no" if is_gold and met == 1 else "yes")
    assert met == 2
    assert variants_queries.summarize_gold(collection) == [variants_queries.GoldLine(member.pseudonym, 2, 1)]
    assert sum(line.answers for line in variants_queries.summarize_checks(collection)) == 2
    assert len(variants_queries.list_meanings(collection)[member.pseudonym]) == 2
    assert (variants_queries.count_progress(collection).given, variants_queries.list_waiting(people[1]).count()) == (
        2,
        2,
    )
    page = visitors.researcher(collection).get(at("variants"))
    assert f"{member.pseudonym} 2 1 50 %" in visitors.words(page)
    last = variants_queries.find_last_turn(member)
    assert last.topic == (last.variant.gold_topic or last.variant.topic)
    variants_operations.end_checks(collection=collection)
    assert not variants_queries.list_waiting(people[1]).exists()
    assert variants_queries.summarize_gold(collection)[0].answers == 2


def test_too_few_variants_for_gold_questions_are_said_and_nothing_changes(collection):
    page = visitors.researcher(collection).post(at("draw_variant_checks"), {"per_profile": 4, "people": 1, "gold": 3})
    assert page.status_code == 422 and "There are 0 variants left for 3 gold questions" in visitors.words(page)
    assert not QueryVariant.objects.filter(checks_wanted__gt=0).exists()
