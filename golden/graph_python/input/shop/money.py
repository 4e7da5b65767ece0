"""Amounts of money."""

import decimal

ZERO = decimal.Decimal(0)

if decimal.HAVE_THREADS:
    def rounded(value):
        return value
else:
    def rounded(value):
        return round(value)


class Amount:
    """Cents and a currency."""

    def __init__(self, cents: int):
        self.cents = cents

    def add(self, other: "Amount") -> "Amount":
        return Amount(self.cents + other.cents)

    def show(self):
        return rounded(self.cents)


class Euro(Amount):
    def show(self):
        return super().show() + self.sign()

    def sign(self):
        return "€"


def parse(text) -> Amount:
    def strip(part):
        return part.strip()

    return Amount(int(strip(text)))
