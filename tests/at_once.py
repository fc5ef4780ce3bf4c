"""Several people who act in the same moment."""

import threading
from collections.abc import Callable, Sequence

from django.db import connection


def run(act: Callable, people: Sequence) -> tuple[list, list[Exception]]:
    """Run `act` for each person in a thread of its own, started together: what came back, and what was raised."""
    results, faults, gate = [], [], threading.Barrier(len(people))

    def act_for(person: object) -> None:
        gate.wait()
        try:
            results.append(act(person))
        except Exception as fault:
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=act_for, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results, faults
