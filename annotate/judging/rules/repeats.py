"""Which judgments of a person are asked for a second time, unannounced, and from when on."""

from annotate.rules import seeds


def due_from(
    share: int, distance: int, seed: int, *, query_id: str, passage_id: str, assessor: str, judged: int
) -> int | None:
    """From which number of the person's judgments on the pair may come again; None for one that does not.

    `share` percent of a person's judgments are chosen by the seed, each person's apart. `judged` is the number of the
    judgment itself, from 1: when the number is reached, `distance` other judgments lie between the two.
    """
    point = 100 * seeds.share(seed, "repeat", assessor, query_id, passage_id)
    return judged + distance if point < share else None
