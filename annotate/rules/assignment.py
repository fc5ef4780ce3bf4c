"""What a seed fixes for a pair and a person: the arm, how many judgments the pair gets, whether it comes again."""

from collections.abc import Mapping

from annotate.rules import drawing

HIDDEN = "HIDDEN"
SHOWN = "SHOWN"
REVEAL = "REVEAL"
ARMS = (HIDDEN, SHOWN, REVEAL)


def assign_arm(
    shares: Mapping[str, int], unit: str, seed: int, *, query_id: str, passage_id: str, assessor: str
) -> str:
    """The arm that the seed fixes for a unit: a PAIR, a TOPIC or an ASSESSOR.

    `shares` are weights of the three arms, not all 0. The same inputs give the same arm for ever.
    """
    names = {"PAIR": ("pair", query_id, passage_id), "TOPIC": ("topic", query_id), "ASSESSOR": ("assessor", assessor)}
    total = sum(shares[name] for name in ARMS)
    point = drawing.seeded_share(seed, "arm", *names[unit]) * total
    for name in ARMS:
        if point < shares[name]:
            return name
        point -= shares[name]
    raise ValueError("the shares of the arms are all 0")


def arm_of_claim(its_arm: str, *, is_calibration: bool, is_repeat: bool) -> str:
    """The arm in which a pair of `its_arm` is shown: a reference pair that measures drift and a hidden repeat measure
    the person alone, so they are shown without a suggestion."""
    return HIDDEN if is_calibration or is_repeat else its_arm


def first_grade(*, given: int | None, before_reveal: int | None) -> int | None:
    """The grade that counts as given at the save, of an answer with the grade `given` (None: cannot be judged).

    Before anything was revealed a change corrects a slip: the new grade counts. After a reveal the person knows the
    suggestion: the grade given before it (`before_reveal`) stays the blind one.
    """
    return given if given is None or before_reveal is None else before_reveal


def assign_target(usual: int, several: int, share: int, seed: int, *, query_id: str, passage_id: str) -> int:
    """`several` for `share` percent of the pairs, `usual` for the others.

    The seed fixes for a pair a point in [0, 100); the share takes the pairs below it. So a share that grows keeps the
    pairs that it had.
    """
    return several if 100 * drawing.seeded_share(seed, "several", query_id, passage_id) < share else usual


def schedule_repeat(
    share: int, distance: int, seed: int, *, query_id: str, passage_id: str, assessor: str, judged: int
) -> int | None:
    """From which number of the person's judgments on the pair may come again; None for one that does not.

    `share` percent of a person's judgments are chosen by the seed, each person's apart. `judged` is the number of the
    judgment itself, from 1: when the number is reached, `distance` other judgments lie between the two.
    """
    point = 100 * drawing.seeded_share(seed, "repeat", assessor, query_id, passage_id)
    return judged + distance if point < share else None
