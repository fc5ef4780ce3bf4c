"""Keeping within a budget: nothing is asked that could pass it, whatever the answers turn out to cost."""

from decimal import Decimal

from annotate.grades import batches
from annotate.llm import prices
from annotate.llm.messages import Request
from annotate.models import Batch

EMPTY = "The budget is spent: ask again with a higher one to go on. What was answered is kept."


class Budget:
    """Holds back the most that each request under way can cost, until it is known what it did cost."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._price = prices.Price.from_json(batch.price) if batch.price else None
        self._held: dict[int, Decimal] = {}
        self.is_empty = False

    def may_pay(self, name: int, request: Request) -> bool:
        """Whether the request can be asked; if so, its bound is held back under its name."""
        if self._batch.budget is None or self._price is None:
            return True
        most = self._most(self._price, request)
        spent = batches.batch_cost(Batch.objects.get(pk=self._batch.pk)) or Decimal(0)
        if spent + sum(self._held.values()) + most > self._batch.budget:
            self.is_empty = True
            return False
        self._held[name] = most
        return True

    def hold(self, name: int, request: Request) -> None:
        """Hold back the bound of a request that is under way already."""
        if self._price is not None:
            self._held[name] = self._most(self._price, request)

    def settle(self, names: list[int]) -> None:
        """What these requests cost is stored with the batch now."""
        for name in names:
            self._held.pop(name, None)

    def _most(self, price: prices.Price, request: Request) -> Decimal:
        return prices.compute_cost(price, prices.bound_tokens(request), is_batch=self._batch.is_batched)
