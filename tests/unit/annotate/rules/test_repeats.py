from annotate.rules import assignment


def due(share, passage_id="p", assessor="a", judged=7, seed=1):
    return assignment.schedule_repeat(
        share, 20, seed, query_id="q", passage_id=passage_id, assessor=assessor, judged=judged
    )


def chosen(assessor, seed=1):
    return {n for n in range(3_000) if due(10, f"p{n}", assessor, seed=seed)}


def test_as_many_judgments_as_the_distance_says_lie_between_the_two():
    assert due(100, judged=7) == 27


def test_no_share_repeats_nothing():
    assert due(0) is None


def test_about_the_share_of_a_persons_judgments_comes_again():
    assert abs(len(chosen("a")) / 3_000 - 0.1) < 0.02


def test_each_person_gets_other_pairs_again_and_another_seed_others():
    assert chosen("a") != chosen("b")
    assert chosen("a") != chosen("a", seed=2)
