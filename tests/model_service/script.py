"""What the stand-in answers: grades that only the request decides, and faults that a script decides."""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from threading import Lock

# Faults that pass: the same request is answered when it is asked often enough.
PASSING = ("429", "429 with retry-after", "500", "529", "reset", "cut")
LOST = "lost"  # answered and paid, and the connection is torn before the answer leaves
# Answers that are final and hold no grade.
FINAL = ("refusal", "off the scale", "empty", "too long", "words", "unstorable")
ECHO = "echo"  # the answer repeats the key
# Their error bodies and answers repeat the key.
QUOTING = ("quoting 400", "quoting 500")
KEY = "sk-test-4f1d2c-never-to-be-found"
# Another final one, with a grade.
MARKED = "marked"


@dataclass
class Script:
    """`share` of the requests meet one of `faults`, a passing one `times` times in a row; an answer takes `seconds`."""

    share: float = 0.0
    faults: tuple[str, ...] = PASSING + FINAL
    times: int = 1
    seconds: float = 0.0
    looks: int = 1  # at a batch until it is over
    has_model_list: bool = True
    needs_key: bool = True
    rejects: str = ""  # the sentence with which every call is rejected
    most_enqueued: int = 10**9  # requests of batches that wait, in OpenAI's form
    batch_refusal: str = ""  # the sentence with which a batch in OpenAI's form is not begun
    batch_faults: tuple[str, ...] = ()  # expired, errored, missing, twice
    says: tuple[str, ...] = ()  # answers in turn, one after the other and then again, instead of the usual ones
    said: int = 0
    broken_fetches: int = 0  # of a batch's results, before one comes whole
    broken_lines: tuple[str, ...] = ()  # put in front of the results; the first result is then not whole
    lost_hand_ins: int = 0  # batches that are taken, with the connection torn before the answer
    missing_looks: int = 0  # at which a batch is not known
    missing_results: int = 0
    away: str = ""  # the status with which everything is answered, whoever asks for what
    turned_away: int = 0
    met: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    under_way: int = 0
    most_under_way: int = 0
    first_at: float = 0.0  # of the calls, on the clock of this process
    last_at: float = 0.0
    keys: set[str] = field(default_factory=set)
    asked: list[dict[str, object]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def parse(cls, text: str) -> "Script":
        said = json.loads(text)
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in said.items()})

    def fault_of(self, request: str) -> str:
        """The fault that this request meets now, or nothing."""
        if not self.faults or chance(request, "meets") >= self.share:
            return ""
        fault = self.faults[number(request, "which") % len(self.faults)]
        if fault in (*FINAL, MARKED, ECHO):
            return fault
        with self.lock:
            self.met[request] += 1
            return fault if self.met[request] <= self.times else ""

    def batch_fault_of(self, request: str) -> str:
        """The fault that this request of a batch meets now, or nothing."""
        if not self.batch_faults or chance(request, "batch") >= self.share:
            return ""
        fault = self.batch_faults[number(request, "batch fault") % len(self.batch_faults)]
        with self.lock:
            self.met[request] += 1
            return fault if self.met[request] <= self.times else ""

    def next_said(self) -> str | None:
        """The scripted answer whose turn it is, if there are any."""
        if not self.says:
            return None
        with self.lock:
            self.said += 1
            return self.says[(self.said - 1) % len(self.says)]

    def pay(self, read: int, given: int, cached: int = 0, written: int = 0) -> None:
        """Count what is about to be delivered whole."""
        with self.lock:
            self.calls += 1
            self.tokens.update(fresh=read, given=given, cached=cached, written=written)


def grade_of(request: str) -> int:
    return number(request, "grade") % 4


def number(request: str, what: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{what}:{request}".encode()).digest()[:6], "big")


def chance(request: str, what: str) -> float:
    return number(request, what) / 2**48
