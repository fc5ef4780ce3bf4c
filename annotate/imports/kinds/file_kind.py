"""What a kind of file is: how its records are numbered, checked, staged, published, settled and removed."""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from django.db import transaction

from annotate.formats import records
from annotate.formats.faults import Faults
from annotate.models import ImportedFile
from annotate.work import queue
from annotate.work.queue import Step

BATCH = 500
Record = TypeVar("Record")


class Kind(Protocol):
    """What the operations on imports do with a kind of file, whatever its records are."""

    @property
    def searched(self) -> tuple[bool, ...]:
        """Whether runs of topics (False), of query variants (True), or both come of what such a file brings."""

    def check_file(self, imported: ImportedFile, path: Path, at: int) -> Generator[Step, None, int]:
        """Count the records; raises FileRefused with what is wrong in the file and against the collection, by line.

        The steps keep the cursor `at` of what is stored already.
        """

    def stage_file(self, imported: ImportedFile, path: Path, at: int, total: int) -> Iterator[Step]:
        """Store the records from `at` on in short batches; nobody sees them before the file is published."""

    def publish(self, imported: ImportedFile, total: int) -> None:
        """Say in the file's row what it brought. It is visible once that is saved, in the same transaction."""

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        """Bring in line what follows of a file that is published; after a crash once more, from the beginning."""

    def remove_batch(self, imported: ImportedFile) -> int:
        """Take out some of the rows that came with the file; 0 once there are none."""


class FileKind(ABC, Generic[Record]):
    """A kind of file, by its records."""

    searched: tuple[bool, ...] = ()

    @abstractmethod
    def number_records(self, imported: ImportedFile, path: Path, faults: Faults) -> Iterator[tuple[int, Record]]:
        """The records, each with its line; what is wrong with a line is noted. Raises FileRefused."""

    @abstractmethod
    def check_batch(self, imported: ImportedFile, batch: list[tuple[int, Record]], faults: Faults) -> None:
        """Note what the collection lacks, or has otherwise. Raises FileRefused."""

    @abstractmethod
    def stage_batch(self, imported: ImportedFile, batch: list[Record]) -> None:
        """Store what the collection does not have yet."""

    @abstractmethod
    def count_added(self, imported: ImportedFile) -> int:
        """How many rows came with the file."""

    def check_file(self, imported: ImportedFile, path: Path, at: int) -> Generator[Step, None, int]:
        total, faults = 0, Faults(imported.name)
        for batch in records.split(self.number_records(imported, path, faults), BATCH):
            self.check_batch(imported, batch, faults)
            total += len(batch)
            yield Step(total, cursor=at, note="checking")
        faults.raise_if_any()
        return total

    def stage_file(self, imported: ImportedFile, path: Path, at: int, total: int) -> Iterator[Step]:
        for batch in records.split(itertools.islice(self.read_records(imported, path), at, None), BATCH):
            with transaction.atomic():
                self.stage_batch(imported, batch)
            at += len(batch)
            queue.let_others_write()
            yield Step(at, total, cursor=at, note="storing")

    def publish(self, imported: ImportedFile, total: int) -> None:
        imported.added = self.count_added(imported)
        imported.unchanged = total - imported.left_out - imported.added

    def settle(self, imported: ImportedFile) -> Iterator[Step]:
        return iter(())

    def read_records(self, imported: ImportedFile, path: Path) -> Iterator[Record]:
        faults = Faults(imported.name)
        for _, record in self.number_records(imported, path, faults):
            yield record
        faults.raise_if_any()
