from __future__ import annotations

from ..money import Amount, ZERO, parse as parse_amount
import shop.money as purse


class Order:
    total: Amount

    def __init__(self, text, client=None):
        self.total = parse_amount(text)
        self.extra = purse.Euro(3)
        self.client = client

    def cost(self, rebate: Amount):
        self.total.show()
        self.extra.sign()
        fee = Amount(1)
        fee.add(rebate)
        return self.total.add(rebate)

    def again(self):
        # Recursion, and a name that shadows a function of the file.
        settle_order = self.again()
        return settle_order

    def tell(self, visitor):
        visitor.get()
        visitor.settle_account()
        visitor.visit_order()


class Ledger:
    def settle_account(self):
        return ZERO

    def visit_order(self):
        pass


class Audit:
    def visit_order(self):
        pass


def settle_order(order: Order):
    return order.cost(ZERO)
