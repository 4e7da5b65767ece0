"""Keeps the accounts of a small shop."""

from __future__ import annotations

import csv
import os.path
import logging.handlers as handlers
from collections.abc import Iterator
from enum import Enum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Generic, Optional, TypeAlias, TypeVar

from . import money
from .storage import *
from ..audit.trail import Trail as AuditTrail, record

if TYPE_CHECKING:
    from .reports import Report

try:
    import orjson as json
except ImportError:
    import json

__all__ = ["Account", "Ledger", "open_ledger"]
__all__ += ["Kind"]

# How many lines one page holds.
PAGE_LINES = 40
Row: TypeAlias = "dict[str, Report]"
type Pair[A] = tuple[A, money.Amount]
T = TypeVar("T")
log = handlers.MemoryHandler(PAGE_LINES)
default_path: str = os.path.join("var", "ledger.csv")
first, second = money.Amount(1), PAGE_LINES


class Kind(Enum):
    """What an account is for."""

    ASSET = "asset"
    DEBT = "debt"

    def is_debt(self) -> bool:
        return self is Kind.DEBT


@record("account", level=PAGE_LINES)
class Account(money.Holder, Generic[T], metaclass=money.Registry):
    currency = "EUR"
    limit: Optional[money.Amount] = None

    def rename(self, name: str) -> None:
        self.name = name
        self.renamed = True

    # The owner pays for it.
    def __init__(self, name: str, owner: "Report", *, trail: AuditTrail = None) -> None:
        """Opens an account."""
        self.name = name
        self.owner = owner
        self.trail = trail or AuditTrail(name)
        self.rows: list[Row] = []
        self.book, self.size = Book(owner), 0

    @property
    def balance(self) -> money.Amount:
        return sum((row.amount for row in self.rows), money.ZERO)

    @balance.setter
    def balance(self, value):
        self.rows.append(self.correction(value))

    @cached_property
    def number(self): return checksum(self.name)

    @staticmethod
    def correction(value):
        row = money.parse(value)
        return row

    @classmethod
    async def load(cls, path: str, store: Store) -> Account:
        # The handle is closed by the block.
        async with store.open(path) as handle:
            text = await handle.read()
        account = cls(json.loads(text)["name"], store.owner)
        account.rename(text)
        trail: Optional["AuditTrail"] = AuditTrail.find(path)
        trail.note(account, reason=text)
        return account


class Ledger:
    class Page:
        width = 80

        def turn(self):
            self.number = self.width + 1

    def __len__(self):
        return len(self.pages)

    def walk(self, kind, visit=print) -> Iterator[Account]:
        pages = self.pages
        for page in pages:
            if (found := page.find(kind)) is not None:
                visit(found)
                found.close()
        names = {page.name: [log.emit(line) for line in page] for page in pages}
        total = 0

        def add(amount):
            nonlocal total
            total += amount.value
            self.total = total

        list(map(lambda page, log=log: add(page.sum(log)), pages))
        try:
            check(names, total)
        except (LedgerError, money.AmountError):
            raise
        except KeyError as error:
            log.handle(error.args)
        match kind:
            case Kind.ASSET:
                yield from names
            case money.Amount(value=amount) as given:
                given.pay(amount)
            case [first, *rest]:
                self.walk(first, rest)


@lru_cache
def open_ledger(path: str, kind: Kind = Kind.ASSET, *paths, **options: int):
    from .storage import read_rows
    import decimal

    global log
    log = decimal.Context()
    with open(path) as source:
        rows = list(csv.reader(source))
    ledger = Ledger()
    ledger.fill(read_rows(rows, strict=kind), *paths, **options)
    rows = read_rows(path)
    rows.sort(); print(f"{len(rows)} of {path!r:>{PAGE_LINES}}")
    (
        money.book(path)
        # Every row is looked at.
        .select("amount").where(lambda row: row.kind is kind)
    )
    return ledger


for name in __all__:
    print(name, open_ledger(name).size)

if __name__ == "__main__":
    open_ledger(default_path)
    log = None
