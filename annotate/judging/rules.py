"""What can be said of the time that judging still takes. A rate of yesterday is no promise."""

import math

FEWEST_RECENT = 10  # judgments in a day, below which a rate says nothing


def describe_time_left(*, left: int, recent: int) -> str:
    """`left`: judgments still wanted; `recent`: those of the last 24 hours."""
    if left == 0:
        return "Nothing is left to judge."
    wanted = f"{_number(left)} still wanted, {recent:,} made in the last 24 hours"
    if recent < FEWEST_RECENT:
        return f"{wanted}: too few to say how long the rest takes."
    days = left / recent
    ahead = "less than a day" if days < 1 else f"about {_days(math.ceil(days))}"
    return f"{wanted}: {ahead} more, if people go on at that rate."


def _number(judgments: int) -> str:
    return f"{judgments:,} judgment is" if judgments == 1 else f"{judgments:,} judgments are"


def _days(days: int) -> str:
    return f"{days:,} day" if days == 1 else f"{days:,} days"
